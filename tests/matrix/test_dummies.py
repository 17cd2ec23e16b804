"""A player who stands for a bye is no person, whatever brings the name and whatever the result."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from ledger.dummies import is_dummy
from ledger.errors import Conflict, InputRefused
from ledger.events.personal import Identity
from ledger.events.players import PlayerRegistered
from ledger.events.tournaments import ByeGiven, ResultRecorded
from ledger.intake.documents import Document
from ledger.intake.imports import import_document
from ledger.intake.report_file import tournament_report
from ledger.operations.participants import RegisterNewcomer
from ledger.results import Bye
from ledger.service.ledger import Ledger, Receipt
from ledger.service.newcomers import register_newcomer
from tests.intake.trf.writing import file, player
from tests.ledgers import NOW, empty_ledger, request

NAMES = ("BYE", "bye", "Bye Bye", "- BYE -", "B Y E", "BYE 1", "spielfrei", "Spiel frei", "FREILOS",
    "Exempt", "Descansa", "LIBRE", "riposa", "Isento", "vrij", "Dummy",
    "Bye, Bye")  # fmt: skip
PEOPLE = (
    "Bye, Robert",
    "Robert Bye",
    "Freilos, Anna",
    "Byers",
    "Libre, Ana",
    "Descansado, Luis",
    "Bye, X. Y.",
    ",",
)
CODES = {
    "1": Bye.PAIRING_ALLOCATED, "+": Bye.PAIRING_ALLOCATED, "W": Bye.PAIRING_ALLOCATED,
    "U": Bye.PAIRING_ALLOCATED, "F": Bye.FULL, "=": Bye.HALF, "H": Bye.HALF, "D": Bye.HALF,
    "0": Bye.ZERO, "-": Bye.ZERO, "L": Bye.ZERO, "Z": Bye.ZERO,
}  # fmt: skip
OTHER_SIDE = {"1": "0", "+": "-", "W": "L", "=": "=", "D": "D", "0": "1", "-": "+", "L": "W"}
RESULTS = {
    "1-0": Bye.PAIRING_ALLOCATED, "+/-": Bye.PAIRING_ALLOCATED, "1/2-1/2": Bye.HALF,
    "0-1": Bye.ZERO, "-/+": Bye.ZERO, "U": Bye.PAIRING_ALLOCATED, "H": Bye.HALF,
}  # fmt: skip
TURNED = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}
HEAD = ("012 Cup", "042 2025/03/01", "052 2025/03/02", "092 Swiss", "122 90 min + 30 s")
TABLE = "tournament,name,start,end,system,rate_of_play,round,white,black,result\n"


def test_names_of_dummies_and_of_people() -> None:
    assert [name for name in NAMES if not is_dummy(name)] == []
    assert [name for name in PEOPLE if is_dummy(name)] == []


def imported(data: bytes, ledger: Ledger | None = None, **said: object) -> Receipt:
    document = Document(name="f", data=data, **said)  # type: ignore[arg-type]
    return import_document(ledger or empty_ledger(), document, request())


def byes_in(receipt: Receipt) -> list[Bye]:
    return [each.event.kind for each in receipt.events if isinstance(each.event, ByeGiven)]


def report(name: str, code: str, at: int, *, is_answered: bool, **of_dummy: str) -> bytes:
    """Returns a report of three people and a dummy with the number ``at``."""
    numbers = [number for number in range(1, 5) if number != at]
    one, other, third = numbers
    rounds = {
        one: (f"{other:>4} w 1", f"{at:>4} b {code}"),
        other: (f"{one:>4} b 0", f"{third:>4} w 1"),
        third: (f"{at:>4} w {code}", f"{other:>4} b 0"),
        at: (
            (f"{third:>4} b {OTHER_SIDE.get(code, 'Z')}", f"{one:>4} w {OTHER_SIDE.get(code, 'Z')}")
            if is_answered
            else ()
        ),
    }
    lines = (
        player(n, name, *rounds[n], **of_dummy)
        if n == at
        else player(n, f"Person, P{n}", *rounds[n])
        for n in sorted(rounds)
    )
    return file(*HEAD, *lines)


BY_NAME = [(name, "1", 4) for name in NAMES]
BY_RESULT = [("BYE", code, at) for code, at in product(CODES, (1, 2, 4))]


@pytest.mark.parametrize(("name", "code", "at"), [*BY_NAME, *BY_RESULT])
def test_in_a_report(name: str, code: str, at: int) -> None:
    for is_answered in (True, False):
        receipt = imported(report(name, code, at, is_answered=is_answered))
        assert byes_in(receipt) == [CODES[code]] * 2
        assert receipt.counts[PlayerRegistered.TYPE] == 3
        assert receipt.counts[ResultRecorded.TYPE] == 2
        (note,) = [each for each in receipt.notes if each.message.key == "trf.dummy"]
        assert note.line == len(HEAD) + at
        assert f"--new {at}" in note.message.within("en")


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_what_is_written_again_can_be_read(at: int) -> None:
    ledger = empty_ledger()
    imported(report("BYE", "1", at, is_answered=True), ledger)
    written = tournament_report(ledger, "cup-2025-03-01", None)
    assert not imported(written, ledger).events


@pytest.mark.parametrize(
    "said", [{"fide": "600104"}, {"birth": "1980/01/02"}, {"decisions": (("4", ""),)}]
)
def test_a_person_may_be_called_so_in_a_report(said: dict[str, str]) -> None:
    of_dummy = {name: value for name, value in said.items() if name != "decisions"}
    data = report("Freilos", "1", 4, is_answered=True, **of_dummy)
    decisions = said.get("decisions", ())
    receipt = imported(data, decisions=decisions)
    assert receipt.counts[PlayerRegistered.TYPE] == 4
    assert receipt.counts[ResultRecorded.TYPE] == 4
    assert not byes_in(receipt)


BY_NAME_IN_TABLE = [(name, "1-0", True) for name in NAMES if len(name) > 1]
BY_RESULT_IN_TABLE = [
    ("BYE", result, is_white) for result, is_white in product(RESULTS, (True, False))
]


@pytest.mark.parametrize(("name", "result", "is_white"), [*BY_NAME_IN_TABLE, *BY_RESULT_IN_TABLE])
def test_in_a_table_of_games(name: str, result: str, *, is_white: bool) -> None:
    """New tournaments are read a page at once, a known one line by line."""
    for is_new in (True, False):
        ledger = empty_ledger()
        imported(b"id,name\nA1,Person One\nA2,Person Two\n", ledger)
        about = "T,Cup,2025-03-01,2025-03-02,swiss,classical"
        if not is_new:
            imported(f"{TABLE}{about},1,A1,A2,1-0\n".encode(), ledger)
        sides = ("A1", f'"{name}"') if is_white else (f'"{name}"', "A1")
        written = result if is_white else TURNED.get(result, result)
        receipt = imported(f"{TABLE}{about},2,{','.join(sides)},{written}\n".encode(), ledger)
        assert byes_in(receipt) == [RESULTS[result]]
        assert ResultRecorded.TYPE not in receipt.counts
        assert PlayerRegistered.TYPE not in receipt.counts
        (note,) = [each for each in receipt.notes if each.message.key == "csv.dummy"]
        assert note.line == 2


def test_a_person_of_the_register_may_have_such_an_id() -> None:
    ledger = empty_ledger()
    imported(b"id,name\nA1,Person One\nBYE,Robert Bye\n", ledger)
    rows = f"{TABLE}T,Cup,2025-03-01,2025-03-02,swiss,classical,1,A1,BYE,1-0\n"
    assert imported(rows.encode(), ledger).counts[ResultRecorded.TYPE] == 1


def test_a_number_of_a_person_and_of_a_dummy_is_refused() -> None:
    for names in (("BYE", "Person, Pat"), ("Person, Pat", "BYE"), ("BYE", "Spielfrei")):
        lines = (player(1, "Person, One"), *(player(2, name) for name in names))
        with pytest.raises(InputRefused) as refusal:
            imported(file(*HEAD, *lines))
        assert "trf.number_twice" in {each.message.key for each in refusal.value.details}


def test_two_dummies_are_refused() -> None:
    rows = f"{TABLE}T,Cup,2025-03-01,2025-03-02,swiss,classical,1,BYE,Freilos,1-0\n"
    with pytest.raises(InputRefused):
        imported(rows.encode())


@pytest.mark.parametrize("name", NAMES)
def test_in_a_table_of_players(name: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        imported(f'id,name\n1,Person One\n7,"{name}"\n'.encode())
    (problem,) = refusal.value.details
    assert (problem.line, problem.message.key) == (3, "csv.no_person")
    assert name in problem.message.within("en")


def test_a_person_may_be_called_so_in_a_table_of_players() -> None:
    assert imported(b"id,name,birth_date\n7,Freilos,1980-01-02\n").events
    assert imported(b"id,name,fide_id\n7,Libre,600104\n").events


def test_at_the_desk() -> None:
    ledger = empty_ledger()
    rows = f"{TABLE}T,Cup,{NOW.date()},{NOW.date()},swiss,classical,1,A1,A2,1-0\n"
    imported(b"id,name\nA1,Person One\nA2,Person Two\n", ledger)
    imported(rows.encode(), ledger)
    for name in NAMES:
        newcomer = RegisterNewcomer(
            tournament="T", identity=Identity(name=name), salt="0" * 32, federation=None,
            on=NOW.date(),
        )  # fmt: skip
        with pytest.raises(Conflict) as refusal:
            register_newcomer(ledger, newcomer, request())
        assert refusal.value.message.key == "player.newcomer_dummy"
    assert register_newcomer(ledger, replace(newcomer, anyway=True), request()).events
    person = Identity(name="Freilos", birth_date="1980-01-02")
    assert register_newcomer(ledger, replace(newcomer, identity=person), request()).events
