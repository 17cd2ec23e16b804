"""A whole ledger in files: Parquet parts and a manifest, to be kept, verified, read and restored.

``tables`` are the columns, ``manifest`` says what there is, ``witness`` what the events say of it;
``writing`` makes an archive of a journal, by ``part_writer``; ``parts`` and ``journal`` read it as
one; ``restoring`` proves it and puts it back into a database. Arrow is loaded where it is needed.
"""
