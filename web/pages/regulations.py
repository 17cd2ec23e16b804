"""The regulations article by article, and the lists that adopted them."""

from __future__ import annotations

from fastapi import Request, Response

from ledger.application.regulations import adopters, regulation_list, regulation_sheet
from ledger.reports.regulations import anchor
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.rendering import render

routes = Routes("/regulations")


@routes.get("", PUBLIC)
def regulations(request: Request, view: Asked) -> Response:
    """Lists the regulations that can be adopted."""
    sheets, _ = regulation_list()
    lists = {sheet.id: [*view.ask(adopters, sheet.id)] for sheet in sheets}
    return render(request, "regulations.html", sheets=sheets, lists=lists)


@routes.get("/{regulation}", PUBLIC)
def regulation(request: Request, view: Asked, regulation: str) -> Response:
    """Shows a regulation; each article has an anchor."""
    sheet = regulation_sheet(regulation)
    articles = dict.fromkeys(clause.article for clause in sheet.coverage)
    clauses = {
        article: [clause for clause in sheet.coverage if clause.article == article]
        for article in articles
    }
    return render(
        request, "one_regulation.html", sheet=sheet, clauses=clauses, anchor=anchor,
        adopted=view.ask(adopters, regulation),
    )  # fmt: skip
