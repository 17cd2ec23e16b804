"""The pages that explain the site: how to use it, and what it keeps about people."""

from __future__ import annotations

from fastapi import Request, Response

from web.access import PUBLIC, Routes
from web.asked_view import Asked
from web.rendering import render

routes = Routes()


@routes.get("/help", PUBLIC)
def help_page(request: Request, view: Asked) -> Response:
    """Show what can be found on the site, where the documentation is and whom to ask."""
    del view  # the page says the same at every state
    return render(request, "help.html", claims=request.app.state.office is not None)


@routes.get("/privacy", PUBLIC)
def privacy(request: Request, view: Asked) -> Response:
    """Show what everybody sees of a person, for how long, and how to be erased."""
    del view
    return render(request, "privacy.html")
