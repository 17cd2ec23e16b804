"""The regulations article by article, and the lists that adopted them.

The ladders of clubs: places, challenges, and how places were exchanged.
"""

from __future__ import annotations

import datetime as dt

from fastapi import Request, Response

from ledger.answers.commits import last_recorded_on
from ledger.answers.regulations import adopters, regulation_list, regulation_sheet
from ledger.regulations.description import Clause
from ledger.reports.regulations import anchor
from ledger.service.ladders import described_ladders, show_ladder
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.language import language_of
from web.rendering import render

routes = Routes("/regulations")


@routes.get("", PUBLIC)
def regulations(request: Request, view: Asked) -> Response:
    """Lists the regulations that can be adopted, those of a list first."""
    sheets = [sheet.within(language_of(request)) for sheet in regulation_list()[0]]
    lists = {sheet.id: view.ask(adopters, sheet.id) for sheet in sheets}
    groups = [
        ("page.of_lists", [sheet for sheet in sheets if lists[sheet.id]]),
        ("page.to_adopt", [sheet for sheet in sheets if not lists[sheet.id]]),
    ]
    return render(request, "regulations.html", groups=groups, lists=lists)


@routes.get("/{regulation}", PUBLIC)
def regulation(request: Request, view: Asked, regulation: str) -> Response:
    """Shows a regulation; each article has an anchor."""
    sheet = regulation_sheet(regulation)
    shown = sheet.within(language_of(request))
    clauses: dict[str, list[Clause]] = {}
    for english, clause in zip(sheet.coverage, shown.coverage, strict=True):
        clauses.setdefault(anchor(english.article), []).append(clause)
    return render(
        request, "one_regulation.html", sheet=shown, clauses=clauses,
        adopted=view.ask(adopters, regulation),
    )  # fmt: skip


ladder_routes = Routes("/ladders")


@ladder_routes.get("", PUBLIC)
def ladders(request: Request, view: Asked) -> Response:
    """Lists the ladders."""
    return render(request, "ladders.html", ladders=view.ask(described_ladders))


@ladder_routes.get("/{ladder}", PUBLIC)
def ladder(request: Request, view: Asked, ladder: str, on: dt.date | None = None) -> Response:
    """Shows a ladder, by default with the ratings in force when something was recorded last."""
    day = on or view.ask(last_recorded_on)
    ladder_ = view.ask(show_ladder, ladder, on=day)
    return render(request, "one_ladder.html", made=ladder_, on=day)
