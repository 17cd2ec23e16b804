"""What is made of the journal to answer fast, and can be thrown away: segments and snapshots.

``facts_reader`` reads the facts by them. What made them, and who believes them, is told by
vouchers; everybody else makes them anew.
"""
