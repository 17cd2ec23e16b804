"""The ledger against the independent calculation: every rating, change and bucket, exactly."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import event, given

from ledger.answers.lists import show
from ledger.answers.player_questions import explain
from ledger.service.ledger import Ledger
from tests.differential.independent import (
    Event,
    Game,
    Month,
    Person,
    Rules,
    calculate,
    expected,
    performance,
)
from tests.differential.strategies import MONTHS, Federation, federations, games_csv, round_robins
from tests.differential.support import LIST, correct, new_ledger, take
from tests.ledgers import statements_of
from tests.profile import examples


@pytest.fixture(autouse=True, scope="module")
def _read_ahead() -> Iterator[None]:
    """The next period is read in a thread, as in a long history."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.replay.replay.AHEAD_FROM", 0)
        yield


def ledger_of(federation: Federation) -> Ledger:
    ledger = new_ledger(federation.rules)
    take(ledger, federation.players_csv(), seeds=True)
    take(ledger, games_csv(*federation.events))
    return ledger


def compare(ledger: Ledger, federation: Federation, events: Sequence[Event]) -> list[Month]:
    months = calculate(federation.people, events, MONTHS, federation.rules)
    for (year, month), independent in zip(MONTHS, months, strict=True):
        period = f"{year}-{month:02}"
        rows = {row.id: row for row in show(ledger, LIST, period).rows}
        statements = statements_of(ledger, LIST, period)
        somebody = federation.people[0].id
        asked = explain(ledger, somebody, LIST, period)
        assert replace(asked, orders=()) == replace(statements[somebody], orders=())
        for person in federation.people:
            place = (period, person.id)
            rating = independent.rating.get(person.id)
            row = rows.get(person.id)
            if rating is not None:
                assert row is not None, place
                assert (row.rating, row.provisional) == (rating, False), place
            elif row is not None:
                assert (row.rating, row.provisional) == (0, True), place
            said = statements[person.id]
            assert said.change_exact == independent.change.get(person.id, 0), place
            assert said.games == independent.counted.get(person.id, 0), place
            assert said.k == independent.k[person.id], place
            bucket = [
                (r.event, r.games, r.performance) for r in independent.buckets.get(person.id, ())
            ]
            assert row is not None or not bucket, place
            if said.bucket is not None:
                lines = [(b.tournament, b.games, b.performance) for b in said.bucket]
                assert sorted(lines) == sorted(bucket), place
            else:
                assert not bucket, place
    return months


@examples(60)
@given(federations())
def test_every_period_is_what_the_rules_say_it_is(federation: Federation) -> None:
    ledger = ledger_of(federation)
    months = compare(ledger, federation, federation.events)
    event(f"method {federation.rules.method}, cap {federation.rules.difference_rule}")
    event(f"round robins with newcomers: {sum(len(m.robins) for m in months)}")
    event(f"first ratings: {len(months[-1].rating) - _rated(federation)}")
    if federation.corrections:
        event("corrected")
        for place, game, result in federation.corrections:
            tournament = federation.events[place]
            correct(ledger, tournament.id, tournament.games[game], result)
        compare(ledger, federation, federation.corrected())


@examples(30)
@given(round_robins())
def test_round_robins_with_newcomers_far_from_the_others(federation: Federation) -> None:
    months = compare(ledger_of(federation), federation, federation.events)
    event(f"by the procedure of its own: {bool(months[0].robins)}")


def _rated(federation: Federation) -> int:
    return sum(person.rating is not None for person in federation.people)


def test_k_is_30_below_30_games_and_10_after_that_from_2400() -> None:
    person = Person("A", 2400, None, 0)
    federation = _pair(person, Person("B", 2400, None, 30))
    months = compare(ledger_of(federation), federation, federation.events)
    assert (months[0].k["A"], months[0].k["B"]) == (30, 10)


def test_a_newcomer_starts_with_the_games_of_his_bucket() -> None:
    new, regulars = Person("N", None, None, 0), [Person(f"P{n}", 1600, 15, 99) for n in range(18)]
    months = [
        Event(
            f"T{month}",
            dt.date(2010, month, 1),
            dt.date(2010, month, 20),
            "swiss",
            "classical",
            None,
            tuple(Game(n, "N", other.id, "1/2-1/2") for n, other in enumerate(opponents, start=1)),
        )
        for month, opponents in ((7, regulars[:12]), (8, regulars), (9, regulars[:4]))
    ]
    federation = Federation((new, *regulars), tuple(months), Rules(), ())
    found = compare(ledger_of(federation), federation, federation.events)
    assert [month.k["N"] for month in found] == [30, 30, 15]


def _pair(white: Person, black: Person) -> Federation:
    day = dt.date(2010, 7, 4)
    games = (Game(1, white.id, black.id, "1-0"),)
    played = Event("T1", day, day, "swiss", "classical", None, games)
    return Federation((white, black), (played,), Rules(), ())


def test_the_independent_calculation_gives_the_worked_examples() -> None:
    assert [expected(d) for d in (70, -70, 635, -229, -380)] == [
        Fraction(share, 100) for share in (60, 40, 99, 21, 9)
    ]
    mean, five = Fraction(1546), 5
    assert performance(mean, Fraction(5, 2), five) == 1546
    assert performance(mean, Fraction(7, 2), five) == 1571
    assert performance(mean, Fraction(3, 2), five) == Fraction(8531, 6)
    months = calculate(
        [Person("A", 2500, 10, 100), Person("B", 2430, 10, 100)],
        _pair(Person("A", 2500, 10, 100), Person("B", 2430, 10, 100)).events,
        MONTHS[:1],
        Rules(),
    )
    assert months[0].change == {"A": 4, "B": -4}
