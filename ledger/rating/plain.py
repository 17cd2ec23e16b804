"""The sums of plain games: of two rated players, concerning nobody else.

It is the arithmetic of ``kernel.post``, a row a game instead of two, and nothing is kept but what
is published: for each player the sum of CM * (W - P(D)), exactly, and how many games there were.
K is the same for all games of a player and period, so it is multiplied once. The postings of a
period or a player are cut by ``Regulation.calculate`` when somebody asks for them, and must come
to the same.
"""

from __future__ import annotations

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
    score, games, both = (np.zeros(players + 1, dtype=np.int64) for _ in range(3))
    for start in range(0, rows, 2**bits - 1):
        chunk = slice(start, start + 2**bits - 1)
        for player, half, difference in zip(sides, halves, differences, strict=True):
            won = half[chunk] * np.int64(expectation.scale // 2) - expectation.of(difference[chunk])
            np.add.at(both, player[chunk], (won * merit[chunk] << bits) + 1)
        if rows < 2**bits:
            break
        score += both >> bits
        games += both & (2**bits - 1)
        both[:] = 0
    touched = np.flatnonzero((both[:-1] != 0) | (games[:-1] != 0))
    return Sums(
        touched,
        score[touched] + (both[touched] >> bits),
        games[touched] + (both[touched] & (2**bits - 1)),
    )
