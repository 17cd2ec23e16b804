"""The one calculation: from sides to postings, and the sums that are published.

``contribution = K * CM * (W - P(D))`` for every side, in integers. Regulations say which D, K and
CM; they never multiply themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.rounding import column_half_away_from_zero
from ledger.rating.sheet import Calculation, Postings, Sides


def post(
    sides: Sides,
    *,
    opponent_rating: Column,
    difference: Column,
    k: Column,
    expectation: Expectation,
) -> Postings:
    """Posts the sides: one expected score each, by the difference given for it.

    Args:
        sides: the sides to rate, with their merit coefficients.
        opponent_rating: the opponent's rating as counted, one for each side, in points.
        difference: D as counted, one for each side, in points.
        k: the player's K, one for each side.
        expectation: the model that turns D into an expected score.
    """
    expected = expectation.of(difference)
    score = sides.halves * expectation.scale // 2
    return Postings(
        game=sides.game,
        tournament=sides.tournament,
        round=sides.round,
        player=sides.player,
        opponent=sides.opponent,
        opponent_rating=opponent_rating,
        difference=difference,
        expected=expected,
        score=score,
        k=k,
        merit=sides.merit,
        contribution=k * sides.merit * (score - expected),
    )


def capped(difference: Column, cap: int | None) -> Column:
    """Counts a larger difference as the cap; without a cap, as it is."""
    return difference if cap is None else np.clip(difference, -cap, cap)


def performances(sides: Sides) -> Iterator[Sides]:
    """Yields the sides of each player in each tournament together, by player, tournament, round."""
    ordered = sides.rows(np.lexsort((sides.game, sides.round, sides.tournament, sides.player)))
    new = (np.diff(ordered.player) != 0) | (np.diff(ordered.tournament) != 0)
    bounds = [0, *(np.flatnonzero(new) + 1).tolist(), len(ordered)]
    for start, end in pairwise(bounds):
        if start < end:
            yield ordered.rows(np.arange(start, end, dtype=np.int64))


def mean_differences(sides: Sides, own: Column, opponents: Column) -> Column:
    """Returns for each side D = R - mean of the opponents in the same tournament, rounded.

    Halves away from zero. ``own`` and ``opponents`` are ratings in points, one for each side.
    """
    _, group = np.unique(np.stack((sides.player, sides.tournament)), axis=1, return_inverse=True)
    group = group.reshape(-1)
    count = np.bincount(group)
    total = np.zeros(len(count), dtype=np.int64)
    np.add.at(total, group, opponents)
    return column_half_away_from_zero(own * count[group] - total[group], count[group])


def sums(calculation: Calculation, players: int) -> Column:
    """Returns each player's contributions and steps, summed exactly, in units."""
    total = np.zeros(players, dtype=np.int64)
    np.add.at(total, calculation.postings.player, calculation.postings.contribution)
    for step in calculation.steps:
        total[step.player] += step.units
    return total
