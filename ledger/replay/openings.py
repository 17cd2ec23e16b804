"""Where everybody stands at the start of a period: seeds, other lists' ratings, and orders.

What lies behind a rating that was brought in decides later Ks. Of a player whose games were told
these count; a published K tells what the list's regulation says must have been before it
(``Regulation.pasts``). Who came with neither is established: a rating that somebody published is
seldom a beginner's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ledger.calendar import Period
from ledger.events.players import RatingAdjusted
from ledger.facts.columns import Column
from ledger.facts.tables import NOT_TOLD, RATES, RecordedEvent, Seeds
from ledger.identifiers import Seq
from ledger.rating.player_state import NO_K, UNRATED, Particulars, PlayerStates, nothing
from ledger.rating.postings import Reason
from ledger.regulations.interface import Past, Regulation
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline


class OtherLists:
    """The other lists of a ledger; ``ratings_of`` gives one's as known at a seq, or None."""

    def __init__(self, ratings_of: Callable[[str, Seq], RatingsInForce | None]) -> None:
        self._ratings_of = ratings_of
        self._lists: dict[tuple[str, int], RatingsInForce | None] = {}

    @staticmethod
    def asked_by(timeline: Timeline) -> bool:
        """Whether a regulation of the list looks at another list."""
        return any(rules.enters_from is not None for rules in timeline.regulations())

    def ratings(self, name: str, seq: Seq, on: dt.date) -> Column | None:
        """Returns a list's ratings in force on a day, as known at a seq; None: there are none."""
        if (name, seq) not in self._lists:
            self._lists[name, seq] = self._ratings_of(name, seq)
        ratings = self._lists[name, seq]
        return ratings.on(on.toordinal()) if ratings else None


@dataclass(frozen=True, slots=True)
class PeriodOpening:
    """The player states at a period's start, and the ``steps`` ordered then.

    ``ordered`` is what these come to by player, in points.
    """

    states: PlayerStates
    ordered: Column
    steps: Sequence[RecordedEvent[RatingAdjusted]]


class Openings:
    """Makes the player states at a period's start from those at the end of the last."""

    def __init__(self, timeline: Timeline, other_lists: OtherLists) -> None:
        self._timeline, self._known = timeline, timeline.known
        self._other_lists = other_lists

    def opening(
        self, states: PlayerStates, period: Period, before: Period | None, known_after: int
    ) -> PeriodOpening:
        """Returns the states at a period's start, moved by the orders for it.

        Days of seeds and orders count that lie after the start of the period ``before`` and not
        after this one's; of earlier days, what became known only after the seq ``known_after``.
        """
        opening = self._seeded(states, period, before, known_after)
        opening = self._entered(period, opening)
        steps = self._timeline.steps_ordered(period, before, known_after)
        points = self._ordered(steps)
        if not points.any():
            return PeriodOpening(opening, points, steps)
        # Who is unrated stays so, and nobody falls below 1.
        points = np.where(opening.rating > UNRATED, np.maximum(points, 1 - opening.rating), 0)
        rating = (opening.rating + points).astype(np.int32)
        moved = replace(opening, rating=rating, peak=np.maximum(opening.peak, rating))
        return PeriodOpening(moved, points, steps)

    def _ordered(self, steps: Sequence[RecordedEvent[RatingAdjusted]]) -> Column:
        """Returns the points that were ordered for each player."""
        points = nothing(len(self._known.facts.players))
        if steps:
            points = points.astype(np.int64)
        for step in steps:
            points[self._known.merged_into[step.index]] += step.event.points
        return points

    def _seeded(
        self, states: PlayerStates, period: Period, before: Period | None, known_after: int
    ) -> PlayerStates:
        """Puts in the ratings that were brought in for the period's start."""
        seeds = self._timeline.seeds
        start = 0
        if before is not None:
            start = _in_force(seeds, before.starts_on)
        end = _in_force(seeds, period.starts_on)
        late = np.zeros(0, dtype=np.int64)
        if known_after < self._known.seq:
            late = np.flatnonzero(seeds.seq[:start] > known_after)
        if start == end and not len(late):
            return states
        made = states.copy()
        rating, games, behind = made.rating, made.games, self._histories
        players = self._known.merged_into[seeds.player]
        for place in late.tolist():
            player = int(players[place])
            replaced = self._replaced(place, known_after)
            if replaced is not None and rating[player] != UNRATED:
                # What was earned since stays: only the error of the earlier seed is made good.
                rating[player] += seeds.rating[place] - seeds.rating[replaced]
                games[player] += behind.games[place] - behind.games[replaced]
            else:
                rating[player], games[player] = seeds.rating[place], behind.games[place]
        timely = slice(start, end)
        rating[players[timely]] = seeds.rating[timely]  # of several the last one stays
        games[players[timely]] = behind.games[timely]
        for which in (late, timely):
            np.maximum.at(made.peak, players[which], behind.peak[which])
            made.listed[players[which]] = 1
            made.seeded_on[players[which]] = seeds.from_on[which]
        seeded = np.append(players[late], players[timely])
        return replace(
            made, peak=np.maximum(made.peak, rating), buckets=made.buckets.without(seeded)
        )

    def _replaced(self, place: int, known_after: int) -> int | None:
        """Returns which seed was in force instead of a later one, by what was known before."""
        seeds = self._timeline.seeds
        earlier = np.flatnonzero(
            (seeds.player == seeds.player[place])
            & (seeds.from_on <= seeds.from_on[place])
            & (seeds.seq <= known_after)
        )
        return int(earlier[-1]) if len(earlier) else None

    @cached_property
    def _histories(self) -> SeedHistory:
        """What lies behind the seeds, whatever regulation is tried instead of the list's own."""
        seeds, timeline = self._timeline.seeds, self._timeline
        birth_years = self._known.birth_years[self._known.merged_into[seeds.player]]
        return seed_history(seeds, birth_years, timeline.own_regulation_on)

    def _entered(self, period: Period, opening: PlayerStates) -> PlayerStates:
        """Puts in another list's ratings for the newcomers of the period.

        Whoever has no rating here, plays in the period and is rated there on its first day enters
        with that rating; the results in the bucket are not needed any more.
        """
        timeline = self._timeline
        other = timeline.regulation(period).enters_from
        if other is None:
            return opening
        there = self._other_lists.ratings(other, self._known.seq, period.starts_on)
        if there is None:
            return opening
        newcomers = self._newcomers(period, opening)
        entering = newcomers[there[newcomers] != UNRATED]
        if not entering.size:
            return opening
        made = opening.copy()
        made.rating[entering] = there[entering]
        made.peak[entering] = np.maximum(made.peak[entering], there[entering])
        made.listed[entering] = 1
        return replace(made, buckets=made.buckets.without(entering))

    def _newcomers(self, period: Period, opening: PlayerStates) -> Column:
        games = self._timeline.games(period)
        rateable = games.reason == Reason.NONE
        rate = self._timeline.regulation(period).RATE
        if rate is not None:
            of_rate = self._known.tournaments.rate == RATES.index(rate)
            rateable &= of_rate[games.tournament]
        players = np.unique(np.append(games.white[rateable], games.black[rateable]))
        unrated: Column = players[opening.rating[players] == UNRATED]
        return unrated


