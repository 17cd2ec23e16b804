"""The sums of plain games: of two rated players, concerning nobody else.

It is the arithmetic of ``kernel.post``, a row a game instead of two, and nothing is kept but what
is published: for each player the sum of CM * (W - P(D)), exactly, and how many games there were.
K is the same for all games of a player and period, so it is multiplied once. The postings of a
period or a player are cut by ``Regulation.calculate`` when somebody asks for them, and must come
to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums by player: ``score`` of CM * (W - P(D)), in 1/(100 * scale) points, and ``games``."""

    players: Column
    score: Column
    games: Column


def sums_of(
    players: int,
    sides: tuple[Column, ...],
    halves: tuple[Column, ...],
    differences: tuple[Column, ...],
    merit: Column,
    expectation: Expectation,
) -> Sums:
    """Sums the games of each player.

    Args:
        players: how many there are.
        sides: the indexes of white and black, one of each for every game; or of one of them. The
            index after the last player's is nobody's.
        halves: their scores in half points.
        differences: D as counted for each, in points.
        merit: CM in hundredths; 0 does not take a game out.
        expectation: the model that turns D into an expected score.
    """
    rows = len(merit)
    # Sum and count share one integer, so that a game is added once to each player. A chunk is as
    # long as both are sure to fit.
    largest = expectation.scale * int(merit.max(initial=1))
    bits = (62 - largest.bit_length()) // 2
    mask = 2**bits - 1
    parts = []
    for start in range(0, max(rows, 1), mask):
        chunk = slice(start, start + mask)
        both = np.zeros(players + 1, dtype=np.int64)
        for player, half, difference in zip(sides, halves, differences, strict=True):
            won = half[chunk] * np.int64(expectation.scale // 2) - expectation.of(difference[chunk])
            np.add.at(both, player[chunk], (won * merit[chunk] << bits) + 1)
        touched = np.flatnonzero(both[:-1] != 0)
        parts.append(Sums(touched, both[touched] >> bits, both[touched] & mask))
    return parts[0] if len(parts) == 1 else _together(parts)


def _together(parts: Sequence[Sums]) -> Sums:
    """Returns the sums of several parts of the games."""
    players, places = np.unique(np.concatenate([p.players for p in parts]), return_inverse=True)
    score, games = (np.zeros(len(players), dtype=np.int64) for _ in range(2))
    np.add.at(score, places, np.concatenate([part.score for part in parts]))
    np.add.at(games, places, np.concatenate([part.games for part in parts]))
    return Sums(players, score, games)
