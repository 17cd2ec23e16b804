"""Who somebody may be whose name is printed otherwise than it is recorded."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from ledger.reports.birth_dates import BirthDifference
from ledger.reports.candidates import Candidates, PersonDescription, share_a_word
from tests.reports.population import Human, Population

_MEMBERS, _ASKED = 6_000, 400
_ONE = PersonDescription("Soto Pérez, Ana María", "1990", "CHI", "w")
_OTHERS = tuple(
    PersonDescription(f"{family}, {given}", str(year), "CHI", "m")
    for family in ("Rojas", "Díaz", "Muñoz", "Castillo", "Fuentes", "Araya")
    for given, year in (("Juan", 1970), ("Pedro", 1980), ("Diego", 1990), ("Luis", 2001))
)


def asked(name: str, **others: str) -> list[int]:
    told = {"birth_date": "1990", "federation": "CHI", "sex": "w"} | others
    known = Candidates([_ONE, *_OTHERS])
    return [each.place for each in known.of(PersonDescription(name, **told))]


@pytest.mark.parametrize(
    "name",
    [
        "Soto Pérez, Ana María",
        "SOTO PEREZ Ana Maria",
        "Soto, Ana",
        "Ana María Soto",
        "Soto P., A. M.",
        "Soto, A.",
        "Sotto Perez, Ana",
        "de Soto y Pérez, Ana M.",
        "Soto-Perez, Ana Maria",
        "Sotoperez, Anamaria",
        "García, Ana María",
    ],
)
def test_a_name_that_is_printed_otherwise_is_proposed(name: str) -> None:
    assert asked(name) == [0]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Soto Pérez, Ana María", {"birth_date": "1975", "sex": "m"}),
        ("Soto Pérez, Ana María", {"birth_date": "1975", "federation": "ARG"}),
        ("Soto Rojas, Beatriz", {}),
        ("Lagos, Carolina", {}),
        ("Rojas Vera, Juan", {"birth_date": "2003", "sex": "m"}),
    ],
)
def test_somebody_else_is_not(name: str, others: dict[str, str]) -> None:
    assert asked(name, **others) == []


def test_the_likeliest_comes_first() -> None:
    known = Candidates(
        [
            PersonDescription("Soto, Ana", "1991", "CHI"),
            _ONE,
            PersonDescription("Soto Rojas, B.", "1990"),
        ]
    )
    assert [
        each.place for each in known.of(PersonDescription("Soto, Ana María", "1990", "CHI"))
    ] == [
        1,
        0,
    ]


def test_ratings_that_are_near_speak_for_a_person_and_others_against() -> None:
    known = Candidates(
        [PersonDescription("Soto, Ana"), PersonDescription("Soto, Ana")], lambda: [1500, 2400]
    )
    assert [each.place for each in known.of(PersonDescription("Soto, A."), 2380)] == [1]


def test_nobody_is_like_anybody_where_there_is_nobody() -> None:
    assert Candidates([]).of(_ONE) == []


def test_the_same_name_is_always_asked_about() -> None:
    many = [PersonDescription("Nguyen, Van", str(1900 + place % 100)) for place in range(3_000)]
    found = Candidates(many).of(PersonDescription("NGUYEN Van"))
    assert len(found) == len(many)


@pytest.mark.parametrize(
    ("birth_date", "known", "difference"),
    [
        ("1990-05-12", "1990-12-05", BirthDifference.DAY_AND_MONTH),
        ("1990-05-12", "1980-05-12", BirthDifference.ONE_DIGIT),
        ("1975", "1990-12-05", BirthDifference.YEAR_ALONE),
        ("1962-01-31", "1990-12-05", BirthDifference.OTHER),
    ],
)
def test_the_same_name_with_another_birth_date_is_asked_about(
    birth_date: str, known: str, difference: BirthDifference
) -> None:
    people = Candidates([PersonDescription("Soto, Ana", known, "CHI", "w"), *_OTHERS])
    (found,) = people.of(PersonDescription("Ana Soto", birth_date, "CHI"))
    assert (found.place, found.birth) == (0, difference)


def test_a_birth_date_that_is_a_slip_is_likelier_than_any_other() -> None:
    born = ("1990-12-05", "1990-05-13", "1991", "1962-01-31")
    people = Candidates([PersonDescription("Soto, Ana", each) for each in born])
    likely = people.of(PersonDescription("Soto, Ana", "1990-05-12"))
    assert [each.place for each in likely] == [0, 1, 2, 3]
    assert len({each.bits for each in likely}) == 4


def test_of_many_namesakes_with_other_birth_dates_the_likeliest_are_asked_about() -> None:
    many = [PersonDescription("Nguyen, Van", f"{1900 + at % 100}-06-17") for at in range(3_000)]
    found = Candidates(many).of(PersonDescription("NGUYEN Van", "1955-06-18"))
    assert len(found) == 20
    assert {many[each.place].birth_date for each in found} == {"1955-06-17"}


def test_names_that_have_a_word_in_common() -> None:
    assert share_a_word("Soto, Ana", "ana mueller")
    assert share_a_word("Soto, A.", "Rojas, Ana")
    assert not share_a_word("Soto, Ana", "Mueller, Hans")


def _members() -> tuple[Population, list[Human], Candidates]:
    population = Population(seed=7)
    humans = [population.human() for _ in range(_MEMBERS)]
    ratings = [human.rating for human in humans]
    return population, humans, Candidates([human.told() for human in humans], lambda: ratings)


def test_of_thousands_few_are_missed_and_few_newcomers_are_asked_about() -> None:
    """What is promised: 1 % of unchanged names, 10 % of changed ones, one newcomer in ten."""
    population, humans, known = _members()
    unchanged, missed, made = 0, Counter[str](), Counter[str]()
    for place in population.chance.sample(range(_MEMBERS), _ASKED):
        human = humans[place]
        unchanged += place not in [each.place for each in known.of(human.told())]
        way, name = population.reprinted(human)
        made[way] += 1
        missed[way] += place not in [each.place for each in known.of(human.told(name))]
    newcomers = sum(bool(known.of(population.human().told())) for _ in range(_ASKED))
    assert unchanged == 0
    assert missed.total() < _ASKED / 10, missed
    assert newcomers < _ASKED / 10
    assert min(made.values()) > _ASKED / 100, made


def test_a_report_of_fifty_takes_no_time_among_thousands() -> None:
    population, _, known = _members()
    known.of(_ONE)
    begun = time.process_time()
    for _ in range(50):
        known.of(population.human().told())
    assert time.process_time() - begun < 1


def test_of_two_namesakes_the_one_of_the_same_club_is_the_likelier() -> None:
    players = [
        *_OTHERS,
        PersonDescription("Soto, Ana", "1990", "CHI", "w", "torre norte"),
        PersonDescription("Soto, Ana", "1990", "CHI", "w", "alekhine"),
    ]
    person = PersonDescription("Soto Pérez, Ana", "1990", "CHI", "w", "alekhine")
    likely = Candidates(players).of(person)
    assert [players[each.place].club for each in likely] == ["alekhine", "torre norte"]
    without = Candidates(players).of(PersonDescription("Soto Pérez, Ana", "1990", "CHI", "w"))
    assert likely[0].bits > without[0].bits > likely[1].bits
