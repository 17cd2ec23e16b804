"""Points of all players, exactly: what must not be rounded before everything is put together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from ledger.facts.columns import Column, Mask


@dataclass(frozen=True, slots=True)
class ExactPoints:
    """A vector by player index (int64), of whose ``units`` so many as ``scale`` make a point."""

    units: Column
    scale: int

    @classmethod
    def none(cls, players: int) -> ExactPoints:
        """Returns no points for so many players."""
        return cls(np.zeros(players, dtype=np.int64), 1)

    @classmethod
    def whole(cls, points: Column) -> ExactPoints:
        """Returns whole points."""
        return cls(points.astype(np.int64), 1)

    def __add__(self, other: ExactPoints) -> ExactPoints:
        """Returns the sums, in units that serve both."""
        scale = lcm(self.scale, other.scale)
        units = self.units * (scale // self.scale) + other.units * (scale // other.scale)
        return ExactPoints(units, scale)

    def __sub__(self, other: ExactPoints) -> ExactPoints:
        """Returns the differences, in units that serve both."""
        return self + ExactPoints(-other.units, other.scale)

    def of(self, player: int) -> Fraction:
        """Returns the points of one player."""
        return Fraction(int(self.units[player]), self.scale)

    def only(self, players: Mask) -> ExactPoints:
        """Returns the points of some players; of the others none."""
        return ExactPoints(np.where(players, self.units, 0), self.scale)

    def moved(self, into: Column) -> ExactPoints:
        """Returns the points under the index that counts for each player by now, summed."""
        units = np.zeros_like(self.units)
        np.add.at(units, into, self.units)
        return ExactPoints(units, self.scale)
