"""The rating ledger: chess ratings as an accountable, reproducible ledger.

What happened is appended once and never changed; what follows from it is replayed. The packages,
in the order data flows through them (each knows only those to its right and the words below):

* write side: ``intake`` → ``registrar`` → ``events`` → ``journal``
* read side: ``reports`` ← ``lists`` ← ``replay`` ← ``facts`` × ``regulations``

``application`` is the way in for the faces (the command line, later the web).
"""
