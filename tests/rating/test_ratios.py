"""Ratios in columns say what ``Fraction`` says, also where 64 bits do not hold the way there."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.rating.ratios import Ratios, groups, linear, ranges
from ledger.rating.rounding import half_away_from_zero, half_up

FIGURES = st.fractions(min_value=-4000, max_value=4000, max_denominator=420)
WEIGHTS = st.integers(1, 30)


@given(st.lists(st.tuples(FIGURES, FIGURES), max_size=20))
def test_one_by_one(pairs: list[tuple[Fraction, Fraction]]) -> None:
    """Products, sums and both roundings."""
    one, other = (Ratios.of(figures) for figures in ([a for a, _ in pairs], [b for _, b in pairs]))
    assert list(one.times(other)) == [a * b for a, b in pairs]
    assert list(one.plus(other)) == [a + b for a, b in pairs]
    assert one.half_up().tolist() == [half_up(a) for a, _ in pairs]
    assert one.half_away_from_zero().tolist() == [half_away_from_zero(a) for a, _ in pairs]


@given(st.lists(st.lists(st.tuples(FIGURES, WEIGHTS), min_size=1, max_size=12), max_size=5))
def test_sums_of_groups(given_: list[list[tuple[Fraction, int]]]) -> None:
    """Exactly, however wide the common denominator is."""
    rows = [row for group in given_ for row in group]
    starts = np.cumsum([0, *(len(group) for group in given_)])[:-1].astype(np.int64)
    weights = np.array([weight for _, weight in rows], dtype=np.int64)
    made = Ratios.of(figure for figure, _ in rows).weighted_sums(weights, starts)
    assert list(made) == [
        sum((figure * weight for figure, weight in group), Fraction(0)) for group in given_
    ]


def test_a_sum_of_nothing_over_a_wide_denominator() -> None:
    """Zeros alone do not make the common denominator safe."""
    primes = (401, 409, 419, 421, 431, 433, 439, 443, 449)
    zeros = Ratios(np.zeros(len(primes), dtype=np.int64), np.array(primes, dtype=np.int64))
    made = zeros.weighted_sums(np.ones(len(primes), dtype=np.int64), np.array([0]))
    assert list(made) == [Fraction(0)]


def test_no_figure() -> None:
    """A denominator of 0 stands for none, through every operation."""
    some = Ratios.of([Fraction(1, 2), None])
    assert list(some) == [Fraction(1, 2), None]
    assert list(some.times(some).plus(some)) == [Fraction(3, 4), None]
    assert list(Ratios.of([Fraction(3), Fraction(4)]).where(np.array([True, False]))) == [3, None]


def _rule(mean: Fraction, halves: int, games: int) -> Fraction:
    return mean * Fraction(games, games + 2) + Fraction(halves, 3) - 7


@given(st.lists(st.tuples(FIGURES, st.integers(0, 40), st.integers(1, 20)), min_size=1))
def test_a_linear_rule(rows: list[tuple[Fraction, int, int]]) -> None:
    """Asked for each different score, it gives everybody's figure."""
    means, halves, games = zip(*rows, strict=True)
    made = linear(_rule, Ratios.of(means), np.array(halves), np.array(games))
    assert list(made) == [_rule(*row) for row in rows]


def test_groups_and_ranges() -> None:
    """Rows that stand together, and the rows of ranges."""
    assert groups(np.array([4, 4, 7, 9, 9])).tolist() == [0, 2, 3]
    assert groups(np.zeros(0, dtype=np.int64)).tolist() == []
    assert ranges(np.array([5, 2, 0]), np.array([2, 0, 1])).tolist() == [5, 6, 0]
