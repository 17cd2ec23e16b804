"""Intake: documents in, commands out. All problems of a file at once, and then nothing of it.

``text`` decodes, ``tabular`` reads CSV, ``players_csv``, ``games_csv`` and ``trf`` read one kind of
document each into the values of ``documents``, ``reconcile`` compares those with what is recorded:
the same again is nothing, something new is a command, something else a difference.
"""
