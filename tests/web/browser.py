"""A real browser for tests: Chromium, driven by its path, over a site that really runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page, sync_playwright

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PHONE: Final = 320  # pixels: the narrowest that is still in use
TABLET: Final = 768  # too wide for what is made narrow for phones
AXE: Final = Path(__file__).parent / "axe" / "axe.min.js"  # axe-core 4.10.3, MPL-2.0
_PARTS: Final = 5
Scheme = Literal["light", "dark"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs the browser of this machine."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no Chromium here: install it (Debian: apt install chromium), or Chrome"
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = ["--disable-dev-shm-usage", *(["--no-sandbox"] if as_root else [])]
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
        return self.page.inner_text("body")


@contextmanager
def seen(
    browser: Browser,
    origin: str,
    path: str,
    *,
    lang: str = "en",
    scheme: Scheme = "light",
    scripts: bool = True,
    account: str | None = None,
) -> Iterator[Seen]:
    """Opens a page as somebody does who was never there before.

    ``account`` is said in a header, to a site of the tests that believes it.
    """
    context = browser.new_context(
        locale={"en": "en-GB", "es": "es-CL"}[lang],
        color_scheme=scheme,
        java_script_enabled=scripts,
        reduced_motion="reduce",
        extra_http_headers={} if account is None else {"x-account": account},
    )
    try:
        found = Seen(context.new_page())
        _listen(found, origin)
        answer = found.page.goto(origin + path, wait_until="load")
        assert answer is not None
        found.status = answer.status
        yield found
    finally:
        context.close()


def _listen(found: Seen, origin: str) -> None:
    """Has a page's requests and complaints written down."""

    def finished(request: Any) -> None:
        if not request.url.startswith(f"{origin}/"):
            found.foreign.append(request.url)
        sizes = request.sizes()
        found.bytes += sizes["responseBodySize"] + sizes["responseHeadersSize"]

    def said(message: Any) -> None:
        if message.type in {"error", "warning"}:
            found.troubles.append(message.text)

    found.page.on("requestfinished", finished)
    found.page.on("requestfailed", lambda request: found.foreign.append(request.url))
    found.page.on("pageerror", lambda error: found.troubles.append(str(error)))
    found.page.on("console", said)


def violations(page: Page, *rules: str) -> list[str]:
    """Returns where a page keeps somebody out, as axe sees it; all rules, or only some."""
    page.evaluate(_axe())
    only = {"runOnly": {"type": "rule", "values": [*rules]}} if rules else {}
    found = page.evaluate("options => axe.run(document, options)", only)
    return [
        f"{each['id']}: {each['help']}: {node['html']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


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
    expected: list[str] = page.evaluate(_FOCUSABLE, most)
    reached: list[str] = []
    for _ in expected:
        for _part in range(_PARTS):  # a date has a stop for each of its parts
            page.keyboard.press("Tab")
            stop: str = page.evaluate("document.activeElement.dataset.stop ?? 'nothing'")
            if [stop] != reached[-1:]:
                break
        reached.append(stop)
    return expected, reached


_FOCUSABLE = """most => {
  document.activeElement.blur();
  const all = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']");
  const open = [...all].filter(each => !each.disabled && each.checkVisibility());
  return open.slice(0, most).map((each, at) =>
    each.dataset.stop = `${at} ${each.tagName} ${each.textContent.trim()}`);
}"""
