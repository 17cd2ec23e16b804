"""The first page: what lists there are, and where to search."""

from __future__ import annotations

from fastapi import Request, Response

from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.pages.lists import lists_and_newest
from web.rendering import render

routes = Routes()


@routes.get("/", PUBLIC)
def home(request: Request, view: Asked) -> Response:
    """Shows the lists with their newest editions."""
    return render(request, "home.html", **lists_and_newest(view))
