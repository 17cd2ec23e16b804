"""The calendar as a file holds to RFC 5545, whatever tournaments are called."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ledger.forms.calendar_file import calendar_file, escaped, folded_line
from ledger.identifiers import TournamentId
from ledger.reports.tournament_calendar import CalendarRow, TournamentCalendar
from ledger.terms import CalendarState, Rate, System

DAY = dt.date(2026, 12, 4)
ROW = CalendarRow(
    starts_on=DAY, ends_on=DAY + dt.timedelta(days=2), tournament=TournamentId("copa 2026"),
    name="Copa; Talca, sala 2", state=CalendarState.ANNOUNCED, due_days=None, complete=None,
    rated_in=(), place="Talca", region="Maule", federation="CHI", rate_of_play=Rate.RAPID,
    time_control="10 min + 5 s", system=System.SWISS, rounds=7, chief_arbiter="Paula Ávila",
    announced_by="Club Talca", announced=True, opened=False, players=0,
)  # fmt: skip
LINES = "rapid · 10 min + 5 s;Swiss system · 7 rounds;Arbiter: Paula Ávila;Announced by Club Talca"
DESCRIPTION = LINES.replace(";", "\\n")
AT = dt.datetime(2026, 11, 27, 9, 30, tzinfo=dt.timezone(dt.timedelta(hours=-3)))


def file_of(*rows: CalendarRow, language: str = "en") -> str:
    calendar = TournamentCalendar(DAY, DAY, DAY, rows)
    return calendar_file(
        calendar, "Calendar", "chess.example", lambda id_: f"https://chess.example/t/{id_}", AT,
        language,
    )  # fmt: skip


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def test_an_event_is_as_rfc_5545_wants_it() -> None:
    assert unfolded(file_of(ROW)) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//rating-ledger//tournament calendar//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:Calendar",
        "BEGIN:VEVENT",
        "UID:copa%202026@chess.example",
        "DTSTAMP:20261127T123000Z",
        "DTSTART;VALUE=DATE:20261204",
        "DTEND;VALUE=DATE:20261207",
        "SUMMARY:Copa\\; Talca\\, sala 2",
        "LOCATION:Talca\\, Maule",
        f"DESCRIPTION:{DESCRIPTION}",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


def test_what_is_open_has_an_address_and_what_is_cancelled_says_so() -> None:
    lines = unfolded(file_of(replace(ROW, opened=True, state=CalendarState.CANCELLED)))
    assert "URL:https://chess.example/t/copa 2026" in lines
    assert "STATUS:CANCELLED" in lines


def test_it_speaks_the_language_of_who_asks() -> None:
    assert "Anunciado por Club Talca" in "".join(unfolded(file_of(ROW, language="es")))


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=300))
def test_no_line_is_too_long_and_none_is_lost(name: str) -> None:
    text = file_of(replace(ROW, name=name))
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert f"SUMMARY:{escaped(name)}" in unfolded(text)


@given(st.text(st.characters(exclude_characters="\r")))
def test_what_is_escaped_can_be_read_again(text: str) -> None:
    parts = escaped(text).split("\\\\")
    read = "\\".join(
        part.replace("\\n", "\n").replace("\\;", ";").replace("\\,", ",") for part in parts
    )
    assert read == text
    assert "\n" not in escaped(text)


def test_a_line_is_folded_between_letters() -> None:
    parts = folded_line("SUMMARY:" + "♔" * 60).split("\r\n")
    assert [part[:1] for part in parts[1:]] == [" ", " "]
    assert "".join([parts[0], *(part[1:] for part in parts[1:])]) == "SUMMARY:" + "♔" * 60
