"""Ratings brought from another list of the same ledger by players who have none in this one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import Column
from ledger.facts.known import RATES
from ledger.rating.sheet import Reason
from ledger.rating.standing import UNRATED, Standing
from ledger.replay.in_force import RatingsInForce
from ledger.replay.timeline import Timeline


class Elsewhere:
    """The other lists of a ledger; ``ratings_of`` gives one's as known at a seq, or None."""

    def __init__(self, ratings_of: Callable[[str, int], RatingsInForce | None]) -> None:
        self._ratings_of = ratings_of
        self._lists: dict[tuple[str, int], RatingsInForce | None] = {}

    def entered(self, timeline: Timeline, period: Period, opening: Standing) -> Standing:
        """Returns the opening with the other list's ratings for the newcomers of the period.

        Whoever has no rating here, plays in the period and is rated there on its first day enters
        with that rating; what waited in his bucket is not needed any more.
        """
        other = timeline.regulation(period).enters_from
        if other is None:
            return opening
        asked = (other, timeline.known.seq)
        if asked not in self._lists:
            self._lists[asked] = self._ratings_of(*asked)
        ratings = self._lists[asked]
        there = ratings.on(period.starts_on.toordinal()) if ratings else None
        if there is None:
            return opening
        newcomers = self._newcomers(timeline, period, opening)
        entering = newcomers[there[newcomers] != UNRATED]
        if not entering.size:
            return opening
        made = opening.copy()
        made.rating[entering] = there[entering]
        made.peak[entering] = np.maximum(made.peak[entering], there[entering])
        made.listed[entering] = 1
        for player in entering.tolist():
            made.buckets.pop(player, None)
        return made

    def _newcomers(self, timeline: Timeline, period: Period, opening: Standing) -> Column:
        sides = timeline.sides(period)
        rateable = sides.reason == Reason.NONE
        rate = timeline.regulation(period).RATE
        if rate is not None:
            rateable &= sides.rate == RATES.index(rate)
        players: Column = np.unique(sides.player[rateable])
        unrated: Column = players[opening.rating[players] == UNRATED]
        return unrated
