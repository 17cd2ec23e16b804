"""The rating ledger: chess ratings as an accountable, reproducible ledger.

What happened is appended once and never changed; what follows from it is replayed. The packages,
in the order data flows through them (each knows only those to its right and the words below):

* write side: ``intake`` → ``service`` → ``registrar`` → ``events`` → ``journal``
* read side: ``answers`` ← ``reports`` ← ``lists`` ← ``replay`` ← ``facts`` × ``regulations``

``operations`` and ``questions`` declare what can be recorded and asked: the faces (the command
line, the site) are made of them. Programs of others import ``application``.
"""
