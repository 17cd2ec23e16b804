"""Facts: the fold of the events into columns, from which every answer is calculated.

``columns`` are the values, ``fold`` makes them from events, ``known`` cuts them at any ``seq``:
what was known then. No name and no birth date is among them.
"""
