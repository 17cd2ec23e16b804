"""The calendar of tournaments: month by month, and as a file for other calendars."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Final, Literal

from fastapi import Query, Request, Response

from ledger.answers.tournament_calendar import reports_due, tournament_calendar
from ledger.errors import InputRefused
from ledger.forms.calendar_file import calendar_file
from ledger.forms.page import saying
from ledger.reports.tournament_calendar import month_after
from ledger.terms import CalendarState, Role
from ledger.views.view import LedgerView
from web.access import PUBLIC, Routes, account_of, only
from web.asked_view import Asked, site_of
from web.language import language_of
from web.paths import path_of
from web.rendering import render

routes = Routes("/calendar")
_MONTHS: Final = 3  # on a page
_DUE: Final = 100  # reports that are due, on a page
_YEAR: Final = 12  # months before and after, in a file
_FIRST: Final = dt.date(1800, 1, 1)
_LAST: Final = dt.date(2198, 12, 1)
_ANNOUNCE: Final = only(Role.ARBITER, Role.OFFICER, everywhere=True)

State = Annotated[CalendarState | Literal[""], Query(description="Only how far they have come so.")]
Federation = Annotated[str, Query(max_length=3, description="Only of this federation.")]
Region = Annotated[str, Query(max_length=100, description="Only in this region.")]


@routes.get("", PUBLIC)
def calendar(
    request: Request, view: Asked, month: Annotated[str, Query(max_length=10)] = "",
    state: State = "", federation: Federation = "", region: Region = "",
    recorded: Annotated[str, Query(max_length=60)] = "",
) -> Response:  # fmt: skip
    """Shows three months, and officers the reports that are waited for."""
    today = view.ask(_today)
    first = _month(month) or today.replace(day=1)
    words = state or None, federation.strip() or None, region.strip() or None
    last = month_after(first, _MONTHS) - dt.timedelta(days=1)
    account = account_of(request)
    is_officer = account is not None and Role.OFFICER in account.roles
    due = view.ask(reports_due, today) if is_officer else []
    return render(
        request, "calendar.html", calendar=view.ask(tournament_calendar, first, last, *words),
        due=due[:_DUE], due_count=len(due),
        announces=account is not None and _ANNOUNCE.allows(account),
        states=tuple(CalendarState), month=f"{first:%Y-%m}", state=state, federation=federation,
        region=region, was_recorded=bool(recorded),
        earlier=f"{month_after(first, -_MONTHS):%Y-%m}" if first > _FIRST else "",
        later=f"{month_after(first, _MONTHS):%Y-%m}" if first < _LAST else "",
    )  # fmt: skip


def _today(view: LedgerView) -> dt.date:
    return view.today


def _month(text: str) -> dt.date | None:
    """Returns the first day of a month; None where none is said. Raises ``InputRefused``."""
    if not text.strip():
        return None
    try:
        month = dt.date.fromisoformat(f"{text.strip()}-01")
    except ValueError as error:
        raise InputRefused("calendar.no_month", value=text) from error
    if not _FIRST <= month <= _LAST:
        raise InputRefused("calendar.no_month", value=text)
    return month


file_routes = Routes("/calendar.ics")


@file_routes.get("", PUBLIC)
def as_file(
    request: Request, view: Asked,
    state: State = "", federation: Federation = "", region: Region = "",
) -> Response:  # fmt: skip
    """Answers with the tournaments of a year before and after, for other calendars (iCalendar)."""
    today = view.ask(_today)
    words = state or None, federation.strip() or None, region.strip() or None
    first, last = month_after(today, -_YEAR), month_after(today, _YEAR)
    found = view.ask(tournament_calendar, first, last, *words)
    settings, language = site_of(request).settings, language_of(request)
    text = calendar_file(
        found, saying(language)("calendar.title"), settings.host,
        lambda id_: settings.origin + path_of("tournaments", id_),
        view.recorded_at, language,
    )  # fmt: skip
    return Response(text, media_type="text/calendar; charset=utf-8")
