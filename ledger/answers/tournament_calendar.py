"""The calendar of tournaments, and the reports that are waited for."""

from __future__ import annotations

import datetime as dt
from typing import Final

from ledger.answers.open_events import begun_before_results
from ledger.errors import InputRefused
from ledger.events.tournaments import TournamentAnnounced
from ledger.facts.as_of import AsOf
from ledger.reports.tournament_calendar import (
    DUE,
    CalendarAsked,
    CalendarRow,
    TournamentCalendar,
    calendar_rows,
)
from ledger.terms import CalendarState
from ledger.views.view import LedgerView

_YEAR: Final = dt.timedelta(days=365)


def tournament_calendar(
    view: LedgerView,
    since: dt.date | None = None,
    until: dt.date | None = None,
    state: CalendarState | None = None,
    federation: str | None = None,
    region: str | None = None,
) -> TournamentCalendar:
    """Returns the tournaments of some days, as they stand today.

    Without a first day they are those from this month on, of reports that are due those of the last
    year; without a last one those of a year.

    Raises:
        InputRefused: the last day is before the first one.
    """
    today = view.today
    first = since or (_before(today) if state in DUE else today.replace(day=1))
    last = until or _after(first)
    if last < first:
        raise InputRefused("calendar.ends_before_start", start=first, end=last)
    facts = view.facts()
    wanted = CalendarAsked(first, last, state, federation, region)
    return calendar_rows(AsOf(facts, facts.seq), today, wanted)


def announced_tournament(view: LedgerView, tournament: str) -> TournamentAnnounced | None:
    """Returns what is announced of a tournament, if it is not open yet and not cancelled."""
    register = view.register([f"tournament:{tournament}"], view.facts().seq)
    known = register.announced(tournament)
    return None if known is None or tournament in register.tournaments else known.event


def reports_due(view: LedgerView, today: dt.date) -> list[CalendarRow]:
    """Returns the tournaments of the last year whose reports are waited for, the oldest first.

    A report that was imported as a whole waits for nobody, though it is never closed.
    """
    facts = view.facts()
    days = CalendarAsked(_before(today), today)
    found = calendar_rows(AsOf(facts, facts.seq), today, days).tournaments
    due = [row for row in found if row.state in DUE]
    complete = [facts.tournament_index[row.tournament] for row in due if row.complete]
    at_desk = frozenset(begun_before_results(view, facts, complete))
    waiting = (row for row in due if not row.complete or row.tournament in at_desk)
    return sorted(waiting, key=lambda row: (row.ends_on, row.tournament))


def _before(day: dt.date) -> dt.date:
    """Returns the day a year before, of the first year there is itself."""
    return max(day, dt.date.min + _YEAR) - _YEAR


def _after(day: dt.date) -> dt.date:
    """Returns the day a year after, of the last year there is itself."""
    return min(day, dt.date.max - _YEAR) + _YEAR
