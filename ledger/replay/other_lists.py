"""Ratings brought from another list of the same ledger by players who have none in this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ledger.calendar import Period
from ledger.facts.as_of import RATES
from ledger.facts.columns import Column
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.rating.postings import Reason
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline


class OtherLists:
    """The other lists of a ledger; ``ratings_of`` gives one's as known at a seq, or None."""

    def __init__(self, ratings_of: Callable[[str, int], RatingsInForce | None]) -> None:
        self._ratings_of = ratings_of
        self._lists: dict[tuple[str, int], RatingsInForce | None] = {}

    @staticmethod
    def asked_by(timeline: Timeline) -> bool:
        """Whether a regulation of the list looks at another list."""
        return any(rules.enters_from is not None for rules in timeline.regulations())

    def entered(self, timeline: Timeline, period: Period, opening: PlayerStates) -> PlayerStates:
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
        return replace(made, buckets=made.buckets.without(entering))

    def _newcomers(self, timeline: Timeline, period: Period, opening: PlayerStates) -> Column:
        games = timeline.games(period)
        rateable = games.reason == Reason.NONE
        rate = timeline.regulation(period).RATE
        if rate is not None:
            of_rate = timeline.known.tournaments.rate == RATES.index(rate)
            rateable &= of_rate[games.tournament]
        players = np.unique(np.append(games.white[rateable], games.black[rateable]))
        unrated: Column = players[opening.rating[players] == UNRATED]
        return unrated
