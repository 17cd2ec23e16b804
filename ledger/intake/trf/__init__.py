"""The FIDE tournament report file (TRF16, and what TRF26 adds): bytes in, values out, and back.

::

    bytes ── parse ──> TrfReport ── check ───────> problems: any refuses the file
      ^                    │  ├──── adjustments ─> oddities that were tolerated
      └───── format ───────┘  ├──── pairings ────> games and forfeits, both halves in one result
                              └──── byes ────────> rounds without opponent

``layout`` holds the columns, ``records`` cuts lines into cells and writes them back, ``cells``
reads numbers, dates and codes, ``header``, ``players`` and ``additions`` read one kind of record
each into the values of ``report``, ``check`` holds the players against one another.
"""
