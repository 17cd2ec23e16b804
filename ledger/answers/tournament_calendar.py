"""The calendar of tournaments, and the reports that are waited for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Final
from weakref import WeakKeyDictionary

from ledger.answers.open_events import begun_before_results
from ledger.desk.rounds import is_finished
from ledger.errors import InputRefused
from ledger.events.tournaments import TournamentAnnounced
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import TournamentId
from ledger.journal.records import Head
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
_FINISHED: WeakKeyDictionary[LedgerView, tuple[Head, Mapping[TournamentId, bool | None]]] = (
    WeakKeyDictionary()
)


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
    filters = CalendarAsked(first, last, state, federation, region)
    rows = tuple(filter(filters.fits, _calendar_rows(view, today, first, last)))
    return TournamentCalendar(first, last, today, rows)


def _calendar_rows(
    view: LedgerView, today: dt.date, since: dt.date, until: dt.date
) -> list[CalendarRow]:
    """Return the tournaments of some days; only of those at the desk the records are read."""
    facts = view.facts()
    rows = calendar_rows(AsOf(facts, facts.seq), today, since, until)
    due = {row.tournament for row in rows if row.state in DUE and row.opened}
    finished = _finished_at_desk(view, facts, due)
    return [
        row if row.tournament not in due else _reported(row, finished=finished[row.tournament])
        for row in rows
    ]


def _reported(row: CalendarRow, *, finished: bool | None) -> CalendarRow:
    """Return a row whose report is due, by what ``_finished_at_desk`` says of it."""
    complete = bool(row.complete) if finished is None else finished
    return row.reported(complete=complete, whole=finished is None)


def _finished_at_desk(
    view: LedgerView, facts: Facts, tournaments: Collection[TournamentId]
) -> Mapping[TournamentId, bool | None]:
    """Return whether the events at the desk among some are finished; None of those that came whole.

    Each is read once as long as nothing is recorded.
    """
    head = view.journal.head()
    kept_at, kept = _FINISHED.get(view, (None, {}))
    if kept_at != head:
        kept = {}
    new = [id_ for id_ in tournaments if id_ not in kept]
    at_desk = begun_before_results(view, facts, [facts.tournament_index[id_] for id_ in new])
    records = view.register([f"tournament:{id_}" for id_ in at_desk], facts.seq).tournaments
    finished = {TournamentId(id_): is_finished(record) for id_, record in records.items()}
    kept = {**kept, **dict.fromkeys(new), **finished}
    _FINISHED[view] = head, kept
    return kept


def announced_tournament(view: LedgerView, tournament: str) -> TournamentAnnounced | None:
    """Returns what is announced of a tournament, if it is not open yet and not cancelled."""
    register = view.register([f"tournament:{tournament}"], view.facts().seq)
    known = register.announced(tournament)
    return None if known is None or tournament in register.tournaments else known.event


def reports_due(view: LedgerView, today: dt.date) -> list[CalendarRow]:
    """Return the tournaments of the last year whose reports are waited for, the oldest first."""
    due = [row for row in _calendar_rows(view, today, _before(today), today) if row.state in DUE]
    return sorted(due, key=lambda row: (row.ends_on, row.tournament))


def _before(day: dt.date) -> dt.date:
    """Returns the day a year before, of the first year there is itself."""
    return max(day, dt.date.min + _YEAR) - _YEAR


def _after(day: dt.date) -> dt.date:
    """Returns the day a year after, of the last year there is itself."""
    return min(day, dt.date.max - _YEAR) + _YEAR
