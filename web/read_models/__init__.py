"""Read models: lists and the register as files that are fast to search and to turn the pages of.

Each is made from what ``ledger.answers`` answers, and answers the same. They are disposable:
whoever deletes them waits until they are made again.
"""
