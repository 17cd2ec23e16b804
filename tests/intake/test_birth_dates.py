"""Members whose birth date is another one in a later document: asked about, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.directory import directory_of, registered_twice
from ledger.errors import Conflict, InputRefused
from ledger.events.personal import Identity
from ledger.intake.imports import Document, import_document
from ledger.operations.commands import TellApart
from ledger.operations.players import RegisterPlayer
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.operations import carry_out
from tests.intake.test_recognition import Line, report, take
from tests.ledgers import PLAYERS_HEADER, empty_ledger, import_text, request

Row: TypeAlias = tuple[str, str]
"""A name and a birth date."""
NAMES = ("Soto Vera, Ana", "Rojas, Juan", "Lagos Gil, Nina")
DATES = ("1990-05-12", "1990-12-05", "1980-05-12", "1962-01-31", "2011-03-04")
TABLES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(DATES)), unique=True, min_size=1, max_size=6
)


def table(rows: Sequence[Row]) -> bytes:
    lines = (f'"{name}",CHI,{born}\n' for name, born in rows)
    return ("name,federation,birth_date\n" + "".join(lines)).encode()


def taken(
    ledger: Ledger, rows: Sequence[Row], *decisions: tuple[str, str], dry_run: bool = False
) -> Receipt:
    document = Document(name="t.csv", data=table(rows), decisions=decisions)
    return import_document(ledger, document, Request("club", "", "", "", dry_run=dry_run))


def questions(ledger: Ledger, rows: Sequence[Row]) -> Mapping[str, Sequence[str]]:
    """Returns the candidates of everybody who is doubtful, by line."""
    people = taken(ledger, rows, dry_run=True).people
    assert people is not None
    return {each.who: [one.id for one in each.candidates] for each in people.doubtful}


def people_of(ledger: Ledger) -> Mapping[str, Row]:
    directory = directory_of(ledger)
    everybody = (directory[place] for place in range(len(directory)))
    return {each.id: (each.name or "", each.birth_date or "") for each in everybody}


def alike(ledger: Ledger) -> set[frozenset[str]]:
    directory = directory_of(ledger)
    pairs = registered_twice(ledger, directory)
    return {frozenset({directory[pair.one].id, directory[pair.other].id}) for pair in pairs}


@given(TABLES, TABLES)
def test_no_table_makes_a_second_person_silently_or_joins_one(
    before: Sequence[Row], after: Sequence[Row]
) -> None:
    ledger = empty_ledger()
    taken(ledger, before)
    members = people_of(ledger)
    asked = questions(ledger, after)
    new = [row for row in after if row not in before]
    for line, (name, born) in enumerate(after, start=2):
        namesakes = {
            id_
            for id_, member in members.items()
            if member[0] == name and member[1] != born and member not in after
        }
        if (name, born) in new:
            assert set(asked.get(str(line), ())) == namesakes
        else:
            assert str(line) not in asked
    if not asked:
        taken(ledger, after)
        assert set(people_of(ledger).values()) == {*before, *after}


@given(TABLES, TABLES, st.randoms(use_true_random=False))
def test_what_was_decided_is_not_asked_again(
    before: Sequence[Row], after: Sequence[Row], chance: Random
) -> None:
    ledger = empty_ledger()
    taken(ledger, before)
    members = {*people_of(ledger)}
    asked = questions(ledger, after)
    joined: set[str] = set()
    decisions = []
    for line, candidates in asked.items():
        free = [id_ for id_ in candidates if id_ not in joined]
        id_ = chance.choice(["", *free])
        joined.add(id_)
        decisions.append((line, id_))
    taken(ledger, after, *decisions)
    assert questions(ledger, after) == {}
    assert taken(ledger, [*after]).events == ()
    people = people_of(ledger)
    assert len(people) - len(members) == len([row for row in after if row not in before]) - len(
        joined - {""}
    )
    for pair in combinations(sorted(members), 2):  # they stand in one table
        assert frozenset(pair) not in alike(ledger)


class TestOneMember:
    """A member, and what else a document can say of somebody of the same name."""

    MEMBER = '101,"Soto Pérez, Ana María",CHI,w,1990-05-12,,,\n'

    @pytest.fixture
    def ledger(self) -> Ledger:
        made = empty_ledger()
        import_text(made, PLAYERS_HEADER + self.MEMBER)
        return made

    @pytest.mark.parametrize("born", ["1990-12-05", "1980-05-12", "1991", "2014-01-31"])
    def test_a_birth_date_that_was_corrected_is_asked_about(
        self, ledger: Ledger, born: str
    ) -> None:
        rows = [("Soto Pérez, Ana María", born)]
        with pytest.raises(Conflict) as refusal:
            taken(ledger, rows)
        (detail,) = refusal.value.details
        assert detail.message.key == "import.doubtful_birth_date"
        assert "1990-05-12" in detail.message.within("en")
        taken(ledger, rows, ("2", "101"))
        assert taken(ledger, rows).events == ()
        assert len(people_of(ledger)) == 1

    def test_the_birth_date_of_who_is_the_same_stays_and_is_noted_or_is_corrected(
        self, ledger: Ledger
    ) -> None:
        document = Document(
            name="t.csv",
            data=table([("Soto Pérez, Ana María", "1990-12-05")]),
            decisions=(("2", "101"),),
        )
        tried = import_document(ledger, document, request(dry_run=True))
        assert [each.message.key for each in tried.notes] == ["import.birth_date_stays"]
        receipt = import_document(ledger, replace(document, as_correction=True), request())
        assert receipt.notes == ()
        assert people_of(ledger)["101"] == ("Soto Pérez, Ana María", "1990-12-05")

    def test_mother_and_daughter_are_two_people_once_and_for_all(self, ledger: Ledger) -> None:
        rows = [("Soto Pérez, Ana María", "2014-01-31")]
        taken(ledger, rows, ("all", ""))
        assert len(people_of(ledger)) == 2
        assert alike(ledger) == set()
        assert questions(ledger, rows) == {}

    def test_who_stands_in_the_same_table_is_somebody_else(self, ledger: Ledger) -> None:
        text = PLAYERS_HEADER + '205,"Soto Pérez, Ana María",CHI,w,2014-01-31,,,\n'
        import_text(ledger, text + self.MEMBER)
        assert people_of(ledger).keys() == {"101", "205"}
        assert alike(ledger) == set()

    def test_who_plays_in_the_same_tournament_is_somebody_else(self, ledger: Ledger) -> None:
        mother = Line("Soto Pérez, Ana María", 1990, "w", "101")
        daughter = Line("Soto Pérez, Ana María", 2014, "w")
        assert take(ledger, report(mother, daughter)).events
        assert alike(ledger) == set()

    def test_who_was_registered_by_hand_is_suggested_until_told_apart(self, ledger: Ledger) -> None:
        identity = Identity(name="Soto Pérez, Ana María", birth_date="1990-12-05", sex="w")
        add = RegisterPlayer(
            player="205", identity=identity, salt="0" * 32, federation="CHI", on=ledger.today
        )
        carry_out(ledger, add, request())
        assert alike(ledger) == {frozenset({"101", "205"})}
        carry_out(ledger, TellApart(player="205", other="101"), request())
        assert alike(ledger) == set()
        for player, other, key in (
            ("205", "101", "player.apart_already"), ("101", "101", "player.one_person")
        ):  # fmt: skip
            with pytest.raises(InputRefused) as refusal:
                carry_out(ledger, TellApart(player=player, other=other), request())
            assert refusal.value.message.key == key