def _in_force(seeds: Seeds, day: dt.date) -> int:
    """Returns how many seeds are in force on a day, or were."""
    return int(np.searchsorted(seeds.from_on, day.toordinal(), side="right"))


@dataclass(frozen=True, slots=True)
class SeedHistory:
    """Rated games and highest rating by seed."""

    games: Column
    peak: Column


def seed_history(
    seeds: Seeds, birth_years: Column, regulation_on: Callable[[dt.date], Regulation]
) -> SeedHistory:
    """Returns what lies behind each of some seeds, which stand by day.

    Args:
        seeds: the ratings brought in.
        birth_years: that of each seed's player.
        regulation_on: the regulation under which a rating of the day is brought in.
    """
    found = _without_k(seeds)
    with_k = np.flatnonzero(seeds.k != NOT_TOLD)
    days = seeds.from_on[with_k]
    for its in np.split(with_k, np.flatnonzero(np.diff(days)) + 1):
        if len(its):
            of_day, on = seeds.rows(its), dt.date.fromordinal(int(seeds.from_on[its[0]]))
            years = birth_years[its]
            particulars = Particulars.of_ages(on, np.full_like(years, NO_K), years)
            by_k = _by_k(of_day, particulars, regulation_on(on))
            found.games[its], found.peak[its] = by_k.games, by_k.peak
    return found


def _by_k(seeds: Seeds, particulars: Particulars, regulation: Regulation) -> SeedHistory:
    """Returns the first past of each seed under which the regulation gives the published K."""
    found = _without_k(seeds)
    there = replace(PlayerStates.empty(len(seeds)), rating=seeds.rating.astype(np.int32))
    left = np.ones(len(seeds), dtype=np.bool_)
    for games, least_peak in _candidates(seeds.games, regulation):
        peak = np.maximum(there.rating, least_peak)
        fits = left & (regulation.k(replace(there, games=games, peak=peak), particulars) == seeds.k)
        found.games[fits], found.peak[fits] = games[fits], peak[fits]
        left &= ~fits
    return found


def _without_k(seeds: Seeds) -> SeedHistory:
    games = np.where(seeds.games == NOT_TOLD, Past().games, seeds.games)
    return SeedHistory(games.astype(np.int32), seeds.rating.astype(np.int32))


def _candidates(told: Column, regulation: Regulation) -> Iterator[tuple[Column, int]]:
    """Yields games and peaks in the order in which they are tried: as told, then no fewer."""
    pasts = regulation.pasts()
    for past in pasts:
        yield np.where(told == NOT_TOLD, past.games, told).astype(np.int32), past.peak
    for past in pasts:
        yield np.maximum(told, past.games).astype(np.int32), past.peak
