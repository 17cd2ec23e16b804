"""Pictures of reports as SVG: text without fonts, scripts or files from elsewhere.

``svg`` has the shapes. A picture has a title and says in words what it shows; the figures
themselves stand in the report, which a face shows as a table beside it.
"""
