"""The shifts of a dry run, and what they are compared with."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.calendar import Calendar
from ledger.operations.commands import CorrectResult, SetCalendar
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, do, empty_ledger, import_text

CORRECTED = CorrectResult(
    tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
)


def about(tournament: str, month: int, *games: str) -> str:
    """Lines of a tournament: white, black and result of each game."""
    days = f"2010-{month:02}-02,2010-{month:02}-20"
    return "".join(
        f"{tournament},{tournament},{days},swiss,classical,,{round_},,{game}\n"
        for round_, game in enumerate(games, start=1)
    )


@pytest.fixture
def ledger() -> Ledger:
    """A and B play in July; A meets C in August, who meets D, and E, who has no rating."""
    made = empty_ledger()
    define(made)
    rated = "".join(f"{player},{player},CHI,,,1800,40,50\n" for player in "ABCDF")
    import_text(made, f"{PLAYERS_HEADER}{rated}E,E,CHI,,,,,\n", list_="ENF")
    july = about("T1", 7, "A,B,1-0")
    august = about("T2", 8, "A,C,1-0", "C,D,1-0", "D,F,1/2-1/2", "C,E,1-0")
    import_text(made, GAMES_HEADER + july + august)
    return made


def test_a_change_moves_opponents_of_later_months(ledger: Ledger) -> None:
    shifts = do(ledger, CORRECTED, dry_run=True).shifts
    assert shifts is not None
    moved = {(shift.period, shift.id, shift.name) for shift in shifts}
    assert moved >= {("2010-07", "A", "A"), ("2010-07", "B", "B"), ("2010-08", "C", "C")}


def test_periods_of_another_calendar_had_no_ratings(ledger: Ledger) -> None:
    quarterly = SetCalendar(
        list="ENF", calendar=Calendar.QUARTERLY, closes_days_before=0, on=dt.date(2010, 10, 1)
    )
    import_text(ledger, GAMES_HEADER + about("T3", 11, "A,C,1-0"))
    shifts = do(ledger, quarterly, dry_run=True).shifts
    assert shifts is not None
    assert {shift.period for shift in shifts} == {"2010-Q4"}
    assert {shift.before for shift in shifts} == {0}


def test_shifts_can_be_read_again(ledger: Ledger) -> None:
    shifts = do(ledger, CORRECTED, dry_run=True).shifts
    assert shifts is not None
    assert len(list(shifts)) == len(list(shifts)) == len(shifts) > 1
