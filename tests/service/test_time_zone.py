"""A period is over when its last day is over in the federation's time zone."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from ledger.errors import InputRefused
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.publications import publications
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.service.time_zone import clock_of
from ledger.terms import Rate, System
from tests.ledgers import PLAYERS_HEADER, define, do, import_text, publish_period

OCTOBER = dt.date(2026, 10, 1)


def at(zone: str, local: str) -> Ledger:
    """Returns a ledger with a list from October 2026, where it is so late in a time zone."""
    now = dt.datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
    ledger = Ledger(MemoryJournal(), clock=lambda: now)
    define(ledger, first_on=OCTOBER)
    return ledger


@pytest.mark.parametrize(
    ("zone", "local"),
    [
        ("America/Santiago", "2026-10-30T21:01"),  # in UTC it is the 31st
        ("America/Santiago", "2026-10-31T00:00"),
        ("America/Santiago", "2026-10-31T21:01"),  # in UTC it is November
        ("America/Santiago", "2026-10-31T23:59"),
        ("Pacific/Auckland", "2026-10-31T23:59"),
        ("UTC", "2026-10-31T23:59"),
    ],
)
def test_a_month_is_not_published_on_its_last_day(zone: str, local: str) -> None:
    ledger = at(zone, local)
    with pytest.raises(InputRefused) as refused:
        publish_period(ledger, "2026-10")
    assert refused.value.message.key == "list.not_ended"
    assert f"it is {local[:10]} now" in refused.value.message.within("en")


@pytest.mark.parametrize(
    ("zone", "local"),
    [
        ("America/Santiago", "2026-11-01T00:00"),
        ("Pacific/Auckland", "2026-11-01T00:00"),  # in UTC it is the 31st of October
        ("UTC", "2026-11-01T00:00"),
    ],
)
def test_a_month_is_published_as_soon_as_it_is_over(zone: str, local: str) -> None:
    ledger = at(zone, local)
    publish_period(ledger, "2026-10")
    assert [each.period for each in publications(ledger.facts(), "ENF")] == ["2026-10"]


@pytest.mark.parametrize(
    ("zone", "local", "is_today"),
    [
        ("America/Santiago", "2026-10-30T21:01", False),
        ("Pacific/Auckland", "2026-10-31T00:30", True),
    ],
)
def test_what_is_played_today_is_no_future(zone: str, local: str, *, is_today: bool) -> None:
    ledger, day = at(zone, local), dt.date(2026, 10, 31)
    opened = c.OpenTournament(
        tournament="t", name="T", starts_on=day, ends_on=day, system=System.MATCH,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    import_text(ledger, PLAYERS_HEADER + "A,Ana,,,,,,\nB,Ben,,,,,,\n")
    game = c.RecordGame(tournament="t", round=1, white="A", black="B", result=Result.parse("1-0"))
    do(ledger, opened, *(c.EnterPlayer(tournament="t", player=each) for each in "AB"))
    if is_today:
        do(ledger, game)
        return
    with pytest.raises(InputRefused, match="2026-10-31"):
        do(ledger, game)


def test_what_is_recorded_bears_the_same_instant_in_every_zone() -> None:
    ledger = at("Pacific/Auckland", "2026-11-01T00:00")
    (commit,) = ledger.journal.commits()
    assert commit.recorded_at == "2026-10-31T11:00:00.000000Z"


def test_a_clock_goes_by_its_zone() -> None:
    east, west = clock_of("Etc/GMT-14")(), clock_of("Etc/GMT+12")()
    assert east.date() > west.date(), "they are 26 hours apart"
    assert abs(east - west) < dt.timedelta(minutes=1)
    assert clock_of("UTC")().utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize(
    "zone", ["America/Santigo", "America", "", "../../etc/passwd", "/etc/localtime", "a\0b", "zone"]
)
def test_what_is_no_time_zone_is_refused_with_what_to_do(zone: str) -> None:
    with pytest.raises(InputRefused) as refused:
        clock_of(zone)
    assert "as America/Santiago" in refused.value.message.within("en")
