"""What closed lists owe under the *next-list* policy: entitled minus credited.

A published list stands. When facts about its period become known later, the period is calculated
again from its own opening ratings; the whole points a player would have got, less those he did get,
are credited in the next list that is calculated. A newcomer's late result enters his bucket; if he
has a rating already, the first rating is recomputed and the difference credited (when too few games
remain for one, the rating he got stands).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import Column
from ledger.rating.sheet import Calculation, NewcomerResult
from ledger.rating.standing import (
    UNRATED,
    Bucket,
    Buckets,
    FirstRating,
    FirstRatings,
    Standing,
)
from ledger.replay.calculation import counted, rate_games
from ledger.replay.in_force import RatingsInForce
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
        self._first_rated: dict[int, tuple[dt.date, FirstRating]] = {}

    def close(
        self,
        closed: tuple[Period, Standing, Calculation, Column],
        first_rated: FirstRatings,
        basis: int,
    ) -> None:
        """Takes a calculated period: its opening, calculation, changes and first ratings."""
        self._closed.append(_Closed(*closed))
        self._basis = basis
        on = closed[0].in_force_on
        for player, first in first_rated.items():
            self._first_rated[player] = (on, first)

    def credits(self, timeline: Timeline, opening: Standing, in_force: RatingsInForce) -> Credits:
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
            due = self._recalculated(timeline, closed, in_force)
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

    def _recalculated(
        self, timeline: Timeline, closed: _Closed, in_force: RatingsInForce
    ) -> Entitlement:
        rated = rate_games(
            timeline.regulation(closed.period),
            timeline.sides(closed.period),
            closed.opening,
            timeline.particulars(closed.period.starts_on),
            in_force,
            closed.period,
            timeline.known.tournament_order,
        )
        return Entitlement(closed.period, rated.calculation, rated.change, closed.credited)

    def _exchange(
        self, closed: _Closed, calculation: Calculation, opening: Standing, buckets: Buckets
    ) -> None:
        """Exchanges the newcomers' results of a closed period in buckets and first ratings."""
        index = closed.period.index
        concerned = {r.player for r in (*closed.calculation.newcomers, *calculation.newcomers)}
        for player in sorted(concerned):
            now = [(index, r) for r in calculation.newcomers if r.player == player]
            if player in self._first_rated:
                on, first = self._first_rated[player]
                bucket = _replaced(first.bucket, index, now)
                self._first_rated[player] = (on, FirstRating(first.rating, bucket))
            elif opening.rating[player] == UNRATED:
                buckets[player] = _replaced(buckets.get(player, ()), index, now)

    def _first_ratings(self, timeline: Timeline) -> dict[int, tuple[int, int]]:
        """Returns (entitled, credited) of the first ratings that are not what they should be."""
        regulation = timeline.regulation(self._closed[-1].period)
        found = {}
        for player, (on, first) in self._first_rated.items():
            _, entitled = counted(regulation, first.bucket, on)
            if entitled is not None and entitled != first.rating:
                found[player] = (entitled, first.rating)
                self._first_rated[player] = (on, FirstRating(entitled, first.bucket))
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
