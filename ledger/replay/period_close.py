"""What a period comes to beside its games: credits, list-wide steps, and the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ledger.events.lists import ListAdjusted
from ledger.facts.arrays import is_among, scattered
from ledger.facts.columns import Column
from ledger.rating.game_sums import Summed
from ledger.rating.player_state import UNRATED, PlayerStates, nothing
from ledger.rating.postings import FIRST_OWN, Calculation, Reason
from ledger.rating.rounding import column_half_away_from_zero
from ledger.replay.calculation import Given, RatedGames, rate_games
from ledger.replay.late_results import Credits


@dataclass(frozen=True, slots=True)
class PeriodClose:
    """A period calculated from its opening; vectors by player, in points.

    ``rated`` is what the games come to, ``credits`` what earlier lists owed, exactly, ``paid`` the
    whole points by which that moves ratings, ``adjustment`` the list-wide step, ``lifted`` what
    keeps a rating at 1 or more, ``removed`` what those lose who fall below the list's floor: all
    they had. ``restarted`` (indexes) are those whom the regulation makes unrated again; what they
    had is among ``removed``, too.
    """

    rated: RatedGames
    credits: Credits
    paid: Column
    adjustment: Column
    lifted: Column
    removed: Column
    restarted: Column
    closing: PlayerStates


def settle(
    given: Given, opening: PlayerStates, credits_: Credits, plain: Summed | None = None
) -> PeriodClose:
    """Calculates a period from its opening standing; ``plain`` as in ``rate_games``."""
    regulation, period = given.regulation, given.period
    rated = rate_games(given, replace(opening, buckets=credits_.buckets), plain)
    after = rated.standing
    owed = bool(credits_.entitlements)
    was_rated = opening.rating > UNRATED
    paid = adjustment = removed = nothing(len(was_rated))
    rating = after.rating.copy()
    if owed:
        paid = np.where(was_rated, credits_.paid(rated), 0).astype(np.int32)
        rating += paid
    if given.adjustments:
        adjustment = _adjustment(given, rating)
        rating += adjustment
    again = regulation.unrated_again(rating, after, given.particulars, period.in_force_on)
    restarted = np.zeros(0, dtype=np.int64)
    if again is not None and (restarted := np.flatnonzero(again & (rating != UNRATED))).size:
        removed = removed.copy()
        removed[restarted] = -rating[restarted]
        rating[restarted] = UNRATED
    # 0 stands for no rating: who has one cannot lose it by losing games.
    lifted = rated.lifted
    moved = np.arange(len(rating)) if owed or given.adjustments else rated.changes.players
    low = moved[was_rated[moved] & (rating[moved] < 1)]
    low = low[~is_among(low, restarted)]
    if low.size:
        lifted = lifted.copy()
        lifted[low] += 1 - rating[low]
        rating[low] = 1
    floor = regulation.floor(period.in_force_on)
    if floor > 1 and (fallen := np.flatnonzero((rating > UNRATED) & (rating < floor))).size:
        removed = removed.copy()
        removed[fallen] = -rating[fallen]
        rating[fallen] = UNRATED
    first = rated.first_rated
    balance = opening.rating.copy()
    balance[rated.changes.players] += rated.changes.points
    balance[first.players] += first.ratings - opening.rating[first.players]
    for step in (paid, adjustment, lifted, removed):
        if step is not nothing(len(rating)):
            balance += step
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
    )
    if restarted.size:
        closing = closing.anew(restarted)
    closing = closing.with_recent(period.in_force_on, *_met(rated))
    return PeriodClose(rated, credits_, paid, adjustment, lifted, removed, restarted, closing)


def games_met(rated: RatedGames) -> Column:
    """Returns everybody's games of the period that count for a rating, newcomers' included."""
    return scattered(len(rated.opening.rating), *_met(rated))


def _met(rated: RatedGames) -> tuple[Column, Column]:
    """Returns who had such games (ascending), and how many."""
    players, games = rated.changes.players, rated.changes.games.copy()
    computable = rated.newcomers.rows(rated.newcomers.computable)
    places = np.searchsorted(players, computable.player)
    np.add.at(games, places, computable.games.astype(np.int32))
    had = np.flatnonzero(games)
    return players[had], games[had]


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


# Why a game was not rated that could have counted.
_AT_BOARD = np.zeros(max(Reason) + 1, dtype=np.bool_)
_AT_BOARD[
    [
        Reason.OPPONENT_UNRATED, Reason.TOO_FEW_GAMES, Reason.NO_POINTS, Reason.NO_MERIT,
        Reason.DIFFERENCE_TOO_LARGE, Reason.NO_DIFFERENCE, Reason.BY_MATCH_TABLE,
        Reason.NO_FIRST_RATING,
    ]
] = True  # fmt: skip


def _at_board(calculation: Calculation) -> Column:
    """Returns who sat at a board in a game of the period that could have counted."""
    excluded = calculation.exclusions
    own = excluded.reason >= FIRST_OWN
    return excluded.player[own | _AT_BOARD[np.where(own, Reason.NONE, excluded.reason)]]


def moved_by_order(opening: PlayerStates, ordered: Column) -> tuple[PlayerStates, Column]:
    """Returns the opening moved by order, and what the order came to: who is unrated stays so."""
    if not ordered.any():
        return opening, ordered
    rated = opening.rating > UNRATED
    steps = np.where(rated, np.maximum(ordered, 1 - opening.rating), 0)
    rating = (opening.rating + steps).astype(np.int32)
    return replace(opening, rating=rating, peak=np.maximum(opening.peak, rating)), steps
