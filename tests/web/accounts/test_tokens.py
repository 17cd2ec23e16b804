"""API tokens: what a program shows instead of signing in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import Request

from ledger.service.accounts import grant_role, revoke_role
from ledger.terms import Role
from tests.ledgers import request
from tests.web.accounts.conftest import Person, Town
from tests.web.filling import form_of
from web import access
from web.access import Routes, account_of, only
from web.office import tokens

_TOKEN = re.compile(r"<code>(rlt_[^<]+)</code>")


@pytest.fixture
def town(town: Town) -> Iterator[Town]:
    """A site with a route for programs of officers, and one that says which scopes a token has."""
    routes = Routes("/api/v1/tried")

    def tried(request: Request) -> str:
        account = account_of(request)
        assert account is not None
        return account.name

    def scopes(request: Request) -> list[str]:
        account = account_of(request)
        assert account is not None
        return sorted(account.scopes)

    routes.get("", only(Role.OFFICER, scope="submissions"))(tried)
    routes.get("/scopes", only(Role.ARBITER, scope="tournaments"))(scopes)
    town.app.include_router(routes.router)
    yield town
    del access._ACCESS[tried], access._ACCESS[scopes]


def made(ana: Person, scope: str = "submissions", days: str = "30") -> str:
    """Returns a token that somebody makes."""
    page = ana.browser.post("/account/tokens", name="robot", days=days, scope=scope)
    found = _TOKEN.search(page.text)
    assert found, page.text
    return found[1]


def tried(town: Town, token: str, path: str = "/api/v1/tried") -> int:
    """Returns how a program is answered that shows a token."""
    client = town.browser().client
    return client.get(path, headers={"authorization": f"Bearer {token}"}).status_code


def test_a_token_lets_a_program_do_what_its_scope_and_its_account_may(town: Town) -> None:
    ana, eva = town.person("ana", Role.OFFICER), town.person("eva", Role.AUDITOR)
    assert tried(town, made(ana)) == 200
    assert tried(town, made(eva)) == 403


def test_it_does_nothing_else(town: Town) -> None:
    token = made(town.person("ana", Role.OFFICER, Role.ADMINISTRATOR))
    for path in ("/account", "/accounts"):
        assert tried(town, token, path) == 403


def test_the_scope_that_it_lacks_is_named(town: Town) -> None:
    pat = town.person("pat", Role.ADMINISTRATOR, Role.OFFICER)
    client = town.browser().client
    for scope, status in (("accounts", 200), ("submissions", 403)):
        shown = {"authorization": f"Bearer {made(pat, scope)}"}
        answer = client.get("/api/v1/accounts", headers=shown)
        assert answer.status_code == status
    assert "does not have the scope accounts" in answer.json()["detail"]


def test_it_is_shown_once_and_kept_as_a_digest(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    token = made(ana)
    assert token not in ana.browser.get("/account").text
    assert "robot" in ana.browser.get("/account").text
    with town.office.reading() as connection:
        assert token not in str(connection.exec_driver_sql("SELECT * FROM tokens").all())


def test_it_is_used_until_it_expires_and_that_is_seen(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    token = made(ana, days="1")
    town.clock.pass_by(hours=23)
    assert tried(town, token) == 200
    ana.sign_in()
    assert "2 March 2026, 11:00" in ana.browser.get("/account").text
    town.clock.pass_by(hours=1)
    assert tried(town, token) == 401
    assert "Expired" in ana.browser.get("/account").text


def test_it_ends_with_a_revocation_but_not_with_a_grant(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER, Role.AUDITOR)
    token = made(ana)
    grant_role(town.ledger, "ana", Role.ARBITER, request=request())
    assert tried(town, token) == 200
    revoke_role(town.ledger, "ana", Role.AUDITOR, request=request())
    assert tried(town, token) == 401
    grant_role(town.ledger, "ana", Role.AUDITOR, request=request())
    assert tried(town, token) == 401


def scopes_kept(town: Town, account: str) -> list[frozenset[str]]:
    """Returns the scopes of each token of an account."""
    with town.office.reading() as connection:
        return [each.scopes for each in tokens.tokens_of(connection, account)]


def test_it_has_no_scope_that_the_roles_of_its_owner_lack(town: Town) -> None:
    eva = town.person("eva", Role.ARBITER)
    page = eva.browser.get("/account").text
    assert 'value="tournaments"' in page
    assert 'value="players"' not in page
    refused = eva.browser.post("/account/tokens", name="robot", days="3", scope="players")
    assert refused.status_code == 422
    assert "the scope players" in refused.text
    assert scopes_kept(town, "eva") == []
    made(eva, "tournaments")
    assert scopes_kept(town, "eva") == [frozenset({"tournaments"})]


def test_it_does_not_outlive_the_role_for_which_it_was_being_made(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = town.person("ana", Role.OFFICER, Role.ARBITER)
    add = tokens.add

    def late(*said: Any, **named: Any) -> str:
        revoke_role(town.ledger, "ana", Role.OFFICER, request=request())
        return add(*said, **named)

    monkeypatch.setattr(tokens, "add", late)
    token = made(ana, "submissions")
    assert tried(town, token) == 401
    grant_role(town.ledger, "ana", Role.OFFICER, request=request())
    assert tried(town, token) == 401
    assert scopes_kept(town, "ana") == []


def test_a_scope_that_was_kept_without_the_role_is_none(town: Town) -> None:
    town.person("eva", Role.ARBITER)
    both = frozenset({"tournaments", "players"})
    with town.office.writing() as connection:  # as an earlier version of this software did
        now = town.office.now()
        secret = tokens.add(connection, "eva", "old", both, seq=town.ledger.journal.head().seq,
                            now=now, expires_at=now + 999)  # fmt: skip
    shown = {"authorization": f"Bearer {secret}"}
    answer = town.browser().client.get("/api/v1/tried/scopes", headers=shown)
    assert answer.json() == ["tournaments"]


def test_its_owner_ends_it_and_nobody_else(town: Town) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    token = made(ana)
    with town.office.reading() as connection:
        (kept,) = tokens.tokens_of(connection, "ana")
    luis.browser.post("/account/tokens/end", token=kept.id)
    assert tried(town, token) == 200
    ana.browser.post("/account/tokens/end", token=kept.id)
    assert tried(town, token) == 401


@pytest.mark.parametrize("typed", [{"days": "0"}, {"days": "9999"}, {"name": " "}, {"scope": "no"}])
def test_what_makes_no_sense_is_not_made(town: Town, typed: dict[str, str]) -> None:
    ana = town.person("ana", Role.OFFICER)
    said = {"name": "robot", "days": "3", "scope": "submissions"} | typed
    assert ana.browser.post("/account/tokens", **said).status_code == 422
    with town.office.reading() as connection:
        assert tokens.tokens_of(connection, "ana") == []


@pytest.mark.parametrize(
    ("typed", "at", "why"),
    [
        ({"scope": []}, "scope", "tick at least one"),
        ({"name": " "}, "token-name", "is needed here"),
        ({"name": "r" * 61}, "token-name", "at most 60"),
        ({"days": ""}, "days", "is needed here"),
        ({"days": "soon"}, "days", "whole number from 1 to 366"),
    ],
)
def test_a_refused_form_is_shown_again_with_what_is_wrong_at_its_field(
    town: Town, typed: dict[str, str | list[str]], at: str, why: str
) -> None:
    ana = town.person("ana", Role.OFFICER)
    said: dict[str, str | list[str]] = {"name": "robot", "days": "3", "scope": ["submissions"]}
    said |= typed
    refused = ana.browser.client.post("/account/tokens", data=said)
    assert refused.status_code == 422
    form = form_of(refused.text, "/account/tokens")
    assert (form.value("name"), form.value("days")) == (said["name"], said["days"])
    assert [value for name, value in form.fields if name == "scope"] == said["scope"]
    assert re.findall(r'aria-describedby="([^"]+)-problem', refused.text) == [at]
    assert 'aria-invalid="true"' in refused.text
    (told,) = re.findall(rf'<p class="problem" id="{at}-problem">([^<]+)</p>', refused.text)
    assert why in told.lower()
    changed = form.filled({"name": "other", "days": "5", "scope": "submissions"})
    done = ana.browser.client.post(form.action, data=dict(changed))
    assert _TOKEN.search(done.text)


def test_it_stands_in_no_address_and_in_no_cookie(town: Town) -> None:
    token = made(town.person("ana", Role.OFFICER))
    client = town.browser().client
    for path in (f"?token={token}", f"?access_token={token}", f"?authorization=Bearer%20{token}"):
        assert client.get(f"/api/v1/tried{path}").status_code == 401
    client.cookies.set("session", token)
    assert client.get("/api/v1/tried").status_code == 401


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer rlt_x", "rlt_x"])
def test_what_is_no_token_is_not_let_in_even_with_a_session(town: Town, header: str) -> None:
    ana = town.person("ana", Role.OFFICER)
    assert ana.browser.get("/api/v1/tried").status_code == 200
    assert ana.browser.get("/api/v1/tried", authorization=header).status_code == 401


def test_a_program_without_a_session_may_write_with_a_token(town: Town) -> None:
    token = made(town.person("ana", Role.OFFICER))
    client = town.browser().client
    del client.headers["sec-fetch-site"]
    answer = client.post("/account/tokens", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 403
    assert "may not do this" in answer.text
