"""The door of the kernels: what is refused, by name, value and row, and what is let through."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from ledger.errors import VerificationFailed
from ledger.facts.columns import AnyColumn
from ledger.rating import c_kernel
from ledger.rating.bounds import MOST_PRODUCT, admit_others
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import summed
from ledger.rating.plain_games import GameRatings, PlainGames, admit
from ledger.rating.postings import Games
from ledger.regulations.printed_tables import P_OF_D

PLAYERS, TOURNAMENTS = 5, 3


def games(**columns: list[int]) -> Games:
    """Two games of players 0 to 4, with some columns replaced."""
    given = {
        "game": [7, 8], "tournament": [0, 2], "round": [1, 1], "white": [0, 4], "black": [1, -1],
        "white_halves": [2, 1], "black_halves": [0, 1], "reason": [0, 3],
    }  # fmt: skip
    return Games(**{name: np.array(values) for name, values in (given | columns).items()})


def plain_games(expectation: Expectation = P_OF_D, **columns: AnyColumn) -> PlainGames:
    """Those of three tournaments, with some columns replaced."""
    given: dict[str, AnyColumn] = {
        name: np.full(TOURNAMENTS, 100) for name in ("merit", "cap", "capped_below", "apart_beyond")
    }
    given["together"] = np.zeros(TOURNAMENTS, dtype=np.bool_)
    return PlainGames(expectation, **(given | columns))


RATING = np.full(PLAYERS, 1500, dtype=np.int32)
AT_START = GameRatings.at_start(RATING, TOURNAMENTS)


@pytest.fixture(params=["compiled", "numpy"])
def _kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel in turn; without a compiler it is numpy's twice."""
    if request.param == "numpy":
        monkeypatch.setattr(c_kernel, "kernel", lambda: None)


@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize(
    ("name", "value", "bounds"),
    [
        ("white", -1, "0 to 4"), ("white", 5, "0 to 4"), ("white", 2_000_000_000, "0 to 4"),
        ("white", 2**32, "0 to 4"), ("white", -(2**63), "0 to 4"),
        ("black", -5, "-1 to 4"), ("black", 5, "-1 to 4"),
        ("tournament", -1, "0 to 2"), ("tournament", 3, "0 to 2"),
        ("white_halves", 3, "0 to 2"), ("black_halves", -1, "0 to 2"),
        ("reason", 256, "0 to 127"),
    ],
)  # fmt: skip
def test_an_index_or_score_that_cannot_be(name: str, value: int, bounds: str) -> None:
    good = getattr(games(), name).tolist()
    asked = games(**{name: [good[0], value]})
    with pytest.raises(VerificationFailed) as refused:
        summed(asked, plain_games(), AT_START)
    said = str(refused.value)
    assert f"column {name} " in said
    assert f"holds {value} in row 1" in said
    assert bounds in said


@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize(
    ("rating", "in_force"),
    [
        (RATING, []),
        (RATING, [RATING[:-1]]),
        (RATING, [RATING, np.append(RATING, RATING)]),
        (RATING[:-1], [RATING]),
        (RATING - 1501, [RATING]),
        (RATING, [RATING + 1_000_000_000]),
        (RATING.astype(np.float64), [RATING]),
        (RATING.reshape(1, -1), [RATING]),
    ],
)
def test_ratings_that_do_not_fit(rating: AnyColumn, in_force: list[AnyColumn]) -> None:
    with pytest.raises(VerificationFailed, match="that is to be rated"):
        summed(games(), plain_games(), replace(AT_START, opening=rating, lists=in_force))


@pytest.mark.parametrize("name", ["merit", "cap", "capped_below", "apart_beyond", "together"])
def test_what_no_tournament_can_say(name: str) -> None:
    column = getattr(plain_games(), name)
    for damaged in (column[:-1], column - 200 if name != "together" else column.view(np.uint8)):
        with pytest.raises(VerificationFailed):
            plain_games(**{name: damaged})
    if name == "together":
        with pytest.raises(VerificationFailed):
            plain_games(together=np.full(TOURNAMENTS, 2, dtype=np.uint8).view(np.bool_))


def test_which_list_is_checked_when_it_is_asked() -> None:
    for of in ([0, 0, 1], [-1, 0, 0], [0, 0]):
        with pytest.raises(VerificationFailed, match="that is to be rated"):
            summed(games(), plain_games(), replace(AT_START, list_of=np.array(of)))
    admit(games(), plain_games(), GameRatings(RATING, [RATING, RATING + 1], np.array([0, 1, 0])))


def test_a_merit_is_refused_before_a_sum_can_overflow() -> None:
    one = Expectation(np.array([50, 100]), scale=100)
    most = MOST_PRODUCT // 100
    most_of_many = (2**62 - 1) // 2 // 100
    for merit, rows in (
        (most, 2),
        (min(most, most_of_many), 2),
        ((2**62 - 1) // 1000 // 100, 1000),
    ):
        many = Games(*(np.resize(getattr(games(), name), rows) for name in Games.__slots__))
        heavy = plain_games(one, merit=np.full(TOURNAMENTS, merit))
        admit(many, heavy, AT_START)
        with pytest.raises(VerificationFailed, match="that is to be rated"):
            admit(many, plain_games(one, merit=heavy.merit + 1), AT_START)


def test_the_greatest_merit_is_known() -> None:
    plain = plain_games(merit=np.array([-1, 350, 100]))
    assert plain.most_merit == 350
    empty = np.zeros(0, dtype=np.int64)
    none = PlainGames(P_OF_D, empty, empty, empty, empty, empty.astype(np.bool_))
    assert none.most_merit == -1


@pytest.mark.parametrize(
    ("higher", "scale"),
    [([40, 100], 100), ([], 100), ([50, MOST_PRODUCT * 2], 100), ([0], 0), ([-1], -2)],
)
def test_expected_scores_that_make_no_point(higher: list[int], scale: int) -> None:
    with pytest.raises((VerificationFailed, ValueError)):
        Expectation(np.array(higher, dtype=np.int64), scale=scale)


@pytest.mark.parametrize("others", [[-1, 3], [3, 10], [3, 3], [4, 2]])
def test_rows_left_over_ascend_and_are_there(others: list[int]) -> None:
    with pytest.raises(VerificationFailed, match="that is to be rated"):
        admit_others(np.array(others, dtype=np.int32), 10)
    admit_others(np.array([0, 3, 9], dtype=np.int32), 10)
    admit_others(np.zeros(0, dtype=np.int32), 0)


def test_the_door_stays_shut_without_assertions() -> None:
    code = (
        "import numpy as np; from tests.rating.test_bounds import *\n"
        "try: summed(games(white=[0, -1]), plain_games(), AT_START)\n"
        "except VerificationFailed: print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stdout == "refused\n", done.stderr
