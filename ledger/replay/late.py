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
        """Returns what the knowledge of the timeline adds to that of the last closed period."""
        if not self._closed or timeline.known.seq == self._basis:
            return Credits.none(opening)
        first_effect = int(timeline.known.facts.first_effect[self._basis])
        credits_ = Credits(
            np.zeros(len(opening.rating), dtype=np.int64),
            np.zeros(len(opening.rating), dtype=np.int64),
            dict(opening.buckets),
        )
        entitlements = []
        for place, closed in enumerate(self._closed):
            if closed.period.closes_on.toordinal() >= first_effect:
                entitlement = self._recalculated(timeline, closed)
                entitlements.append(entitlement)
                credits_.points[:] += entitlement.entitled - closed.credited
                credits_.games[:] += _games(entitlement.calculation, opening)
                credits_.games[:] -= _games(closed.calculation, opening)
                self._results(timeline, closed, entitlement.calculation, credits_)
                self._closed[place] = replace(
                    closed, calculation=entitlement.calculation, credited=entitlement.entitled
                )
        return replace(credits_, entitlements=tuple(entitlements))

    def _recalculated(self, timeline: Timeline, closed: _Closed) -> Entitlement:
        regulation = timeline.regulation(closed.period)
        k = regulation.k(closed.opening, timeline.assigned_k(closed.period.starts_on))
        sides = timeline.sides(closed.period)
        calculation = regulation.calculate(sides, closed.opening, k)
        units = sums(calculation.postings, len(closed.opening.rating))
        entitled = regulation.change(units, calculation.units)
        return Entitlement(closed.period, calculation, entitled, closed.credited)

    def _results(
        self, timeline: Timeline, closed: _Closed, calculation: Calculation, credits_: Credits
    ) -> None:
        """Replaces the newcomers' results of a closed period in buckets and first ratings."""
        regulation = timeline.regulation(closed.period)
        index = closed.period.index
        concerned = {r.player for r in (*closed.calculation.newcomers, *calculation.newcomers)}
        for player in sorted(concerned):
            now = [(index, r) for r in calculation.newcomers if r.player == player]
            first = self._first_rated.get(player)
            if first is None:
                bucket = _replaced(credits_.buckets.get(player, ()), index, now)
                credits_.buckets[player] = bucket
                continue
            credited, before = first
            bucket = _replaced(before, index, now)
            entitled = regulation.first_rating([result for _, result in bucket])
            if entitled is not None and entitled != credited:
                credits_.points[player] += entitled - credited
                credits_.first_ratings[player] = (entitled, credited)
                self._first_rated[player] = (entitled, bucket)


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
