"""Studies of a list: where its points come from, and what it would be under another regulation."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Query, Request, Response

from ledger.application.list_figures import (
    compare_regulations,
    effort_of,
    monitor_of,
    whole_window,
)
from ledger.application.regulations import regulation_sheet
from ledger.intake.values import parameters_of
from ledger.pictures.comparison import comparison_picture
from ledger.pictures.monitor import monitor_picture
from ledger.reports.comparison import LARGEST
from ledger.reports.comparison_verdict import verdict_of
from web.access import PUBLIC, Routes
from web.language import language_of
from web.pages.pictures import within_page
from web.rendering import render
from web.site import Asked, View

routes = Routes()
MOST_AT_ONCE: Final = 40_000_000
"""What takes more than this is not calculated while somebody waits: see ``effort_of``."""
_COLUMNS: Final = ("rated", "mean", "control_mean", "active", "newcomers", "brought_in", "removed")
_Period = Annotated[str, Query(max_length=40)]


@routes.get("/monitor/{name}", PUBLIC)
def monitor(
    request: Request, view: Asked, name: str, since: _Period = "", until: _Period = "",
    active: bool = False,  # noqa: FBT001, FBT002 - it stands in the query
) -> Response:  # fmt: skip
    """Shows a list's health by period."""
    said: dict[str, Any] = {"name": name, "active": active, "window": _window(view, name)}
    said |= {"since": since or said["window"][0], "until": until or said["window"][1]}
    if _is_long(view, name):
        return render(request, "study_long.html", command=f"monitor {name}", **said)
    made = view.ask(monitor_of, name, since=since or None, until=until or None, active_only=active)
    drawn = within_page(monitor_picture(made, language_of(request)))
    return render(request, "monitor.html", made=made, picture=drawn, columns=_COLUMNS, **said)


@routes.get("/compare/{name}/{regulation}", PUBLIC)
def compare(
    request: Request, view: Asked, name: str, regulation: str, since: _Period = "",
    until: _Period = "", param: Annotated[str, Query(max_length=500)] = "",
) -> Response:  # fmt: skip
    """Shows a list beside what it would be under another regulation.

    ``param`` has its parameters, ``name=value`` with blanks between.
    """
    window = _window(view, name)
    said: dict[str, Any] = {"name": name, "since": since or window[0], "until": until or window[1]}
    said |= {"regulation": regulation, "param": param, "sheet": regulation_sheet(regulation)}
    if _is_long(view, name):
        command = f"regulation compare {name} --with {regulation}"
        return render(request, "study_long.html", command=command, **said)
    made = view.ask(
        compare_regulations, name, regulation=regulation, parameters=parameters_of(param.split()),
        since=said["since"], until=said["until"],
    )  # fmt: skip
    drawn = within_page(comparison_picture(made, language_of(request)))
    largest = made.players.largest(LARGEST)
    return render(
        request, "compare.html", made=made, picture=drawn, largest=largest,
        verdict=verdict_of(made), **said,
    )  # fmt: skip


def _window(view: View, name: str) -> tuple[str, str]:
    return view.ask(whole_window, name)


def _is_long(view: View, name: str) -> bool:
    return view.ask(effort_of, name) > MOST_AT_ONCE
