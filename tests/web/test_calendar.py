"""The calendar on the site: its page, its file, and the forms of those who announce."""

from __future__ import annotations

import datetime as dt

import pytest
from fastapi.testclient import TestClient

from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.terms import Rate, Role
from tests.ledgers import NOW, do, empty_ledger
from tests.web.conftest import ORIGIN, Browse, Open
from tests.web.filling import form_of, sent
from tests.web.support import read

MARKUP = "<i>'&"


def announce(tournament: str, start: str, end: str, **others: object) -> c.AnnounceTournament:
    return c.AnnounceTournament(
        tournament=tournament, name=f"{tournament} {MARKUP}",
        starts_on=dt.date.fromisoformat(start), ends_on=dt.date.fromisoformat(end),
        rate_of_play=Rate.RAPID, **others,  # type: ignore[arg-type]  # of its fields
    )  # fmt: skip


@pytest.fixture
def ledger() -> Ledger:
    ledger = empty_ledger()
    do(
        ledger,
        announce("copa", "2026-01-10", "2026-01-11", region="Maule", federation="CHI", rounds=5),
        announce("verano", "2026-02-27", "2026-03-02", place="La Serena"),
        announce("abril", "2026-04-01", "2026-04-01"),
        announce("vieja", "2025-12-20", "2025-12-21", chief_arbiter="Paula Ávila"),
        c.OpenTournament(tournament="verano"),
        c.GrantRole(account="max", role=Role.ARBITER),
        c.GrantRole(account="eva", role=Role.ARBITER, tournament="verano"),
    )
    return ledger


@pytest.fixture
def site(browse: Browse, ledger: Ledger) -> TestClient:
    return browse(ledger)


def test_everybody_sees_three_months(site: TestClient) -> None:
    page = site.get("/calendar").text
    assert "January 2026" in page
    assert "March 2026" in page
    assert "10–11 January" in page
    assert "27 February – 2 March" in page
    assert "abril" not in page
    assert "Reports due" not in page
    assert "/calendar/announce" not in page
    assert 'href="/tournaments/verano"' in page
    assert 'href="/tournaments/copa"' not in page  # there is no page of it yet
    assert "month=2025-10" in page
    assert "month=2026-04" in page
    later = site.get("/calendar?month=2026-04&lang=es").text
    assert "Abril de 2026" in later
    assert "1 de abril" in later
    assert "No hay nada anunciado" in later


def test_it_is_cut(site: TestClient) -> None:
    assert "verano" not in site.get("/calendar?region=maule&federation=chi&state=announced").text
    assert "copa" not in site.get("/calendar?region=norte").text
    late = site.get("/calendar?month=2025-12&state=late").text
    assert "vieja" in late
    assert "copa" not in late


@pytest.mark.parametrize("month", ["2026-13", "x", "1799-01", "2199-01"])
def test_what_is_no_month_is_refused(site: TestClient, month: str) -> None:
    answer = site.get(f"/calendar?month={month}")
    assert answer.status_code == 422
    assert f"&#39;{month}&#39; is no month" in answer.text


def test_it_is_another_page_on_another_day(site: TestClient, ledger: Ledger) -> None:
    days = [0]
    ledger.clock = lambda: NOW + dt.timedelta(days=days[0])
    answer = site.get("/calendar?month=2026-01")
    again = {"If-None-Match": answer.headers["ETag"]}
    assert site.get("/calendar?month=2026-01", headers=again).status_code == 304
    days[0] = 9
    after = site.get("/calendar?month=2026-01", headers=again)
    assert after.status_code == 200
    assert "being played" in after.text


