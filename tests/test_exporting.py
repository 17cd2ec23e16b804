"""A tournament goes out as a report, and the report says nothing new when it comes back."""

from __future__ import annotations

import pytest

from ledger.application.exporting import tournament_report
from ledger.application.importing import Document, Supplied, import_document
from ledger.application.ledger import Ledger, Request
from ledger.errors import NotFound
from ledger.intake.trf import format as trf_format
from ledger.intake.trf.adjustments import adjustments
from ledger.intake.trf.check import check
from ledger.intake.trf.parse import parse
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text

ABOUT = "T,Torneo de Ñuñoa,2010-07-10,2010-07-12,swiss,rapid,"
ROUNDS = (
    "1,,1,2,1-0", "1,,3,4,1/2-1/2", "2,,4,1,+/-", "2,,2,3,-/-", "3,,1,3,0-1s", "3,,2,,H",
    "3,,4,,U", "4,,1,,Z", "4,,2,4,0-0", "5,,3,1,1/2-0", "5,,2,,F", "5,,4,,Z", "6,,1,2,1-0a",
)  # fmt: skip


def ledger() -> Ledger:
    made = empty_ledger()
    define(made)
    people = (
        "1,Ana María,CHI,w,1990-05-01,1500,,\n2,Beto,,m,1985,1600,,\n"
        "3,Ciro,,,,,,\n4,Dina,,,,1700,,\n"
    )
    import_text(made, PLAYERS_HEADER + people, list_="ENF")
    import_text(made, GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in ROUNDS))
    return made


def test_the_report_is_clean() -> None:
    report = parse(tournament_report(ledger(), "T", "ENF"))
    assert check(report) == []
    assert adjustments(report) == []
    assert [player.rating for player in report.players] == [1500, 1600, None, 1700]
    assert report.players[0].name == "Ana María"
    assert trf_format.format(report) == tournament_report(ledger(), "T", "ENF")


def test_it_says_nothing_new_when_it_comes_back() -> None:
    made = ledger()
    document = Document(
        name="T.trf",
        data=tournament_report(made, "T", None),
        supplied=Supplied(tournament="T"),
    )
    assert import_document(made, document, Request("t", "", "", "")).events == ()


def test_a_tournament_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        tournament_report(ledger(), "X", None)
