"""The calendar as a file for other calendars (iCalendar, RFC 5545)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote

from ledger.forms.page import Say, saying
from ledger.reports.tournament_calendar import CalendarRow, TournamentCalendar
from ledger.terms import CalendarState

_LONGEST: Final = 75  # octets of a line
_CONTINUATION: Final = 0b10  # the first two bits of an octet in the middle of a letter


def calendar_file(
    calendar: TournamentCalendar,
    title: str,
    host: str,
    address: Callable[[str], str],
    recorded_at: dt.datetime,
    language: str,
) -> str:
    """Returns the tournaments of a calendar as events of whole days.

    Args:
        calendar: the tournaments.
        title: what programs call the calendar.
        host: of the site; with the id of a tournament it names the event for ever.
        address: returns the page of a tournament that is open, by its id.
        recorded_at: when what the calendar says was recorded last.
        language: of the descriptions.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//rating-ledger//tournament calendar//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(title)}",
    ]
    stamp = recorded_at.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
    say = saying(language)
    for row in calendar.tournaments:
        lines += ["BEGIN:VEVENT", f"UID:{quote(row.tournament, safe='')}@{host}"]
        lines += [f"DTSTAMP:{stamp}", *_event(row, address, say), "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return "".join(f"{folded_line(line)}\r\n" for line in lines)


def _event(row: CalendarRow, address: Callable[[str], str], say: Say) -> Iterator[str]:
    """Yields what is said of a tournament; its end is the day after the last one."""
    after = row.ends_on + dt.timedelta(days=1)
    yield f"DTSTART;VALUE=DATE:{row.starts_on:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{after:%Y%m%d}"
    yield f"SUMMARY:{escaped(row.name)}"
    places = [place for place in (row.place, row.region) if place]
    if places:
        yield f"LOCATION:{escaped(', '.join(places))}"
    yield f"DESCRIPTION:{escaped(chr(10).join(_description(row, say)))}"
    is_cancelled = row.state is CalendarState.CANCELLED
    yield f"STATUS:{'CANCELLED' if is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    if row.opened:
        yield f"URL:{address(row.tournament)}"


def _description(row: CalendarRow, say: Say) -> Iterator[str]:
    control = (say(f"rate.{row.rate_of_play.value}"), row.time_control)
    yield " · ".join(filter(None, control))
    rounds = say("calendar.rounds", count=row.rounds) if row.rounds else None
    system = say(f"system.{row.system.value.replace('-', '_')}")
    yield " · ".join(filter(None, (system, rounds)))
    if row.chief_arbiter:
        yield say("calendar.arbiter", name=row.chief_arbiter)
    if row.announced_by:
        yield say("calendar.by", name=row.announced_by)


def escaped(text: str) -> str:
    r"""Returns a text as a value (RFC 5545, 3.3.11).

    >>> print(escaped("Talca; Maule, sala 2"))
    Talca\; Maule\, sala 2
    """
    for letter, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(letter, written)
    return text


def folded_line(line: str) -> str:
    r"""Returns a line with breaks, so that none is longer than 75 octets (RFC 5545, 3.1).

    No letter is taken apart.

    >>> [len(part.encode()) for part in folded_line("ñ" * 80).split("\r\n")]
    [74, 75, 13]
    """
    left, parts, room = line.encode(), list[bytes](), _LONGEST
    while len(left) > room:
        end = room
        while left[end] >> 6 == _CONTINUATION:
            end -= 1
        parts.append(left[:end])
        left, room = left[end:], _LONGEST - 1  # a blank begins what goes on
    return b"\r\n ".join([*parts, left]).decode()
