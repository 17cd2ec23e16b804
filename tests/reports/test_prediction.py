"""How well ratings predict, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest

from ledger.reports.prediction import Predictions, Quality


def judged(*sides: tuple[int, int], draws: list[int] | None = None) -> Quality:
    """Judges (expected in hundredths, half points)."""
    made = Predictions()
    expected, halves = (np.array(column, dtype=np.int64) for column in zip(*sides, strict=True))
    given = None if draws is None else np.array(draws, dtype=np.int64)
    made.add(expected, 100, halves, given)
    return made.quality()


def test_without_draws_both_losses_are_one() -> None:
    # Three expected wins at 75 %, one upset, from both sides.
    made = judged(*[(75, 2), (25, 0)] * 3, (75, 0), (25, 2))
    assert made.brier == (6 * Fraction(1, 16) + 2 * Fraction(9, 16)) / 8
    loss = -(6 * log(3 / 4) + 2 * log(1 / 4)) / 8
    assert made.log_loss == pytest.approx(loss, abs=1e-12)
    assert made.three_way == pytest.approx(loss, abs=1e-12)
    assert made.draws_cost == 0
    assert [(b.at_least, b.sides, b.expected, b.score) for b in made.bands] == [
        (20, 4, Fraction(1, 4), Fraction(1, 4)),
        (70, 4, Fraction(3, 4), Fraction(3, 4)),
    ]


def test_a_draw_that_was_expected_costs_what_it_must_and_no_more() -> None:
    made = judged((50, 1), (50, 1))
    assert made.brier == 0
    assert made.log_loss == pytest.approx(log(2), abs=1e-12)
    assert made.draws_cost == pytest.approx(log(2), abs=1e-12)
    assert made.three_way == 0


def test_as_many_draws_are_predicted_as_there_were() -> None:
    # Half of the games between equals are drawn: 1/4, 1/2, 1/4.
    made = judged((50, 1), (50, 1), (50, 2), (50, 0))
    assert made.three_way == pytest.approx((2 * log(2) + 2 * log(4)) / 4, abs=1e-12)
    assert not made.draws_by_model


def test_a_model_with_draws_is_judged_by_its_own() -> None:
    # 20 % draws: wins and losses have 40 % each.
    made = judged((50, 1), (50, 1), (50, 2), (50, 0), draws=[20] * 4)
    assert made.draws_by_model
    assert made.three_way == pytest.approx(-(2 * log(0.2) + 2 * log(0.4)) / 4, abs=1e-12)


def test_an_upset_that_a_table_calls_impossible_counts_as_one_per_cent() -> None:
    made = judged((100, 0), (0, 2))
    assert made.brier == 1
    assert made.log_loss == pytest.approx(-log(1 / 100), abs=1e-12)
    assert made.bands[-1].at_least == 90


def test_nothing_to_predict() -> None:
    made = Predictions().quality()
    assert (made.brier, made.log_loss, made.three_way) == (None, None, None)
    assert made.data()["sides"] == 0
