"""What records, and nothing else does: commands, decided at a head, in one commit.

``ledger`` is the ledger that is recorded in, ``decisions`` what is decided at a head and again when
somebody was faster, ``operations`` carries out whatever was declared. The other modules, one for
each noun, say what stands before a command (who is meant, what is noted) where it is more than the
registrar decides. ``archives`` and ``backups`` take a ledger elsewhere.
"""
