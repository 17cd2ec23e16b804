"""What is made of the journal to answer fast, and can be thrown away.

``store`` says what holds of all of it. ``facts_reader`` reads the facts by sealed segments.
"""
