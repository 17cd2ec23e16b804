"""Every command line of the pages for users is run, page after page, in one folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run_here

ROOT = Path(__file__).parents[2]
# In this order: the guide goes on where the README ends.
PAGES = ("README.md", "docs/guide.md", "docs/archive.md")
_BLOCK = re.compile(r"(<!-- not run: [^>]+ -->\n)?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What installs the program: here it is.
_INSTALLS = ("python3 ", "pip ")
_NOTED = "<!-- not run: "


def lines(page: str) -> Iterator[list[str]]:
    """Yields the command lines of a page, without the program's name."""
    for not_run, block in _BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        if not_run:
            continue
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and not line.startswith(_INSTALLS):
                assert words[0] == "rating-ledger", f"{page}: {line}"
                yield words[1:]


def test_every_command_line_of_the_pages_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    ran = 0
    for page in PAGES:
        for words in lines(page):
            done = run_here(*words)
            assert done.code == 0, f"{page}: {' '.join(words)}\n{done.out}\n{done.err}"
            ran += 1
    assert ran > len(PAGES)


def test_what_is_not_run_says_why() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        assert text.count(_NOTED) == sum(bool(note) for note, _ in _BLOCK.findall(text))
