"""The page that works offline says of every proof what the program says, in a real browser."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from ledger.wording import sentences
from tests.proofs.forgeries import CASES, Case, good, policy, with_payload
from tests.web.browser import (
    PHONE,
    Scheme,
    act,
    attribute_of,
    chromium,
    context_of,
    overhang,
    violations,
)

PAGE = Path(__file__).parents[2] / "ledger" / "proofs" / "verify.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


class Desk:
    """The page, and what it asked for and complained of."""

    def __init__(self, browser: Browser, locale: str = "en-GB") -> None:
        viewport = {"width": PHONE, "height": 900}
        self.context = context_of(browser, locale=locale, viewport=viewport)
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.troubles: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(PAGE.as_uri())
        self.verdict = self.page.locator("#verdict")
        self.answer = self.page.locator("#verdict[data-word]")  # not there while it is checked

    def check(self, case: Case) -> str:
        """Checks a proof by hand, as a reader does; returns what ``told`` does."""
        page, file = self.page, file_of(case.proof.encode(errors="surrogateescape"))
        page.locator("#proof").set_input_files(file)
        of = [] if case.document is None else [file_of(case.document)]
        page.locator("#document").set_input_files(of)
        page.locator("#key").fill(case.key)
        page.locator("#policy").fill(case.policy)
        page.locator("button[type=submit]").click()
        return attribute_of(self.answer, "data-word")

    def told(self, case: Case) -> str:
        """Checks a proof in one step; returns the word of what is wrong, "" for nothing."""
        given = {
            "proof": b64encode(case.proof.encode(errors="surrogateescape")).decode(),
            "document": None if case.document is None else b64encode(case.document).decode(),
            "key": case.key,
            "policy": case.policy,
        }
        act(self.page, _CHECK, given)
        return attribute_of(self.answer, "data-word")


def file_of(content: bytes) -> FilePayload:
    return {"name": "a.tlog-proof", "mimeType": "text/plain", "buffer": content}


_CHECK = """({proof, document: other, key, policy}) => {
  const put = (input, packed) => {
    const files = new DataTransfer();
    const bytes = packed === null ? [] : [Uint8Array.from(atob(packed), each => each.charCodeAt())];
    bytes.forEach(each => files.items.add(new File([each], "a.tlog-proof")));
    document.querySelector(input).files = files.files;
  };
  put("#proof", proof);
  put("#document", other);
  document.querySelector("#key").value = key;
  document.querySelector("#policy").value = policy;
  document.querySelector("button[type=submit]").click();
}"""


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Desk]:
    made = Desk(browser)
    yield made
    made.context.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_page_says_the_same(desk: Desk, case: Case) -> None:
    assert desk.told(case) == case.refused


def test_it_asks_nobody_and_complains_of_nothing(desk: Desk) -> None:
    desk.check(CASES[0])
    assert desk.asked == [PAGE.as_uri()]
    assert desk.troubles == []


def test_it_speaks_both_languages(browser: Browser) -> None:
    desk = Desk(browser, "es-CL")
    expect(desk.page.locator("html")).to_have_attribute("lang", "es")
    assert desk.check(CASES[0]) == ""
    expect(desk.verdict).to_contain_text(sentences("es")["proof.holds"])
    desk.page.locator("#language").click()
    expect(desk.verdict).to_contain_text(sentences("en")["proof.holds"])
    desk.context.close()


def test_it_shows_what_was_proved(desk: Desk) -> None:
    (row,) = (case for case in good() if case.name == "a row with the list's file")
    assert desk.check(row) == ""
    expect(desk.verdict).to_contain_text("ENF 2010-07, edition 1")
    expect(desk.verdict).to_contain_text("to the byte")


@pytest.mark.parametrize("key", ["", "no key", "a+00000000+AAAA"])
def test_a_key_that_is_none_is_told(desk: Desk, key: str) -> None:
    case = CASES[0]
    assert desk.check(Case("", case.proof, key=key)) in {"needs_key", "bad_key"}
    expect_neutral(desk)


def expect_neutral(desk: Desk) -> None:
    """Waits until the page blames nothing on the proof."""
    expect(desk.verdict.locator("h2")).to_have_text("Nothing was checked yet.")
    expect(desk.verdict).to_have_class("")


@pytest.mark.parametrize(
    "more", ["nonsense", "#\ufeffcosigned-within: 3 days", "#\xa0cosigned-within: 3 days"]
)
def test_a_slip_in_a_policy_is_not_the_proofs(desk: Desk, more: str) -> None:
    case = Case("", CASES[0].proof, policy=policy("none", more), key="")
    assert desk.check(case) == "proof.policy"
    expect_neutral(desk)


def test_a_file_that_is_missing_is_not_the_proofs_fault(desk: Desk) -> None:
    (grew,) = (case for case in good() if case.name == "it grew")
    assert desk.check(replace(grew, document=None)) == "proof.needs_earlier"
    expect_neutral(desk)


def test_what_turns_a_line_around_is_shown(desk: Desk) -> None:
    (case,) = (case for case in good() if case.name == "a number that is longer than 53 bits")
    assert desk.check(replace(case, proof=with_payload('{"a":"x\u202ey"}'))) == ""
    expect(desk.verdict).to_contain_text("\\u202ey")
    expect(desk.verdict).not_to_contain_text("\u202e")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Browser, scheme: Scheme) -> None:
    desk = Desk(browser)
    desk.page.emulate_media(color_scheme=scheme)
    desk.check(CASES[-1])
    assert violations(desk.page) == []
    assert overhang(desk.page) == 0
    desk.context.close()
