"""A made-up Swiss: who meets whom, and how the games end by what people are worth.

It is near enough to life to look and weigh like it, and the same generator draws the same. It is no
pairing system of a regulation: those are in ``ledger.desk.pairing``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]

RESULTS: Final = ("0-1", "1/2-1/2", "1-0", "-/+", "+/-")
"""By code: the first three are White's half points; the others are forfeits."""
PLAYED: Final = 3
"""Codes below are of games that were played."""
WON, DRAWN = 2, 1

_WHITE = 35.0  # what the first move is worth, in points
_DRAWS, _DRAWS_WITHIN = 0.38, 420.0
_FORFEITS = 0.012


@dataclass(frozen=True, slots=True)
class Swiss:
    """The games as columns: round, White and Black by place in the field, code of the result.

    The byes are a round and a place each.
    """

    games: tuple[Whole, Whole, Whole, Whole]
    byes: tuple[tuple[int, int], ...]


def swiss(strength: Real, rounds: int, random: np.random.Generator) -> Swiss:
    """Plays a Swiss: by points, and among equals by strength, never twice if it can be."""
    count = len(strength)
    points = np.zeros(count)
    played = np.zeros((count, count), dtype=np.bool_)
    had_bye = np.zeros(count, dtype=np.bool_)
    boards: list[tuple[Whole, Whole, Whole, Whole]] = []
    byes: list[tuple[int, int]] = []
    for round_ in range(1, rounds + 1):
        order = np.lexsort((-(strength + random.normal(0, 120, count)), -points))
        if count % 2:
            last = int(np.flatnonzero(~had_bye[order])[-1])
            sitting = int(order[last])
            order = np.delete(order, last)
            had_bye[sitting] = True
            points[sitting] += 1
            byes.append((round_, sitting))
        white, black = order[0::2].copy(), order[1::2].copy()
        for board in np.flatnonzero(played[white, black])[:-1].tolist():
            black[[board, board + 1]] = black[[board + 1, board]]
        swapped = random.random(len(white)) < 1 / 2
        white, black = np.where(swapped, black, white), np.where(swapped, white, black)
        played[white, black] = played[black, white] = True
        code = results(strength[white] - strength[black], random)
        halves = np.where(code < PLAYED, code, (code - PLAYED) * 2)
        points[white] += halves / 2
        points[black] += 1 - halves / 2
        boards.append((np.full(len(white), round_), white, black, code))
    numbers, whites, blacks, codes = (
        np.concatenate(column).astype(np.int64) for column in zip(*boards, strict=True)
    )
    return Swiss((numbers, whites, blacks, codes), tuple(byes))


def results(difference: Real, random: np.random.Generator) -> Whole:
    """Draws how games end, as codes, by White's true strength less Black's."""
    expected = 1 / (1 + np.power(10, -(difference + _WHITE) / 400))
    draw = _DRAWS * np.exp(-np.square(difference / _DRAWS_WITHIN))
    draw = np.minimum(draw, 2 * np.minimum(expected, 1 - expected))
    win = expected - draw / 2
    chance = random.random(len(difference))
    code = np.where(chance < win, WON, np.where(chance < win + draw, DRAWN, 0))
    forfeited = random.random(len(difference)) < _FORFEITS
    return np.where(forfeited, PLAYED + (chance < 1 / 2), code).astype(np.int64)
