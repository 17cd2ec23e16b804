"""The network is cut at an arbiter's desk: what is seen is a page, and what was tapped is kept."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Error, expect

from ledger.service.ledger import Ledger
from tests.ledgers import copied, empty_ledger, with_july_published
from tests.web.browser import act, kept_for_offline, overhang, violations
from tests.web.conftest import Open
from tests.web.offices import new_office
from tests.web.serving import in_thread
from tests.web.test_desk_browser import phone, publish, ready, results, whoever
from web.app import create_app
from web.assets import asset_path
from web.settings import WebSettings
from web.site import Site

TITLE = "No connection to the site"


@pytest.fixture
def event() -> Ledger:
    """A Swiss that is ready to be paired."""
    return empty_ledger(copied(ready()))


def test_a_cut_is_said_and_what_was_tapped_is_sent_when_it_is_over(
    browser: Browser, tmp_path: Path, event: Ledger
) -> None:
    office = new_office(tmp_path)

    def application(here: str) -> FastAPI:
        settings = WebSettings(ledger="", origin=here, cache=tmp_path)
        return create_app(Site(event, settings), office, identify=whoever)

    with ExitStack() as network:
        origin = network.enter_context(in_thread(application))
        with phone(browser, origin) as page:
            title = page.get_by_role("heading", name=TITLE)
            publish(page)
            act(page, "async () => { await navigator.serviceWorker.ready }")
            network.close()
            page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
            expect(page.locator("#board-1.unsent")).to_be_visible()
            page.goto("/desk/t/standings")
            expect(title).to_be_visible()
            expect(page.get_by_text("Round 1, board 1: 1–0", exact=True)).to_be_visible()
            assert violations(page) == []
            assert overhang(page) == 0
            kept = kept_for_offline(page)
            page.goto("/desk/t/rounds/1")
            expect(title).to_be_visible()
            with in_thread(application, urlsplit(origin).port or 0):
                expect(page.locator("#board-1.over")).to_be_visible()  # the page opens by itself
            with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
                page.goto("/players")  # not of the desk: that is left to the browser
    office.close()
    assert results(event)[0] == "1-0"
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline"]


def test_the_page_that_is_kept_names_nobody(sign_in: Open) -> None:
    page = sign_in(with_july_published(), "ana").get("/offline").text
    assert TITLE in page
    assert "ana" not in page.split()
    assert "/account" not in page


def test_only_the_desk_is_the_worker_s(sign_in: Open) -> None:
    site = sign_in(with_july_published(), "ana")
    allowed = "service-worker-allowed"
    assert site.get(asset_path("desk_worker.js")).headers[allowed] == "/desk"
    assert allowed not in site.get(asset_path("desk_script.js")).headers
