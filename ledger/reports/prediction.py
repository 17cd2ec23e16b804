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

Of two who predict, what counts is the difference game by game: d = the squared errors of the one
less those of the other, over the game's two sides. Its mean is the difference of their Brier
scores. The games are not independent: a player who is rated wrongly spoils all of these games. Two
games belong together that have a player in common, and the variance of the mean is estimated as
for such pairs (Aronow, Samii and Assenova, 2015, "Cluster-robust variance estimation for dyadic
data")::

    (sum over players of (sum of their games' (d - mean))² - sum over games of (d - mean)²) / n²

In small samples it can be too small, or even negative; it is never taken to be less than that of
independent games. A difference *tells* if it is more than ``ERRORS`` standard errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log
from typing import Annotated, Any, Literal

import numpy as np

from ledger.facts.columns import AnyColumn, Column
from ledger.json_form import EXACT, EXACT_TEXT, HIDDEN, Form, JsonForm, Key, derived
from ledger.rating.models import MILLIONTHS
from ledger.reports.measures import fixed_root, rounded, rounded_root

PLACES = 4
ADVANTAGE_PLACES = 5
ERRORS = 2
BANDS = 10
LEAST = Fraction(1, 100)
_NO_MODEL = -1
_DRAW = 1  # half points
_SIDES = 2
# For a probability in millionths, or none.
_BITS = 20


LOGARITHM = Form(EXACT.schema, lambda value, _: f"{value:.{PLACES}f}")
"""How what is no exact quantity is written."""


@dataclass(frozen=True, slots=True)
class Band(JsonForm):
    """The sides whose expected score lies in one tenth; percentages of its ends.

    ``expected`` and ``score`` are means, ``variance`` is that of the mean score, as if the sides
    were independent.
    """

    at_least: int
    below: int
    sides: int
    expected: Annotated[Fraction, rounded(PLACES)]
    score: Annotated[Fraction, rounded(PLACES)]
    variance: Annotated[Fraction, HIDDEN]

    @property
    @derived
    def margin(self) -> Annotated[str, EXACT_TEXT]:
        """Two standard errors of the mean score."""
        return fixed_root(4 * self.variance, PLACES) or ""


@dataclass(frozen=True, slots=True)
class Quality(JsonForm):
    """How good predictions were; the figures are None where there was nothing to predict."""

    sides: int
    draws: int
    brier: Annotated[Fraction | None, rounded(PLACES)]
    log_loss: Annotated[float | None, LOGARITHM]
    draws_cost: Annotated[float | None, LOGARITHM]
    three_way: Annotated[float | None, Key("log_loss_three_way"), LOGARITHM]
    draws_by_model: Annotated[bool, HIDDEN]
    bands: Annotated[tuple[Band, ...], HIDDEN]

    @property
    @derived
    def draws_predicted(self) -> Literal["by-model", "fitted"]:
        """Where the probabilities of draws come from."""
        return "by-model" if self.draws_by_model else "fitted"


# Of how many sides the kinds are put together at a time.
_TOGETHER = 1 << 19


class Predictions:
    """Expected scores beside scores; equal ones are counted together."""

    def __init__(self) -> None:
        # By scale: columns of kinds, as ``_packed``, each with how many sides are of that kind.
        self._kinds: dict[int, list[tuple[Column, Column]]] = {}

    def add(
        self, expected: Column, scale: int, halves: Column, draws: Column | None = None
    ) -> None:
        """Adds sides.

        Args:
            expected: expected scores, in units of 1 / scale.
            scale: how many units a point has; at most 1,000,000.
            halves: scores in half points.
            draws: the probabilities of a draw, in the same units, where the model has them.
        """
        if not len(expected):
            return
        assert scale <= MILLIONTHS, "two figures and a score fit into one number"
        draw = np.int64(_NO_MODEL) if draws is None else draws.astype(np.int64)
        packed = ((expected.astype(np.int64) << _BITS) + (draw - _NO_MODEL) << 2) + halves
        parts = self._kinds.setdefault(scale, [])
        parts.append(np.unique(packed, return_counts=True))
        if sum(len(kinds) for kinds, _ in parts[1:]) > _TOGETHER:
            self._kinds[scale] = [_joined(parts)]

    def quality(self) -> Quality:
        """Returns how good they are."""
        groups = [_Group.of(scale, *_joined(parts)) for scale, parts in sorted(self._kinds.items())]
        sides = sum(group.sides for group in groups)
        if not sides:
            return Quality(0, 0, None, None, None, None, draws_by_model=False, bands=())
        draws = sum(group.draws for group in groups)
        by_model = all(bool((group.draw != _NO_MODEL).all()) for group in groups)
        three_way = _by_model(groups) if by_model else _fitted(groups, draws)
        return Quality(
            sides=sides,
            draws=draws,
            brier=sum((group.brier for group in groups), Fraction(0)) / sides,
            log_loss=-fsum(loss for group in groups for loss in group.logarithms()) / 2 / sides,
            draws_cost=draws * log(2) / sides,
            three_way=three_way / sides,
            draws_by_model=by_model,
            bands=tuple(_bands(groups)),
        )


def _joined(parts: list[tuple[Column, Column]]) -> tuple[Column, Column]:
    """Returns the kinds of several parts, each once, with the sum of their counts."""
    if len(parts) == 1:
        return parts[0]
    kinds, places = np.unique(np.concatenate([each for each, _ in parts]), return_inverse=True)
    counts = np.zeros(len(kinds), dtype=np.int64)
    np.add.at(counts, places, np.concatenate([each for _, each in parts]))
    return kinds, counts


@dataclass(frozen=True, slots=True)
class _Group:
    """Predictions with one scale: equal ones with equal outcomes make a row.

    ``expected`` and ``draw`` are in units of 1 / scale (``_NO_MODEL``: the model has no draws),
    ``halves`` are half points, ``counts`` says how many sides there are.
    """

    scale: int
    expected: Column
    draw: Column
    halves: Column
    counts: Column

    @classmethod
    def of(cls, scale: int, packed: Column, counts: Column) -> _Group:
        figures = packed >> 2
        draw = (figures & (1 << _BITS) - 1) + _NO_MODEL
        return cls(scale, figures >> _BITS, draw, packed & 3, counts)

    @property
    def sides(self) -> int:
        return int(self.counts.sum())

    @property
    def draws(self) -> int:
        return int(self.counts[self.halves == _DRAW].sum())

    @property
    def brier(self) -> Fraction:
        """The sum of the squares of (score - expected)."""
        errors = np.abs(self.halves * self.scale - 2 * self.expected)  # halves of a unit
        total = sum(n * e * e for n, e in zip(self.counts.tolist(), errors.tolist(), strict=True))
        return Fraction(total, 4 * self.scale**2)

    @property
    def bounded(self) -> Column:
        """Expected scores between ``LEAST`` and 1 - ``LEAST``, in hundredths of a unit."""
        return np.clip(100 * self.expected, self.scale, 99 * self.scale)

    def logarithms(self) -> Iterator[float]:
        """Yields the logarithms of wins and losses, draws being half of each; twice as much."""
        whole = 100 * self.scale
        for bounded, halves, count in self._rows(self.bounded):
            yield count * (
                halves * log(bounded / whole) + (2 - halves) * log((whole - bounded) / whole)
            )

    def outcomes(self, expected: AnyColumn, draw: AnyColumn, whole: int) -> Iterator[float]:
        """Yields the logarithms of the probability of what happened.

        ``expected`` scores and probabilities of a ``draw`` are parts of ``whole``.
        """
        wins, losses = expected - draw / 2, whole - expected - draw / 2
        likely = np.choose(self.halves, (losses, draw, wins)) / whole
        for chance, _, count in self._rows(np.maximum(likely, float(LEAST))):
            yield count * log(chance)

    def _rows(self, column: AnyColumn) -> Iterator[tuple[Any, int, int]]:
        rows = (column.tolist(), self.halves.tolist(), self.counts.tolist())
        return zip(*rows, strict=True)


def _by_model(groups: list[_Group]) -> float:
    return -fsum(
        loss for group in groups for loss in group.outcomes(group.expected, group.draw, group.scale)
    )


def _fitted(groups: list[_Group], draws: int) -> float:
    """Returns the loss where draws take the share of the most they could have that they had."""

    def most(group: _Group) -> Column:
        return 2 * np.minimum(group.bounded, 100 * group.scale - group.bounded)

    possible = sum(
        (Fraction(int((g.counts * most(g)).sum()), 100 * g.scale) for g in groups), Fraction(0)
    )
    share = float(min(draws / possible, Fraction(1)))
    return -fsum(
        loss
        for group in groups
        for loss in group.outcomes(group.bounded, share * most(group), 100 * group.scale)
    )


def _bands(groups: list[_Group]) -> Iterator[Band]:
    width = 100 // BANDS
    for place in range(BANDS):
        sides, expected, halves, squares = 0, Fraction(0), 0, 0
        for group in groups:
            band = np.minimum(group.expected * BANDS // group.scale, BANDS - 1)
            counts = np.where(band == place, group.counts, 0)
            sides += int(counts.sum())
            expected += Fraction(int((counts * group.expected).sum()), group.scale)
            halves += int((counts * group.halves).sum())
            squares += int((counts * group.halves**2).sum())
        if sides:
            score = Fraction(halves, 2 * sides)
            variance = (Fraction(squares, 4 * sides) - score**2) / sides
            yield Band(place * width, (place + 1) * width, sides, expected / sides, score, variance)


# One prediction beside another


@dataclass(frozen=True, slots=True)
class Advantage(JsonForm):
    """The difference of two Brier scores and the square of its standard error.

    ``brier`` is the first side's less the second's: positive, where the second predicts better.
    Both are None where there were no games (``variance`` where there was one).
    """

    games: Annotated[int, HIDDEN]
    brier: Annotated[Fraction | None, rounded(ADVANTAGE_PLACES)]
    variance: Annotated[Fraction | None, HIDDEN]

    @property
    @derived
    def margin(self) -> Annotated[Fraction | None, rounded_root(ADVANTAGE_PLACES)]:
        """The square of ``ERRORS`` standard errors."""
        return None if self.variance is None else ERRORS**2 * self.variance

    @property
    def better(self) -> int | None:
        """Which side predicts better (0 or 1); None, if that may be chance."""
        if self.brier is None or self.variance is None:
            return None
        if self.brier**2 <= ERRORS**2 * self.variance:
            return None
        return int(self.brier > 0)


class PairedErrors:
    """The differences of squared errors, summed by player."""

    def __init__(self) -> None:
        self._total = self._squares = 0
        self._scale = 1
        self._by_player = self._games = np.zeros(0, dtype=np.int64)
        self._count = 0

    def add(self, white: Column, black: Column, differences: Column, scale: int) -> None:
        """Adds games.

        Args:
            white: the players, by index.
            black: their opponents.
            differences: of the squared errors of both sides, in 1 / scale² of a point.
            scale: how many units a point has; the same each time.
        """
        if not len(differences):
            return
        self._scale = scale
        self._count += len(differences)
        self._total += int(differences.sum())
        # Beyond the numbers of a column, for many games: in two halves.
        high, low = np.divmod(differences, scale)
        squares = ((high * high).sum(), (high * low).sum(), (low * low).sum())
        self._squares += sum(
            int(part) * weight
            for part, weight in zip(squares, (scale**2, 2 * scale, 1), strict=True)
        )
        players = int(max(white.max(), black.max())) + 1
        if players > len(self._games):
            missing = np.zeros(players - len(self._games), dtype=np.int64)
            self._games = np.concatenate((self._games, missing))
            self._by_player = np.concatenate((self._by_player, missing))
        for side in (white, black):
            np.add.at(self._games, side, np.int64(1))
            np.add.at(self._by_player, side, differences)

    def advantage(self) -> Advantage:
        """Returns the difference of the Brier scores."""
        count = self._count
        if not count:
            return Advantage(0, None, None)
        unit = _SIDES * self._scale**2
        mean = Fraction(self._total, count)
        if count == 1:
            return Advantage(count, mean / unit, None)
        own = self._squares - mean * self._total  # the sum of the squares of (d - mean)
        shared = sum(
            (by * count - games * self._total) ** 2
            for by, games in zip(self._by_player.tolist(), self._games.tolist(), strict=True)
        )
        variance = max(Fraction(shared, count**2) - own, own) / count**2
        return Advantage(count, mean / unit, variance / unit**2)
