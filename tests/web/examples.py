"""An example of every page that has something to be filled in in its address.

A new route with a parameter needs a line here; ``test_every_page.py`` walks through all of them.
Routes of the API are walked through by its own tests.
"""

from __future__ import annotations

from fastapi.routing import APIRoute

from web.access import PUBLIC, access_of
from web.app import ROOMS
from web.assets import asset_path

EXAMPLES: dict[str, tuple[str, ...]] = {
    "/static/{digest}/{name}": (asset_path("style.css"),),
    "/api/v1/problems/{key}": ("/api/v1/problems/player.not_found",),
    "/feeds/players/{player}": ("/feeds/players/3404510",),
    "/feeds/tournaments/{tournament:path}": ("/feeds/tournaments/ymca-2010",),
    "/sitemaps/{what}/{page}": ("/sitemaps/lists/1", "/sitemaps/players/1"),
    "/lists/{name}": ("/lists/ENF",),
    "/lists/{name}/diff": ("/lists/ENF/diff?before=2010-07@1&after=2010-08@1",),
    "/lists/{name}/{period}": ("/lists/ENF/2010-07@1", "/lists/ENF/2010-08"),
    "/lists/{name}/{period}/bytes": ("/lists/ENF/2010-07@1/bytes",),
    "/lists/{name}/{period}/csv": ("/lists/ENF/2010-07@1/csv",),
    "/lists/{name}/{period}/print": ("/lists/ENF/2010-07@1/print?sex=m",),
    "/lists/{name}/{period}/xlsx": ("/lists/ENF/2010-07@1/xlsx",),
    "/lists/{name}/{period}/email": ("/lists/ENF/2010-07/email",),
    "/lists/{name}/{period}/letters": (
        "/lists/ENF/2010-07/letters",
        "/lists/ENF/2010-07/letters?club=",
        "/lists/ENF/2010-07/letters?player=3404510",
    ),
    "/lists/{name}/{period}/json": ("/lists/ENF/2010-07@1/json",),
    "/previews/{secret}": (),  # nobody made a link to a preview there
    "/tournaments/{tournament:path}/forms/certificate/{player}": (
        "/tournaments/ymca-2010/forms/certificate/3404510",
    ),
    "/tournaments/{tournament:path}/forms/report-form": (
        "/tournaments/ymca-2010/forms/report-form",
    ),
    "/tournaments/{tournament:path}/forms/{form}": tuple(
        f"/tournaments/ymca-2010/forms/{form}" for form in ("crosstable", "cards")
    ),
    "/players/{player}": ("/players/3404510",),
    "/players/{player}/against": ("/players/3404510/against?q=a",),
    "/players/{player}/against/{opponent}": ("/players/3404510/against/3405958",),
    "/players/{player}/card.png": (),  # a picture
    "/players/{player}/titles": ("/players/3404510/titles?list=ENF",),
    "/players/{player}/tournaments": ("/players/3404510/tournaments",),
    "/players/{player}/{name}": (),  # leads to a statement
    "/players/{player}/{name}/forecast": (
        "/players/3404510/ENF/forecast?opponents=3405958&ratings=1900,+2000&rating=1950",
    ),
    "/players/{player}/{name}/why": ("/players/3404510/ENF/why?from=2010-07@1&to=2010-07@2",),
    "/players/{player}/{name}/{period}": ("/players/3404510/ENF/2010-07",),
    "/data/{file}": (),  # the site of the example publishes none
    "/corrections/{seq}": ("/corrections/122",),
    "/claim/{secret}": (),  # of whoever made one: see test_claims.py
    "/audit/commits/{number}": ("/audit/commits/7",),
    "/audit/events/{seq}": ("/audit/events/122",),
    "/tile/{path:path}": (),
    "/proofs/events/{seq}": (),  # files; and the site of the example has no checkpoint
    "/proofs/lists/{name}/{period}": (),
    "/proofs/lists/{name}/{period}/{player:path}": (),
    "/regulations/{regulation}": ("/regulations/enf-2010", "/regulations/fide-rapid"),
    "/ladders/{ladder}": (),
    "/monitor/{name}": ("/monitor/ENF",),
    "/compare/{name}/{regulation}": ("/compare/ENF/enf-2010?param=k_others=30",),
    "/t/{tournament:path}/live": ("/t/ymca-2010/live",),
    "/tournaments/{tournament:path}": ("/tournaments/ymca-2010", "/tournaments/agosto-2010"),
    "/tournaments/{tournament:path}/crosstable": ("/tournaments/ymca-2010/crosstable",),
    "/tournaments/{tournament:path}/rounds/{number}": ("/tournaments/ymca-2010/rounds/2",),
    "/tournaments/{tournament:path}/gains": ("/tournaments/ymca-2010/gains",),
    "/tournaments/{tournament:path}/report": ("/tournaments/ymca-2010/report",),
    "/tournaments/{tournament:path}/standings.{form}": (),  # files
    "/tournaments/{tournament:path}/teams": (),
    "/tournaments/{tournament:path}/places/{player:path}": (
        "/tournaments/ymca-2010/places/3404510",
    ),
}
"""Addresses by the path of their route, over the ledger of the shipped example.

That has no ladder and no event of teams: their pages have tests of their own.
"""
ELSEWHERE = frozenset(
    {
        "/sign-in", "/sign-in/oidc", "/sign-in/oidc/callback", "/enrol/{code}",
        "/suggestions", "/logo", "/checkpoint", "/proofs/checkpoint", "/proofs/verify.html",
    }
)  # fmt: skip
"""Pages that need accounts, or what only one person has: see ``tests/web/accounts``.

Parts of the first page: see ``test_first_page.py``. And files to be taken away: see
``test_proofs.py`` and ``tests/proofs/test_page.py``.
"""
MORE: tuple[str, ...] = ("/?as-known-at=100", "/audit/log?player=3404510")
"""Addresses of pages that look otherwise by what is asked for."""


def public_routes() -> list[APIRoute]:
    """Returns the routes that everybody may read and that are none of the API's."""
    return [
        route
        for room in ROOMS
        for route in room.router.routes
        if isinstance(route, APIRoute)
        and "GET" in (route.methods or ())
        and not route.include_in_schema
        and access_of(route.endpoint) == PUBLIC
        and route.path not in ELSEWHERE
    ]


def addresses() -> list[str]:
    """Returns an address of every public route; raises ``KeyError`` where no example is known."""
    found = [
        address
        for route in public_routes()
        for address in (EXAMPLES[route.path] if "{" in route.path else (route.path,))
    ]
    return [*found, *MORE]
