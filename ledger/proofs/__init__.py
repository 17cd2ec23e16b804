"""Proofs that need no ledger: files that say what was recorded, and whether they are right.

``tlog_proof`` and ``consistency`` are the two kinds of files, ``contents`` is what they are about;
``policy`` says whose signatures count, ``cosignatures`` are those of witnesses; ``check`` puts it
together. No database, no clock: whoever asks says what time it is. The page ``docs/proofs.md``
describes the same for whoever writes another implementation.
"""
