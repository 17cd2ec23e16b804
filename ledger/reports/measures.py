"""Figures over many ratings: mean, median, spread, trend; exact until they are written.

The spread is the standard deviation of the whole group (not of a sample): its square is exact, its
root is taken in integers when it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Annotated

import numpy as np

from ledger.facts.columns import Column
from ledger.json_form import EXACT, Form, JsonForm, Key
from ledger.rating.decimal_text import decimal, signed
from ledger.rating.player_state import UNRATED
from ledger.rating.rounding import half_away_from_zero

PLACES = 2
# A year has 365.25 days.
YEAR = Fraction(1461, 4)


def fixed(value: Fraction | int | None, places: int = PLACES) -> str | None:
    """Writes a quantity with so many decimals, halves away from zero; None stays None.

    >>> fixed(Fraction(-1, 3)), fixed(Fraction(1, 200)), fixed(1800, 0)
    ('-0.33', '0.01', '1800')
    """
    if value is None:
        return None
    return decimal(half_away_from_zero(Fraction(value) * 10**places), places)


def fixed_root(square: Fraction | None, places: int = PLACES) -> str | None:
    """Writes the root of what is never negative with so many decimals.

    >>> fixed_root(Fraction(2)), fixed_root(Fraction(2500))
    ('1.41', '50.00')
    """
    if square is None:
        return None
    # floor(sqrt(x) + 1/2) = floor((floor(sqrt(4 x)) + 1) / 2), for whatever x there is.
    scaled = 4 * square * 100**places
    return decimal((isqrt(scaled.__floor__()) + 1) // 2, places)


def rounded(places: int = PLACES) -> Form:
    """Returns the form of quantities that are written with so many decimals."""
    return Form(EXACT.schema, lambda value, _: fixed(value, places))


def rounded_root(places: int = PLACES) -> Form:
    """Returns the form of quantities whose roots are written with so many decimals."""
    return Form(EXACT.schema, lambda square, _: fixed_root(square, places))


@dataclass(frozen=True, slots=True)
class Summary(JsonForm):
    """A group's figures; None where the group is empty. ``variance`` is the spread's square."""

    count: int
    mean: Annotated[Fraction | None, rounded()]
    median: Annotated[Fraction | None, rounded(1)]
    variance: Annotated[Fraction | None, Key("spread"), rounded_root()]
    least: int | None
    most: int | None

    @classmethod
    def of(cls, values: Column) -> Summary:
        """Summarises a column of whole numbers.

        >>> made = Summary.of(np.array([1, 2, 3, 6]))
        >>> made.mean, made.median, made.variance
        (Fraction(3, 1), Fraction(5, 2), Fraction(7, 2))
        """
        count = len(values)
        if not count:
            return cls(0, None, None, None, None, None)
        ordered = np.sort(values).astype(np.int64)
        mean = Fraction(int(ordered.sum()), count)
        median = Fraction(int(ordered[(count - 1) // 2] + ordered[count // 2]), 2)
        variance = Fraction(int((ordered * ordered).sum()), count) - mean * mean
        return cls(count, mean, median, variance, int(ordered[0]), int(ordered[-1]))

    @classmethod
    def of_rated(cls, ratings: Column) -> Summary:
        """Summarises the ratings of those who have one."""
        return cls.of(ratings[ratings > UNRATED])


def slope_per_year(points: Sequence[tuple[int, Fraction]]) -> Fraction | None:
    """Returns the least-squares slope of values by day, per year; None for fewer than two days.

    >>> slope_per_year([(0, Fraction(1800)), (1461, Fraction(1804))])
    Fraction(1, 1)
    """
    if len({day for day, _ in points}) < 2:  # noqa: PLR2004 - a line has two points
        return None
    count = len(points)
    mean_day = Fraction(sum(day for day, _ in points), count)
    mean_value = sum((value for _, value in points), Fraction(0)) / count
    above = sum(((day - mean_day) * (value - mean_value) for day, value in points), Fraction(0))
    below = sum(((day - mean_day) ** 2 for day, _ in points), Fraction(0))
    return above / below * YEAR


# Widths of the bands of a histogram, in points.
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_BANDS = 21


def histogram(values: Sequence[int]) -> list[HistogramBand]:
    """Returns bands of equal width, both ends included, without gaps.

    >>> [(each.name, each.players) for each in histogram([-3, 0, 0, 45])[:2]]
    [('-5 … -1', 1), ('0 … +4', 2)]
    """
    if not values:
        return []
    least, most = min(values), max(values)
    width = next((w for w in _WIDTHS if most // w - least // w < _BANDS), _WIDTHS[-1])
    counts = [0] * (most // width - least // width + 1)
    for value in values:
        counts[value // width - least // width] += 1
    first = least // width * width
    return [
        HistogramBand(first + place * width, first + place * width + width - 1, count)
        for place, count in enumerate(counts)
    ]


@dataclass(frozen=True, slots=True)
class HistogramBand(JsonForm):
    """A band of a histogram, by its two ends, and how many players are in it."""

    least: Annotated[int, Key("from")]
    most: Annotated[int, Key("to")]
    players: int

    @property
    def name(self) -> str:
        """How it is called.

        >>> HistogramBand(-5, -1, 0).name, HistogramBand(3, 3, 0).name
        ('-5 … -1', '+3')
        """
        first, last = signed(self.least), signed(self.most)
        return first if first == last else f"{first} … {last}"
