"""The figures of FIDE's title regulations of 1972, as printed.

Source: Chavarría, manual of tournaments and rating, Monterrey 1975, chapter on international
titles.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.titles.fide_1972 import (
    CATEGORIES,
    PERCENT,
    Field,
    Made,
    Participant,
    SharedPlace,
    Title,
    accumulation,
    category_of,
    halves_needed,
    individual_field,
    international,
    most_of_one_federation,
)

GM, IM = Title.GRANDMASTER, Title.INTERNATIONAL_MASTER


def test_the_categories_are_fifteen_bands_of_25_points() -> None:
    printed = {
        1: (2251, 2275), 2: (2276, 2300), 3: (2301, 2325), 4: (2326, 2350), 5: (2351, 2375),
        6: (2376, 2400), 7: (2401, 2425), 8: (2426, 2450), 9: (2451, 2475), 10: (2476, 2500),
        11: (2501, 2525), 12: (2526, 2550), 13: (2551, 2575), 14: (2576, 2600), 15: (2601, 2625),
    }  # fmt: skip
    assert printed == CATEGORIES
    assert [category_of(Fraction(mean)) for mean in (2250, 2251, 2625, 2626)] == [None, 1, 15, None]


def test_the_percentages() -> None:
    printed = [76, 73, 70, 67, 64, 60, 57, 53, 50, 47, 43, 40, 36, 33, 30]
    assert PERCENT[IM] == dict(enumerate(printed, start=1))
    assert PERCENT[GM] == dict(enumerate(printed[:11], start=5))


@pytest.mark.parametrize(
    ("percent", "games", "halves"),
    [(60, 10, 12), (60, 15, 18), (60, 11, 14), (76, 9, 14), (50, 9, 9), (50, 11, 11), (30, 15, 9)],
)
def test_the_score_needed_is_the_smallest_of_half_points_with_the_percentage(
    percent: int, games: int, halves: int
) -> None:
    assert halves_needed(percent, games) == halves
    assert halves * 50 >= percent * games > (halves - 1) * 50


def test_half_and_one_up_to_twelve_players_half_and_two_above() -> None:
    limits = {n: most_of_one_federation(n) for n in range(10, 17)}
    assert limits == {10: 6, 11: 6, 12: 7, 13: 8, 14: 9, 15: 9, 16: 10}


def field(own: int, others: int, *, titled: int = 4, unknown: int = 0) -> Field:
    federations = ["CHI"] * own + [f"X{n:02}" for n in range(others)] + [None] * unknown
    return Field(
        tuple(
            Participant(2400, federation, frozenset({"IM"} if n < titled else ()))
            for n, federation in enumerate(federations)
        )
    )


@pytest.mark.parametrize(
    ("made", "fails"),
    [
        (field(6, 4), []),
        (field(7, 3), ["federation"]),
        (field(7, 5), []),
        (field(8, 4), ["federation"]),
        (field(8, 5, titled=5), []),
        (field(9, 4, titled=5), ["federation"]),
        (field(6, 3, unknown=1), ["federation-unknown"]),
        (field(5, 4, unknown=1), []),
        (field(4, 8, titled=4), []),
        (field(4, 8, titled=3), ["titled"]),
        (field(9, 0), ["players"]),
    ],
)
def test_what_an_international_tournament_is(made: Field, fails: list[str]) -> None:
    assert [fail.condition for fail in international(made)] == fails


def test_an_unrated_participant_counts_as_2200() -> None:
    nine = (Participant(2400, None, frozenset()),) * 9
    assert Field((*nine, Participant(None, None, frozenset()))).mean == 2380


def test_the_example_of_an_olympiad() -> None:
    """Four games in the preliminary group and eleven in the final: 16 participants, or 12."""
    player = Participant(2400, None, frozenset())
    assert individual_field(player, [player] * 15).size == 16
    assert individual_field(player, [player] * 11).size == 12


@pytest.mark.parametrize(
    ("above", "sharing", "counts"),
    [
        (0, 1, True), (0, 3, True), (0, 4, False), (1, 1, True), (1, 2, True), (1, 3, False),
        (2, 1, True), (2, 2, False), (3, 1, False),
    ],
)  # fmt: skip
def test_the_three_first_places(above: int, sharing: int, *, counts: bool) -> None:
    assert SharedPlace(above, sharing).among_three is counts


def made(year: int, games: int, *, month: int = 1, day: int = 1, with_place: bool = True) -> Made:
    start = dt.date(year, month, day)
    name = f"{year}-{month}-{games}"
    return Made(name, start, start + dt.timedelta(days=14), games, with_place)


class TestAccumulation:
    @pytest.mark.parametrize(
        ("title", "games", "fulfilled"),
        [
            (GM, (12, 13), True),
            (GM, (12, 12), False),
            (GM, (9, 9, 9), True),
            (IM, (15, 15), True),
            (IM, (15, 14), False),
            (IM, (9, 9, 9), True),
            (IM, (60,), False),
        ],
    )
    def test_three_results_or_two_with_enough_games(
        self, title: Title, games: tuple[int, ...], *, fulfilled: bool
    ) -> None:
        results = [made(1972, count, month=n) for n, count in enumerate(games, start=1)]
        assert accumulation(title, results, None).fulfilled is fulfilled

    def test_three_years_end_before_the_third_anniversary(self) -> None:
        first = made(1970, 9, month=3)
        within = Made("b", dt.date(1973, 2, 1), dt.date(1973, 2, 28), 16)
        late = Made("b", dt.date(1973, 2, 1), dt.date(1973, 3, 1), 16)
        assert accumulation(GM, [first, within], None).fulfilled
        assert not accumulation(GM, [first, late], None).fulfilled

    def test_a_leap_day_has_its_anniversary_on_the_first_of_march(self) -> None:
        first = made(1972, 9, month=2, day=29)
        within = Made("b", dt.date(1975, 2, 1), dt.date(1975, 2, 28), 16)
        late = Made("b", dt.date(1975, 2, 1), dt.date(1975, 3, 1), 16)
        assert accumulation(GM, [first, within], None).fulfilled
        assert not accumulation(GM, [first, late], None).fulfilled

    def test_without_a_place_a_result_waits_for_the_title_of_international_master(self) -> None:
        results = [made(1972, 13, with_place=False), made(1973, 13)]
        assert not accumulation(GM, results, None).fulfilled
        assert accumulation(GM, results, dt.date(1973, 1, 15)).fulfilled
        assert not accumulation(GM, results, dt.date(1973, 1, 16)).fulfilled

    def test_what_comes_nearest_is_told(self) -> None:
        results = [made(1960, 9), made(1970, 9), made(1971, 10)]
        nearest = accumulation(GM, results, None)
        assert [r.event for r in nearest.results] == ["1970-1-9", "1971-1-10"]
        assert nearest.games == 19

    def test_results_are_told_up_to_the_first_day_on_which_they_suffice(self) -> None:
        results = [made(year, 9) for year in (1975, 1974, 1973, 1972, 1971)]
        enough = accumulation(IM, results, None)
        assert [r.starts_on.year for r in enough.results] == [1971, 1972, 1973]
