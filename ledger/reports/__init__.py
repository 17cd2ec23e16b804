"""Answers to people's questions, each a value with its JSON form: why, what if, what was.

``statement`` is the calculation of one player's period, ``live_list`` the live ratings and a
player's history beside what was published, ``why`` the difference between two lists by cause,
``impact`` what a change would move, ``comparison`` what another regulation would do, ``monitor``
where a list's points come from and go.
"""
