"""The way in for every face: one ``Ledger`` on a journal, and what can be asked of it.

``ledger`` carries out commands and keeps the facts, ``imports`` takes documents in, ``lists`` shows
and regenerates what ``list_editions`` finds, ``publications`` publishes, ``player_questions``
answers, ``commits`` tells who recorded what, ``verification`` checks everything.
"""
