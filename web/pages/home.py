"""The first page: what lists there are, and where to search.

The demonstration in the browser: a page that shows what each of its steps shows.
"""

from __future__ import annotations

import shlex
from typing import Final

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from ledger.examples.steps import NEWCOMER, RUIZ, STEPS
from web.access import PUBLIC, Routes
from web.asked_view import Asked, site_of
from web.pages.lists import lists_and_newest
from web.rendering import render

routes = Routes()


@routes.get("/", PUBLIC)
def home(request: Request, view: Asked) -> Response:
    """Shows the lists with their newest editions."""
    return render(request, "home.html", **lists_and_newest(view))


demonstration_routes = Routes()

PAGES: Final = {
    "demo.init": "/audit/commits/1",
    "demo.define": "/lists/ENF?as-known-at=2",
    "demo.players": "/players?as-known-at=41",
    "demo.import": "/tournaments/ymca-2010?as-known-at=100",
    "demo.publish": "/audit/commits/4",
    "demo.show": "/lists/ENF/2010-07@1",
    "demo.explain": f"/players/{RUIZ}/ENF/2010-07?as-known-at=101",
    "demo.newcomer": f"/players/{NEWCOMER}/ENF/2010-07?as-known-at=101",
    "demo.second": "/tournaments/agosto-2010?as-known-at=120",
    "demo.second_list": "/lists/ENF/2010-08@1",
    "demo.first_rating": f"/players/{NEWCOMER}/ENF/2010-08?as-known-at=121",
    "demo.preview": "/corrections/122",
    "demo.correct": "/audit/commits/7",
    "demo.restated": "/lists/ENF?as-known-at=122",
    "demo.edition": "/lists/ENF/2010-07@2",
    "demo.cascade": "/lists/ENF/2010-08@2",
    "demo.diff": "/lists/ENF/diff?before=2010-07@1&after=2010-07@2",
    "demo.why": f"/players/{RUIZ}/ENF/why?from=2010-07@1&to=2010-08@2",
    "demo.history": f"/players/{RUIZ}/ENF",
    "demo.regenerate": "/lists/ENF/2010-07@1/bytes",
    "demo.regenerate_second": "/lists/ENF/2010-07@2/bytes",
    "demo.verify": "/audit",
}
"""By the heading of the step; seqs are those of the demonstration, the same each time."""


@demonstration_routes.get("/demo", PUBLIC)
def demonstration(request: Request, _view: Asked) -> Response:
    """Shows the steps, where the ledger of the demonstration is served.

    Each leads to a page at the seq of the step, whatever seq is asked for.
    """
    if not site_of(request).settings.demo:
        raise HTTPException(404)
    steps = [(each.heading, shlex.join(each.words), PAGES[each.heading]) for each in STEPS]
    return render(request, "demonstration.html", steps=steps)
