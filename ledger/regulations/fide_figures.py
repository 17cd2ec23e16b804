"""The figures of FIDE's rating regulations through the years, article by article.

Source: FIDE Handbook B.02 (2017, 2022, 2024 and the change of October 2025) and, for the milestones
before, the announcements of their day. A value holds for tournaments that start, or lists that come
in force, on its date or later.

Not dated in the sources: the floors between 2000 and 1200 (the handbook of 2003 has 1800; 1600 and
1400 came after it, in July 2004 and July 2006 by what is told of them, and no text of FIDE was
found: 1800 holds here until June 2009), until when lists were in steps of five points (told: until
2000; every change is rounded to a whole point here), and the start of the limit of K * n, taken
from the text of 2017 here. A list of those years can be given its floor by the parameter.
The bonus of 20 points is given for 2014 here; a manual of 2016 still prints 15.

All-play-alls with unrated players. Found: the conditions in the handbook of 2003 (6.3); its worked
example in a federation's paper of August 2010; FIDE's announcement of July 2009 that the rated go
on being rated over all their games in it, those with newcomers included. What was given for 2017
has no such words. Inferred: the correction by 350 points ended with the rule of 350 points, on 1
July 2009; the other ended with the text of 2017, for no text between them was found.
"""

from __future__ import annotations

import datetime as dt
from functools import cache

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.bounds import NO_LIMIT
from ledger.regulations.description import DatedFigure

_FIRST_LIST = "1971-07-01"
_FIRST_RAPID_LIST = "2012-07-01"

# 7.1.4 First ratings: how many games, and for how many months results are kept.
GAMES = DatedFigure("games for a first rating", "7.1.4", ((_FIRST_LIST, 9), ("2014-07-01", 5)))
MONTHS = DatedFigure("months a result is kept", "7.1.4", ((_FIRST_LIST, 24), ("2012-07-01", 26)))

# 7.2.1 The floor of a list. 7.2.2 The games within a year that keep a player active.
FLOOR = DatedFigure(
    "floor",
    "7.2.1",
    (
        (_FIRST_LIST, 2200),
        ("1993-01-01", 2000),
        ("2001-01-01", 1800),
        ("2009-07-01", 1200),
        ("2012-07-01", 1000),
        ("2024-03-01", 1400),
    ),
)
ACTIVE_GAMES = DatedFigure(
    "games of an active year", "7.2.2", ((_FIRST_LIST, 4), ("2017-07-01", 1))
)

# 8.2.1 What an event must bring to an unrated player: rated opponents met, and half points.
EVENT_GAMES = DatedFigure(
    "rated opponents of an event", "8.2.1", ((_FIRST_LIST, 3), ("2014-07-01", 1))
)
EVENT_HALVES = DatedFigure(
    "half points of an event", "8.2.1", ((_FIRST_LIST, 2), ("2014-07-01", 1))
)
ONLY_FIRST_EVENT = DatedFigure(
    "only the first event", "8.2.1", ((_FIRST_LIST, 0), ("2011-07-01", 1))
)

# 8.2.2 Draws with imagined opponents that are added; the all-play-all with a mean of its own.
IMAGINED_DRAWS = DatedFigure("imagined draws", "8.2.2", ((_FIRST_LIST, 0), ("2024-03-01", 2)))
IMAGINED_RATING = 1800
ROUND_ROBIN = DatedFigure("mean of an all-play-all", "8.2.2", ((_FIRST_LIST, 1), ("2022-01-01", 0)))
# In it, the greatest difference in the means; and the rated, over their games with newcomers too.
GROUP_CAP = DatedFigure(
    "cap in the means of an all-play-all", "8.2.2", ((_FIRST_LIST, 350), ("2009-07-01", NO_LIMIT))
)
GROUP_WHOLE = DatedFigure(
    "rated for all games of an all-play-all", "8.3", ((_FIRST_LIST, 1), ("2017-07-01", 0))
)

