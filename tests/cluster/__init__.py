"""The ledger's work on more than one worker: the same figures, whoever did which part of it."""
