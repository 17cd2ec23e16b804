"""Sites for the tests: over a small ledger in memory, and over the shipped example."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from ledger.journal.stores.database import open_journal
from ledger.service.accounts import grant_role, rights_of
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.cli.running import run
from tests.ledgers import NOW, with_july_published, with_officers
from tests.ledgers import request as asking
from tests.postgres import PostgresServer
from tests.web import api
from tests.web.offices import office_file
from web.access import Account
from web.app import create_app
from web.office.store import open_office
from web.settings import WebSettings
from web.site import Site

ORIGIN = "http://testserver"

Browse = Callable[[Ledger], TestClient]
Open = Callable[..., TestClient]


@pytest.fixture(scope="session", autouse=True)
def _loop() -> Iterator[BlockingPortal]:
    """An event loop and threads for all sites, as a server has; else a request makes its own."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield portal


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of a module."""
    import tests.web.browser as driver  # noqa: PLC0415 - it takes time to load

    with driver.chromium() as running:
        yield running


@pytest.fixture
def browse(tmp_path: Path) -> Browse:
    """Opens a site over a ledger, as a browser sees it."""

    def opened(ledger: Ledger) -> TestClient:
        settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
        app = create_app(Site(ledger, settings))
        return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)

    return opened


@pytest.fixture
def sign_in(tmp_path: Path) -> Open:
    """Opens the site of a ledger for somebody who signed in: by name, with roles.

    Several of them share a site, as the requests of a process do.
    """
    sites: dict[int, Site] = {}
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)

    def opened(ledger: Ledger, name: str = "ana", *roles: Role) -> TestClient:
        def identify(_request: Request) -> Account | None:
            limits = rights_of(ledger, name).tournaments
            account = Account(name, frozenset(roles or {Role.OFFICER}), tournaments=limits)
            return account if name else None

        site = sites.setdefault(id(ledger), Site(ledger, settings))
        app = create_app(site, identify=identify)
        own = {"sec-fetch-site": "same-origin"}
        return TestClient(app, ORIGIN, raise_server_exceptions=False, headers=own)

    return opened


@pytest.fixture(scope="session")
def postgres_office(postgres_server: PostgresServer) -> str:
    """A database with an empty office, to make others from."""
    name = postgres_server.create()
    open_office(postgres_server.url(name)).close()
    return name


@pytest.fixture(params=["sqlite", "postgresql"])
def office_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty office in either database."""
    if request.param == "sqlite":
        yield f"sqlite:///{office_file(tmp_path)}"
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("postgres_office"))
    yield server.url(name)
    server.drop(name)


@pytest.fixture(scope="session")
def july_template(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to make others from: July is published, ana and luis are officers, eva an arbiter."""
    path = Path(shutil.copy(sqlite_template, tmp_path_factory.mktemp("july") / "club.db"))
    with closing(open_journal(str(path))) as journal:
        ledger = with_officers(with_july_published(journal), "ana", "luis")
        grant_role(ledger, "eva", Role.ARBITER, request=asking())
    return path


@pytest.fixture
def july_db(july_template: Path, tmp_path: Path) -> Path:
    """A ledger in a file: July is published, ana and luis are officers, eva is an arbiter."""
    return Path(shutil.copy(july_template, tmp_path / "club.db"))


@pytest.fixture(scope="session")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of the shipped example, after its last step; to be read only."""
    folder = tmp_path_factory.mktemp("demo")
    ran = run("demo", "shown", cwd=folder)
    assert ran.code == 0, ran.err
    (made,) = (folder / "shown").glob("*.db")
    return made


@pytest.fixture(scope="session")
def demo_ledger(demo_db: Path) -> Iterator[Ledger]:
    """The ledger of the shipped example; to be read only."""
    with closing(open_journal(str(demo_db))) as journal:
        yield Ledger(journal, lambda: NOW)


@pytest.fixture
def demo(browse: Browse, demo_ledger: Ledger) -> TestClient:
    """The site of the shipped example."""
    return browse(demo_ledger)


@pytest.fixture(scope="session")
def rich_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that has something of everything; to be read only."""
    return api.make_ledger(tmp_path_factory.mktemp("rich"))


@pytest.fixture(scope="session")
def rich_app(rich_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The site of a ledger that has something of everything; to be read only."""
    with closing(open_journal(str(rich_db))) as journal:
        ledger = Ledger(journal, lambda: dt.datetime.now(dt.UTC))
        settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path_factory.mktemp("rich"))
        yield create_app(Site(ledger, settings))


@pytest.fixture
def rich(rich_app: FastAPI) -> TestClient:
    """A browser at that site."""
    return TestClient(rich_app, base_url=ORIGIN, raise_server_exceptions=False)
