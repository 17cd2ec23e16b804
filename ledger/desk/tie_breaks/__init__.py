"""Tie-breaks: a module for each edition of rules, a small function for each tie-break.

``tie_break`` says what a tie-break is and what it answers, ``registry`` finds one by its code.
"""
