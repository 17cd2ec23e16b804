"""The page for programs: its functions run as written, its columns are all there."""

from __future__ import annotations

import datetime as dt
import doctest
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ledger.application import OpenLedger, open_ledger
from ledger.errors import InputRefused, NotFound
from ledger.operations.commands import OPERATIONS
from ledger.questions.question import QUESTIONS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "api.md"
JULY = dt.date(2010, 7, 1)


def test_every_function_of_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted >= 20
    assert result.failed == 0, "".join(told)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenLedger]:
    with open_ledger(tmp_path / "club.db", create=True) as ledger:
        yield ledger


def test_every_operation_and_question_is_known_by_its_name(opened: OpenLedger) -> None:
    """With a field that none of them has: it is looked up, and the refusal says what it takes."""
    for name in OPERATIONS:
        with pytest.raises(InputRefused, match=r"'nonsense' is not known here; .*reason"):
            opened.record(name, actor="ana", nonsense=1)
    for question in QUESTIONS:
        with pytest.raises(InputRefused, match="'nonsense' is not known here"):
            opened.ask(question.name, nonsense=1)


def test_what_is_wrong_is_refused_with_what_to_say(opened: OpenLedger) -> None:
    new: dict[str, Any] = {
        "list": "ENF",
        "regulation": "enf-2010",
        "calendar": "monthly",
        "first_on": JULY,
    }
    opened.record("define-list", actor="ana", **new)
    for name, fields, said in (
        ("define-lists", new, r"'define-lists' is not known here; known are .*define-list"),
        ("define-list", new | {"calendar": "weekly"}, r"weekly.*monthly"),
        ("define-list", new | {"first_on": "July"}, "July"),
        ("define-list", {"list": "B"}, "regulation"),
        ("undo-commit", {"commit": "x"}, "x"),
        ("define-list", {"regulation": 1}, r"(?s)list.*regulation.*calendar.*first_on"),
        ("register-player", {"identity": {"name": "Zzyzx"}}, "federation.*missing"),
    ):
        with pytest.raises(InputRefused, match=said) as refusal:
            opened.record(name, actor="ana", reason="x", **fields)
        assert "Zzyzx" not in str(refusal.value), "what is missing quotes nothing of the rest"
    for words, said in (({}, "'tournament' is missing"), ({"tournament": "T", "number": "x"}, "x")):
        with pytest.raises(InputRefused, match=said):
            opened.ask("published_round", **words)
    with pytest.raises(NotFound):
        opened.ask("published_round", tournament="T", number=1)
    assert len(opened.ask("periods").data("en")["periods"]) == 1, "of the only list"


def test_a_key_names_a_request_that_is_carried_out_once(opened: OpenLedger) -> None:
    words: dict[str, Any] = {"actor": "ana", "tournament": "T", "name": "Copa", "starts_on": JULY}
    words |= {"ends_on": JULY, "rate_of_play": "rapid"}
    first, again = (opened.record("announce-tournament", key="k", **words) for _ in range(2))
    assert (first.commit_id, first.repeated, again.repeated) == (again.commit_id, False, True)


def test_the_example_draws_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["inflation.py"])
    runpy.run_path(str(ROOT / "examples" / "inflation.py"), run_name="__main__")
    drawn = ET.fromstring((tmp_path / "inflation.svg").read_text(encoding="utf-8"))  # noqa: S314
    points = [each for each in drawn.iter() if each.tag.endswith("circle")]
    assert len(points) == len(capsys.readouterr().out.splitlines()) - 1 > 1
