"""A reason without blanks makes no page wider: it stays in the ledger for ever."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.running import run
from tests.web.browser import chromium, overhang
from tests.web.serving import served
from web.rendering import unbroken

RESULTS = {
    "open-2026, 3: 7 – 9, 1-0": ["1–0"],
    "open 1-0-1, round 3: <b> – C, 1/2-1/2 → 0-1s": ["½–½", "0–1s"],
    "2010-10-01.csv": [],
}
LONG = "https://federation.example/" + "minutes" * 200


@pytest.mark.parametrize("title", RESULTS)
def test_a_result_is_not_broken(title: str) -> None:
    told = str(unbroken(title))
    assert re.findall(r'<span class="whole">([^<]*)</span>', told) == RESULTS[title]
    read = html.unescape(re.sub("</?span[^>]*>", "", told))
    for result in RESULTS[title]:
        read = read.replace(result, result.replace("½", "1/2").replace("–", "-"))
    assert read == title
    assert "<b>" not in told


def test_a_long_word_is_broken_wherever_a_reason_is_told(tmp_path: Path, demo_db: Path) -> None:
    db = Path(shutil.copy(demo_db, tmp_path))
    said = run(
        "--db", str(db), "correct", "result", "ymca-2010", "2", "3405958", "3404510", "0-1",
        "--reason", LONG, "--actor", "ana", cwd=tmp_path,
    )  # fmt: skip
    assert said.code == 0, said.err
    with served(db, log=tmp_path / "log") as site, chromium() as browser:
        page = browser.new_page(base_url=site.origin)
        for address in ("/corrections", "/audit", "/audit/log?tournament=ymca-2010"):
            page.goto(address)
            expect(page.locator("main")).to_contain_text(LONG)
            assert overhang(page) == 0, address
