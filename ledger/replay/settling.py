"""What a period comes to beside its games: credits, list-wide steps, and the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ledger.events.administration import ListAdjusted
from ledger.facts.columns import Column
from ledger.rating.rounding import column_half_away_from_zero
from ledger.rating.sheet import Calculation, Reason
from ledger.rating.standing import UNRATED, Standing, nothing
from ledger.replay.calculation import Given, RatedGames, rate_games
from ledger.replay.late import Credits
from ledger.replay.plain_games import Summed


@dataclass(frozen=True, slots=True)
class Settled:
    """A period calculated from its opening; vectors by player, in points.

    ``rated`` is what the games come to, ``credits`` what earlier lists owed, ``adjustment`` the
    list-wide step, ``lifted`` what keeps a rating at 1 or more, ``removed`` what those lose who
    fall below the list's floor: all they had.
    """

    rated: RatedGames
    credits: Credits
    adjustment: Column
    lifted: Column
    removed: Column
    closing: Standing


def settle(
    given: Given, opening: Standing, credits_: Credits, plain: Summed | None = None
) -> Settled:
    """Calculates a period from its opening standing; ``plain`` as in ``rate_games``."""
    regulation, period = given.regulation, given.period
    rated = rate_games(given, replace(opening, buckets=credits_.buckets), plain)
    after = rated.standing
    owed = bool(credits_.entitlements)
    was_rated = opening.rating > UNRATED
    points = adjustment = removed = nothing(len(was_rated))
    rating = after.rating.copy()
    if owed:
        points = np.where(was_rated, credits_.points, 0).astype(np.int32)
        rating += points
    if given.adjustments:
        adjustment = _adjustment(given, rating)
        rating += adjustment
    # 0 stands for no rating: who has one cannot lose it by losing games.
    lifted = rated.lifted
    low = np.flatnonzero(was_rated & (rating < 1))
    if low.size:
        lifted = lifted.copy()
        lifted[low] += 1 - rating[low]
        rating[low] = 1
    fallen = np.flatnonzero((rating > UNRATED) & (rating < regulation.floor(period.in_force_on)))
    if fallen.size:
        removed = removed.copy()
        removed[fallen] = -rating[fallen]
        rating[fallen] = UNRATED
    first = rated.first_rated
    balance = opening.rating + rated.change
    balance[first.players] += first.ratings - opening.rating[first.players]
    for moved in (points, adjustment, lifted, removed):
        if moved is not nothing(len(rating)):
            balance += moved
    assert (balance == rating).all(), f"period {period.name} does not balance"
    listed = opening.listed.copy()
    listed[first.players] = 1
    listed[rated.newcomers.player] = 1
    listed[_at_board(rated.apart)] = 1
    closing = replace(
        after,
        rating=rating,
        games=(after.games + credits_.games).astype(np.int32) if owed else after.games,
        peak=np.maximum(opening.peak, rating),
        listed=listed,
    ).with_recent(period.in_force_on, games_met(rated))
    return Settled(rated, credits_, adjustment, lifted, removed, closing)


def games_met(rated: RatedGames) -> Column:
    """Returns everybody's games of the period that count for a rating, newcomers' included."""
    games = rated.rated_games.copy()
    computable = rated.newcomers.rows(rated.newcomers.computable)
    np.add.at(games, computable.player, computable.games.astype(np.int32))
    return games


def _adjustment(given: Given, rating: Column) -> Column:
    """Returns the list-wide steps of the period, one after the other, in points."""
    total = np.zeros(len(rating), dtype=np.int32)
    for event in given.adjustments:
        total += _step(event, rating + total)
    return total


def _step(event: ListAdjusted, rating: Column) -> Column:
    points = column_half_away_from_zero(event.numerator * (event.pivot - rating), event.denominator)
    concerned = (rating > UNRATED) & (rating < event.below)
    return np.where(concerned, points, 0).astype(np.int32)


def _at_board(calculation: Calculation) -> Column:
    """Returns who sat at a board in a game of the period that could have counted."""
    could_have = (
        Reason.OPPONENT_UNRATED, Reason.TOO_FEW_GAMES, Reason.NO_POINTS, Reason.NO_MERIT,
        Reason.DIFFERENCE_TOO_LARGE, Reason.NO_DIFFERENCE, Reason.BY_MATCH_TABLE,
        Reason.NO_FIRST_RATING,
    )  # fmt: skip
    excluded = calculation.exclusions
    return excluded.player[np.isin(excluded.reason, could_have)]


def moved_by_order(opening: Standing, ordered: Column) -> tuple[Standing, Column]:
    """Returns the opening moved by order, and what the order came to: who is unrated stays so."""
    if not ordered.any():
        return opening, ordered
    rated = opening.rating > UNRATED
    steps = np.where(rated, np.maximum(ordered, 1 - opening.rating), 0)
    rating = (opening.rating + steps).astype(np.int32)
    return replace(opening, rating=rating, peak=np.maximum(opening.peak, rating)), steps
