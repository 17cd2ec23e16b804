"""What closed lists owe under the *next-list* policy: entitled minus credited.

A published list stands. When facts about its period become known later, the period is calculated
again from its own opening ratings; the whole points a player would have got, less those he did get,
are credited in the next list that is calculated. A newcomer's late result enters his bucket; if he
has a rating already, the first rating is recomputed and the difference credited (when too few games
remain for one, the rating he got stands).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import Column
from ledger.rating.kernel import sums
from ledger.rating.sheet import Calculation, NewcomerResult
from ledger.rating.standing import UNRATED, Bucket, Buckets, Standing
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Entitlement:
    """A closed period calculated again; vectors by player, in whole points.

    ``credited`` is what the lists have given so far, ``entitled`` what is due by now.
    """

    period: Period
    calculation: Calculation
    entitled: Column
    credited: Column


@dataclass(frozen=True, slots=True)
class Credits:
    """What enters a period from earlier ones: points and games by player, and changed buckets.

    ``first_ratings`` maps a player to (entitled, credited) first rating where they differ.
    """

    points: Column
    games: Column
    buckets: Buckets
    entitlements: tuple[Entitlement, ...] = ()
    first_ratings: dict[int, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def none(cls, opening: Standing) -> Credits:
        """Nothing is owed."""
        nothing = np.zeros(len(opening.rating), dtype=np.int64)
        return cls(nothing, nothing, opening.buckets)


@dataclass(frozen=True, slots=True)
class _Closed:
    """A published period as it has been credited so far."""

    period: Period
    opening: Standing
    calculation: Calculation
    credited: Column


class ClosedPeriods:
    """The published periods behind a replay, and what was credited for each."""

    def __init__(self) -> None:
        self._basis = 0
        self._closed: list[_Closed] = []
        self._first_rated: dict[int, tuple[int, Bucket]] = {}

    def close(
        self,
        closed: tuple[Period, Standing, Calculation, Column],
        first_rated: dict[int, Bucket],
        closing: Standing,
        basis: int,
    ) -> None:
        """Takes a calculated period: its opening, calculation, changes and first ratings."""
        self._closed.append(_Closed(*closed))
        self._basis = basis
        for player, bucket in first_rated.items():
            self._first_rated[player] = (int(closing.rating[player]), bucket)

    def credits(self, timeline: Timeline, opening: Standing) -> Credits:
        """Returns what the knowledge of the timeline adds to that of the last closed period.

        What it returns counts as credited from then on.
        """
        if not self._closed or timeline.known.seq == self._basis:
            return Credits.none(opening)
        self._carry(timeline.known.merged_into)
        first_effect = int(timeline.known.facts.first_effect[self._basis])
        points, games = (np.zeros(len(opening.rating), dtype=np.int64) for _ in range(2))
        buckets = dict(opening.buckets)
        entitlements = []
        for place, closed in enumerate(self._closed):
            if closed.period.closes_on.toordinal() < first_effect:
                continue
            due = self._recalculated(timeline, closed)
            entitlements.append(due)
            points += due.entitled - closed.credited
            games += _games(due.calculation, opening) - _games(closed.calculation, opening)
            self._exchange(closed, due.calculation, opening, buckets)
            self._closed[place] = replace(
                closed, calculation=due.calculation, credited=due.entitled
            )
        first_ratings = self._first_ratings(timeline)
        for player, (entitled, credited) in first_ratings.items():
            points[player] += entitled - credited
        return Credits(points, games, buckets, tuple(entitlements), first_ratings)

    def _carry(self, into: Column) -> None:
        """Moves what stands under ids that were merged away to the ids that stay."""
        for place, closed in enumerate(self._closed):
            credited = np.zeros_like(closed.credited)
            np.add.at(credited, into, closed.credited)
            opening = closed.opening.carried(into)
            self._closed[place] = replace(closed, opening=opening, credited=credited)
        self._first_rated = {int(into[p]): first for p, first in self._first_rated.items()}

    def _recalculated(self, timeline: Timeline, closed: _Closed) -> Entitlement:
        regulation = timeline.regulation(closed.period)
        k = regulation.k(closed.opening, timeline.assigned_k(closed.period.starts_on))
        sides = timeline.sides(closed.period)
        calculation = regulation.calculate(sides, closed.opening, k)
        units = sums(calculation.postings, len(closed.opening.rating))
        entitled = regulation.change(units, calculation.units)
        return Entitlement(closed.period, calculation, entitled, closed.credited)

    def _exchange(
        self, closed: _Closed, calculation: Calculation, opening: Standing, buckets: Buckets
    ) -> None:
        """Exchanges the newcomers' results of a closed period in buckets and first ratings."""
        index = closed.period.index
        concerned = {r.player for r in (*closed.calculation.newcomers, *calculation.newcomers)}
        for player in sorted(concerned):
            now = [(index, r) for r in calculation.newcomers if r.player == player]
            if player in self._first_rated:
                credited, bucket = self._first_rated[player]
                self._first_rated[player] = (credited, _replaced(bucket, index, now))
            elif opening.rating[player] == UNRATED:
                buckets[player] = _replaced(buckets.get(player, ()), index, now)

    def _first_ratings(self, timeline: Timeline) -> dict[int, tuple[int, int]]:
        """Returns (entitled, credited) of the first ratings that are not what they should be."""
        regulation = timeline.regulation(self._closed[-1].period)
        found = {}
        for player, (credited, bucket) in self._first_rated.items():
            entitled = regulation.first_rating([result for _, result in bucket])
            if entitled is not None and entitled != credited:
                found[player] = (entitled, credited)
                self._first_rated[player] = (entitled, bucket)
        return found


def _games(calculation: Calculation, opening: Standing) -> Column:
    """Returns how many games each player who has a rating by now was rated for."""
    games = np.bincount(calculation.postings.player, minlength=len(opening.rating))
    counted: Column = np.where(opening.rating > UNRATED, games, 0).astype(np.int64)
    return counted


def _replaced(bucket: Bucket, period: int, now: list[tuple[int, NewcomerResult]]) -> Bucket:
    """Returns a bucket with one period's results exchanged, in order of period."""
    kept = [entry for entry in bucket if entry[0] != period]
    computable = [entry for entry in now if entry[1].computable]
    return tuple(sorted([*kept, *computable], key=lambda entry: (entry[0], entry[1].tournament)))
