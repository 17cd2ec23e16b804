"""The network is cut at an arbiter's desk: what is seen is a page, and what was tapped is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI, Response
from playwright.sync_api import Browser, Error, Page, expect

from ledger.answers.event_desk import round_desk
from ledger.identifiers import Seq
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from ledger.typed_values import result_of
from tests.ledgers import copied, do, empty_ledger, with_july_published
from tests.reports.test_standings import DAY
from tests.web.browser import (
    act,
    kept_for_offline,
    overhang,
    violations,
    wait_for_boards,
    wait_for_kept,
)
from tests.web.conftest import Open
from tests.web.offices import new_office
from tests.web.serving import in_thread
from tests.web.test_desk_browser import phone, publish, ready, results, whoever
from tests.web.test_desk_browser import sign_in as sign_in_as
from web.app import create_app
from web.assets import asset_path
from web.settings import WebSettings
from web.site import Site

TITLE = "No connection to the site"
BAR = "No connection: results you tap wait here and are sent when it is back. The boards are as of "
AGE = """async hours => {
  for (const name of (await caches.keys()).filter(name => name.startsWith("boards "))) {
    const [path, cache] = ["/desk/u/rounds/1", await caches.open(name)];
    const date = new Date(Date.now() - hours * 3600000).toUTCString();
    const text = await (await cache.match(path)).text();
    await cache.put(path, new Response(text, { headers: { date } }));
  }
}"""


@pytest.fixture
def event() -> Ledger:
    """A Swiss that is ready to be paired."""
    return empty_ledger(copied(ready()))


@dataclass(frozen=True)
class Hall:
    """A phone at the desk, and the network between them."""

    page: Page
    port: int
    cut: Callable[[], None]
    mend: Callable[[], None]

    def queue(self, board: int, result: str) -> None:
        """Taps a result that waits, as there is no network."""
        self.page.get_by_role("button", name=f"Board {board}: {result}", exact=True).tap()
        expect(self.page.locator(f"#board-{board}.unsent")).to_be_visible()


@pytest.fixture
def hall(browser: Browser, tmp_path: Path, event: Ledger) -> Iterator[Hall]:
    """A phone that shows the first round, which was just published."""
    office = new_office(tmp_path)

    def application(here: str) -> FastAPI:
        settings = WebSettings(ledger="", origin=here, cache=tmp_path)
        return create_app(Site(event, settings), office, identify=whoever)

    with ExitStack() as network:
        origin = network.enter_context(in_thread(application))
        port = urlsplit(origin).port or 0

        def mend() -> None:
            network.enter_context(in_thread(application, port))

        with phone(browser, origin) as page:
            publish(page)
            act(page, "async () => { await navigator.serviceWorker.ready }")
            wait_for_boards(page, "/desk/t/rounds/1")
            yield Hall(page, port, network.close, mend)
    office.close()


def test_a_cut_is_said_and_what_was_tapped_is_sent_when_it_is_over(
    hall: Hall, event: Ledger
) -> None:
    page, title = hall.page, hall.page.get_by_role("heading", name=TITLE)
    hall.cut()
    hall.queue(1, "1–0")
    page.goto("/desk/t/standings")
    expect(title).to_be_visible()
    expect(page.get_by_text("Round 1, board 1: 1–0", exact=True)).to_be_visible()
    assert violations(page) == []
    assert overhang(page) == 0
    strangers = [path for path in kept_for_offline(page) if not path.startswith("/static/")]
    assert strangers == ["/desk/t/rounds/1", "/offline"]
    page.get_by_role("link", name="Boards of round 1, as seen last").tap()
    expect(page.locator("#board-1.unsent")).to_be_visible()
    hall.mend()
    expect(page.locator("#board-1.over")).to_be_visible()  # the page is loaded anew by itself
    hall.cut()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.goto("/players")  # not of the desk: that is left to the browser
    assert results(event)[0] == "1-0"


def test_boards_are_tapped_after_a_reload_without_a_network(hall: Hall, event: Ledger) -> None:
    page, bar = hall.page, hall.page.locator(".offline")
    page.get_by_role("button", name="Board 4: ½", exact=True).tap()
    expect(page.locator("#board-4.over")).to_be_visible()
    head = event.journal.head().seq
    hall.cut()
    hall.queue(1, "1–0")
    for _ in range(2):
        page.reload()
        expect(bar).to_contain_text(BAR)
        expect(page.locator("#board-4.over")).to_be_visible()
        expect(page.locator("#board-1.unsent")).to_be_visible()
    hall.queue(3, "0–1")
    hall.queue(2, "½")
    hall.queue(2, "1–0")
    expect(page.locator("#board-2 [aria-pressed=true]")).to_have_text("1–0")
    assert violations(page) == []
    assert overhang(page) == 0
    assert results(event)[:4] == [None, None, None, "1/2-1/2"]
    hall.mend()
    for board in (1, 2, 3):
        expect(page.locator(f"#board-{board}.over")).to_be_visible()
    expect(bar).not_to_be_visible()
    wait_for_kept(page, "unsent ana", "{}")
    assert recorded_since(event, head) == ["1-0", "0-1", "1-0"]


def recorded_since(event: Ledger, head: Seq) -> list[str]:
    """Returns the results recorded after a seq, in their order."""
    return [json.loads(each.payload)["result"] for each in event.journal.events(after=head)]


def test_boards_stand_in_for_what_a_proxy_says_of_a_site_that_is_away(
    hall: Hall, event: Ledger
) -> None:
    def proxy(_here: str) -> FastAPI:
        app = FastAPI()
        app.add_api_route("/{path:path}", lambda: Response("Bad Gateway", 502))
        return app

    page = hall.page
    hall.cut()
    with in_thread(proxy, hall.port):
        page.reload()
        expect(page.locator(".offline")).to_contain_text(BAR)
        hall.queue(1, "1–0")
        page.goto("/desk/t/standings")
        expect(page.get_by_text("Bad Gateway")).to_be_visible()
        page.goto("/desk/t/rounds/1")
        expect(page.locator("#board-1.unsent")).to_be_visible()
    hall.mend()
    expect(page.locator("#board-1.over")).to_be_visible()
    assert results(event)[0] == "1-0"


def test_what_somebody_else_recorded_meanwhile_is_said(hall: Hall, event: Ledger) -> None:
    page = hall.page
    hall.cut()
    page.reload()
    hall.queue(1, "1–0")
    hall.queue(2, "1–0")
    board = round_desk(event, "t", 1).board("1")
    do(event, c.RecordGame(
        tournament="t", round=1, white=board.white, black=board.black, result=result_of("1/2-1/2"),
    ))  # fmt: skip
    hall.mend()
    expect(page.locator("#board-2.over")).to_be_visible()
    told = page.locator("#board-1").get_by_role("alert")
    expect(told).to_contain_text("recorded ½")
    expect(page.locator(".offline")).not_to_be_visible()
    wait_for_kept(page, "unsent ana", "{}")
    assert results(event)[:2] == ["1/2-1/2", "1-0"]


def test_boards_are_kept_for_who_is_signed_in_alone(hall: Hall) -> None:
    sign_in_as(hall.page, "eva")
    hall.page.goto("/players")
    wait_for_boards(hall.page)
    hall.page.goto("/desk/t/rounds/1")
    wait_for_boards(hall.page, "/desk/t/rounds/1")
    hall.page.get_by_text("Menu", exact=True).tap()
    hall.page.locator(".menu").get_by_role("button", name="Sign out").tap()
    hall.page.wait_for_url("**/")
    wait_for_boards(hall.page)
    sign_in_as(hall.page, "")
    hall.cut()
    hall.page.goto("/desk/t/rounds/1")
    expect(hall.page.get_by_role("heading", name=TITLE)).to_be_visible()


def test_boards_of_one_tournament_are_kept_for_half_a_day(hall: Hall, event: Ledger) -> None:
    page = hall.page
    do(
        event,
        c.OpenTournament(
            tournament="u", name="Another", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="u", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="u", player=str(n)) for n in range(9)),
    )  # fmt: skip
    page.goto("/desk/u/pair")
    page.get_by_role("button", name="Publish round 1").first.tap()
    wait_for_boards(page, "/desk/u/rounds/1")
    hall.cut()
    page.goto("/desk/t/rounds/1")
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    act(page, AGE, 11)
    page.goto("/desk/u/rounds/1")
    expect(page.locator(".offline")).to_contain_text(BAR)
    act(page, AGE, 13)
    page.goto("/desk/u/rounds/1")
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    wait_for_boards(page)


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
