"""Means, spreads and trends, by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.reports.measures import Summary, fixed, fixed_root, histogram, slope_per_year


def test_a_group_by_hand() -> None:
    # Mean 1850; squares of the distances 22500, 2500, 2500, 22500: their mean is 12500.
    made = Summary.of(np.array([2000, 1700, 1900, 1800], dtype=np.int64))
    assert made.data() == {
        "count": 4,
        "mean": "1850.00",
        "median": "1850.0",
        "spread": "111.80",
        "least": 1700,
        "most": 2000,
    }


def test_nobody_has_no_figures() -> None:
    assert set(Summary.of(np.array([], dtype=np.int64)).data().values()) == {0, None}
    assert fixed(None) is fixed_root(None) is None


@pytest.mark.parametrize(
    ("square", "written"),
    [(Fraction(0), "0.00"), (Fraction(2), "1.41"), (Fraction(3), "1.73"), (Fraction(1, 4), "0.50"),
     (Fraction(225, 10**6), "0.02"), (Fraction(224, 10**6), "0.01")],
)  # fmt: skip
def test_a_root_is_rounded_to_the_nearest(square: Fraction, written: str) -> None:
    assert fixed_root(square) == written


def test_a_trend_by_hand() -> None:
    # Days 0, 1, 2 and values 0, 1, 5: slope (-1 * -2 + 1 * 3) / 2 a day.
    points = [(0, Fraction(0)), (1, Fraction(1)), (2, Fraction(5))]
    assert slope_per_year(points) == Fraction(5, 2) * Fraction(1461, 4)
    assert slope_per_year(points[:1]) is None


@given(st.lists(st.integers(-900, 900), min_size=1))
def test_a_histogram_has_everybody_once_in_bands_without_gaps(values: list[int]) -> None:
    bands = histogram(values)
    assert sum(band.players for band in bands) == len(values)
    assert bands[0].least <= min(values) <= bands[0].most
    assert bands[-1].least <= max(values) <= bands[-1].most
    for band in bands:
        assert band.players == sum(band.least <= value <= band.most for value in values)
    assert all(before.most + 1 == after.least for before, after in pairwise(bands))
    assert len(bands) <= 21
