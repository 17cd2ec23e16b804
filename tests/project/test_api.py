"""The page for programs: its functions run as written, its columns are all there."""

from __future__ import annotations

import doctest
import re
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ledger.intake.tables import Export

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "api.md"


def test_every_function_of_the_page_does_what_it_says() -> None:
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted >= 20
    assert result.failed == 0, "".join(told)


def columns(export: Export) -> str:
    """Returns a table of a table's columns, as it stands in the page."""
    rows = [f"| `{column.name}` | {column.kind} | {column.says} |" for column in export.columns]
    return "\n".join([f"**{export}**", "", "| column | holds | |", "| --- | --- | --- |", *rows])


@pytest.mark.parametrize("export", list(Export))
def test_the_page_has_every_column(export: Export) -> None:
    assert columns(export) in PAGE.read_text(encoding="utf-8")


def test_the_example_draws_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["inflation.py"])
    runpy.run_path(str(ROOT / "examples" / "inflation.py"), run_name="__main__")
    drawn = ET.fromstring((tmp_path / "inflation.svg").read_text(encoding="utf-8"))  # noqa: S314
    points = [each for each in drawn.iter() if each.tag.endswith("circle")]
    assert len(points) == len(capsys.readouterr().out.splitlines()) - 1 > 1
