"""The way in for every face: one ``Ledger`` on a journal, and what can be asked of it.

``ledger`` carries out commands and keeps the facts, ``importing`` takes documents in, ``lists``
shows and regenerates, ``publications`` publishes, ``player_questions`` answers, ``verification``
checks everything.
"""
