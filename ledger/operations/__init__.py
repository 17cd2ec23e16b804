"""What the ledger can be asked to record: each operation declared once, for every face.

A declaration is a class of typed fields. It says who may use it and what it is called in each
face; ``ledger.registrar`` decides what it comes to. Nothing here takes time to load: the command
line reads it to say its help.
"""
