"""A real browser for tests: Chromium, driven by its path, over a site that really runs.

Whatever a page is asked is waited for. A click returns while the next page is still being loaded:
a question that is answered at once is then answered by the page before, by the next one, or by
neither. So tests say what they expect (``expect`` of a locator, ``page.wait_for_url``), which is
asked again until it holds, or ``PATIENCE`` is over. What they need to know they ask by a function
of this module, which waits. No other module may ask a page at once
(``tests/project/test_browser_questions.py``).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    FloatRect,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

NAMES: Final = (
    "chromium-headless-shell",  # the same pages, without a browser around them: a quarter faster
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DESK: Final = ViewportSize(width=1280, height=720)
LOOKS: Final = ("light desk", "dark desk", "light phone", "dark phone")
HEAVIEST: Final = 50_000  # bytes of a page, with style and scripts, as they are sent
PHONE: Final = 320  # pixels: the narrowest that is still in use
TABLET: Final = 768  # too wide for what is made narrow for phones
AXE: Final = Path(__file__).parent / "axe" / "axe.min.js"  # axe-core 4.10.3, MPL-2.0
PATIENCE: Final = 30_000  # milliseconds: a loaded machine is slow, and what holds is not waited for
_HAND: Final = ViewportSize(width=390, height=844)  # a phone that is usual
_PARTS: Final = 5
_NOT_DRAWN: Final = "Unable to capture screenshot"  # it has no frame yet
_PICTURE_TRIES: Final = 20
_SPARING: Final = ("--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer")
Scheme = Literal["light", "dark"]
expect.set_options(timeout=PATIENCE)


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
    """A page as it was when it had been loaded, and what happens on it.

    ``text`` is what somebody reads on it. ``troubles`` are errors of scripts, refusals by the
    Content-Security-Policy and whatever else the console complains of; ``foreign`` are requests to
    other sites; ``bytes`` is what was sent, packed as it was.
    """

    page: Page
    status: int = 0
    text: str = ""
    troubles: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    bytes: int = 0


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
        # What a service worker hands over is sent to it, not to the page, and would weigh nothing.
        session.send("Network.setBypassServiceWorker", {"bypass": True})
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
        found.text = self._page.locator("body").inner_text()
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
    touch: bool = False,
) -> Iterator[Window]:
    """Opens a window; a new one costs five times what a page costs in one that is open.

    ``account`` is said in a header, to a site of the tests that believes it; ``touch`` is for a
    device that is touched.
    """
    context = context_of(
        browser,
        locale={"en": "en-GB", "es": "es-CL"}[lang],
        java_script_enabled=scripts,
        has_touch=touch,
        reduced_motion="reduce",
        extra_http_headers={} if account is None else {"x-account": account},
    )
    try:
        yield Window(context, origin, scheme)
    finally:
        context.close()


def address_of(page: Page, pattern: str) -> str:
    """Returns the address of a page, once it has one that fits the pattern (``*``, ``**``)."""
    page.wait_for_url(pattern)
    return page.url


def text_of(element: Locator, pattern: str = r"\S") -> str:
    """Returns what an element says, once something in it fits the regular expression."""
    expect(element).to_have_text(re.compile(pattern))
    return element.inner_text()


def texts_of(elements: Locator, number: int) -> list[str]:
    """Returns what elements say, once there are so many of them."""
    expect(elements).to_have_count(number)
    return elements.all_inner_texts()


def box_of(element: Locator) -> FloatRect:
    """Returns where an element stands, once it is visible; in pixels of the window."""
    expect(element).to_be_visible()
    found = element.bounding_box()
    assert found is not None
    return found


def boxes_of(elements: Locator, number: int) -> list[FloatRect]:
    """Returns where elements stand, once there are so many of them and each is visible."""
    expect(elements).to_have_count(number)
    return [box_of(elements.nth(at)) for at in range(number)]


def attribute_of(element: Locator, name: str) -> str:
    """Returns an attribute of an element, once the element is there; "" where it has none."""
    return element.get_attribute(name, timeout=PATIENCE) or ""


def take_picture(page: Page, path: Path) -> None:
    """Takes a picture of what a page shows; a browser that has drawn nothing yet is waited for."""
    for _ in range(_PICTURE_TRIES):
        try:
            page.screenshot(path=path)
        except Error as error:
            if _NOT_DRAWN not in str(error):
                raise
            act(page, "() => new Promise(drawn => requestAnimationFrame(() => drawn()))")
        else:
            return
    page.screenshot(path=path)


def act(page: Page, script: str, argument: object = None) -> None:
    """Does something on a page that people do otherwise, or not at all; it answers nothing."""
    page.evaluate(script, argument)


def kept_for_offline(page: Page) -> list[str]:
    """Returns the paths of what a browser keeps for the time without a network, sorted."""
    found: list[str] = page.evaluate(_KEPT)
    return found


def wait_for_boards(page: Page, *paths: str) -> None:
    """Waits until a browser keeps the boards at these addresses, and no others."""
    page.wait_for_function(
        f"async paths => (await ({_KEPT})()).filter(path => path.startsWith('/desk')).join() "
        "=== paths.join()",
        arg=[*paths],
    )


_KEPT = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map(name => caches.open(name)));
  const found = await Promise.all(caches_.map(each => each.keys()));
  return found.flat().map(each => new URL(each.url).pathname).sort();
}"""


