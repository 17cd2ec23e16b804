"""Carries the standing of all players through the periods of a list.

Every period is rated from the ratings at its start, so the order of its games cannot matter.
opening + contributions + rounding + credits + adjustment = closing holds for every rated player
and is asserted.

Under the policy *restate* the whole of history is read with the basis' knowledge. Under *next-list*
a published period stands as its first edition had it, and what became known of it later is credited
in the period that is calculated next (see ``late``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ledger.calendar import Period, period_named
from ledger.events.administration import ListAdjusted
from ledger.facts.columns import Column, Facts
from ledger.facts.known import Known
from ledger.rating.kernel import sums
from ledger.rating.rounding import column_half_away_from_zero
from ledger.rating.sheet import Calculation, NewcomerResult, Reason
from ledger.rating.standing import UNRATED, Buckets, Standing
from ledger.regulations.interface import Regulation
from ledger.replay.late import ClosedPeriods, Credits
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class PeriodOutcome:
    """One period of a list, calculated; vectors are by player index, in points unless said.

    ``opening`` is the standing with the period's seeds, ``units`` the exact changes
    (``calculation.units`` make a point), ``change`` the same rounded, ``credits`` what earlier
    lists owed, ``adjustment`` the list-wide step (and what keeps a rating at 1 or more),
    ``rated_games`` the games posted.
    ``first_rated`` maps a newcomer who got his first rating to the results it is made of.
    """

    period: Period
    timeline: Timeline
    regulation: Regulation
    opening: Standing
    k: Column
    calculation: Calculation
    units: Column
    change: Column
    credits: Credits
    adjustment: Column
    rated_games: Column
    first_rated: Buckets
    closing: Standing

    @property
    def next_k(self) -> Column:
        """Everybody's K as the list shows it: by the standing after the period."""
        assigned = self.timeline.assigned_k(self.period.in_force_on)
        return self.regulation.k(self.closing, assigned)


def replay(facts: Facts, name: str, basis: int, until: Period) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list's periods, from the first one to ``until``.

    Args:
        facts: the fold of at least the events up to ``basis``.
        name: a list that is defined at the basis.
        basis: the seq up to which events are known.
        until: the last period wanted.
    """
    timeline = Timeline(Known(facts, basis), name)
    bases = _first_editions(timeline) if timeline.list.defined.policy == "next-list" else {}
    closed = ClosedPeriods()
    standing = Standing.empty(len(facts.player_ids))
    before: Period | None = None
    for period in timeline.periods(until.closes_on):
        known_before = timeline.known.seq
        period_basis = min(
            (b for index, b in bases.items() if index >= period.index), default=basis
        )
        if period_basis != timeline.known.seq:
            timeline = Timeline(Known(facts, period_basis), name)
        carried = standing.carried(timeline.known.merged_into)
        opening = timeline.seeded(carried, period, before, known_before)
        outcome = rate_period(timeline, period, opening, closed.credits(timeline, opening))
        yield outcome
        standing, before = outcome.closing, period
        if bases:
            credited = (period, opening, outcome.calculation, outcome.change)
            closed.close(credited, outcome.first_rated, standing, period_basis)


def rate_period(
    timeline: Timeline, period: Period, opening: Standing, credits_: Credits
) -> PeriodOutcome:
    """Calculates one period from its opening standing."""
    regulation = timeline.regulation(period)
    k = regulation.k(opening, timeline.assigned_k(period.starts_on))
    calculation = regulation.calculate(timeline.sides(period), opening, k)
    players = len(opening.rating)
    units = sums(calculation.postings, players)
    change = regulation.change(units, calculation.units)
    rated_games = np.bincount(calculation.postings.player, minlength=players).astype(np.int64)
    buckets = _filled(credits_.buckets, calculation.newcomers, period.index)
    rating = np.where(opening.rating > UNRATED, opening.rating + change + credits_.points, UNRATED)
    games = opening.games + rated_games + credits_.games
    first_rated = {}
    for player, bucket in list(buckets.items()):
        if opening.rating[player] > UNRATED:
            del buckets[player]  # a rating was brought in meanwhile
            continue
        first = regulation.first_rating([result for _, result in bucket])
        if first is not None:
            first_rated[player] = buckets.pop(player)
            rating[player] = first
            games[player] = sum(result.games for _, result in bucket)
    adjustment = _adjustment(timeline, period, rating)
    # 0 stands for no rating: who has one cannot lose it by losing games.
    adjustment += np.where(
        (opening.rating > UNRATED) & (rating + adjustment < 1), 1 - rating - adjustment, 0
    )
    rating = rating + adjustment
    listed = opening.listed | (rating > UNRATED) | _played(calculation, players)
    closing = Standing(rating, games, np.maximum(opening.peak, rating), listed, buckets)
    return PeriodOutcome(
        period, timeline, regulation, opening, k, calculation, units, change, credits_, adjustment,
        rated_games, first_rated, closing,
    )  # fmt: skip


def _first_editions(timeline: Timeline) -> dict[int, int]:
    """Returns the basis of each period's first edition, by the period's index."""
    known = timeline.known
    return {
        period.index: event.basis_seq
        for seq, event in known.facts.lists[timeline.name].publications
        if seq <= known.seq and event.edition == 1
        if (period := period_named(timeline.list.segments, event.period))
    }


def _filled(buckets: Buckets, results: tuple[NewcomerResult, ...], period: int) -> Buckets:
    """Returns the buckets with the period's computable results put in."""
    filled = dict(buckets)
    for result in results:
        if result.computable:
            filled[result.player] = (*filled.get(result.player, ()), (period, result))
    return filled


def _adjustment(timeline: Timeline, period: Period, rating: Column) -> Column:
    """Returns the list-wide steps of the period, one after the other, in points."""
    total = np.zeros(len(rating), dtype=np.int64)
    for _, event in timeline.list.adjustments:
        if event.period == period.name:
            total += _step(event, rating + total)
    return total


def _step(event: ListAdjusted, rating: Column) -> Column:
    points = column_half_away_from_zero(event.numerator * (event.pivot - rating), event.denominator)
    concerned = (rating > UNRATED) & (rating < event.below)
    step: Column = np.where(concerned, points, 0)
    return step


def _played(calculation: Calculation, players: int) -> Column:
    """Who sat at a board in a game of the period that could have counted: 1, else 0."""
    reasons = calculation.exclusions.reason
    at_board = np.isin(
        reasons, (Reason.OPPONENT_UNRATED, Reason.TOO_FEW_GAMES, Reason.NO_POINTS, Reason.NO_MERIT)
    )
    played = np.zeros(players, dtype=np.int64)
    played[calculation.exclusions.player[at_board]] = 1
    played[[result.player for result in calculation.newcomers]] = 1
    return played
