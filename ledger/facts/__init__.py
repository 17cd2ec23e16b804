"""Facts: the fold of the events into columns, from which every answer is calculated.

``arrays``, ``tables``, ``blocks``, ``effects`` and ``ids`` are the kinds of columns, ``columns``
the facts that are made of them; ``fold`` makes them from events (``pairings`` reads most of these,
``folded`` is what it has come to) and ``segment`` packs them; ``known`` cuts them at any ``seq``
(``gathering``: the games): what was known then. No name and no birth date is among them.
"""
