"""Carries the standing of all players through the periods of a list.

Which games of a period are simultaneous, and with which ratings they are rated, is the regulation's
to say (see ``calculation``); among those the order cannot matter. opening (or first rating) +
contributions + steps + rounding + credits + adjustment + lifted + removed = closing holds for every
player and is asserted.

Under the policy *restate* the whole of history is read with the basis' knowledge. Under *next-list*
a published period stands as its first edition had it, and what became known of it later is credited
in the period that is calculated next (see ``late``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ledger.calendar import Period, period_named
from ledger.events.administration import ListAdjusted
from ledger.facts.columns import Column, Facts, Mask
from ledger.facts.known import Known
from ledger.rating.rounding import column_half_away_from_zero
from ledger.rating.sheet import Calculation, Reason
from ledger.rating.standing import UNRATED, FirstRatings, Standing
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import RatedGames, rate_games
from ledger.replay.elsewhere import Elsewhere
from ledger.replay.in_force import RatingsInForce
from ledger.replay.late import Closed, ClosedPeriods, Credits
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class PeriodOutcome:
    """One period of a list, calculated; vectors are by player index, in points unless said.

    ``opening`` is the standing with the period's seeds and with the steps ``ordered`` for single
    players, ``units`` the exact changes
    (``calculation.units`` make a point), ``change`` the same rounded, ``credits`` what earlier
    lists owed, ``adjustment`` the list-wide step, ``lifted`` what keeps a rating at 1 or more,
    ``removed`` what those lose who fall below the list's floor: all they had.
    ``rated_games`` are the games posted. ``first_rated`` holds the first ratings that were
    reached, by player; event by event, ``change`` goes on from there.
    """

    period: Period
    timeline: Timeline
    regulation: Regulation
    opening: Standing
    ordered: Column
    k: Column
    calculation: Calculation
    units: Column
    change: Column
    credits: Credits
    adjustment: Column
    lifted: Column
    removed: Column
    rated_games: Column
    first_rated: FirstRatings
    closing: Standing

    @property
    def next_k(self) -> Column:
        """Everybody's K as the list shows it: by the standing after the period."""
        particulars = self.timeline.particulars(self.period.in_force_on)
        return self.regulation.k(self.closing, particulars)

    @property
    def active(self) -> Mask:
        """Who is active in the list."""
        return self.regulation.active(self.closing, self.period.in_force_on)


def replay(
    facts: Facts,
    name: str,
    basis: int,
    until: Period,
    *,
    under: Regulation | None = None,
    restated: bool = False,
) -> Iterator[PeriodOutcome]:
    """Yields the outcomes of a list's periods, from the first one to ``until``.

    Args:
        facts: the fold of at least the events up to ``basis``.
        name: a list that is defined at the basis.
        basis: the seq up to which events are known.
        until: the last period wanted.
        under: a regulation for all periods, instead of those that the list adopted.
        restated: recompute all of history, whatever the list's policy for closed periods.
    """

    def ratings_of(other: str, seq: int) -> RatingsInForce | None:
        """Replays another list; what it takes from elsewhere itself is not asked for."""
        if other == name or other not in facts.lists or facts.lists[other].seq > seq:
            return None
        periods = Timeline(Known(facts, seq), other).periods(until.closes_on)
        if not periods:
            return None
        made = RatingsInForce()
        for outcome in _outcomes(facts, other, seq, periods[-1], Elsewhere(lambda *_: None)):
            made.start(outcome.period, outcome.opening.rating)
        return made

    yield from _outcomes(
        facts, name, basis, until, Elsewhere(ratings_of), under=under, restated=restated
    )


def _outcomes(
    facts: Facts,
    name: str,
    basis: int,
    until: Period,
    elsewhere: Elsewhere,
    *,
    under: Regulation | None = None,
    restated: bool = False,
) -> Iterator[PeriodOutcome]:
    timeline = Timeline(Known(facts, basis), name, under)
    stands = timeline.list.defined.policy == "next-list" and under is None and not restated
    bases = _first_editions(timeline) if stands else {}
    closed = ClosedPeriods()
    in_force = RatingsInForce()
    standing = Standing.empty(len(facts.player_ids))
    before: Period | None = None
    for period in timeline.periods(until.closes_on):
        known_before = timeline.known.seq
        period_basis = min(
            (b for index, b in bases.items() if index >= period.index), default=basis
        )
        if period_basis != timeline.known.seq:
            timeline = Timeline(Known(facts, period_basis), name, under)
            into = timeline.known.merged_into
            closed.carry(into, standing.dropped(into))
            in_force.carry(into)
            standing = standing.carried(into)
        opening = timeline.seeded(standing, period, before, known_before)
        opening = elsewhere.entered(timeline, period, opening)
        ordered = timeline.ordered(period, before, known_before)
        opening, ordered = _moved(opening, ordered)
        if not bases:
            in_force.forget_before(timeline.earliest_start(period))
        credits_ = closed.credits(timeline, opening, in_force)
        opening = _restored(opening, credits_)
        in_force.start(period, opening.rating)
        outcome = rate_period(timeline, period, opening, ordered, credits_, in_force)
        yield outcome
        standing, before = outcome.closing, period
        if bases:
            given = Closed(
                period,
                opening,
                outcome.change + outcome.lifted,
                outcome.rated_games,
                outcome.calculation.newcomers,
            )
            closed.close(given, outcome.first_rated, outcome.removed, standing, period_basis)


