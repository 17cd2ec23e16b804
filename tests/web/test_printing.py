"""Pages on paper: no navigation, no form, no table or picture that is cut at the edge."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, PdfMargins, expect

from ledger.forms.round_sheet import seats_page
from ledger.identifiers import TournamentId
from ledger.reports.round_sheet import SeatList, SeatRow, Venue
from ledger.terms import Colour
from tests.web.browser import chromium, cut_off
from tests.web.serving import served

PAPER = 680  # pixels between the margins of an A4 page: 180 mm
ADDRESSES = (
    "/lists/ENF/2010-07@1", "/players/3404510", "/players/3404510/ENF/2010-07",
    "/players/3404510/ENF/why?from=2010-07@1&to=2010-08@2", "/tournaments/ymca-2010",
    "/tournaments/ymca-2010/crosstable", "/tournaments/ymca-2010/rounds/1",
    "/tournaments/ymca-2010/gains", "/corrections/122", "/regulations/enf-2010", "/audit",
)  # fmt: skip
WIDE = "main table, main svg, main p, main h1, main dl"
DARK_ON_WHITE = "#16191d"
PRESSED = (
    "nav, form, button, header.site, .button, .links, select, input, #wrong, "
    "a[href^='/claims/'], a[href^='/corrections/new']"
)


@pytest.fixture(scope="module")
def paper(demo_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser in the dark that prints pages of the shipped example."""
    log = tmp_path_factory.mktemp("served") / "log"
    with served(demo_db, log=log) as site, chromium() as browser:
        yield page_of(browser, site.origin)


def page_of(browser: Browser, origin: str) -> Page:
    page = browser.new_context(
        base_url=origin, viewport={"width": PAPER, "height": 960}, color_scheme="dark"
    ).new_page()
    page.emulate_media(media="print")
    return page


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_on_paper_has_what_it_says_and_nothing_to_press(paper: Page, address: str) -> None:
    paper.goto(address)
    main = paper.locator("main")
    expect(main.locator("h1")).to_be_visible()
    expect(paper.locator(PRESSED).locator("visible=true")).to_have_count(0)
    assert cut_off(paper, WIDE) == []
    expect(main).to_have_css("color", "rgb(0, 0, 0)")
    expect(main).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(main).to_have_css("--ink", DARK_ON_WHITE)  # of what is drawn, too
    assert paper.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_forty_people_find_their_boards_on_one_sheet(paper: Page, size: str) -> None:
    name = "Villanueva Bascuñán, María de los Ángeles"
    seats = [
        SeatRow(name, n, str(n), (n + 1) // 2, Colour.WHITE if n % 2 else Colour.BLACK, name)
        for n in range(1, 40)
    ]
    alone = SeatRow(name, 40, "40", None, None, None)
    venue = Venue("Hall", dt.date(2026, 11, 28), dt.date(2026, 11, 29))
    sheet = seats_page(SeatList(TournamentId("t"), "Open", 5, (*seats, alone), venue), "en")
    own = paper.context.new_page()  # printing ends what is emulated, and the driver does not notice
    own.emulate_media(media="print")
    own.set_content(sheet.html())
    expect(own.locator("tbody td:first-child").filter(visible=True)).to_have_count(40)
    expect(own.locator(".other").filter(visible=True)).to_have_text("bye")
    edge = "11mm"
    margin: PdfMargins = {"top": edge, "right": edge, "bottom": edge, "left": edge}
    printed = own.pdf(format=size, margin=margin)
    own.close()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1
