"""The ladders of clubs: places, challenges, and how places were exchanged."""

from __future__ import annotations

import datetime as dt

from fastapi import Request, Response

from ledger.application.commits import last_recorded_on
from ledger.application.ladders import described_ladders, show_ladder
from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.rendering import render

routes = Routes("/ladders")


@routes.get("", PUBLIC)
def ladders(request: Request, view: Asked) -> Response:
    """Lists the ladders."""
    return render(request, "ladders.html", ladders=view.ask(described_ladders))


@routes.get("/{ladder}", PUBLIC)
def ladder(request: Request, view: Asked, ladder: str, on: dt.date | None = None) -> Response:
    """Shows a ladder, by default with the ratings in force when something was recorded last."""
    day = on or view.ask(last_recorded_on)
    made = view.ask(show_ladder, ladder, on=day)
    return render(request, "one_ladder.html", made=made, on=day)
