"""Every route for everybody who may come: nobody, each role, programs with tokens of each scope."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from ledger.terms import Role
from ledger.wording import Message
from tests.ledgers import empty_ledger
from tests.web.access_table import Row, routes, rows
from tests.web.conftest import ORIGIN
from tests.web.offices import new_office
from web.access import Account, access_of, known_scopes
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

ALL_ROLES = frozenset(Role)
EVERYWHERE = "arbiter-everywhere"
SCOPES = sorted({row.scope for row in rows().values() if row.scope} | {"no-such-scope"})
COMERS: dict[str, Account | None] = {
    "nobody": None,
    "no role": Account("ana", frozenset()),
    **{role.value: Account("ana", frozenset({role})) for role in Role},
    "arbiter of some": Account("ana", frozenset({Role.ARBITER}), tournaments=frozenset({"t"})),
    "program of an arbiter of some": Account(
        "ana",
        frozenset({Role.ARBITER}),
        by_token=True,
        scopes=frozenset(SCOPES),
        tournaments=frozenset({"t"}),
    ),
    "program without scopes": Account("ana", ALL_ROLES, by_token=True),
    **{
        f"program: {scope}": Account("ana", ALL_ROLES, by_token=True, scopes=frozenset({scope}))
        for scope in SCOPES
    },
    **{
        f"program of a roleless account: {scope}": Account(
            "ana", frozenset(), by_token=True, scopes=frozenset({scope})
        )
        for scope in SCOPES
    },
}
PARAMETER = re.compile(r"\{[^}]*\}")


def is_let_in(comer: Account | None, row: Row) -> bool:
    """Whether somebody may use a route, as the table means it."""
    if row.who == {"everybody"}:
        return True
    if comer is None:
        return False
    words = {role.value for role in comer.roles}
    if comer.tournaments is None and Role.ARBITER in comer.roles:
        words.add(EVERYWHERE)
    has_role = row.who == {"people"} or bool(row.who & words)
    return has_role and (not comer.by_token or row.scope in comer.scopes)


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    missing = sorted(routes().keys() - rows().keys())
    lines = "\n".join(f"{access_of(routes()[key].endpoint)} {' '.join(key)}" for key in missing)
    assert missing == [], f"write into tests/web/access_table.py what is meant:\n{lines}"
    assert rows().keys() - routes().keys() == set(), "lines of routes that are not there"


def test_every_row_speaks_of_roles_that_there_are() -> None:
    words = {"everybody", "people", EVERYWHERE, *(role.value for role in Role)}
    assert {word for row in rows().values() for word in row.who} <= words


def test_every_scope_has_a_sentence() -> None:
    for scope in known_scopes():
        assert Message.of(f"scope.{scope}").within("es"), "write it into ledger/wording"


@pytest.mark.parametrize("comer", COMERS)
def test_the_routes_say_what_the_table_says(comer: str) -> None:
    who = COMERS[comer]
    for key, row in rows().items():
        assert access_of(routes()[key].endpoint).allows(who) == is_let_in(who, row), key


def test_an_arbiter_of_some_tournaments_reaches_no_other(tmp_path: Path) -> None:
    limited = COMERS["arbiter of some"]
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    app = create_app(Site(empty_ledger(), settings), identify=lambda _request: limited)
    client = TestClient(app, ORIGIN, headers={"sec-fetch-site": "same-origin"})
    at_one = [key for key in rows() if key[1].startswith("/desk/{tournament")]
    assert len(at_one) > 20
    for method, path in at_one:
        answer = client.request(method, PARAMETER.sub("x", path), data={"key": "k"})
        assert answer.status_code == 403, (method, path)


@pytest.mark.slow  # a thousand requests
@pytest.mark.parametrize("comer", COMERS)
def test_who_is_not_let_in_comes_no_further(comer: str, tmp_path: Path) -> None:
    who = COMERS[comer]

    def identify(_request: Request) -> Account | None:
        return who

    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    office = new_office(tmp_path)
    app = create_app(Site(empty_ledger(), settings), office, identify)
    client = TestClient(app, base_url=ORIGIN, raise_server_exceptions=False, follow_redirects=False)
    client.headers["sec-fetch-site"] = "same-origin"
    for (method, path), row in rows().items():
        if is_let_in(who, row):
            continue
        answer = client.request(method, PARAMETER.sub("x", path))
        if who is not None:
            assert answer.status_code == 403, (method, path)
        elif path.startswith("/api/"):
            assert answer.status_code == 401, (method, path)
        else:
            assert answer.status_code == 303, (method, path)
            assert answer.headers["location"].startswith("/sign-in?next="), (method, path)
        assert answer.headers["cache-control"] == "no-store", (method, path)
    office.close()
