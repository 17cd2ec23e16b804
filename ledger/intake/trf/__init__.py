"""The FIDE tournament report file (TRF16, and what TRF26 adds): text in, values out, and back.

::

    text ── parse ───> TrfReport ── check ───────> problems: any refuses the file
      ^                    │  ├──── adjustments ─> oddities that were tolerated
      └───── written ──────┘  ├──── pairings ────> games and forfeits, both halves in one result
                              └──── byes ────────> rounds without opponent

``layout`` holds the columns, ``records`` cuts lines into cells and writes them back, ``cells``
reads numbers and codes, ``dates`` tells days, ``header`` and ``players`` read one kind of record
each into the values of ``report``, ``check`` holds the players against one another. ``document``
makes of it what any document says.
"""
