"""A study that takes long is made by a job, and then shown to everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from tests.ledgers import NOW
from tests.web.conftest import ORIGIN
from tests.web.jobs.conftest import awaited, is_over
from tests.web.support import read, text_of
from web.access import Account
from web.app import create_app
from web.jobs.runner import Runner
from web.office.jobs import JobState, jobs, start
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

SHORT = "web.calculations.MOST_AT_ONCE"


@pytest.fixture
def ledger(settings: WebSettings) -> Iterator[Ledger]:
    """The ledger of the site."""
    journal = open_ledger(settings.ledger)
    yield Ledger(journal, lambda: NOW)
    journal.close()


def site(ledger: Ledger, settings: WebSettings, office: Office, who: str | None) -> TestClient:
    account = None if who is None else Account(who, frozenset())
    own = WebSettings(ledger=settings.ledger, origin=ORIGIN, cache=settings.cache)
    app = create_app(Site(ledger, own), office, lambda _: account)
    return TestClient(app, base_url=ORIGIN, follow_redirects=False)


def asked(ledger: Ledger, **more: Any) -> dict[str, Any]:
    head = ledger.journal.head().seq
    return {"list": "ENF", "since": "2010-07", "until": "2010-09", "seq": head, "gone": 0} | more


@pytest.mark.parametrize(
    ("kind", "more", "address"),
    [
        ("monitor", {"active": False}, "/monitor/ENF"),
        (
            "compare",
            {"regulation": "enf-2010", "param": "k_others=30"},
            "/compare/ENF/enf-2010?param=k_others%3D30",
        ),
    ],
)
def test_everybody_sees_what_a_job_made_and_it_is_what_is_made_at_once(
    ledger: Ledger, settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch,
    kind: str, more: dict[str, Any], address: str,
) -> None:  # fmt: skip
    stranger = site(ledger, settings, office, None)
    at_once = read(stranger, address)
    monkeypatch.setattr(SHORT, 0)
    stranger = site(ledger, settings, office, None)  # another process of the site: it kept nothing
    waiting = stranger.get(address)
    assert "too long" in text_of(waiting.text)
    assert "<form method" not in waiting.text.partition("<main")[2]
    assert waiting.headers["cache-control"] == "no-store"
    member = site(ledger, settings, office, "ana")
    assert "Have it made" in read(member, address)
    form = {name: str(value) for name, value in asked(ledger, **more).items() if name != "seq"}
    headers = {"sec-fetch-site": "same-origin"}
    answer = member.post("/studies", data={"kind": kind} | form, headers=headers)
    assert answer.status_code == 303, answer.text
    assert "It is being made" in read(stranger, answer.headers["location"])
    assert "It is being made" in read(stranger, address)
    (job,) = (each.id for each in jobs(office))
    with Runner(settings, office):
        done = awaited(office, job, is_over)
    assert done.state is JobState.DONE, done
    assert read(stranger, address) == at_once
    assert start(office, kind, asked(ledger, **more), "luis", is_settled=True) == job


def test_nothing_else_can_be_asked_for(
    ledger: Ledger, settings: WebSettings, office: Office
) -> None:
    headers = {"sec-fetch-site": "same-origin"}
    form = {"kind": "record", "list": "ENF", "since": "2010-07", "until": "2010-08"}
    member = site(ledger, settings, office, "ana")
    assert member.post("/studies", data=form, headers=headers).status_code == 404
    stranger = site(ledger, settings, office, None)
    assert stranger.post("/studies", data=form, headers=headers).status_code in {303, 401}