def test_other_calendars_get_a_file(site: TestClient) -> None:
    answer = site.get("/calendar.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    events = answer.text.split("BEGIN:VEVENT\r\n")[1:]
    assert [event.splitlines()[0] for event in events] == [
        f"UID:{id_}@testserver" for id_ in ("vieja", "copa", "verano", "abril")
    ]
    assert f"URL:{ORIGIN}/tournaments/verano\r\n" in events[2]
    assert "DTSTAMP:20260101T120000Z\r\n" in events[0]
    some = site.get("/calendar.ics?region=maule").text
    assert some.count("BEGIN:VEVENT") == 1
    again = {"If-None-Match": answer.headers["ETag"]}
    assert site.get("/calendar.ics", headers=again).status_code == 304


def test_programs_ask_for_it(site: TestClient) -> None:
    answer = site.get("/api/v1/calendar?from=2025-12-01&to=2026-01-31").json()
    rows = {row["tournament"]: row for row in answer["tournaments"]}
    assert (answer["from"], answer["to"], answer["on"]) == (
        "2025-12-01",
        "2026-01-31",
        "2026-01-01",
    )
    assert {id_: row["state"] for id_, row in rows.items()} == {
        "copa": "announced",
        "vieja": "late",
    }
    assert rows["vieja"]["due_days"] == 11
    assert site.get("/api/v1/calendar?state=gone").status_code == 422
    assert site.get("/api/v1/calendar?from=2026-02-01&to=2026-01-01").status_code == 422


def test_officers_see_which_reports_are_due(sign_in: Open, ledger: Ledger) -> None:
    page = sign_in(ledger, "ana", Role.OFFICER).get("/calendar").text
    assert "Reports due: 1 tournament" in page
    assert "report late, last day 11 days ago" in page
    assert "Paula Ávila" in page
    arbiter = sign_in(ledger, "max", Role.ARBITER).get("/calendar").text
    assert "Reports due" not in arbiter
    assert "/calendar/announce?tournament=copa" in arbiter
    assert "/calendar/announce?tournament=verano" not in arbiter
    assert "/calendar/announce" not in sign_in(ledger, "eva", Role.ARBITER).get("/calendar").text


def test_an_arbiter_announces_changes_cancels_and_opens(sign_in: Open, ledger: Ledger) -> None:
    desk = sign_in(ledger, "max", Role.ARBITER)
    form = form_of(desk.get("/calendar/announce").text, "/calendar/announce")
    answer = sent(desk, form, name="Abierto Ñuble", starts_on="2026-01-17", rounds="6")
    assert str(answer.url).startswith(f"{ORIGIN}/calendar?month=2026-01&recorded=")
    assert 'href="/calendar?month=2026-04" rel="next"' in answer.text
    assert "Recorded." in answer.text
    assert "17 January" in answer.text
    address = "/calendar/announce?tournament=abierto-nuble-2026-01-17"
    form = form_of(desk.get(address).text, "/calendar/announce")
    refused = sent(desk, form)
    assert "is announced so already" in refused.text
    assert "Abierto Ñuble" in refused.text
    assert sent(desk, form, rounds="7").status_code == 200
    opening = form_of(desk.get("/desk/new?tournament=abierto-nuble-2026-01-17").text, "/desk/new")
    assert sent(desk, opening).status_code == 200
    record = ledger.tournament("abierto-nuble-2026-01-17", ledger.journal.head().seq)
    assert record is not None
    assert (record.version.name, record.version.rounds) == ("Abierto Ñuble", 7)
    form = form_of(desk.get("/calendar/announce?tournament=copa").text, "/calendar/cancel")
    refused = sent(desk, form, reason=" ")
    assert (refused.status_code, "why" in refused.text) == (422, True)
    assert sent(desk, form, reason="No hay sala").status_code == 200
    assert "cancelled" in desk.get("/calendar?region=maule").text


def test_what_is_announced_is_not_opened_unseen(sign_in: Open, ledger: Ledger) -> None:
    desk = sign_in(ledger, "max", Role.ARBITER)
    form = form_of(desk.get("/desk/new").text, "/desk/new")
    answer = sent(desk, form, name="Other", tournament="copa", start="2026-01-10")
    assert answer.status_code == 422
    assert "copa is announced in the calendar" in answer.text
    refused = sent(desk, form_of(answer.text, "/desk/new"), rounds="x", place="Curicó")
    assert refused.status_code == 422
    assert 'value="Curicó"' in refused.text
    assert sent(desk, form_of(refused.text, "/desk/new"), rounds="5").status_code == 200
    record = ledger.tournament("copa", ledger.journal.head().seq)
    assert record is not None
    assert record.version.rate_of_play is Rate.RAPID  # not what a form offers at first


def test_of_many_reports_the_oldest_are_shown(sign_in: Open, ledger: Ledger) -> None:
    do(ledger, *(announce(f"t{n}", "2025-12-24", "2025-12-24") for n in range(104)))
    page = sign_in(ledger, "ana", Role.OFFICER).get("/calendar").text
    assert "Reports due: 105 tournaments" in page
    assert "And 5 more." in page
    assert "vieja" in page


def test_what_is_wrong_with_an_announcement_is_told_beside_what_was_typed(
    sign_in: Open, ledger: Ledger
) -> None:
    desk = sign_in(ledger, "max", Role.ARBITER)
    form = form_of(desk.get("/calendar/announce").text, "/calendar/announce")
    answer = sent(desk, form, name="Copa", starts_on="2026-02-30", rate_of_play="rapid")
    assert answer.status_code == 422
    assert "2026-02-30" in answer.text
    assert 'value="Copa"' in answer.text


def test_what_was_rated_says_the_lists_in_words(demo: TestClient) -> None:
    assert "rated: ENF July 2010" in read(demo, "/calendar?month=2010-07")
