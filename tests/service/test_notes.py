"""What a receipt or a refusal tells beside the events: floors, first periods; people in CSV."""

from __future__ import annotations

import csv
import datetime as dt
import io

import pytest

from cli.options import Format
from cli.output import emit
from ledger.answers.regulations import adoptions
from ledger.answers.tournaments import tournament_worksheet
from ledger.calendar import Calendar
from ledger.errors import NotFound
from ledger.operations.commands import SeedRating
from ledger.service.ledger import Ledger, Receipt
from ledger.service.lists import adopt_regulation
from ledger.service.seeds import seed_rating
from ledger.views.list_editions import require_period
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    request,
)

FIRST = dt.date(1975, 1, 1)


def notes(receipt: Receipt, language: str = "en") -> list[str]:
    return [note.message.within(language) for note in receipt.notes]


@pytest.fixture
def fide() -> Ledger:
    ledger = empty_ledger()
    define(ledger, "L", regulation="fide-standard", calendar=Calendar.ANNUAL, first_on=FIRST)
    return ledger


class TestFloors:
    def test_of_a_file(self, fide: Ledger) -> None:
        rows = "A,Ana,,,,2199,,9\nB,Beto,,,,2200,,9\nC,Ciro,,,,1900,,9\nD,Dora,,,,,,\n"
        receipt = import_text(fide, PLAYERS_HEADER + rows, list_="L")
        assert notes(receipt) == [
            "ratings below 2200, the floor of the L list of 1976-01-01, do not show: 2"
        ]
        (spanish,) = notes(receipt, "es")
        assert spanish.startswith("los ratings bajo 2200")

    def test_of_one_player(self, fide: Ledger) -> None:
        import_text(fide, PLAYERS_HEADER + "A,Ana,,,,,,\n")
        low = SeedRating(player="A", list="L", rating=1999, games=0, source=None, on=FIRST)
        for dry_run in (True, False):
            (said,) = notes(seed_rating(fide, low, request(dry_run=dry_run)))
            assert said.endswith("do not show: 1")
        # The floor of the list that shows it: in force the day after the period.
        later = SeedRating(
            player="A", list="L", rating=2000, games=0, source=None, on=dt.date(1992, 1, 1)
        )
        assert notes(seed_rating(fide, later, request())) == []

    def test_a_list_without_one(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        assert notes(import_text(ledger, PLAYERS_HEADER + "A,Ana,,,,5,,9\n", list_="ENF")) == []


class TestPeriods:
    def test_an_adoption_says_from_which_one_it_holds(self) -> None:
        ledger = empty_ledger()
        define(ledger, calendar=Calendar.QUARTERLY, first_on=dt.date(2024, 1, 1))
        receipt = adopt_regulation(
            ledger, "ENF", regulation="enf-2010", parameters={"k_new": 25},
            on=dt.date(2024, 2, 10), as_correction=False, request=request(),
        )  # fmt: skip
        assert notes(receipt) == ["ENF follows enf-2010 from period 2024-Q2 on"]
        assert notes(receipt, "es") == ["ENF sigue enf-2010 desde el período 2024-Q2"]
        found = adoptions(ledger, "enf-2010", "ENF")
        assert [each.period for each in found] == ["2024-Q1", "2024-Q2"]
        assert found[1].data()["from_period"] == "2024-Q2"

    def test_one_that_is_not_there(self) -> None:
        ledger = ledger_of("A,1800,30,", "B,1750,30,")
        import_text(ledger, games("T", "1,,A,B,1-0", day="2010-09-10"))
        with pytest.raises(NotFound) as missing:
            require_period(ledger.facts(), "ENF", "2009-12")
        said = missing.value.message
        assert "named like 2010-09; the first is 2010-07" in said.within("en")
        assert "como 2010-09; el primero es 2010-07" in said.within("es")


def test_the_k_of_a_worksheet_where_the_regulation_has_none() -> None:
    ledger = ledger_of("A,1800,30,", "B,1750,30,", "C,1700,30,")
    pairings = ("1,,A,B,1/2-1/2", "2,,B,C,1/2-1/2", "3,,C,A,1/2-1/2")
    import_text(ledger, games("T", *pairings, system="round-robin"))
    assert tournament_worksheet(ledger, "T", "ENF").k == 20
    assert tournament_worksheet(ledger, "T", "ENF", 15).k == 15


def test_a_person_is_two_cells(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, object]] = [
        {"round": 1, "opponent": None, "score": "1"},
        {"round": 2, "opponent": {"id": "A", "name": "Abad, Ana"}, "score": "0"},
    ]
    emit(Format.CSV, {}, rows, lambda _: None)
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == [
        {"round": "1", "opponent": "", "opponent_name": "", "score": "1"},
        {"round": "2", "opponent": "A", "opponent_name": "Abad, Ana", "score": "0"},
    ]
    emit(Format.JSONL, {}, rows[1:], lambda _: None)
    assert '"opponent": {"id": "A"' in capsys.readouterr().out
