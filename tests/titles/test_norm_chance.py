"""Which norm is still possible, and what is needed of the games left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.titles.fide_1972 import (
    Field,
    Participant,
    Performance,
    SharedPlace,
    Title,
    title_result,
)
from ledger.titles.norm_chance import NormChance, norm_chance

GM, IM = Title.GRANDMASTER, Title.INTERNATIONAL_MASTER
NOBODY: frozenset[str] = frozenset()


def field(size: int, *, rating: int = 2490, grandmasters: int = 4) -> Field:
    return Field(
        tuple(
            Participant(rating, f"F{n}", frozenset({"GM"}) if n < grandmasters else NOBODY)
            for n in range(size)
        )
    )


def chance(
    title: Title = GM,
    *,
    games: int = 10,
    halves: int = 8,
    unfinished: int = 2,
    unknown: int = 0,
    of: Field | None = None,
    others: tuple[int, ...] = (),
    titles: frozenset[str] = NOBODY,
) -> NormChance:
    done = Performance(games, halves, unfinished, games - unfinished, SharedPlace(0, 1), titles)
    return norm_chance(
        title, of or field(11), done, unknown=unknown, score=halves, others=list(others)
    )


@pytest.mark.parametrize(
    ("halves", "unfinished", "to_make"),
    [(12, 2, 0), (8, 2, 4), (9, 2, 3), (7, 2, None), (12, 0, 0), (11, 0, None)],
)
def test_sixty_per_cent_of_ten_games_are_six_points(
    halves: int, unfinished: int, to_make: int | None
) -> None:
    found = chance(halves=halves, unfinished=unfinished)
    assert found.to_make == to_make
    assert found.possible is (to_make is not None)
    assert found.left == unfinished


def test_unknown_opponents_may_have_what_is_missing() -> None:
    three = field(3, grandmasters=0)
    found = chance(games=2, halves=4, unfinished=0, unknown=8, of=three)
    assert (found.possible, found.left, found.to_make) == (True, 8, 8)
    too_few = chance(games=2, halves=4, unfinished=0, unknown=2, of=three)
    assert too_few.fails[0].condition == "players"


def test_a_place_that_is_out_of_reach() -> None:
    assert chance(halves=8, unfinished=2, others=(13, 13, 12, 12)).possible
    assert [fail.condition for fail in chance(halves=8, others=(13, 13, 13)).fails] == ["place"]
    assert chance(halves=8, others=(13, 13, 13), titles=frozenset({"IM"})).possible


@given(
    halves=st.integers(0, 16),
    results=st.lists(st.integers(0, 2), max_size=4),
    title=st.sampled_from(Title),
    rating=st.integers(2240, 2640),
)
def test_what_is_out_of_reach_is_never_reached(
    halves: int, results: list[int], title: Title, rating: int
) -> None:
    of, left = field(11, rating=rating), len(results)
    before = chance(title, halves=halves, unfinished=left, of=of)
    made = halves + sum(results)
    after = Performance(10, made, 0, 10, SharedPlace(0, 1), NOBODY)
    result = title_result(title, of, after)
    reached = before.to_make is not None and sum(results) >= before.to_make
    assert result.made == reached


@given(of=st.lists(st.one_of(st.none(), st.integers(1800, 2800)), min_size=1, max_size=20))
def test_unknown_opponents_leave_the_category_as_it_is(of: list[int | None]) -> None:
    known = Field(tuple(Participant(rating, None, NOBODY) for rating in of))
    found = chance(IM, games=9, halves=0, unfinished=0, unknown=9, of=known)
    alone = chance(IM, games=9, halves=0, unfinished=0, unknown=0, of=known)
    assert found.best.percent == alone.best.percent