def keep(page: Page, key: str, value: str) -> None:
    """Puts a text into what the browser keeps for the site of a page."""
    act(page, "([key, value]) => localStorage.setItem(key, value)", [key, value])


def wait_for_kept(page: Page, key: str, value: str | None) -> None:
    """Waits until the browser keeps a text for the site of a page; None stands for nothing."""
    page.wait_for_function(
        "([key, value]) => localStorage.getItem(key) === value", arg=[key, value]
    )


def look_at(page: Page, look: str) -> None:
    """Shows a page in one of the ``LOOKS``."""
    page.emulate_media(color_scheme="dark" if look.startswith("dark") else "light")
    page.set_viewport_size(DESK if look.endswith("desk") else _HAND)


def unfold(page: Page) -> None:
    """Opens whatever can be unfolded on a page."""
    act(page, "document.querySelectorAll('details').forEach(each => each.open = true)")


def violations(page: Page, *rules: str) -> list[str]:
    """Returns where a page keeps somebody out, as axe sees it; all rules, or only some.

    Args:
        page: a page of a ``context_of``.
        rules: of axe; none stands for all.
    """
    only = {"runOnly": {"type": "rule", "values": [*rules]}} if rules else {}
    found: list[str] = page.evaluate(_VIOLATIONS, {"resultTypes": ["violations"], **only})
    return found


TARGETS = "target-size"
"""A rule of axe that is asked for by name: each link and button is large enough for a finger."""
_VIOLATIONS = """async options => {
  const found = await axe.run(document, options);
  return found.violations.flatMap(each =>
    each.nodes.map(node => `${each.id}: ${each.help}: ${node.html}`));
}"""


def keeps_nobody_out(
    found: Seen, lang: str, address: str, looks: Sequence[str] = ("dark desk",)
) -> None:
    """Holds a page against what all keep: light, whole, and for everybody, also in other looks."""
    page = found.page
    assert found.status == 200, address
    expect(page.locator("html")).to_have_attribute("lang", lang)
    assert 0 < found.bytes <= HEAVIEST, (address, found.bytes)
    assert violations(page) == [], address
    assert violations(page, TARGETS) == [], address
    for look in looks:
        look_at(page, look)
        assert violations(page) == [], (address, look)
    assert overhang(page) == 0, address
    assert violations(page, TARGETS) == [], (address, "phone")
    assert found.foreign == [], address
    assert found.troubles == [], address


def overhang(page: Page) -> int:
    """Returns by how many pixels a page is wider than the screen of a tablet or a small phone.

    The page is left on the phone.
    """
    found = 0
    for width in (TABLET, PHONE):
        page.set_viewport_size({"width": width, "height": 640})
        found = max(found, _width(page, width) - width)
    return found


def _width(page: Page, window_width: int) -> int:
    """Returns how wide a page is, once its window has a width; in pixels."""
    page.wait_for_function("width => innerWidth === width", arg=window_width)
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


def cut_off(page: Page, parts: str) -> list[str]:
    """Returns the beginnings of those parts (a CSS selector) that do not fit the window."""
    found: list[str] = page.evaluate(_CUT_OFF, parts)
    return found


_CUT_OFF = """parts => [...document.querySelectorAll(parts)]
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 200))"""


def clipped(page: Page, parts: str) -> list[str]:
    """Returns the texts of those parts (a CSS selector) that are wider than their room."""
    found: list[str] = page.evaluate(_CLIPPED, parts)
    return found


_CLIPPED = """parts => [...document.querySelectorAll(parts)]
  .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent)"""


def small(page: Page, least: int) -> list[str]:
    """Returns what is to be tapped on a page, and lower than so many pixels."""
    found: list[str] = page.evaluate(_SMALL, least)
    return found


_SMALL = """least => [...document.querySelectorAll("main button, main summary, main .button,"
    + " main nav a, main select, main input:not([type=hidden]):not([type=checkbox])")]
  .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < least)
  .map(each => each.outerHTML)"""


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
