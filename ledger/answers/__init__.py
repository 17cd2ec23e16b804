"""Answers: what a view says of players, lists, tournaments, commits. Nothing here records.

A module for each noun. ``ledger.questions`` declares what can be asked with its parameters and
faces, and loads the answer when it is asked.
"""