# 8.2.3 Tenths of a point for each half point above 50 % (2024: by dp instead), and the maximum.
BONUS_TENTHS = DatedFigure(
    "tenths of a point for a half point above 50 %",
    "8.2.3",
    ((_FIRST_LIST, 125), ("2011-07-01", 150), ("2014-07-01", 200), ("2024-03-01", 0)),
)
MAXIMUM = DatedFigure(
    "highest first rating", "8.2.3", ((_FIRST_LIST, NO_LIMIT), ("2024-03-01", 2200))
)

# 8.3.1 The largest difference that counts, from which rating on none does, in how many games.
CAP = DatedFigure("cap", "8.3.1", ((_FIRST_LIST, 350), ("2009-07-01", 400)))
UNCAPPED_FROM = DatedFigure(
    "own rating without a cap", "8.3.1", ((_FIRST_LIST, NO_LIMIT), ("2025-10-01", 2650))
)
ONE_GAME_ONLY = DatedFigure(
    "only one game is capped", "8.3.1", ((_FIRST_LIST, 0), ("2022-01-01", 1), ("2024-03-01", 0))
)

# 8.3.3 K of the new, of the young, of the others and of the best, and the limit of K * n.
K_NEW = DatedFigure(
    "K below 30 games", "8.3.3", ((_FIRST_LIST, 25), ("2011-07-01", 30), ("2014-07-01", 40))
)
K_OTHERS = DatedFigure("K below 2400", "8.3.3", ((_FIRST_LIST, 15), ("2014-07-01", 20)))
K_TOP = DatedFigure("K once 2400 was reached", "8.3.3", ((_FIRST_LIST, 10),))
K_YOUNG_UNTIL_AGE = DatedFigure("age of the young", "8.3.3", ((_FIRST_LIST, 0), ("2014-07-01", 18)))
K_TIMES_GAMES = DatedFigure(
    "limit of K * n", "8.3.3", ((_FIRST_LIST, NO_LIMIT), ("2017-07-01", 700))
)
K_NEW_BELOW_GAMES, K_YOUNG_BELOW, K_TOP_FROM = 30, 2300, 2400

# Rapid and blitz (article 7), where they differ. Before 2022 the table was read without a cap.
RAPID_CAP = DatedFigure("cap", "7.3.1", ((_FIRST_RAPID_LIST, NO_LIMIT), ("2022-01-01", 400)))
RAPID_UNCAPPED_FROM = DatedFigure(
    "own rating without a cap", "7.3.1", ((_FIRST_RAPID_LIST, NO_LIMIT),)
)
NOT_RATED_FROM = DatedFigure(
    "difference that is not rated", "7.3.1", ((_FIRST_RAPID_LIST, NO_LIMIT), ("2024-12-01", 600))
)
NOT_RATED_ABOVE = 2600
RAPID_K = DatedFigure("K of everybody", "7.3.3", ((_FIRST_RAPID_LIST, 20), ("2022-10-01", 0)))

_COMMON = (
    GAMES, MONTHS, FLOOR, ACTIVE_GAMES, EVENT_GAMES, EVENT_HALVES, ONLY_FIRST_EVENT, IMAGINED_DRAWS,
    ROUND_ROBIN, GROUP_CAP, GROUP_WHOLE, BONUS_TENTHS, MAXIMUM,
)  # fmt: skip
_K = (K_NEW, K_OTHERS, K_TOP, K_YOUNG_UNTIL_AGE, K_TIMES_GAMES)
STANDARD = (*_COMMON, CAP, UNCAPPED_FROM, ONE_GAME_ONLY, *_K)
RAPID = (*_COMMON, RAPID_CAP, ONE_GAME_ONLY, NOT_RATED_FROM, RAPID_K, *_K)


def first_day_alike(days: Column) -> Column:
    """Returns for each day (ordinal) the first one from which on all figures are the same."""
    changes = _changes()
    return changes[np.searchsorted(changes, days, side="right") - 1]


@cache
def _changes() -> Column:
    """The days on which a figure changes, in order, and the first day of all."""
    days = {day for figure in (*STANDARD, *RAPID) for day, _ in figure.values}
    ordinals = {dt.date.fromisoformat(day).toordinal() for day in days}
    return np.array([1, *sorted(ordinals)], dtype=np.int64)
