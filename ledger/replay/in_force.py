"""Which ratings were in force on a day: the openings of the periods that lie behind a replay."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column
from ledger.rating.sheet import Sides
from ledger.rating.standing import UNRATED


class RatingsInForce:
    """The ratings at the start of each period, by day."""

    def __init__(self) -> None:
        self._days: list[int] = []
        self._ratings: list[Column] = []

    def start(self, period: Period, rating: Column) -> None:
        """Puts the ratings in force from the period's first day on."""
        self._days.append(period.starts_on.toordinal())
        self._ratings.append(rating.copy())

    def forget_before(self, day: int) -> None:
        """Drops what nobody asks for any more: the ratings that were out of force by the day."""
        kept = max(0, bisect_right(self._days, day) - 1)
        del self._days[:kept], self._ratings[:kept]

    def carry(self, into: Column) -> None:
        """Moves ratings of ids that were merged away, as ``Standing.carried`` does."""
        given_up = np.flatnonzero(into != np.arange(len(into)))
        for rating in self._ratings:
            for player in given_up.tolist():
                if rating[into[player]] == UNRATED:
                    rating[into[player]] = rating[player]
                rating[player] = UNRATED

    def on(self, day: int) -> Column | None:
        """Returns the ratings in force on a day (ordinal); None before the first period."""
        place = bisect_right(self._days, day) - 1
        return self._ratings[place] if place >= 0 else None

    def fill(self, sides: Sides) -> Sides:
        """Gives every side the ratings in force when its tournament started.

        What started before the first period is rated with the first ratings there are.
        """
        rating, opponent_rating = (np.zeros(len(sides), dtype=np.int64) for _ in range(2))
        place = np.searchsorted(np.array(self._days), sides.starts_on, side="right") - 1
        place = np.maximum(place, 0)
        for which in np.unique(place).tolist():
            rows = np.flatnonzero(place == which)
            rating[rows], opponent_rating[rows] = _both(self._ratings[which], sides.rows(rows))
        return replace(sides, rating=rating, opponent_rating=opponent_rating)


def filled(sides: Sides, rating: Column) -> Sides:
    """Gives every side the same ratings of the players."""
    own, opponents = _both(rating, sides)
    return replace(sides, rating=own, opponent_rating=opponents)


def _both(rating: Column, sides: Sides) -> tuple[Column, Column]:
    opponents = np.where(sides.opponent == NOBODY, UNRATED, rating[sides.opponent])
    return rating[sides.player], opponents
