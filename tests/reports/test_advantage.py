"""By how much one regulation predicts better, by hand and against a plain calculation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.reports.prediction import Advantage, PairedErrors
from tests.laws.support import law

Game = tuple[int, int, int]


def advantage(games: Sequence[Game], scale: int = 10, parts: int = 1) -> Advantage:
    """Adds games (white, black, difference of the squared errors) in some parts."""
    made = PairedErrors()
    for part in range(parts):
        rows = np.array(games[part::parts], dtype=np.int64).reshape(-1, 3)
        made.add(rows[:, 0], rows[:, 1], rows[:, 2], scale)
    return made.advantage()


def test_no_games_tell_nothing_and_one_has_no_margin() -> None:
    assert advantage([]) == Advantage(0, None, None)
    one = advantage([(0, 1, 50)])
    assert (one.brier, one.variance, one.better) == (Fraction(1, 4), None, None)


def test_games_without_a_common_player_are_independent() -> None:
    # d is 0.5, 0.5, 0.7 and 0.7 over both sides: a mean of 0.6, each 0.1 away from it.
    made = advantage([(0, 1, 50), (2, 3, 50), (4, 5, 70), (6, 7, 70)])
    assert made.brier == Fraction(6, 20)
    assert made.variance == 4 * Fraction(1, 100) / 4**2 / 4
    assert made.better == 1
    assert made.data() == {"brier": "0.30000", "margin": "0.05000"}


def test_games_of_one_player_belong_together() -> None:
    # Of player 0 two games are 0.1 below the mean, of player 9 two are 0.1 above it.
    made = advantage([(0, 1, 50), (2, 0, 50), (9, 5, 70), (6, 9, 70)])
    apart = advantage([(0, 1, 50), (2, 3, 50), (4, 5, 70), (6, 7, 70)])
    assert made.brier == apart.brier
    assert apart.variance is not None
    assert made.variance == 2 * apart.variance


def test_what_lies_within_the_margin_tells_nothing() -> None:
    made = advantage([(0, 1, 50), (2, 3, -40), (4, 5, 30), (6, 7, -35)])
    assert made.better is None
    assert advantage([(0, 1, -50), (2, 3, -50), (4, 5, -51)]).better == 0


_GAMES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-200, 200)).filter(
        lambda game: game[0] != game[1]
    ),
    min_size=2,
    max_size=25,
)


@law(60)
@given(_GAMES, st.integers(1, 4))
def test_the_variance_is_that_of_all_pairs_with_a_common_player(
    games: list[Game], parts: int
) -> None:
    made = advantage(games, parts=parts)
    count, unit = len(games), 2 * 10**2
    mean = Fraction(sum(d for *_, d in games), count)
    own = sum(((d - mean) ** 2 for *_, d in games), Fraction(0))
    shared = sum(
        (
            2 * len({*one[:2]} & {*other[:2]}) * (one[2] - mean) * (other[2] - mean)
            for one, other in combinations(games, 2)
        ),
        Fraction(0),
    )
    assert made.brier == mean / unit
    assert made.variance == max(own, own + shared) / count**2 / unit**2
