"""Every form into which something can be typed: what is refused comes back as it was typed.

The forms are those that an officer finds by following links from a few pages.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.routing import Match, Route

from ledger.operations import commands as c
from ledger.service.desk import publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, Role, System
from tests.ledgers import do, empty_ledger, import_text, request
from tests.reports.test_standings import DAY
from tests.web.conftest import ORIGIN
from tests.web.filling import Answer, PageForm, forms_of
from tests.web.offices import new_office
from web.access import Account
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

FIRST_PAGES = ("/", "/office", "/desk", "/submissions", "/corrections/new", "/sign-in?next=/")
LINK = re.compile(r'href="(/[^"#]*)"')
MOST = 12  # pages of one route that are opened
WORD = "<☃> & no"  # neither a name, nor a figure, nor a day
SECRETS = {"code", "password"}  # never written into a page
CALLED = {
    "/accounts", "/accounts/{account}/grant", "/accounts/{account}/reset",
    "/accounts/{account}/revoke", "/account/password", "/account/tokens", "/webhooks",
}  # fmt: skip
"""Ask for a new sign-in first, over which they are kept: ``accounts/test_kept_forms.py``."""
CONTENT = {
    "/desk/{tournament:path}/entries": "a search that finds nobody",
    "/desk/{tournament:path}/rounds/{number}/withdraw": "a reason may be any words",
    "/desk/{tournament:path}/ruling": "a reason may be any words",
}
"""What takes every word, and why."""


@pytest.fixture
def site(tmp_path: Path) -> TestClient:
    """A site with a Swiss of four in its first round, for somebody who may do everything."""
    ledger = _event()

    def identify(_request: Request) -> Account:
        return Account("ana", frozenset(Role))

    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    app = create_app(Site(ledger, settings), new_office(tmp_path), identify)
    headers = {"sec-fetch-site": "same-origin"}
    return TestClient(app, ORIGIN, raise_server_exceptions=False, headers=headers)


def _event() -> Ledger:
    ledger = empty_ledger()
    import_text(ledger, "id;name\n" + "".join(f"{one};Player {one}\n" for one in "ABCDEF"))
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="T", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in "ABCD"),
        c.GrantRole(account="eva", role=Role.ARBITER, tournament="t"),
    )  # fmt: skip
    publish_round(ledger, c.PairRound(tournament="t"), request())
    return ledger


def test_what_is_refused_comes_back_as_it_was_typed(site: TestClient) -> None:
    found = _forms(site)
    routes = {route for route, _ in found}
    assert len(found) > 20
    assert routes > CALLED | CONTENT.keys()
    for (route, _), form in found.items():
        answer = _wrongly_filled(site, form)
        if route in CALLED:
            assert answer.headers["location"].startswith("/sign-in?next="), route
        elif route in CONTENT or _is_handed_in(answer):
            assert answer.status_code in {200, 303}, route
        else:
            assert answer.status_code == 422, (route, answer.status_code)
            assert _lost(answer.text, form) <= SECRETS, route
            assert WORD not in answer.text, route


def _is_handed_in(answer: Answer) -> bool:
    """Whether it became a submission, whose page names what is wrong and has it mended."""
    return str(answer.headers.get("location", "")).startswith("/submissions/")


def _forms(site: TestClient) -> dict[tuple[str, frozenset[str]], PageForm]:
    """Returns the forms with something to type by their route and fields; follows the links."""
    waiting, opened = deque(FIRST_PAGES), Counter[str]()
    seen = set(FIRST_PAGES)
    found: dict[tuple[str, frozenset[str]], PageForm] = {}
    while waiting:
        address = waiting.popleft()
        answer = site.get(address)
        assert answer.status_code < 500, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for form in forms_of(answer.text):
            form.action = form.action or address
            if form.method == "post" and form.typed:
                key = _route(site, "POST", form.action), frozenset(form.typed)
                found.setdefault(key, form)
        for link in map(unescape, LINK.findall(answer.text)):
            route = _route(site, "GET", link)
            if link not in seen and opened[route] < MOST:
                opened[route] += 1
                seen.add(link)
                waiting.append(link)
    return found


def _route(site: TestClient, method: str, address: str) -> str:
    """Returns the path of the route that answers at an address."""
    assert isinstance(site.app, FastAPI)
    path = address.split("?", maxsplit=1)[0]
    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
    for route in site.app.routes:
        if isinstance(route, Route) and route.matches(scope)[0] is Match.FULL:
            return route.path
    return ""


def _wrongly_filled(site: TestClient, form: PageForm) -> Answer:
    """Sends a form with the same word in every field into which something can be typed."""
    data: dict[str, list[str]] = {}
    for name, value in [*form.filled(dict.fromkeys(form.typed, WORD)), *form.buttons[:1]]:
        data.setdefault(name, []).append(value)
    return site.post(form.action, data=data, follow_redirects=False)


def _lost(page: str, form: PageForm) -> set[str]:
    """Returns the fields of a form that the page does not show as they were typed."""
    again = [one for one in forms_of(page) if one.action in {form.action, ""}]
    kept = {name for one in again for name in form.typed if one.value(name) == WORD}
    return form.typed - kept
