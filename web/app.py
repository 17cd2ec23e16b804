"""Puts the site together."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.gzip import GZipMiddleware

from web import assets
from web.access import Account, Identify, Routes
from web.api import description, manual
from web.api import rooms as api
from web.api.door import Door
from web.headers import Guard
from web.jobs import pages as jobs
from web.office.store import Office
from web.pages import (
    audit,
    corrections,
    forms,
    home,
    ladders,
    lists,
    regulations,
    studies,
    tournaments,
)
from web.problems import answer_failures
from web.site import Site

ROOMS: tuple[Routes, ...] = (
    assets.routes,
    home.routes,
    lists.routes,
    forms.routes,
    jobs.routes,
    *api.ROOMS,
    description.routes,
    manual.routes,
    corrections.routes,
    audit.routes,
    regulations.routes,
    ladders.routes,
    studies.routes,
    tournaments.routes,  # last: the id of a tournament may hold a slash
)
_WORTH_PACKING = 1_000  # bytes


def nobody(_request: Request) -> Account | None:
    """Knows nobody: for a site without accounts."""
    return None


def create_app(site: Site, office: Office | None = None, identify: Identify = nobody) -> FastAPI:
    """Returns the application of a site.

    Args:
        site: the ledger.
        office: where accounts are; without one nobody can sign in.
        identify: tells whose request it is.
    """
    app = FastAPI(title="rating-ledger", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.state.office = office
    app.state.identify = identify
    for room in ROOMS:
        app.include_router(room.router)
    answer_failures(app)
    app.add_middleware(Door)
    app.add_middleware(BaseHTTPMiddleware, dispatch=Guard(site.settings))
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_PACKING)
    return app
