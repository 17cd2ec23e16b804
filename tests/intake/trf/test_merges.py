"""A report whose players got made-up ids, and what becomes of it when they are found out."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.player_questions import log_of
from ledger.intake.imports import Document, Supplied, import_document
from ledger.intake.report_file import tournament_report
from ledger.operations.commands import MergePlayers
from ledger.service.ledger import Ledger, Receipt, Request
from tests.intake.trf.writing import GOOD, parse
from tests.ledgers import PLAYERS_HEADER, define, do, empty_ledger, import_text

DAY = dt.date(2011, 4, 1)
KNOWN = "990003,Castañeda Ordóñez Inés,ESA,,,,,\n990099,Castañeda I.,ESA,,,1700,,\n"


def take(
    ledger: Ledger,
    text: str,
    *,
    as_correction: bool = False,
    decisions: tuple[tuple[str, str], ...] = (),
) -> Receipt:
    document = Document(
        name="v.trf",
        data=text.encode(),
        list="ENF",
        as_correction=as_correction,
        supplied=Supplied(tournament="V"),
        decisions=decisions,
    )
    return import_document(ledger, document, Request("t", "score sheet", "", ""))


@pytest.fixture
def ledger() -> Ledger:
    """Number 3 of the report came without FIDE number; the id V#3 was merged, and merged again."""
    made = empty_ledger()
    define(made)
    import_text(made, PLAYERS_HEADER + KNOWN, list_="ENF")
    take(made, GOOD.replace("1720", "    "), decisions=(("3", ""),))
    do(made, MergePlayers(player="V#3", into="990003", on=DAY))
    do(made, MergePlayers(player="990003", into="990099", on=DAY))
    return made


def with_number(number: str) -> str:
    """Returns the report with a FIDE number for the player without one."""
    before = f"{'ESA':3} {'':11} "
    assert GOOD.count(before) == 1
    return GOOD.replace(before, f"{'ESA':3} {number:>11} ")


@pytest.mark.parametrize("number", ["", "990003", "990099"])
def test_the_report_again_is_nothing_new(ledger: Ledger, number: str) -> None:
    text = with_number(number)
    assert take(ledger, text + "\n").events == ()
    assert take(ledger, text, as_correction=True).events == ()


@pytest.mark.parametrize("number", ["", "990003", "990099"])
def test_a_corrected_report_changes_what_differs_and_names_who_stays(
    ledger: Ledger, number: str
) -> None:
    text = with_number(number).replace("   4 w =", "   4 w 1").replace("   3 b =   ", "   3 b 0   ")
    assert text != with_number(number)
    text = text.replace(" 0.5    5", " 1.0    5").replace(" 2.5    2", " 2.0    2")
    receipt = take(ledger, text, as_correction=True)
    assert [dated.event.TYPE for dated in receipt.events] == ["result.corrected"]
    assert receipt.events[0].event.model_dump()["white"] == "990099"


def test_a_report_that_is_written_names_who_stays(ledger: Ledger) -> None:
    report = parse(tournament_report(ledger, "V", "ENF"))
    third = next(player for player in report.players if player.number == 3)
    assert (third.fide_id, third.name, third.rating) == ("990099", "Castañeda I.", 1700)


def test_the_log_of_a_person_is_that_of_all_the_ids(ledger: Ledger) -> None:
    logs = [
        log_of(ledger, player=player, tournament=None, since=1)
        for player in ("V#3", "990003", "990099")
    ]
    assert logs[0] == logs[1] == logs[2]
    types = [row.type for row in logs[0]]
    assert types.count("player.registered") == 3
    assert types.count("players.merged") == 2
    assert types.count("player.entered") == 1
