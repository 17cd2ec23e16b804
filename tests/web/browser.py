"""A real browser for tests: Chromium, driven by its path, over a site that really runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

NAMES: Final = (
    "chromium-headless-shell",  # the same pages, without a browser around them: a quarter faster
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DESK: Final = ViewportSize(width=1280, height=720)
PHONE: Final = 320  # pixels: the narrowest that is still in use
TABLET: Final = 768  # too wide for what is made narrow for phones
AXE: Final = Path(__file__).parent / "axe" / "axe.min.js"  # axe-core 4.10.3, MPL-2.0
_PARTS: Final = 5
_SPARING: Final = ("--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer")
Scheme = Literal["light", "dark"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs the browser of this machine."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no Chromium here: install it (Debian: apt install chromium), or Chrome"
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = [*_SPARING, *(["--no-sandbox"] if as_root else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=options)
        try:
            yield browser
        finally:
            browser.close()


@dataclass(slots=True)
class Seen:
    """A page as a browser has it, and what happened on the way.

    ``troubles`` are errors of scripts, refusals by the Content-Security-Policy and whatever else
    the console complains of; ``foreign`` are requests to other sites; ``bytes`` is what was sent,
    packed as it was.
    """

    page: Page
    status: int = 0
    troubles: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    bytes: int = 0

    @property
    def text(self) -> str:
        """What somebody reads on it."""
        said: str = self.page.evaluate("document.body.innerText")
        return said

    @property
    def lang(self) -> str:
        """The language that it says it is in."""
        said: str = self.page.evaluate("document.documentElement.lang")
        return said


class Window:
    """A window of a browser: one page after the other is opened in it, and nothing of them kept.

    Args:
        context: of the browser; the window is its only one.
        origin: that of the site.
        scheme: of colours, with which each page begins.
    """

    def __init__(self, context: BrowserContext, origin: str, scheme: Scheme) -> None:
        self._context, self._origin, self._scheme = context, origin, scheme
        self._page = context.new_page()
        self._seen = Seen(self._page)
        session = context.new_cdp_session(self._page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on("Network.loadingFinished", self._received)
        self._listen()

    def open(self, path: str) -> Seen:
        """Opens a page as somebody does who was never there before."""
        self._context.clear_cookies()
        self._page.emulate_media(color_scheme=self._scheme)
        self._page.set_viewport_size(DESK)
        self._seen = found = Seen(self._page)
        answer = self._page.goto(self._origin + path, wait_until="load")
        assert answer is not None
        found.status = answer.status
        return found

    def _received(self, told: dict[str, Any]) -> None:
        """Counts the bytes of an answer: before the page is loaded, without asking back."""
        self._seen.bytes += told["encodedDataLength"]

    def _listen(self) -> None:
        """Has the requests and complaints of the page that is open written down."""

        def finished(request: Any) -> None:
            if not request.url.startswith(f"{self._origin}/"):
                self._seen.foreign.append(request.url)

        def failed(request: Any) -> None:
            self._seen.foreign.append(request.url)

        def said(message: Any) -> None:
            if message.type in {"error", "warning"}:
                self._seen.troubles.append(message.text)

        self._page.on("requestfinished", finished)
        self._page.on("requestfailed", failed)
        self._page.on("pageerror", lambda error: self._seen.troubles.append(str(error)))
        self._page.on("console", said)


def context_of(browser: Browser, **options: Any) -> BrowserContext:
    """Returns a new context of a browser; axe is in each of its pages from the beginning.

    So it is sent and compiled once, and not for every page that ``violations`` looks at.
    """
    context = browser.new_context(**options)
    context.add_init_script(path=AXE)
    return context


@contextmanager
def window(
    browser: Browser,
    origin: str,
    *,
    lang: str = "en",
    scheme: Scheme = "light",
    scripts: bool = True,
    account: str | None = None,
) -> Iterator[Window]:
    """Opens a window; a new one costs five times what a page costs in one that is open.

    ``account`` is said in a header, to a site of the tests that believes it.
    """
    context = context_of(
        browser,
        locale={"en": "en-GB", "es": "es-CL"}[lang],
        java_script_enabled=scripts,
        reduced_motion="reduce",
        extra_http_headers={} if account is None else {"x-account": account},
    )
    try:
        yield Window(context, origin, scheme)
    finally:
        context.close()


def violations(page: Page, *rules: str) -> list[str]:
    """Returns where a page keeps somebody out, as axe sees it; all rules, or only some.

    Args:
        page: a page of a ``context_of``.
        rules: of axe; none stands for all.
    """
    only = {"runOnly": {"type": "rule", "values": [*rules]}} if rules else {}
    found: list[str] = page.evaluate(_VIOLATIONS, {"resultTypes": ["violations"], **only})
    return found


_VIOLATIONS = """async options => {
  const found = await axe.run(document, options);
  return found.violations.flatMap(each =>
    each.nodes.map(node => `${each.id}: ${each.help}: ${node.html}`));
}"""


def overhang(page: Page) -> int:
    """Returns by how many pixels a page is wider than the screen of a tablet or a small phone.

    The page is left on the phone.
    """
    found = 0
    for width in (TABLET, PHONE):
        page.set_viewport_size({"width": width, "height": 640})
        wide: int = page.evaluate("document.documentElement.scrollWidth")
        found = max(found, wide - width)
    return found


def stops(page: Page, most: int) -> tuple[list[str], list[str]]:
    """Returns what the Tab key should come to, in the order of the page, and what it comes to.

    Args:
        page: what is walked through.
        most: after how many stops it is enough.
    """
    expected, dates = page.evaluate(_FOCUSABLE, most)
    for _ in range(len(expected) + dates * (_PARTS - 1)):  # a date has a stop for each of its parts
        page.keyboard.press("Tab")
    return expected, page.evaluate("window.reached")[: len(expected)]


_FOCUSABLE = """most => {
  document.activeElement.blur();
  window.reached = [];
  document.addEventListener(
    "focusin", at => window.reached.push(at.target.dataset.stop ?? "nothing"));
  const all = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']");
  const open = [...all].filter(each => !each.disabled && each.checkVisibility()).slice(0, most);
  return [
    open.map((each, at) => each.dataset.stop = `${at} ${each.tagName} ${each.textContent.trim()}`),
    open.filter(each => each.matches("[type=date]")).length,
  ];
}"""
