"""The demonstration in the browser: a page for each of its steps."""

from __future__ import annotations

import datetime as dt
import re
import socket
from html import unescape
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from ledger.examples.steps import STEPS
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.web.conftest import ORIGIN
from tests.web.serving import served
from web import settings as web_settings
from web.app import create_app
from web.pages.home import PAGES
from web.settings import WebSettings
from web.site import Site


@pytest.fixture
def shown(demo_ledger: Ledger, tmp_path: Path) -> TestClient:
    """The site, served as that of the demonstration."""
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path, demo=True)
    return TestClient(create_app(Site(demo_ledger, settings)), base_url=ORIGIN)


def test_every_step_has_its_page(shown: TestClient) -> None:
    assert [step.heading for step in STEPS] == list(PAGES)
    page = shown.get("/demo").text.partition("<main")[2].partition("</main>")[0]
    links = [unescape(each) for each in re.findall(r'<li><a href="([^"]+)"', page)]
    assert links == list(PAGES.values())
    assert len(links) == 22
    for link in links:
        assert shown.get(link).status_code == 200, link


def test_the_pages_show_what_the_steps_show(shown: TestClient) -> None:
    for heading, said in {
        "demo.define": "enf-2010",
        "demo.explain": "2.25",
        "demo.newcomer": "1545.6",
        "demo.show": "Ruiz",
        "demo.correct": "the score sheet says 1-0",
        "demo.diff": "July 2010, 2nd edition",
    }.items():
        assert said in shown.get(PAGES[heading]).text, heading


def test_the_steps_lead_to_their_own_seqs_whatever_is_asked_for(shown: TestClient) -> None:
    page = shown.get("/demo?as-known-at=41").text
    assert "You see what was known on" in page
    assert set(PAGES.values()) <= {unescape(each) for each in re.findall('href="([^"]+)"', page)}


def test_no_other_site_has_it(demo: TestClient) -> None:
    assert demo.get("/demo").status_code == 404


@pytest.mark.parametrize("days_back", [-400, 0, 1, 400])
def test_the_day_of_a_site_is_as_far_back_as_its_settings_say(
    tmp_path: Path, days_back: int
) -> None:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path, days_back=days_back)
    before, back = dt.datetime.now(dt.UTC), dt.timedelta(days=days_back)
    assert before <= settings.clock() + back <= dt.datetime.now(dt.UTC)


def test_every_process_of_a_site_has_the_clock_of_its_settings() -> None:
    """A clock that another module makes of the time zone would forget the days."""
    modules = Path(web_settings.__file__).parent.rglob("*.py")
    makers = {path.name for path in modules if "clock_of(" in path.read_text(encoding="utf-8")}
    assert makers == {"settings.py"}


def test_no_federation_is_made_for_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("serve", "--demo-federation", "--port", port, cwd=tmp_path)
    assert done.code == 4
    assert f"something listens on 127.0.0.1:{port} already" in done.err
    assert not list(tmp_path.iterdir())


def test_serve_makes_the_ledger_that_it_demonstrates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log"
    for settings in ("", 'db = "own.db"'):
        (tmp_path / "rating-ledger.toml").write_text(settings)
        with served(None, "--demo", log=log) as site:
            assert httpx.get(f"{site.origin}/demo", timeout=30).status_code == 200
            assert ("and not own.db" in log.read_text()) == bool(settings)
    assert [each.name for each in tmp_path.iterdir() if each.is_dir()] == ["rating-ledger-demo"]
