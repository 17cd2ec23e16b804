"""The named rounding rules, all of them; nothing else in the ledger rounds.

Values are exact: integers, columns of integers with a common denominator, or fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ledger.facts.columns import Column

_HALF = Fraction(1, 2)


def half_up(value: Fraction) -> int:
    """Rounds to the nearest whole number, halves upwards.

    >>> half_up(Fraction(-5, 2)), half_up(Fraction(5, 2))
    (-2, 3)
    """
    return (value + _HALF).__floor__()


def half_away_from_zero(value: Fraction) -> int:
    """Rounds to the nearest whole number, halves away from zero.

    >>> half_away_from_zero(Fraction(-5, 2)), half_away_from_zero(Fraction(5, 2))
    (-3, 3)
    """
    return half_up(value) if value >= 0 else -half_up(-value)


def half_towards_zero(value: Fraction) -> int:
    """Rounds to the nearest whole number, halves towards zero.

    >>> half_towards_zero(Fraction(-5, 2)), half_towards_zero(Fraction(8, 3))
    (-2, 3)
    """
    return -half_up(-value) if value >= 0 else half_up(value)


def column_half_away_from_zero(numerators: Column, denominator: int | Column) -> Column:
    """Rounds each ``numerators[i] / denominator``, halves away from zero."""
    magnitudes = (2 * np.abs(numerators) + denominator) // (2 * denominator)
    rounded: Column = np.where(numerators < 0, -magnitudes, magnitudes)
    return rounded


def column_half_up(numerators: Column, denominators: Column) -> Column:
    """Rounds each ``numerators[i] / denominators[i]``, halves upwards."""
    rounded: Column = (2 * numerators + denominators) // (2 * denominators)
    return rounded


def whole_percent(part_halves: int, games: int) -> int:
    """Returns a score in half points as a whole per cent of the games, halves upwards.

    >>> whole_percent(3, 5)  # one and a half points of five
    30
    """
    return half_up(Fraction(100 * part_halves, 2 * games))


def truncated_percent(part_halves: int, games: int) -> int:
    """Returns a score in half points as a whole per cent of the games, the rest cut off.

    >>> truncated_percent(10, 8), truncated_percent(6, 8)  # five points, and three, of eight
    (62, 37)
    """
    return 100 * part_halves // (2 * games)
