"""International titles: one module for each text, in its order; tables as printed.

A module knows fields of participants and scores, and nothing of ledgers and tournaments as
recorded: ``reports/titles`` brings them together.
"""
