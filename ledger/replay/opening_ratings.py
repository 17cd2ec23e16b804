"""Which ratings were in force on a day: the openings of the periods that lie behind a replay."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Self

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column
from ledger.rating.plain_games import GameRatings
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Sides


class RatingsInForce:
    """The ratings at the start of each period, by day."""

    def __init__(self) -> None:
        self._days: list[int] = []
        self._ratings: list[Column] = []
        # Whether nothing was forgotten yet.
        self.complete = True

    @classmethod
    def of(cls, days: Sequence[int], ratings: Sequence[Column], *, complete: bool) -> Self:
        """Returns ratings, in force from the days (ordinals) on."""
        made = cls()
        made._days, made._ratings, made.complete = list(days), list(ratings), complete
        return made

    def content(self) -> tuple[list[int], list[Column]]:
        """Returns the days, and the ratings in force from each on."""
        return list(self._days), list(self._ratings)

    def copy(self) -> RatingsInForce:
        """Returns the same, to be kept while this one goes on."""
        return RatingsInForce.of(self._days, self._ratings, complete=self.complete)

    def reaches(self, day: int) -> bool:
        """Whether it still knows what was in force on a day (ordinal) and since."""
        return self.complete or bool(self._days and self._days[0] <= day)

    def start(self, period: Period, rating: Column) -> None:
        """Puts the ratings in force from the period's first day on."""
        self._days.append(period.starts_on.toordinal())
        self._ratings.append(rating)

    def forget_before(self, day: int) -> None:
        """Drops what nobody asks for any more: the ratings that were out of force by the day."""
        kept = max(0, bisect_right(self._days, day) - 1)
        self.complete = self.complete and not kept
        del self._days[:kept], self._ratings[:kept]

    def carry(self, into: Column) -> None:
        """Moves ratings of ids that were merged away, as ``PlayerStates.carried`` does."""
        given_up = np.flatnonzero(into != np.arange(len(into)))
        if not given_up.size:
            return
        self._ratings = [rating.copy() for rating in self._ratings]
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
        place = self._places(sides.starts_on)
        for which in np.flatnonzero(np.bincount(place)).tolist():
            rows = np.flatnonzero(place == which)
            rating[rows], opponent_rating[rows] = _both(self._ratings[which], sides.rows(rows))
        return sides.with_(rating=rating, opponent_rating=opponent_rating)

    def of_games(self, opening: Column, starts_on: Column, tournaments: Column) -> GameRatings:
        """Returns the ratings with which games are rated: those in force when events started.

        Args:
            opening: everybody's rating at the start of the period.
            starts_on: the first day (ordinal) of each tournament, by index.
            tournaments: those of the games, in any order and number.
        """
        list_of = np.zeros(len(starts_on), dtype=np.int32)
        asked = np.zeros(len(starts_on), dtype=np.bool_)
        asked[tournaments] = True
        asked_for = np.flatnonzero(asked)
        places = self._places(starts_on[asked_for])
        first, last = int(places.min(initial=len(self._days) - 1)), int(places.max(initial=0))
        list_of[asked_for] = places - first
        return GameRatings(opening, self._ratings[first : max(first, last) + 1], list_of)

    def _places(self, days: Column) -> Column:
        """Returns which ratings were in force on the days; before all, the first."""
        return np.maximum(np.searchsorted(np.array(self._days), days, side="right") - 1, 0)


def filled(sides: Sides, rating: Column) -> Sides:
    """Gives every side the same ratings of the players."""
    own, opponents = _both(rating, sides)
    return sides.with_(rating=own, opponent_rating=opponents)


def _both(rating: Column, sides: Sides) -> tuple[Column, Column]:
    opponents = np.where(sides.opponent == NOBODY, UNRATED, rating[sides.opponent])
    return rating[sides.player].astype(np.int64), opponents.astype(np.int64)