def rate_period(
    timeline: Timeline,
    period: Period,
    opening: Standing,
    ordered: Column,
    credits_: Credits,
    in_force: RatingsInForce,
) -> PeriodOutcome:
    """Calculates one period from its opening standing."""
    regulation = timeline.regulation(period)
    particulars = timeline.particulars(period.starts_on)
    rated = rate_games(
        regulation,
        timeline.sides(period),
        replace(opening, buckets=credits_.buckets),
        particulars,
        in_force,
        period,
        timeline.known.tournament_order,
    )
    after = rated.standing
    was_rated = opening.rating > UNRATED
    rating = after.rating + np.where(was_rated, credits_.points, 0)
    adjustment = _adjustment(timeline, period, rating)
    rating = rating + adjustment
    # 0 stands for no rating: who has one cannot lose it by losing games.
    lift = np.where(was_rated, np.maximum(1 - rating, 0), 0)
    rating = rating + lift
    floor = regulation.floor(period.in_force_on)
    removed = np.where((rating > UNRATED) & (rating < floor), -rating, 0)
    rating = rating + removed
    started = np.where(was_rated, opening.rating, 0)
    for player, first in rated.first_rated.items():
        started[player] = first.rating
    moved = rated.change + rated.lifted + lift + adjustment + removed
    balanced = started + moved + np.where(was_rated, credits_.points, 0)
    assert (balanced == rating).all(), f"period {period.name} of {timeline.name} does not balance"
    listed = opening.listed | (rating > UNRATED) | _played(rated.calculation, len(rating))
    closing = replace(
        after,
        rating=rating,
        games=after.games + credits_.games,
        peak=np.maximum(opening.peak, rating),
        listed=listed,
    ).with_recent(period.in_force_on, _games_met(rated))
    return PeriodOutcome(
        period, timeline, regulation, opening, ordered, regulation.k(opening, particulars),
        rated.calculation, rated.units, rated.change, credits_, adjustment, rated.lifted + lift,
        removed, rated.rated_games, rated.first_rated, closing,
    )  # fmt: skip


def _games_met(rated: RatedGames) -> Column:
    """Returns everybody's games of the period that count for a rating, newcomers' included."""
    games = rated.rated_games.copy()
    for result in rated.calculation.newcomers:
        games[result.player] += result.games if result.computable else 0
    return games


def _moved(opening: Standing, ordered: Column) -> tuple[Standing, Column]:
    """Returns the opening moved by order, and what the order came to: who is unrated stays so."""
    if not ordered.any():
        return opening, ordered
    rated = opening.rating > UNRATED
    steps = np.where(rated, np.maximum(ordered, 1 - opening.rating), 0)
    rating = opening.rating + steps
    return replace(opening, rating=rating, peak=np.maximum(opening.peak, rating)), steps


def _restored(opening: Standing, credits_: Credits) -> Standing:
    """Gives those their rating back who, by what is known now, did not fall below the floor."""
    if not credits_.restored:
        return opening
    made = opening.copy()
    for player, rating in credits_.restored.items():
        made.rating[player] = rating
        made.buckets.pop(player, None)
        credits_.buckets.pop(player, None)
    return made


def _first_editions(timeline: Timeline) -> dict[int, int]:
    """Returns the basis of each period's first edition, by the period's index."""
    known = timeline.known
    return {
        period.index: event.basis_seq
        for seq, event in known.facts.lists[timeline.name].publications
        if seq <= known.seq and event.edition == 1
        if (period := period_named(timeline.list.segments, event.period))
    }


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
        reasons,
        (
            Reason.OPPONENT_UNRATED, Reason.TOO_FEW_GAMES, Reason.NO_POINTS, Reason.NO_MERIT,
            Reason.DIFFERENCE_TOO_LARGE, Reason.NO_DIFFERENCE, Reason.BY_MATCH_TABLE,
            Reason.NO_FIRST_RATING,
        ),
    )  # fmt: skip
    played = np.zeros(players, dtype=np.int64)
    played[calculation.exclusions.player[at_board]] = 1
    played[[result.player for result in calculation.newcomers]] = 1
    return played
