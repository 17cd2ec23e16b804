"""How well ratings predict results: Brier score, log loss, calibration.

A rating system predicts an expected score, not wins, draws and losses. So it is judged by it:

* *Brier score*: the mean of (score - expected)², the score being 1, 1/2 or 0.
* *Log loss*: the mean of -(s ln e + (1 - s) ln(1 - e)); a draw is half a win and half a loss. No
  expected score could make a draw cost less than ln 2. That part depends on the results alone, is
  the same for whoever predicts the same games, and is shown apart (``draws_cost``): what lies above
  it tells the predictions apart.
* *Three-way log loss*: the mean of -ln p(what happened), for which draws need a probability,
  p(win) = e - p(draw) / 2. Where the model has one (the normal model with a margin for draws), it
  is judged by it. Else it is made from the expected score, in the same way for all: a draw takes a
  share c of the most it could have, p(draw) = 2 c min(e, 1 - e), with c such that as many draws are
  predicted as there were.
* *Calibration*: in each tenth of the expected score, the mean expected and the mean score.

Every game counts from both sides. In logarithms no expected score and no probability counts as less
than 1 %, and no expected score as more than 99 %: printed tables say 0 and 100, and one upset would
decide everything.

Everything is exact but the logarithms, which are floats: nothing is calculated from them, they are
summed without loss (``fsum``) in a fixed order, and written with four decimals.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log
from typing import Any

import numpy as np

from ledger.facts.columns import Column
from ledger.reports.measures import fixed

PLACES = 4
BANDS = 10
LEAST = Fraction(1, 100)
_NO_MODEL = -1
_DRAW = 1  # half points


@dataclass(frozen=True, slots=True)
class Band:
    """The sides whose expected score lies in one tenth; percentages of its ends."""

    at_least: int
    below: int
    sides: int
    expected: Fraction
    score: Fraction

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "at_least": self.at_least,
            "below": self.below,
            "sides": self.sides,
            "expected": fixed(self.expected, PLACES),
            "score": fixed(self.score, PLACES),
        }


@dataclass(frozen=True, slots=True)
class Quality:
    """How good predictions were; the figures are None where there was nothing to predict."""

    sides: int
    draws: int
    brier: Fraction | None
    log_loss: float | None
    draws_cost: float | None
    three_way: float | None
    draws_by_model: bool
    bands: tuple[Band, ...]

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data, without the bands."""
        return {
            "sides": self.sides,
            "draws": self.draws,
            "brier": fixed(self.brier, PLACES),
            "log_loss": _written(self.log_loss),
            "draws_cost": _written(self.draws_cost),
            "log_loss_three_way": _written(self.three_way),
            "draws_predicted": "by-model" if self.draws_by_model else "fitted",
        }


@dataclass(frozen=True, slots=True)
class _Kind:
    """Equal predictions with equal outcomes: how many, and the model's draws (None: none)."""

    expected: Fraction
    draw: Fraction | None
    halves: int
    count: int

    @property
    def bounded(self) -> Fraction:
        return min(max(self.expected, LEAST), 1 - LEAST)


class Predictions:
    """Expected scores beside scores; equal ones are counted together."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[int, int, int, int]] = Counter()

    def add(
        self, expected: Column, scale: int, halves: Column, draws: Column | None = None
    ) -> None:
        """Adds sides.

        Args:
            expected: expected scores, in units of 1 / scale.
            scale: how many units a point has.
            halves: scores in half points.
            draws: the probabilities of a draw, in the same units, where the model has them.
        """
        if not len(expected):
            return
        given = np.full(len(expected), _NO_MODEL, dtype=np.int64) if draws is None else draws
        kinds, counts = np.unique(np.stack((expected, given, halves)), axis=1, return_counts=True)
        for (expected_, draw, halves_), count in zip(
            kinds.T.tolist(), counts.tolist(), strict=True
        ):
            self._counts[scale, expected_, draw, halves_] += count

    def quality(self) -> Quality:
        """Returns how good they are."""
        kinds = [
            _Kind(
                Fraction(expected, scale),
                None if draw == _NO_MODEL else Fraction(draw, scale),
                halves,
                count,
            )
            for (scale, expected, draw, halves), count in sorted(self._counts.items())
        ]
        sides = sum(kind.count for kind in kinds)
        if not sides:
            return Quality(0, 0, None, None, None, None, draws_by_model=False, bands=())
        draws = sum(kind.count for kind in kinds if kind.halves == _DRAW)
        errors = (kind.count * (Fraction(kind.halves, 2) - kind.expected) ** 2 for kind in kinds)
        by_model = all(kind.draw is not None for kind in kinds)
        return Quality(
            sides=sides,
            draws=draws,
            brier=sum(errors, Fraction(0)) / sides,
            log_loss=_log_loss(kinds) / sides,
            draws_cost=draws * log(2) / sides,
            three_way=(_by_model(kinds) if by_model else _fitted(kinds, draws)) / sides,
            draws_by_model=by_model,
            bands=tuple(_bands(kinds)),
        )


def _log_loss(kinds: list[_Kind]) -> float:
    return -fsum(
        kind.count * (kind.halves * log(kind.bounded) + (2 - kind.halves) * log(1 - kind.bounded))
        for kind in kinds
    ) / 2  # fmt: skip


def _by_model(kinds: list[_Kind]) -> float:
    return -fsum(
        kind.count * _log_of(kind.halves, kind.expected, kind.draw or Fraction(0)) for kind in kinds
    )


def _fitted(kinds: list[_Kind], draws: int) -> float:
    most = sum((k.count * 2 * min(k.bounded, 1 - k.bounded) for k in kinds), Fraction(0))
    share = min(draws / most, Fraction(1))
    return -fsum(
        k.count * _log_of(k.halves, k.bounded, 2 * share * min(k.bounded, 1 - k.bounded))
        for k in kinds
    )


def _log_of(halves: int, expected: Fraction, draw: Fraction) -> float:
    """Returns the logarithm of the probability of what happened."""
    probability = (1 - expected - draw / 2, draw, expected - draw / 2)[halves]
    return log(max(probability, LEAST))


def _bands(kinds: list[_Kind]) -> list[Band]:
    found = []
    width = 100 // BANDS
    for place in range(BANDS):
        inside = [k for k in kinds if min(k.expected * BANDS // 1, BANDS - 1) == place]
        sides = sum(kind.count for kind in inside)
        if sides:
            expected = sum((k.expected * k.count for k in inside), Fraction(0)) / sides
            score = Fraction(sum(k.halves * k.count for k in inside), 2 * sides)
            found.append(Band(place * width, (place + 1) * width, sides, expected, score))
    return found


def _written(value: float | None) -> str | None:
    return None if value is None else f"{value:.{PLACES}f}"
