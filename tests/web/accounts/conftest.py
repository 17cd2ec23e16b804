"""Sites with accounts, browsers that sign in to them, and a clock that tests set."""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from ledger.service.accounts import create_account, grant_role
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.ledgers import empty_ledger, request
from tests.web.offices import new_office
from web.accounts import password_setup as passwords
from web.app import create_app
from web.office import accounts
from web.office.credentials import STEP_SECONDS
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

ORIGIN = "http://localhost:8000"
PASSWORD = "correct horse battery"
_FULL_WORK = passwords._hasher
_SECRET = re.compile(r"<code>([A-Z2-7 ]{39})</code>")
_CEREMONY = re.compile(r'name="ceremony" value="([^"]+)"')
_RECOVERY = re.compile(r"<code>([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})</code>")


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)

    def __call__(self) -> dt.datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        """Lets time pass."""
        self.now += dt.timedelta(**time)


@dataclass
class Town:
    """A site with its ledger, its office and its clock."""

    app: FastAPI
    ledger: Ledger
    office: Office
    clock: Clock
    origin: str = ORIGIN

    def browser(self, agent: str = "Mozilla/5.0 (X11; Linux) Firefox/130.0") -> Browser:
        """Returns a browser that was never there."""
        client = TestClient(
            self.app, base_url=self.origin, raise_server_exceptions=False, follow_redirects=False
        )
        client.headers["sec-fetch-site"] = "same-origin"
        client.headers["user-agent"] = agent
        return Browser(self, client)

    def link(self, account: str, *roles: Role) -> str:
        """Makes an account with roles; returns the code of its link."""
        first, *others = roles
        create_account(self.ledger, account, first, request=request())
        for role in others:
            grant_role(self.ledger, account, role, request=request())
        with self.office.writing() as connection:
            accounts.add(connection, account, self.office.now())
            return accounts.enrol(connection, account, self.office.now())

    def person(self, account: str, *roles: Role) -> Person:
        """Makes an account; returns its owner, who has chosen a password and signed in with it."""
        return self.browser().enrol(account, self.link(account, *roles))


@dataclass
class Person:
    """Somebody with an account: what they know, and the browser in which they signed in."""

    account: str
    browser: Browser
    secret: bytes
    recovery: list[str]
    password: str = PASSWORD

    def code(self) -> str:
        """Returns what the telephone shows now."""
        return code_of(self.secret, self.browser.town.clock)

    def sign_in(self, browser: Browser | None = None, **otherwise: str) -> Response:
        """Signs in, by default in the browser; ``otherwise`` is typed in the place of the truth."""
        typed = {"account": self.account, "password": self.password, "code": self.code()}
        return (browser or self.browser).post("/sign-in", **typed | otherwise)


@dataclass
class Browser:
    """A browser of somebody."""

    town: Town
    client: TestClient
    seen: list[Response] = field(default_factory=list)

    def get(self, path: str, **headers: str) -> Response:
        """Opens a page."""
        return self.client.get(path, headers=headers)

    def post(self, path: str, **typed: str) -> Response:
        """Sends a form."""
        return self.client.post(path, data=typed)

    def enrol(self, account: str, link: str) -> Person:
        """Takes an account into possession by a password."""
        page = self.post(f"/enrol/{link}/password", password=PASSWORD).text
        secret = secret_in(page)
        first = code_of(secret, self.town.clock)
        done = self.post(f"/enrol/{link}/codes", ceremony=ceremony_in(page), first=first)
        assert done.status_code == 200, done.text
        self.town.clock.pass_by(seconds=STEP_SECONDS)
        return Person(account, self, secret, _RECOVERY.findall(done.text))

    def is_signed_in(self) -> bool:
        """Whether the site knows whose browser it is."""
        return self.get("/account").status_code == 200


def secret_in(page: str) -> bytes:
    """Returns the secret of codes that a page shows."""
    found = _SECRET.search(page)
    assert found, page
    return base64.b32decode(found[1].replace(" ", ""))


def ceremony_in(page: str) -> str:
    """Returns what a page has to send back."""
    found = _CEREMONY.search(page)
    assert found, page
    return found[1]


def code_of(secret: bytes, clock: Clock) -> str:
    """Returns the code that a telephone shows."""
    return TOTP(secret, 6, SHA1(), STEP_SECONDS).generate(clock.now.timestamp()).decode()


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes passwords with the least work: nearly everybody in these tests has one."""
    _hash_with(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), monkeypatch)


@pytest.fixture
def full_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes passwords with as much work as a site does."""
    _hash_with(_FULL_WORK, monkeypatch)


def _hash_with(hasher: PasswordHasher, monkeypatch: pytest.MonkeyPatch) -> None:
    passwords._nobodys.cache_clear()
    monkeypatch.setattr(passwords, "_hasher", hasher)


@pytest.fixture
def clock() -> Clock:
    """The clock of a site."""
    return Clock()


@pytest.fixture
def town(tmp_path: Path, clock: Clock) -> Iterator[Town]:
    """A site with accounts over an empty ledger."""
    yield from made_town(tmp_path, clock, ORIGIN)


def made_town(folder: Path, clock: Clock, origin: str) -> Iterator[Town]:
    """Makes a site that browsers call by an origin."""
    ledger = empty_ledger()
    office = new_office(folder, clock)
    settings = WebSettings(ledger="", origin=origin, cache=folder)
    yield Town(create_app(Site(ledger, settings), office), ledger, office, clock, origin)
    office.close()
