"""Read models are made ahead: once a publication, and nothing for short ledgers."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.journal.records import no_progress
from ledger.service.ledger import Ledger
from tests.ledgers import PLAYERS_HEADER, define, empty_ledger, import_text, publish_period
from tests.web.offices import new_office
from web.app import create_app
from web.jobs.kinds import KINDS, Assignment
from web.jobs.runner import Prefetch, Runner
from web.office.jobs import jobs
from web.office.store import Office
from web.read_models.builder import make_missing
from web.settings import WebSettings
from web.site import Site


@pytest.fixture
def published() -> Ledger:
    """A ledger with one published list."""
    ledger = empty_ledger()
    define(ledger)
    publish_period(ledger, "2010-07")
    return ledger


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """An empty office."""
    return new_office(tmp_path)


def test_what_is_missing_is_made_and_nothing_else(published: Ledger, tmp_path: Path) -> None:
    settings = WebSettings(ledger="", origin="http://x", cache=tmp_path)
    assert make_missing(published, settings, no_progress) == 3
    assert make_missing(published, settings, no_progress) == 0
    for file in tmp_path.rglob("*.entry"):
        file.write_bytes(b"damaged")
    assert make_missing(published, settings, no_progress) == 3


def test_a_site_finds_what_was_made_prefetch(published: Ledger, tmp_path: Path) -> None:
    settings = WebSettings(ledger="", origin="http://x", cache=tmp_path)
    make_missing(published, settings, no_progress)
    files = sorted(tmp_path.rglob("*.entry"))
    with TestClient(create_app(Site(published, settings)), base_url="http://x") as site:
        for page in ("/lists/ENF/2010-07@1", "/players", "/lists/ENF"):
            assert site.get(page).status_code == 200
    assert sorted(tmp_path.rglob("*.entry")) == files


def test_the_job_says_how_many_were_made(published: Ledger, office: Office, tmp_path: Path) -> None:
    settings = WebSettings(ledger="", origin="http://x", cache=tmp_path)
    work = Assignment(published, office, settings, {}, None)
    assert KINDS["read_models"].do(work) == {"made": 3}
    assert KINDS["read_models"].do(work) == {"made": 0}


def test_a_publication_asks_for_them_once(published: Ledger, office: Office) -> None:
    prefetch = Prefetch(office, long=0)
    prefetch.look_at(published.journal)
    prefetch.look_at(published.journal)
    assert [job.kind for job in jobs(office)] == ["read_models"]
    import_text(published, PLAYERS_HEADER + "991,Nueva,,,,,,\n")
    prefetch.look_at(published.journal)
    assert len(jobs(office)) == 1
    publish_period(published, "2010-08")
    prefetch.look_at(published.journal)
    prefetch.look_at(published.journal)
    assert len(jobs(office)) == 2
    assert jobs(office)[0].parameters == {"seq": published.journal.head().seq}


def test_a_short_ledger_needs_none(published: Ledger, office: Office) -> None:
    Prefetch(office).look_at(published.journal)
    assert jobs(office) == []


def test_the_ledger_is_not_looked_at_all_the_time(
    demo_db: Path, office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = []
    monkeypatch.setattr(Prefetch, "look_at", lambda _, journal: heads.append(journal.head().seq))
    runner = Runner(WebSettings(ledger=str(demo_db), origin="http://x", cache=tmp_path), office)
    for _ in range(3):
        runner._watch()
    assert len(heads) == 1
