"""What the pages say in Spanish is what they say in English by now."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pages import ROOT, command_lines

TRANSLATION: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "website" / "translation.py"))
PAGES: list[Path] = TRANSLATION["translations"]()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_section_is_out_of_date(page: Path) -> None:
    stale = TRANSLATION["out_of_date"](page)
    assert not stale, f"translate these anew in docs/es/{page.name}: {stale}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_are_those_that_are_run(page: Path) -> None:
    english: Path = TRANSLATION["english"](page)
    both = [
        [line.words for line in command_lines(each.relative_to(ROOT).as_posix())]
        for each in (english, page)
    ]
    assert both[0] == both[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_have_the_same_rows(page: Path) -> None:
    """A row that was lost in translation would be missed by nobody else."""
    rows = [
        [section.text.count("\n|") for section in TRANSLATION["sections"](each)]
        for each in (TRANSLATION["english"](page), page)
    ]
    assert rows[0] == rows[1]


def test_a_section_whose_english_changed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "es").mkdir()
    page, translated = tmp_path / "page.md", tmp_path / "es" / "page.md"
    page.write_text("# A\n\none\n\n## B\n\n```sh\n# no heading\n```\n")
    translated.write_text("# A\n\nuno\n\n## Be\n\ndos\n")
    monkeypatch.setitem(TRANSLATION["note"].__globals__, "DOCS", tmp_path)
    assert TRANSLATION["out_of_date"](translated) == ["# A", "## B"]
    TRANSLATION["note"](translated)
    assert TRANSLATION["out_of_date"](translated) == []
    page.write_text(re.sub("no heading", "another", page.read_text()))
    assert TRANSLATION["out_of_date"](translated) == ["## B"]
    page.write_text(page.read_text() + "\n## C\n\nthree\n")
    assert TRANSLATION["out_of_date"](translated) == ["## B", "## C"]
