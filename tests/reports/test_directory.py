"""Players by name: who is meant, in which order, and who may be registered twice."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.lists.people import Issued, Personal
from ledger.reports.directory import LikePair, PlayerDirectory
from ledger.spelling import folded, is_similar

NAMES = (
    "Gonzales, Juan",
    "González Soto, Juan",
    "González, Juana María",
    "González, Juan",
    "Soto, Pedro",
    "",
)


def directory(*names: str, born: tuple[str | None, ...] = ()) -> PlayerDirectory:
    dates = born or (None,) * len(names)
    personal = [Personal(name, "m", date) for name, date in zip(names, dates, strict=True)]
    return PlayerDirectory(
        [f"P{place}" for place in range(len(names))], ["CHI"] * len(names), personal
    )


def pairs(people: PlayerDirectory) -> list[tuple[int, int]]:
    return [(pair.one, pair.other) for pair in people.duplicates()]


def found(text: str) -> list[str | None]:
    people = directory(*NAMES)
    return [people[place].name for place in people.find(text)]


def test_whole_names_come_first_then_words_then_beginnings_then_slips() -> None:
    assert found("juan gonzalez") == [
        "González, Juan",
        "González Soto, Juan",
        "González, Juana María",
        "Gonzales, Juan",
    ]


def test_a_beginning_is_enough_to_find() -> None:
    assert found("SOT") == ["Soto, Pedro", "González Soto, Juan"]


def test_every_word_must_fit_a_word_of_its_own() -> None:
    assert found("soto soto") == []
    assert found("pedro gonzalez") == []
    assert found(", .") == []


def test_an_id_is_found_too() -> None:
    assert found("P4") == ["Soto, Pedro"]
    assert found("P5") == [None]


def test_a_whole_name_names_him_who_has_no_further_ones() -> None:
    people = directory(*NAMES)
    assert people.named("gonzalez juan") == [3]
    assert people.named("gonzalez") == [3, 2, 1]
    assert people.named("soto juan") == [1]
    assert people.named("gonz") == []
    assert people.named("gonsalez juan") == []


def test_a_list_is_by_name_whatever_filters_it() -> None:
    people = directory(*NAMES, born=("1980", "1985-07-01", "1985", None, "1985-07-02", None))
    assert people.listed(search="juan gonzalez") == [0, 3, 2, 1]
    assert people.listed(born="1985") == [2, 1, 4]
    assert people.listed(born="1985-07") == [1, 4]
    assert people.listed(sex="w") == people.listed(federations=["ARG"]) == []
    assert len(people.listed(federations=["ARG", "CHI"])) == len(NAMES)


def test_where_only_the_year_is_known_the_words_must_be_the_same() -> None:
    names = ("Soto, Ana", "ANA SOTO", "Soto Vera, Ana", "Sotto, Ana")
    assert pairs(directory(*names, born=("1985",) * 4)) == [(0, 1)]
    exact = pairs(directory(*names, born=("1985-07-01",) * 4))
    assert exact == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("born", "reason"),
    [
        ((None, None), "name"),
        (("1985", None), "name"),
        (("1985", "1985-07-01"), "name"),
        (("1985", "1986-07-01"), "year_alone"),
        (("1985", "1971-07-01"), "year_alone"),
        (("1985-07-01", "1985-01-07"), "day_and_month"),
        (("1985-07-01", "1985-07-02"), "one_digit"),
        (("1985-07-01", "2010-03-02"), "other_birth_date"),
        (("1985-07-01", "1985-07-01"), "birth_date"),
    ],
)
def test_the_same_name_is_suspected_whatever_the_birth_dates(
    born: tuple[str | None, ...], reason: str
) -> None:
    assert directory("Soto, Ana", "Ana Soto", born=born).duplicates() == [LikePair(0, 1, reason)]


def test_of_another_birth_date_who_has_another_id_of_one_issuer_or_is_told_apart_is_not() -> None:
    for one, other in (
        (
            Personal("Soto, Ana", None, "1985", ids=(Issued("1", "fide"),)),
            Personal("Soto, Ana", None, "1990", ids=(Issued("2", "fide"),)),
        ),
        (Personal("Soto, Ana", None, "1985"), Personal("Soto, Ana", None, "1990", apart=("A",))),
        (Personal("Soto, Ana", "w", "1985"), Personal("Soto, Ana", "m", "1990")),
    ):
        assert PlayerDirectory(["A", "B"], [None, None], [one, other]).duplicates() == []


def test_namesakes_are_held_against_each_other_and_not_the_first_alone() -> None:
    people = PlayerDirectory(
        ["A", "B", "C"], ["MEX", "ARG", None], [Personal("Soto, Ana", "w")] * 3
    )
    assert pairs(people) == [(0, 2), (1, 2)]


def test_nobody_is_suspected_without_a_name_or_by_one_word_of_it() -> None:
    assert directory("", "", born=("1985-07-01", "1985-07-01")).duplicates() == []
    assert directory("Soto", "Soto").duplicates() == []


WORDS = st.sampled_from(["ana", "soto", "sotto", "vera", "veras", "gil"])
PEOPLE = st.lists(
    st.tuples(
        st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
        st.sampled_from(["1985-07-01", "1985-07-02"]),
    ),
    max_size=12,
)


@given(PEOPLE)
def test_duplicates_are_all_similar_pairs_of_a_day(people: list[tuple[str, str]]) -> None:
    names, dates = [name for name, _ in people], tuple(date for _, date in people)
    made = directory(*names, born=dates) if people else directory()
    expected = [
        (one, other)
        for one, other in combinations(range(len(people)), 2)
        if dates[one] == dates[other]
        and is_similar(folded(names[one]).split(), folded(names[other]).split())
    ]
    same_day = [(each.one, each.other) for each in made.duplicates() if not each.is_born_otherwise]
    assert same_day == expected
