"""Answers to people's questions, each a value with its JSON form: why, what if, what was.

``statement`` is the calculation of one player's period, ``history`` the ratings by period, ``why``
the difference between two lists by cause, ``impact`` what a change would move, ``comparison`` what
another regulation would do, ``monitor`` where a list's points come from and go.
"""
