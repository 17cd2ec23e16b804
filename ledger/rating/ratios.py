"""Exact ratios and points in columns: what ``Fraction`` is for one figure, for many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Self, TypeAlias

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.rating.rounding import column_half_away_from_zero, column_half_up

# A rule that is linear in its first argument; the others say for which score it is asked.
Linear: TypeAlias = Callable[..., Fraction]
_SAFE = float(2**61)  # what is estimated below it fits 64 bits exactly


@dataclass(frozen=True, slots=True)
class Ratios:
    """``numerators / denominators`` in lowest terms; a denominator of 0 stands for no figure."""

    numerators: Column
    denominators: Column

    @classmethod
    def of(cls, figures: Iterable[Fraction | None]) -> Self:
        """Makes columns of single figures."""
        pairs = [(0, 0) if f is None else f.as_integer_ratio() for f in figures]
        numerators, denominators = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return cls(numerators, denominators)

    @classmethod
    def divided(cls, numerators: Column, denominators: Column | int) -> Self:
        """Returns the quotients of whole numbers; divided by 0, no figure."""
        common = np.maximum(np.gcd(numerators, denominators), 1)
        return cls(numerators // common, denominators // common)

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Returns the parts one after the other."""
        columns = [(part.numerators, part.denominators) for part in parts]
        numerators, denominators = zip(*columns, strict=True)
        return cls(np.concatenate(numerators), np.concatenate(denominators))

    def __len__(self) -> int:
        """How many there are, those without a figure included."""
        return len(self.numerators)

    def __iter__(self) -> Iterator[Fraction | None]:
        """Yields them one by one."""
        return (self[place] for place in range(len(self)))

    def __getitem__(self, place: int) -> Fraction | None:
        """Returns one figure."""
        denominator = int(self.denominators[place])
        return Fraction(int(self.numerators[place]), denominator) if denominator else None

    def rows(self, chosen: Column | Mask | slice) -> Self:
        """Returns the chosen ones: a mask, row numbers in the wanted order, or a range."""
        return type(self)(self.numerators[chosen], self.denominators[chosen])

    def where(self, wanted: Mask) -> Self:
        """Returns the same with no figure where none is wanted."""
        return type(self)(
            np.where(wanted, self.numerators, 0), np.where(wanted, self.denominators, 0)
        )

    def times(self, other: Self) -> Self:
        """Returns the products."""
        return self.divided(
            self.numerators * other.numerators, self.denominators * other.denominators
        )

    def plus(self, other: Self) -> Self:
        """Returns the sums."""
        return self.divided(
            self.numerators * other.denominators + other.numerators * self.denominators,
            self.denominators * other.denominators,
        )

    def weighted_sums(self, weights: Column, starts: Column) -> Self:
        """Returns the sum of ``figure * weight`` over each group of rows, exactly.

        Every row has a figure. ``starts`` are the first rows of the groups, none of them empty.
        """
        if not len(starts):
            return self.rows(slice(0, 0))
        counts = np.diff(np.append(starts, len(self)))
        common = np.lcm.reduceat(self.denominators, starts)
        scale = np.repeat(common, counts) // self.denominators
        sums = np.add.reduceat(self.numerators * scale * weights, starts)
        # No common denominator is above the product of all.
        widest = np.multiply.reduceat(self.denominators.astype(np.float64), starts)
        largest = np.add.reduceat(np.abs(self.numerators).astype(np.float64) * weights, starts)
        unsafe = np.flatnonzero(widest * np.maximum(largest, 1) > _SAFE)
        made = self.divided(sums, common)
        if unsafe.size:  # integers of any length; nothing else here asks how long they are
            made = type(self)(made.numerators.astype(object), made.denominators.astype(object))
        for group in unsafe.tolist():
            start, end = int(starts[group]), int(starts[group] + counts[group])
            exact = sum(
                (Fraction(int(self.numerators[i]) * int(weights[i]), int(self.denominators[i]))
                 for i in range(start, end)),
                Fraction(0),
            )  # fmt: skip
            made.numerators[group], made.denominators[group] = exact.as_integer_ratio()
        return made

    def half_up(self) -> Column:
        """Rounds to whole numbers, halves upwards; every row has a figure."""
        return column_half_up(self.numerators, self.denominators).astype(np.int64)

    def half_away_from_zero(self) -> Column:
        """Rounds to whole numbers, halves away from zero; every row has a figure."""
        return column_half_away_from_zero(self.numerators, self.denominators).astype(np.int64)


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


def linear(rule: Linear, of: Ratios, *scores: Column) -> Ratios:
    """Applies a rule that is linear in its first argument to many figures.

    ``rule(figure, *score)`` is asked twice for each different score, and what it says is kept.

    Args:
        rule: a function of a module; its first argument is a ``Fraction``.
        of: the figures it is applied to; every row has one.
        scores: its other arguments, whole numbers from 0 on, one of each for every figure.
    """
    combined = np.zeros(len(of), dtype=np.int64)
    for column in scores:
        combined = combined * (int(column.max(initial=0)) + 1) + column
    _, first, which = np.unique(combined, return_index=True, return_inverse=True)
    lines = [
        _line(rule, *score) for score in zip(*(c[first].tolist() for c in scores), strict=True)
    ]
    slopes, offsets = Ratios.of(line[0] for line in lines), Ratios.of(line[1] for line in lines)
    return of.times(slopes.rows(which)).plus(offsets.rows(which))


@lru_cache(maxsize=1 << 16)
def _line(rule: Linear, *score: int) -> tuple[Fraction, Fraction]:
    offset = rule(Fraction(0), *score)
    return rule(Fraction(1), *score) - offset, offset


def groups(sorted_by: Column) -> Column:
    """Returns the first row of each group of equal figures that stand together."""
    if not len(sorted_by):
        return np.zeros(0, dtype=np.int64)
    first: Column = np.append(np.int64(0), np.flatnonzero(np.diff(sorted_by)) + 1)
    return first


def ranges(starts: Column, counts: Column) -> Column:
    """Returns all row numbers of the ranges, one range after the other.

    >>> ranges(np.array([5, 2]), np.array([3, 1])).tolist()
    [5, 6, 7, 2]
    """
    ends = np.cumsum(counts)
    within: Column = np.arange(int(counts.sum()), dtype=np.int64)
    within += np.repeat(starts - (ends - counts), counts)
    return within
