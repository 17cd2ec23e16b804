"""The database is away: everybody reads one sentence, and the log says why."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from psycopg import sql

from ledger.errors import DatabaseError, Unreachable
from ledger.journal.stores.memory import MemoryJournal
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.ledgers import NOW, with_july_published
from tests.postgres import PostgresServer
from tests.web.access_table import routes
from tests.web.offices import new_office
from web.access import Account
from web.app import create_app
from web.metrics import Metrics
from web.observation import Observer
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

ORIGIN = "http://testserver"
SENTENCE = "cannot reach or use its database at the moment"
ANA = Account("ana", frozenset(Role))
WORDS = {"seq": "3", "number": "1", "commit": "1", "player": "A", "name": "ENF", "list": "ENF",
         "period": "2010-07", "tournament": "T1", "place": "1"}  # fmt: skip


def away(*_said: object, **_named: object) -> Unreachable:
    raise Unreachable(
        "database.no_connection",
        url="postgresql://clerk@db.example/ledger",
        why='connection failed: FATAL: no such thing DETAIL: Key (name)=("Ana Soto") is there',
    )


def opened(ledger: Ledger, office: Office | None, cache: Path, who: Account | None) -> TestClient:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=cache)
    site = Site(ledger, settings)
    app = Observer(create_app(site, office, lambda _request: who), site, Metrics(), office)
    headers = {"sec-fetch-site": "same-origin", "accept-language": "en"}
    return TestClient(app, ORIGIN, raise_server_exceptions=False, headers=headers)


@pytest.fixture(params=["a stranger", "somebody"])
def who(request: pytest.FixtureRequest) -> Account | None:
    return ANA if request.param == "somebody" else None


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with closing(new_office(tmp_path, lambda: NOW)) as made:
        yield made


def filled(path: str) -> str:
    """Returns the address of a route, with some word in every place."""
    return re.sub(r"\{(\w+)(?::path)?\}", lambda found: WORDS.get(found[1], "x"), path)


def sent(site: TestClient, method: str, address: str) -> Response:
    """Asks a route, with some fields where it takes a form."""
    if method != "POST":
        return site.request(method, address)
    if address.startswith("/api"):
        return site.post(address, json={})
    fields = {"key": "k", "reason": "why", "seq": "3", "act": "absent", "way": "rating"}
    return site.post(address, data=fields)


@pytest.mark.parametrize("broken", ["ledger", "office"])
def test_no_answer_says_more_than_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, office: Office, who: Account | None,
    broken: str, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    site = opened(with_july_published(), office, tmp_path, who)
    if broken == "ledger":
        for name in ("head", "pages", "streams", "commits", "append", "append_in_turn"):
            monkeypatch.setattr(MemoryJournal, name, away)
    else:
        for name in ("reading", "writing", "snapshot"):
            monkeypatch.setattr(Office, name, away)
    told = 0
    for method, path in routes():
        answer = sent(site, method, filled(path))
        for word in ("clerk", "FATAL", "db.example", "Soto"):
            assert word not in answer.text, (method, path)
        told += SENTENCE in answer.text
        if answer.status_code == 503:
            assert SENTENCE in answer.text, (method, path)
    assert told > 5
    assert any("clerk@db.example" in each and "FATAL" in each for each in caplog.messages)
    assert not any("Soto" in each for each in caplog.messages), "a row is not quoted"


def test_a_form_at_the_desk_says_it_and_keeps_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = opened(with_july_published(), None, tmp_path, ANA)
    with monkeypatch.context() as broken:
        broken.setattr(MemoryJournal, "append", away)
        form = {"key": "k", "name": "The Open", "tournament": "t", "start": "2026-01-01"}
        answer = site.post("/desk/new", data=form)
    assert answer.status_code == 503
    assert SENTENCE in answer.text
    assert "The Open" in answer.text
    assert "clerk" not in answer.text


def test_a_problem_of_the_api_says_it_by_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = opened(with_july_published(), None, tmp_path, None)
    monkeypatch.setattr(MemoryJournal, "head", away)
    problem = site.get("/api/v1/lists").json()
    assert problem["type"] == "/api/v1/problems/web.database_away"
    assert problem["status"] == 503
    assert SENTENCE in problem["detail"]
    assert site.get(problem["type"]).status_code == 200


@pytest.mark.parametrize("key", ["database.locked", "database.locked_by", "database.read_by"])
def test_a_writer_who_waits_too_long_is_told_that_nothing_was_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    def locked(*_said: object, **_named: object) -> None:
        who = {} if key == "database.locked" else {"who": "clerk (pg_dump, process 7)"}
        raise DatabaseError(key, url="postgresql://clerk@db.example/ledger", **who)

    site = opened(with_july_published(), None, tmp_path, ANA)
    monkeypatch.setattr(MemoryJournal, "append", locked)
    form = {"key": "k", "name": "The Open", "tournament": "t", "start": "2026-01-01"}
    answer = site.post("/desk/new", data=form)
    assert answer.status_code == 503
    assert "nothing was recorded. Send it again" in answer.text
    assert "clerk" not in answer.text


def test_a_server_that_went_away_is_named_in_the_log_alone(
    postgres_server: PostgresServer, postgres_template: str, tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    name = postgres_server.create(postgres_template)
    with closing(open_ledger(postgres_server.url(name))) as journal:
        site = opened(Ledger(journal, lambda: NOW), None, tmp_path, None)
        assert site.get("/").status_code == 200
        renamed = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        gone = sql.Identifier(f"{name}_gone")
        ended = sql.SQL("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}")
        postgres_server.execute(ended.format(name))
        postgres_server.execute(renamed.format(sql.Identifier(name), gone))
        answers = [site.get(page) for page in ("/", "/lists", "/api/v1/head", "/health/ready")]
        postgres_server.execute(renamed.format(gone, sql.Identifier(name)))
        assert site.get("/").status_code == 200, "it goes on when the database is there again"
    for answer in answers:
        assert answer.status_code == 503
        assert name not in answer.text
        assert "FATAL" not in answer.text
    assert [SENTENCE in answer.text for answer in answers] == [True, True, True, False]
    assert answers[-1].text == "the ledger cannot be read"
    assert any(name in each and "does not exist" in each for each in caplog.messages)
    assert all(each.levelno >= logging.ERROR for each in caplog.records if name in each.message)
    postgres_server.drop(name)
