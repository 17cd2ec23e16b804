"""The web face: pages for everybody, an API for programs and a desk for officers.

``app`` puts it together from the rooms: ``pages`` to read, ``api`` for programs, ``accounts``,
``submissions`` (from a report to the ledger, by two people), ``desk`` (a tournament on a phone) and
``jobs``; ``office`` and ``read_models`` keep what they need. What it says comes from
``ledger.answers``; ``site`` is where that is asked.
"""
