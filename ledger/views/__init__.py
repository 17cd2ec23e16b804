"""A ledger as it is looked at: at its head, or as it was known at a seq.

``view`` brings facts, registers and people of a journal and shares what was read; ``past`` is a
view that stays at its seq; ``list_editions`` finds what was published. Nothing here records, and
nothing is asked of a ledger but through a view.
"""
