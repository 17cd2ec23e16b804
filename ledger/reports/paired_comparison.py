"""By how much one regulation predicts better than another, and how sure that is.

Both predict the same games, so what counts is the difference game by game: d = the squared errors
of the one less those of the other, over the game's two sides. Its mean is the difference of their
Brier scores. The games are not independent: whoever is rated wrongly spoils all of his games. Two
games belong together that have a player in common, and the variance of the mean is estimated as
for such pairs (Aronow, Samii and Assenova, 2015, "Cluster-robust variance estimation for dyadic
data")::

    (sum over players of (sum of their games' (d - mean))² - sum over games of (d - mean)²) / n²

In small samples it can be too small, or even negative; it is never taken to be less than that of
independent games. A difference *tells* if it is more than ``ERRORS`` standard errors.

The sums are exact; what follows of them is statistics, is written with a few decimals, and decides
nothing in the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ledger.facts.columns import Column
from ledger.json_form import JsonForm
from ledger.reports.measures import fixed, fixed_root

ERRORS = 2
PLACES = 5
_SIDES = 2


@dataclass(frozen=True, slots=True)
class Advantage(JsonForm):
    """The difference of two Brier scores and the square of its standard error.

    ``brier`` is the first side's less the second's: positive, where the second predicts better.
    Both are None where there were no games (``variance`` where there was one).
    """

    games: int
    brier: Fraction | None
    variance: Fraction | None

    @property
    def better(self) -> int | None:
        """Which side predicts better (0 or 1); None, if that may be chance."""
        if self.brier is None or self.variance is None:
            return None
        if self.brier**2 <= ERRORS**2 * self.variance:
            return None
        return int(self.brier > 0)

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says; the margin is ``ERRORS`` standard errors."""
        margin = None if self.variance is None else ERRORS**2 * self.variance
        return {"brier": fixed(self.brier, PLACES), "margin": fixed_root(margin, PLACES)}


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
