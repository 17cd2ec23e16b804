"""The page that works offline says of every proof what the program says, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from ledger.wording import sentences
from tests.proofs.forgeries import CASES, Case, good
from tests.web.browser import AXE, PHONE, chromium

PAGE = Path(__file__).parents[2] / "ledger" / "proofs" / "verify.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


class Desk:
    """The page, and what it asked for and complained of."""

    def __init__(self, browser: Browser, locale: str = "en-GB") -> None:
        self.context = browser.new_context(locale=locale, viewport={"width": PHONE, "height": 900})
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.troubles: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(PAGE.as_uri())

    def check(self, case: Case) -> str:
        """Checks a proof as a reader does; returns the word of what is wrong, "" for nothing."""
        page = self.page
        file = {"name": "a.tlog-proof", "mimeType": "text/plain", "buffer": case.proof.encode()}
        page.set_input_files("#proof", file)  # type: ignore[arg-type]
        of = [] if case.document is None else [{**file, "buffer": case.document}]
        page.set_input_files("#document", of)  # type: ignore[arg-type]
        page.fill("#key", case.key)
        page.fill("#policy", case.policy)
        page.click("button[type=submit]")
        page.wait_for_selector("#verdict[data-word]")
        return page.get_attribute("#verdict", "data-word") or ""


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Desk]:
    made = Desk(browser)
    yield made
    made.context.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_page_says_the_same(desk: Desk, case: Case) -> None:
    assert desk.check(case) == case.refused


def test_it_asks_nobody_and_complains_of_nothing(desk: Desk) -> None:
    desk.check(CASES[0])
    assert desk.asked == [PAGE.as_uri()]
    assert desk.troubles == []


def test_it_speaks_both_languages(browser: Browser) -> None:
    desk = Desk(browser, "es-CL")
    assert desk.page.get_attribute("html", "lang") == "es"
    assert desk.check(CASES[0]) == ""
    assert sentences("es")["proof.holds"] in desk.page.inner_text("#verdict")
    desk.page.click("#language")
    assert sentences("en")["proof.holds"] in desk.page.inner_text("#verdict")
    desk.context.close()


def test_it_shows_what_was_proved(desk: Desk) -> None:
    (row,) = (case for case in good() if case.name == "a row with the list's file")
    assert desk.check(row) == ""
    said = desk.page.inner_text("#verdict")
    assert "ENF 2010-07, edition 1" in said
    assert "to the byte" in said


@pytest.mark.parametrize("key", ["", "no key", "a+00000000+AAAA"])
def test_a_key_that_is_none_is_told(desk: Desk, key: str) -> None:
    case = CASES[0]
    assert desk.check(Case("", case.proof, key=key)) in {"needs_key", "bad_key"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Browser, scheme: str) -> None:
    desk = Desk(browser)
    desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    desk.check(CASES[-1])
    desk.page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found = desk.page.evaluate("axe.run().then((done) => done.violations.map((each) => each.id))")
    assert found == []
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not desk.page.evaluate(wide)
    desk.context.close()
