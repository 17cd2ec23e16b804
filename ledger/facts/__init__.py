"""Facts: the fold of the events into columns, from which every answer is calculated.

``arrays``, ``tables``, ``blocks``, ``runs`` and ``ids`` are the kinds of columns, ``columns``
the facts that are made of them. ``page_fold`` folds pages of events, ``builder`` takes the pages in
order (``fold_state`` is what it has come to), ``segment`` packs a range of them. ``as_of`` cuts the
facts at any ``seq``, which is what was known then (``game_rows``: the games). ``tournament`` and
``ladder`` fold the events of one of these. No name and no birth date is among the facts.
"""
