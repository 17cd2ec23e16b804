"""Every public page in a real browser: in both languages, light and dark, with and without scripts.

One test a language, since a browser and a server are dear; a page is opened once for all of it. In
the quick profile it is opened in one of the languages, and looked at in one way besides the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser

from ledger.wording import LANGUAGES
from tests import profile
from tests.web.browser import (
    DESK,
    LOOKS,
    PHONE,
    box_of,
    boxes_of,
    keeps_nobody_out,
    overhang,
    stops,
    violations,
    window,
)
from tests.web.examples import EXAMPLES, addresses, public_routes
from tests.web.serving import served

LONGEST_STYLE = 32_768  # bytes of the one style that every page asks for, as it is written
OTHERS = LOOKS[1:]  # the first is how a page is opened
STOPS = 40  # of the Tab key on one page
TABS = 5  # of a tournament: standings, rounds, crosstable, gains, report


@pytest.fixture(scope="module")
def origin(demo_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site of the shipped example, served by a process of its own."""
    with served(demo_db, "--demo", log=tmp_path_factory.mktemp("served") / "log") as site:
        yield site.origin


@pytest.fixture(scope="module")
def pages(origin: str) -> list[str]:
    """The addresses that answer with a page; all answer."""
    found = []
    with httpx.Client(base_url=origin, follow_redirects=True, timeout=60) as client:
        for address in addresses():
            answer = client.get(address)
            assert answer.status_code == 200, (address, answer.status_code, answer.text)
            if answer.headers["content-type"].startswith("text/html"):
                found.append(address)
    return found


def test_every_route_with_a_parameter_has_an_example_and_no_other() -> None:
    paths = {route.path for route in public_routes() if "{" in route.path}
    assert paths == set(EXAMPLES), "write an example into tests/web/examples.py"


def test_the_style_of_every_page_stays_short() -> None:
    assert len(files("web").joinpath("static", "style.css").read_bytes()) <= LONGEST_STYLE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_keeps_nobody_out_and_says_the_same_without_scripts_and_by_keyboard(
    browser: Browser, origin: str, pages: list[str], lang: str
) -> None:
    with (
        window(browser, origin, lang=lang) as opened,
        window(browser, origin, lang=lang, scripts=False) as bare,
    ):
        for number, address in enumerate(profile.share(pages, lang, LANGUAGES)):
            found = opened.open(address)
            look = OTHERS[number % len(OTHERS)]
            keeps_nobody_out(found, lang, address, profile.share(OTHERS, look, OTHERS))
            if address in pages[LANGUAGES.index(lang) :: len(LANGUAGES)]:  # one language will do
                assert timeless(found.text) == timeless(bare.open(address).text) != "", address
                found.page.set_viewport_size(DESK)
                expected, reached = stops(found.page, STOPS)
                assert expected == reached != [], address


def timeless(text: str) -> str:
    """Returns a text without hours: what is to be printed says when."""
    return re.sub(r"\b\d\d:\d\d\b", "", text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_more_of_a_page_than_of_its_header(
    browser: Browser, origin: str, lang: str
) -> None:
    with window(browser, origin, lang=lang) as opened:
        page = opened.open("/lists/ENF").page
        assert overhang(page) == 0
        assert box_of(page.locator("header.site"))["height"] <= 100  # of 640 pixels
        assert violations(page, "target-size") == []


def test_on_a_phone_heads_of_cards_are_seen_once_the_keyboard_reaches_them(
    browser: Browser, origin: str
) -> None:
    with window(browser, origin) as opened:
        page = opened.open("/lists/ENF/2010-07@1").page
        assert overhang(page) == 0
        order = page.locator("thead a").last
        order.focus()
        assert 0 <= box_of(order)["x"] < PHONE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_a_phone_what_a_commit_recorded_has_the_width_of_its_card(
    browser: Browser, origin: str, lang: str
) -> None:
    with window(browser, origin, lang=lang) as opened:
        page = opened.open("/audit").page
        assert overhang(page) == 0
        assert box_of(page.locator("tbody th").first)["width"] > PHONE / 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_a_phone_names_stay_beside_results_and_every_tab_is_seen(
    browser: Browser, origin: str, lang: str
) -> None:
    with window(browser, origin, lang=lang) as opened:
        page = opened.open("/tournaments/ymca-2010/crosstable").page
        assert overhang(page) == 0
        name = page.locator("tbody th").first
        last = page.locator("tbody tr").first.locator("td").last
        before, hidden = box_of(name), box_of(last)
        assert hidden["x"] + hidden["width"] > PHONE + 50
        last.scroll_into_view_if_needed()
        shown = box_of(last)
        assert box_of(name)["x"] == before["x"]
        assert before["width"] < PHONE / 2
        assert before["x"] + before["width"] < shown["x"] < PHONE
        for box in boxes_of(page.locator("nav.tabs a"), TABS):
            assert box["x"] + box["width"] <= PHONE
