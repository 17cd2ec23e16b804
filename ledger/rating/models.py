"""Expectation models that are formulas, as look-up tables of integers.

With D the difference in points, s = 200 * sqrt(2) (each performance has a standard deviation of
200 points) and Phi the normal distribution function, the expected score is

* logistic: ``E = 1 / (1 + 10^(-D / 400))``;
* normal: ``E = Phi(D / s)``;
* normal with draws within a margin of e points: ``E = (Phi((D - e) / s) + Phi((D + e) / s)) / 2``,
  where a draw has the probability ``Phi((D + e) / s) - Phi((D - e) / s)``;
* even: ``E = 1/2``, whoever plays.

Nothing here calculates a power or an exponential: ``tables/logistic.csv`` (6 decimals) and
``tables/normal.csv`` (Phi, 15 decimals) are shipped, and the tests calculate every entry again with
more digits. They go on until the last decimal no longer changes, so that beyond the end the last
entry, 1, is the value. Roundings are to the nearest unit, halves upwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import resources

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation, printed_table
from ledger.rating.rounding import column_half_away_from_zero

# A millionth of a point is the unit of the logistic and the normal models.
MILLIONTHS = 10**6
# Phi is kept finer, so that sums and differences of two values are rounded only once.
PHI_SCALE = 10**15
# The widest margin that a draw may have, in points.
LARGEST_MARGIN = 400


@cache
def logistic() -> Expectation:
    """Returns 1 / (1 + 10^(-D / 400)), in millionths.

    >>> logistic().one(350), logistic().one(-350)
    (882338, 117662)
    """
    return Expectation(_shipped("logistic.csv"), scale=MILLIONTHS)


@cache
def normal() -> Expectation:
    """Returns Phi(D / s), in millionths.

    >>> normal().one(350), normal().one(-350)
    (892038, 107962)
    """
    return Expectation(_in_millionths(_phi(), PHI_SCALE), scale=MILLIONTHS)


@cache
def normal_with_draws(margin: int) -> Expectation:
    """Returns the mean of Phi((D - e) / s) and Phi((D + e) / s), in millionths.

    The margin is e, in points: performances less than this apart make a draw.
    """
    below, above = _phi_around(margin)
    return Expectation(_in_millionths(below + above, 2 * PHI_SCALE), scale=MILLIONTHS)


@cache
def draw_probability(margin: int) -> Column:
    """Returns Phi((D + e) / s) - Phi((D - e) / s) by |D|, in millionths; beyond the end it is 0."""
    below, above = _phi_around(margin)
    return _in_millionths(above - below, PHI_SCALE)


@cache
def even() -> Expectation:
    """Returns one half for every difference.

    >>> even().one(0), even().one(-700), even().scale
    (1, 1, 2)
    """
    return Expectation(_frozen(np.array([1], dtype=np.int64)), scale=2)


# By the name that a parameter gives; each is made from the margin, which only the last heeds.
MODELS: dict[str, Callable[[int], Expectation]] = {
    "logistic": lambda _margin: logistic(),
    "normal": lambda _margin: normal(),
    "normal-draw": normal_with_draws,
}


@cache
def table_sha256(model: str) -> str:
    """Returns the digest of the table behind a model, by the model's name."""
    name = "logistic.csv" if model == "logistic" else "normal.csv"
    data = resources.files("ledger.rating").joinpath("tables", name).read_bytes()
    return hashlib.sha256(data).hexdigest()


def _phi_around(margin: int) -> tuple[Column, Column]:
    """Returns Phi((D - margin) / s) and Phi((D + margin) / s) for every D of the table of Phi."""
    assert 0 <= margin <= LARGEST_MARGIN, f"no margin of {margin} points"
    phi = Expectation(_phi(), scale=PHI_SCALE)
    differences = np.arange(len(phi.higher), dtype=np.int64)
    return phi.of(differences - margin), phi.of(differences + margin)


@cache
def _phi() -> Column:
    """Returns Phi(D / s) by D, in units of the fifteenth decimal."""
    return _shipped("normal.csv")


def _shipped(name: str) -> Column:
    """Reads ``points,higher``: one row for each whole point from 0, all with the same decimals."""
    rows = printed_table("ledger.rating", name)
    assert all(int(row["points"]) == point for point, row in enumerate(rows)), f"gaps in {name}"
    return _frozen(np.array([int(row["higher"].replace(".", "")) for row in rows], dtype=np.int64))


def _in_millionths(numerators: Column, denominator: int) -> Column:
    """Rounds what is never negative to millionths."""
    return _frozen(column_half_away_from_zero(numerators, denominator // MILLIONTHS))


def _frozen(column: Column) -> Column:
    """Makes a table that is shared by all who ask unchangeable."""
    column.setflags(write=False)
    return column
