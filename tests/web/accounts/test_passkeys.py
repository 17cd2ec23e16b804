"""Passkeys, with an authenticator in software."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from ledger.terms import Role
from tests.web.accounts.authenticator import Authenticator
from tests.web.accounts.conftest import ORIGIN, Browser, Clock, Town, made_town
from tests.web.support import text_of
from web.accounts.passkeys import are_possible
from web.office import credentials
from web.office.attempts import (
    OF_ADDRESS,
    PASSKEYS_OF_ADDRESS,
    STARTS_OF_BROWSER,
    forget_attempts,
)
from web.office.ceremonies import SECONDS
from web.settings import WebSettings


def register(browser: Browser, key: Authenticator, path: str) -> Response:
    """Makes a passkey as the script of the page does."""
    options = browser.client.post(f"{path}/begin", json={}).json()
    body = {"ceremony": options["ceremony"], "answer": key.made(options)}
    return browser.client.post(path, json=body)


def sign_in(browser: Browser, key: Authenticator, **otherwise: Any) -> Response:
    """Signs in as the script of the page does."""
    options = browser.client.post("/sign-in/passkey/begin", json={}).json()
    said = {"ceremony": options["ceremony"], "answer": key.used(options), "next": "/account"}
    return browser.client.post("/sign-in/passkey", json=said | otherwise)


@pytest.fixture
def key() -> Authenticator:
    return Authenticator(ORIGIN)


def test_a_link_gives_an_account_to_who_makes_a_passkey(town: Town, key: Authenticator) -> None:
    link, ana = town.link("ana", Role.OFFICER), town.browser()
    assert "Take your account" in ana.get(f"/enrol/{link}").text
    assert register(ana, key, f"/enrol/{link}/passkey").json() == {"next": "/account"}
    assert ana.is_signed_in()
    assert ana.get(f"/enrol/{link}").status_code == 404
    other = town.browser()
    assert sign_in(other, key).json() == {"next": "/account"}
    assert other.is_signed_in()


def test_a_link_is_used_once_though_two_have_begun(town: Town, key: Authenticator) -> None:
    link, ana, thief = town.link("ana", Role.OFFICER), town.browser(), town.browser()
    path = f"/enrol/{link}/passkey"
    options = thief.client.post(f"{path}/begin", json={}).json()
    register(ana, key, path)
    made = {"ceremony": options["ceremony"], "answer": Authenticator(ORIGIN).made(options)}
    assert thief.client.post(path, json=made).status_code == 404
    assert not thief.is_signed_in()


def test_who_is_signed_in_adds_and_removes_passkeys(town: Town, key: Authenticator) -> None:
    ana = town.person("ana", Role.OFFICER)
    assert register(ana.browser, key, "/account/passkeys").status_code == 200
    assert sign_in(town.browser(), key).status_code == 200
    assert ana.browser.post("/account/passkeys/end", passkey=key.id.hex()).status_code == 303
    assert sign_in(town.browser(), key).status_code == 422


def test_the_only_way_in_stays(town: Town, key: Authenticator) -> None:
    link, ana = town.link("ana", Role.OFFICER), town.browser()
    register(ana, key, f"/enrol/{link}/passkey")
    assert ana.post("/account/passkeys/end", passkey=key.id.hex()).status_code == 422
    assert sign_in(town.browser(), key).status_code == 200
    luis = town.person("luis", Role.OFFICER)
    assert luis.browser.post("/account/password/end").status_code == 422


def test_a_copy_of_a_passkey_is_found_by_its_counter(town: Town, key: Authenticator) -> None:
    ana = town.person("ana", Role.OFFICER)
    key.counter = 5
    register(ana.browser, key, "/account/passkeys")
    key.counter = 6
    assert sign_in(town.browser(), key).status_code == 200
    assert sign_in(town.browser(), key).status_code == 422
    key.counter = 3
    assert sign_in(town.browser(), key).status_code == 422
    key.counter = 7
    assert sign_in(town.browser(), key).status_code == 200


def test_a_copy_of_a_passkey_is_noted_and_its_owner_is_told(
    town: Town, key: Authenticator, caplog: pytest.LogCaptureFixture
) -> None:
    pat = town.person("pat", Role.ADMINISTRATOR)
    ana = town.person("ana", Role.OFFICER)
    key.counter = 5
    register(ana.browser, key, "/account/passkeys")
    key.counter = 6
    assert sign_in(town.browser(), key).status_code == 200
    assert "may have a copy" not in ana.browser.get("/account").text
    assert not caplog.messages
    key.counter = 4
    assert sign_in(town.browser(), key).status_code == 422
    page = text_of(ana.browser.get("/account").text)
    assert "somebody may have a copy of it" in page
    assert "Refused last: 1 March 2026, 12:01" in page
    assert "may be copied" in pat.browser.get("/accounts/ana").text
    assert caplog.messages == [
        "a passkey was refused whose counter had not grown: there may be a copy of it"
    ]
    key.counter = 7
    assert sign_in(town.browser(), key).status_code == 200
    assert "may have a copy" in ana.browser.get("/account").text, "it stays until it is removed"
    ana.browser.post("/account/passkeys/end", passkey=key.id.hex())
    assert "may have a copy" not in ana.browser.get("/account").text


def test_a_passkey_of_two_browsers_at_once_is_no_copy(town: Town, key: Authenticator) -> None:
    """The counter is held against the one that is kept by then, not against an earlier one."""
    ana = town.person("ana", Role.OFFICER)
    register(ana.browser, key, "/account/passkeys")
    with town.office.writing() as connection:
        (kept,) = credentials.passkeys_of(connection, "ana")
        assert credentials.use_passkey(connection, kept, 6, 1)
        assert credentials.use_passkey(connection, kept, 7, 2)
        assert not credentials.use_passkey(connection, kept, 7, 3)
        assert not credentials.use_passkey(connection, kept, 0, 4)
        (kept,) = credentials.passkeys_of(connection, "ana")
    assert (kept.sign_count, kept.used_at, kept.copied_at) == (7, 2, 4)


def started(browser: Browser) -> int:
    """Begins to sign in by a passkey; returns how that is answered."""
    return browser.client.post("/sign-in/passkey/begin", json={}).status_code


def test_strangers_keep_no_passkey_out(town: Town, key: Authenticator) -> None:
    ana, stranger = town.person("ana", Role.OFFICER), town.browser()
    register(ana.browser, key, "/account/passkeys")
    for _ in range(OF_ADDRESS.amount + 1):
        stranger.post("/sign-in", account="ana", password="x", code="1")
    assert [started(stranger) for _ in range(OF_ADDRESS.amount + 1)][-1] == 200
    assert sign_in(town.browser(), key).status_code == 200, "in a browser that was never there"
    for _ in range(PASSKEYS_OF_ADDRESS.amount):
        last = started(stranger)
    assert last == 429
    ana.browser.post("/sign-out")
    assert sign_in(ana.browser, key).status_code == 200, "it counts by itself"


def test_a_browser_that_is_known_counts_by_itself_until_it_is_unlocked(
    town: Town, key: Authenticator
) -> None:
    ana = town.person("ana", Role.OFFICER)
    register(ana.browser, key, "/account/passkeys")
    statuses = [started(ana.browser) for _ in range(STARTS_OF_BROWSER.amount + 1)]
    assert statuses == [200] * STARTS_OF_BROWSER.amount + [429]
    assert started(town.browser()) == 200
    forget_attempts(town.office, "ana")
    assert sign_in(ana.browser, key).status_code == 200


def test_an_authenticator_that_asks_for_nothing_is_refused(town: Town, key: Authenticator) -> None:
    ana = town.person("ana", Role.OFFICER)
    key.verifies = False
    assert register(ana.browser, key, "/account/passkeys").status_code == 422
    key.verifies = True
    register(ana.browser, key, "/account/passkeys")
    key.verifies = False
    assert sign_in(town.browser(), key).status_code == 422


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:8001", "null"])
def test_a_passkey_answers_this_site_only(town: Town, key: Authenticator, origin: str) -> None:
    ana = town.person("ana", Role.OFFICER)
    register(ana.browser, key, "/account/passkeys")
    key.origin = origin
    assert sign_in(town.browser(), key).status_code == 422


def test_a_challenge_is_answered_once_and_soon(town: Town, key: Authenticator) -> None:
    ana, other = town.person("ana", Role.OFFICER), town.browser()
    register(ana.browser, key, "/account/passkeys")
    options = other.client.post("/sign-in/passkey/begin", json={}).json()
    said = {"ceremony": options["ceremony"], "answer": key.used(options)}
    assert other.client.post("/sign-in/passkey", json=said).status_code == 200
    assert other.client.post("/sign-in/passkey", json=said).status_code == 422
    late = other.client.post("/sign-in/passkey/begin", json={}).json()
    town.clock.pass_by(seconds=SECONDS)
    said = {"ceremony": late["ceremony"], "answer": key.used(late)}
    assert other.client.post("/sign-in/passkey", json=said).status_code == 422


def test_a_challenge_of_another_is_not_answered(town: Town, key: Authenticator) -> None:
    ana = town.person("ana", Role.OFFICER)
    luis = town.person("luis", Role.OFFICER)
    options = luis.browser.client.post("/account/passkeys/begin", json={}).json()
    body = {"ceremony": options["ceremony"], "answer": key.made(options)}
    assert ana.browser.client.post("/account/passkeys", json=body).status_code == 422


def test_a_passkey_does_not_say_that_it_is_somebody_elses(town: Town, key: Authenticator) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    other = Authenticator(ORIGIN)
    register(luis.browser, other, "/account/passkeys")
    register(ana.browser, key, "/account/passkeys")
    key.user = other.user
    assert sign_in(town.browser(), key).status_code == 422


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"id": 1}, {"id": "x", "rawId": "x", "type": "public-key", "response": {}},
        {"id": "AA", "rawId": "AA", "type": "public-key", "response": {
            "clientDataJSON": "AA", "authenticatorData": "AA", "signature": "AA"}},
        {"rawId": "\ud800"}, {"response": {"clientDataJSON": "e30"}},
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(town: Town, answer: dict[str, Any]) -> None:
    browser = town.browser()
    ceremony = browser.client.post("/sign-in/passkey/begin", json={}).json()["ceremony"]
    said = json.dumps({"ceremony": ceremony, "answer": answer})  # escapes what is no text
    headers = {"content-type": "application/json"}
    sent = browser.client.post("/sign-in/passkey", content=said, headers=headers)
    assert sent.status_code == 422


@pytest.mark.parametrize(
    ("origin", "possible"),
    [
        ("https://ratings.example.org", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", False),
        ("https://[::1]:8000", False),
        ("http://ratings.example.org", False),
    ],
)
def test_browsers_make_passkeys_where_a_name_is_sure(
    tmp_path: Any, origin: str, *, possible: bool
) -> None:
    assert are_possible(WebSettings(ledger="", origin=origin, cache=tmp_path)) is possible


def test_a_site_without_a_name_says_how_passkeys_become_possible(
    tmp_path: Path, clock: Clock
) -> None:
    for origin, is_told in (("http://127.0.0.1:8000", True), ("https://10.0.0.3", False)):
        folder = tmp_path / str(is_told)
        folder.mkdir()
        for town in made_town(folder, clock, origin):
            page = town.browser().get(f"/enrol/{town.link('ana', Role.OFFICER)}").text
            assert ("open this site as http://localhost:8000" in page) == is_told
            assert "passkey.js" not in page
