"""The models' tables: every entry calculated again, exactly or with 60 digits, and their laws."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation, printed_table
from ledger.rating.models import (
    LARGEST_MARGIN,
    MILLIONTHS,
    MODELS,
    PHI_SCALE,
    draw_probability,
    even,
    logistic,
    normal,
    normal_with_draws,
)

DIGITS = 60
# What 60 digits leave certain after some hundreds of operations, with much to spare.
CERTAIN = Decimal(10) ** -45
PHI_DECIMALS = 15
NAMED = [
    pytest.param(logistic(), id="logistic"),
    pytest.param(normal(), id="normal"),
    pytest.param(normal_with_draws(0), id="normal-draw 0"),
    pytest.param(normal_with_draws(20), id="normal-draw 20"),
    pytest.param(normal_with_draws(LARGEST_MARGIN), id="normal-draw largest"),
    pytest.param(even(), id="even"),
]
MARGINS = st.integers(0, LARGEST_MARGIN)


def pi() -> Decimal:
    """Machin's formula: 4 (4 arctan 1/5 - arctan 1/239)."""

    def arctan_of_one_over(n: int) -> Decimal:
        terms = range(0, 2 * DIGITS, 2)
        return sum(
            (Decimal(-1) ** (k // 2) / ((k + 1) * Decimal(n) ** (k + 1)) for k in terms), Decimal(0)
        )

    return 4 * (4 * arctan_of_one_over(5) - arctan_of_one_over(239))


def upper_half(difference: int, root_of_two_pi: Decimal) -> Decimal:
    """Phi(x) - 1/2 for x = D / (200 sqrt 2), by a series whose terms are all positive.

    phi(x) * (x + x^3 / 3 + x^5 / (3 * 5) + ...): nothing cancels, so no digit is lost.
    """
    square = Decimal(difference * difference) / 80_000
    term = total = square.sqrt()
    odd = 1
    while term > CERTAIN / 1000:
        odd += 2
        term *= square / odd
        total += term
    return total * (-square / 2).exp() / root_of_two_pi


@cache
def phi_by_decimals() -> tuple[Decimal, ...]:
    """Phi(D / s), with 60 digits, as far as the table goes."""
    with localcontext(Context(prec=DIGITS)):
        root = (2 * pi()).sqrt()
        return tuple(Decimal("0.5") + upper_half(d, root) for d in range(len(normal().higher)))


def phi_around(margin: int) -> Iterator[tuple[Decimal, Decimal]]:
    """Phi((D - e) / s) and Phi((D + e) / s) for every D of the table."""
    phi = phi_by_decimals()

    def at(difference: int) -> Decimal:
        # Beyond the table Phi is 1 to more than 15 decimals; used only far from any half.
        value = phi[min(abs(difference), len(phi) - 1)]
        return 1 - value if difference < 0 else value

    for difference in range(len(phi)):
        yield at(difference - margin), at(difference + margin)


def assert_correctly_rounded(found: Column, values: list[Decimal]) -> None:
    """Each value, in units, lies so far from a half that its rounding is proven."""
    assert len(found) == len(values)
    for unit, value in zip(found.tolist(), values, strict=True):
        assert unit == int(value.to_integral_value(ROUND_HALF_UP))
        assert abs(abs(value - unit) - Decimal("0.5")) > Decimal("1e-9")


class TestEveryEntry:
    def test_of_the_logistic_model_is_correctly_rounded(self) -> None:
        # u is right if u - 1/2 <= 10^6 / (1 + 10^(-D / 400)) < u + 1/2. Both sides to the power of
        # 400 make that a comparison of whole numbers, with no rounding of our own.
        def reaches(half_units: int, difference: int) -> bool:
            rest = 2 * MILLIONTHS - half_units
            return rest > 0 and half_units**400 <= 10**difference * rest**400

        for difference, unit in enumerate(logistic().higher.tolist()):
            assert reaches(2 * unit - 1, difference), difference
            assert not reaches(2 * unit + 1, difference), difference

    def test_of_phi_is_correctly_rounded(self) -> None:
        rows = printed_table("ledger.rating", "normal.csv")
        unit = Decimal(10) ** -PHI_DECIMALS
        with localcontext(Context(prec=DIGITS)):
            for row, value in zip(rows, phi_by_decimals(), strict=True):
                assert row["higher"] == str(value.quantize(unit, ROUND_HALF_UP)), row
                error = abs(value - Decimal(row["higher"]))
                assert abs(error - unit / 2) > CERTAIN, row

    def test_of_the_normal_model_is_correctly_rounded(self) -> None:
        with localcontext(Context(prec=DIGITS)):
            values = [value * MILLIONTHS for value in phi_by_decimals()]
            assert_correctly_rounded(normal().higher, values)

    @pytest.mark.parametrize("margin", [0, 1, 10, 20, 50, 137, LARGEST_MARGIN])
    def test_with_draws_is_correctly_rounded(self, margin: int) -> None:
        with localcontext(Context(prec=DIGITS)):
            around = list(phi_around(margin))
            means = [(below + above) / 2 * MILLIONTHS for below, above in around]
            draws = [(above - below) * MILLIONTHS for below, above in around]
            assert_correctly_rounded(normal_with_draws(margin).higher, means)
            assert_correctly_rounded(draw_probability(margin), draws)

    def test_with_draws_is_correctly_rounded_for_every_margin(self) -> None:
        # Phi is kept to 15 decimals, correctly rounded: a sum or difference of two is wrong by one
        # unit at most. So a rounding is proven wherever the sum lies further than that from a half.
        rows = printed_table("ledger.rating", "normal.csv")
        phi = np.array([int(Decimal(row["higher"]) * PHI_SCALE) for row in rows], dtype=np.int64)
        table = Expectation(phi, scale=PHI_SCALE)
        differences = np.arange(len(phi), dtype=np.int64)
        for margin in range(LARGEST_MARGIN + 1):
            below, above = table.of(differences - margin), table.of(differences + margin)
            for kept, made, unit in (
                (below + above, normal_with_draws(margin).higher, 2 * PHI_SCALE // MILLIONTHS),
                (above - below, draw_probability(margin), PHI_SCALE // MILLIONTHS),
            ):
                from_the_value = np.abs(kept - made * unit)
                assert int(from_the_value.max()) < unit // 2 - 1, margin


class TestBeyondTheEnd:
    @pytest.mark.parametrize("margin", [0, 20, LARGEST_MARGIN])
    def test_every_curve_has_become_constant(self, margin: int) -> None:
        assert [model(margin).higher[-1] for model in MODELS.values()] == [MILLIONTHS] * 3
        assert draw_probability(margin)[-1] == 0
        assert MODELS["normal-draw"](margin).one(10**6) == MILLIONTHS
        assert MODELS["normal-draw"](margin).one(-(10**6)) == 0

    def test_the_shipped_tables_end_with_the_first_row_of_one(self) -> None:
        for name in ("logistic.csv", "normal.csv"):
            ones = [row for row in printed_table("ledger.rating", name) if row["higher"][0] == "1"]
            assert len(ones) == 1


class TestLaws:
    @pytest.mark.parametrize("model", NAMED)
    def test_two_players_share_one_point(self, model: Expectation) -> None:
        differences = np.arange(-3000, 3001, dtype=np.int64)
        assert set((model.of(differences) + model.of(-differences)).tolist()) == {model.scale}

    @pytest.mark.parametrize("model", NAMED)
    def test_nobody_expects_less_than_nothing_or_more_than_a_point(
        self, model: Expectation
    ) -> None:
        expected = model.of(np.arange(-3000, 3001, dtype=np.int64))
        assert expected.min() >= 0
        assert expected.max() <= model.scale

    @pytest.mark.parametrize("model", NAMED)
    def test_a_larger_difference_never_lowers_the_expected_score(self, model: Expectation) -> None:
        assert np.all(np.diff(model.of(np.arange(-3000, 3001, dtype=np.int64))) >= 0)

    @pytest.mark.parametrize("model", NAMED)
    def test_half_a_point_is_a_whole_number_of_units(self, model: Expectation) -> None:
        assert 2 * model.one(0) == model.scale
        assert model.scale % 2 == 0

    @given(MARGINS)
    def test_wins_draws_and_losses_make_the_expected_score(self, margin: int) -> None:
        expected, draws = normal_with_draws(margin).higher, draw_probability(margin)
        assert len(draws) == len(expected)
        # One millionth for the roundings, counted in halves: a win is E - P(draw) / 2, ...
        assert np.all(2 * expected - draws >= -2)
        # ... and a loss 1 - E - P(draw) / 2.
        assert np.all(2 * (MILLIONTHS - expected) - draws >= -2)

    @given(MARGINS)
    def test_a_draw_is_most_likely_between_equals(self, margin: int) -> None:
        draws = draw_probability(margin)
        assert 0 <= draws[0] <= MILLIONTHS
        assert np.all(np.diff(draws) <= 0)

    def test_without_a_margin_there_are_no_draws(self) -> None:
        assert np.array_equal(normal_with_draws(0).higher, normal().higher)
        assert not draw_probability(0).any()


def test_the_even_model_knows_no_difference() -> None:
    assert (even().one(900), even().one(-900), even().scale) == (1, 1, 2)


def test_the_names_of_the_models() -> None:
    assert list(MODELS) == ["logistic", "normal", "normal-draw"]
    assert MODELS["logistic"](20) is logistic()
    assert MODELS["normal"](20) is normal()
    assert MODELS["normal-draw"](20) is normal_with_draws(20)


@pytest.mark.parametrize("margin", [-1, LARGEST_MARGIN + 1])
def test_a_margin_out_of_reason_is_a_bug_of_the_caller(margin: int) -> None:
    with pytest.raises(AssertionError):
        normal_with_draws(margin)


def test_nobody_changes_a_shared_table() -> None:
    with pytest.raises(ValueError, match="read-only"):
        logistic().higher[0] = 0
