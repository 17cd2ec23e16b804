"""The browser of the tests finds what is wrong with a page: here everything is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.web.browser import DESK, NAMES, chromium, overhang, stops, violations, window

BAD = """<!DOCTYPE html><html><head><title>bad</title></head><body>
<p style="color: #ccc; background: #fff">pale</p>
<a href="/a" tabindex="2">second</a> <a href="/b" tabindex="1">first</a>
<img src="http://localhost:1/foreign.png">
<div class="wide">xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</div>
<script>document.body.append("said by a script"); nothing.there()</script></body></html>"""
POLICY = "style-src 'self'"


class Bad(BaseHTTPRequestHandler):
    """Answers with a bad page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        if self.path == "/strict":
            self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(BAD.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def origin() -> Iterator[str]:
    """A site with one bad page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Bad) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_everything_that_is_wrong_with_a_page_is_found(origin: str) -> None:
    with (
        chromium() as browser,
        window(browser, origin) as opened,
        window(browser, origin, scripts=False) as without,
    ):
        found = opened.open("/")
        wrong = {each.partition(":")[0] for each in violations(found.page)}
        assert {"color-contrast", "html-has-lang", "image-alt"} <= wrong
        assert violations(found.page, "document-title") == []
        assert found.foreign == ["http://localhost:1/foreign.png"]
        assert any("nothing is not defined" in each for each in found.troubles)
        assert found.bytes > len(BAD)
        assert overhang(found.page) > 0
        expected, reached = stops(found.page, 10)
        assert expected == ["0 A second", "1 A first"] != reached
        bare = without.open("/")
        assert found.text == f"{bare.text}\nsaid by a script"
        first = found
        found = opened.open("/strict")
        assert any("Content Security Policy" in each for each in found.troubles)
        window_is_wide = "width => innerWidth === width"
        found.page.wait_for_function(window_is_wide, arg=DESK["width"])  # the next one begins anew
        assert found.bytes > len(BAD), "nothing was kept of the one before"
        assert not any("Content Security Policy" in each for each in first.troubles)


def test_the_browsers_that_dev_py_looks_for_are_those_of_the_tests() -> None:
    tree = ast.parse((Path(__file__).parents[2] / "dev.py").read_text("utf-8"))
    (found,) = [
        ast.literal_eval(each.value)
        for each in tree.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "BROWSERS"
    ]
    assert found == NAMES
