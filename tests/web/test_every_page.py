"""Every public page in a real browser: in both languages, light and dark, with and without scripts.

One test a language, since a browser and a server are dear; a page is opened once for all of it. In
the quick profile it is opened in one of the languages, and seen in the dark on one of the screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser

from ledger.wording import LANGUAGES
from tests import profile
from tests.web.browser import DESK, PHONE, Seen, chromium, overhang, stops, violations, window
from tests.web.examples import EXAMPLES, addresses, public_routes
from tests.web.serving import served

HEAVIEST = 50_000  # bytes, with style and scripts, as they are sent
STOPS = 40  # of the Tab key on one page
SCREENS = ("desk", "phone")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all pages."""
    with chromium() as running:
        yield running


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
            text = found.text
            screen = SCREENS[number % len(SCREENS)]
            keeps_nobody_out(found, lang, address, profile.share(SCREENS, screen, SCREENS))
            if address in pages[LANGUAGES.index(lang) :: len(LANGUAGES)]:  # one language will do
                assert text == bare.open(address).text != "", address
                found.page.set_viewport_size(DESK)
                expected, reached = stops(found.page, STOPS)
                assert expected == reached != [], address


def keeps_nobody_out(found: Seen, lang: str, address: str, dark_on: Sequence[str]) -> None:
    page, weight = found.page, found.bytes
    assert found.status == 200, address
    assert found.lang == lang, address
    assert 0 < weight <= HEAVIEST, (address, weight)
    assert violations(page) == [], address
    page.emulate_media(color_scheme="dark")
    if "desk" in dark_on:
        assert violations(page, "color-contrast") == [], (address, "in the dark")
    assert overhang(page) == 0, address
    if "phone" in dark_on:
        assert violations(page, "color-contrast") == [], (address, "dark, on a phone")
    assert found.foreign == [], address
    assert found.troubles == [], address


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_shows_more_of_a_page_than_of_its_header(
    browser: Browser, origin: str, lang: str
) -> None:
    with window(browser, origin, lang=lang) as opened:
        page = opened.open("/lists/ENF").page
        assert overhang(page) == 0
        header = page.locator("header.site").bounding_box()
        assert header is not None
        assert header["height"] <= 100  # of 640 pixels
        assert violations(page, "target-size") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_a_phone_names_stay_beside_results_and_every_tab_is_seen(
    browser: Browser, origin: str, lang: str
) -> None:
    with window(browser, origin, lang=lang) as opened:
        page = opened.open("/tournaments/ymca-2010/crosstable").page
        assert overhang(page) == 0
        results = page.locator(".wide")
        assert results.evaluate("each => each.scrollWidth > each.clientWidth + 50")
        name, last = (
            page.locator("tbody th").first,
            page.locator("tbody tr").first.locator("td").last,
        )
        before = name.bounding_box()
        results.evaluate("each => { each.scrollLeft = each.scrollWidth }")
        assert before is not None
        assert name.bounding_box() == before
        assert before["width"] < PHONE / 2
        shown = last.bounding_box()
        assert shown is not None
        assert before["x"] + before["width"] < shown["x"] < PHONE
        for tab in page.locator("nav.tabs a").all():
            box = tab.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= PHONE
