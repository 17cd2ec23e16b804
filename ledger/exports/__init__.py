"""Tables for other programs: columns with a type, and the files they are written to.

A table is columns and pages of rows; it does not matter how many. ``columns`` says what a column
holds, ``files`` writes CSV, Parquet and XLSX. Nothing here knows what rows are about.
"""
