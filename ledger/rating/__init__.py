"""What every regulation calculates with: columns of integers, look-ups, named roundings, postings.

No rule of any federation is here, and nothing here knows of events, lists or dates.
"""
