"""An archive: a whole journal in Parquet files, which can be read as a journal and put back.

``writer`` makes one of a journal; ``parts`` and ``journal`` read it as one; ``proof`` verifies it
and puts it back into a database. Arrow is loaded where it is needed.
"""
