"""What is due: lists whose period is over, and events of the desk that nobody handed in."""

from __future__ import annotations

import datetime as dt

from ledger.answers.agenda import agenda_of
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from tests.ledgers import do, games, import_text, ledger_of, publish_period

AUGUST = dt.date(2010, 8, 20)


def due(ledger: Ledger, day: dt.date) -> list[tuple[str, str, str, int, int]]:
    return [
        (each.kind, each.id, each.name, each.days, each.more) for each in agenda_of(ledger, day).due
    ]


def opened(ledger: Ledger, name: str, day: dt.date) -> None:
    do(ledger, c.OpenTournament(
        tournament=name, name=name.title(), starts_on=day, ends_on=day, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ))  # fmt: skip


def test_a_list_is_due_when_its_period_is_over_until_it_is_published() -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    assert due(ledger, dt.date(2010, 7, 31)) == []
    assert due(ledger, dt.date(2010, 8, 1)) == [("list", "ENF", "2010-07", 0, 0)]
    assert due(ledger, dt.date(2010, 9, 3)) == [("list", "ENF", "2010-07", 33, 1)]
    publish_period(ledger, "2010-07")
    assert due(ledger, dt.date(2010, 9, 3)) == [("list", "ENF", "2010-08", 2, 0)]


def test_an_event_is_due_when_it_is_over_until_it_is_handed_in() -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, games("report", "1,,A,B,1-0"))  # as a whole: nobody waits for it
    opened(ledger, "second", dt.date(2010, 8, 19))
    opened(ledger, "first", dt.date(2010, 8, 10))
    opened(ledger, "old", dt.date(2009, 1, 1))
    reports = [each for each in due(ledger, AUGUST) if each[0] == "report"]
    assert reports == [("report", "first", "First", 10, 0), ("report", "second", "Second", 1, 0)]
    do(ledger, c.CloseTournament(tournament="first", on=AUGUST, anyway=True))
    do(ledger, c.RuleOnTournament(tournament="second", ruling="annul", on=AUGUST))
    assert [each for each in due(ledger, AUGUST) if each[0] == "report"] == []


def test_a_tournament_that_was_announced_and_never_opened_is_due() -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    day = dt.date(2010, 8, 10)
    do(ledger, c.AnnounceTournament(
        tournament="copa", name="Copa", starts_on=day, ends_on=day, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ))  # fmt: skip
    reports = [each for each in agenda_of(ledger, AUGUST).due if each.kind == "report"]
    assert [(each.id, each.days, each.opened) for each in reports] == [("copa", 10, False)]
