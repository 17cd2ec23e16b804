"""The challenge match: which side is the higher rated, when the match is over, and who won it.

A match has two games (Chavarria, manual of tournaments and rating, Monterrey 1975, chapter
CLASIFICACION, after FENAMAC's Estatutos, Reglamentos of 1973). If the higher rated wins the first,
the match is over. If the lower rated wins it, or it is drawn, the second is played and decides;
points being equal then, the match is drawn.

Nothing here knows players, events or ratings lists: the registrar and a regulation ask alike.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from enum import StrEnum
from typing import Final, TypeAlias

GAMES: Final = 2
LIMIT: Final = 400  # from this difference on a match is not to be authorized
REMATCH_MONTHS: Final = 2

Score: TypeAlias = tuple[int, int]
"""The half points of one game: of the higher rated, of the lower rated."""


class MatchOutcome(StrEnum):
    """Who won a match that is over."""

    HIGHER = "higher"
    LOWER = "lower"
    DRAWN = "drawn"


def outcome(first: Score | None, second: Score | None = None) -> MatchOutcome | None:
    """Returns who won, or None while a game is still to be played.

    A second game that was played although the first had decided changes nothing.

    >>> outcome((2, 0))
    <MatchOutcome.HIGHER: 'higher'>
    >>> outcome((0, 2)) is None
    True
    >>> outcome((0, 2), (2, 0))
    <MatchOutcome.DRAWN: 'drawn'>
    """
    if first is None:
        return None
    if first[0] > first[1]:
        return MatchOutcome.HIGHER
    if second is None:
        return None
    higher, lower = first[0] + second[0], first[1] + second[1]
    if higher == lower:
        return MatchOutcome.DRAWN
    return MatchOutcome.HIGHER if higher > lower else MatchOutcome.LOWER


def score(halves: tuple[int, int], *, higher_is_white: bool) -> Score:
    """Returns White's and Black's half points as those of the higher and the lower rated."""
    white, black = halves
    return (white, black) if higher_is_white else (black, white)


def challenger_is_higher(challenger: int, challenged: int) -> bool:
    """Whether the challenger is the higher rated; of equals it is the challenged, who is placed so.

    >>> challenger_is_higher(1650, 1650)
    False
    """
    return challenger > challenged


def too_far(challenger: int, challenged: int) -> bool:
    """Whether the ratings lie so far apart that the match needs somebody to authorize it."""
    return abs(challenger - challenged) >= LIMIT


def rematch_from(decided_on: dt.date) -> dt.date:
    """Returns the first day on which the same two may meet in a challenge again.

    >>> rematch_from(dt.date(1974, 12, 31))
    datetime.date(1975, 2, 28)
    """
    months = decided_on.year * 12 + decided_on.month - 1 + REMATCH_MONTHS
    year, month = divmod(months, 12)
    last = monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, min(decided_on.day, last))
