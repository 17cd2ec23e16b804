"""A database and an archive made by 0.1.0: they open, answer as they did then, and go on.

``init`` brings the database up to date first; an archive needs nothing.

``release_0_1_0`` holds three lists with different regulations and policies, editions, a merge, a
ladder, a TRF import and an event of every type, with what the program of that time answered. None
of it is ever made again: a program that answers otherwise has changed history.
"""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run_here

RELEASE = Path(__file__).with_name("release_0_1_0")
ANSWERS: dict[str, tuple[int, str]] = json.loads(
    gzip.decompress((RELEASE / "answers.json.gz").read_bytes())
)
LISTS = [question for question in ANSWERS if question.startswith("list regenerate")]


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the database that no test appends to."""
    folder = tmp_path_factory.mktemp("release")
    return _upgraded(folder)


@pytest.mark.parametrize("question", ANSWERS)
def test_it_answers_as_it_did(
    read_only: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.chdir(read_only)
    code, answer = ANSWERS[question]
    done = run_here(*_asked_today(question))
    assert done.code == code, done.err
    if code == 0 and question.endswith("--format json"):
        then = json.loads(answer)
        # Ratings were those of the open period; now they are the official ones.
        if question.startswith("player show "):
            del then["ratings"]
        for place in then["places"] if question.startswith("ladder show ") else ():
            del place["rating"]
        assert _kept(json.loads(done.out), then) == then
    elif code == 0 and (question.endswith("--format csv") or question.startswith("export ")):
        left_out = "rating" if question.startswith("ladder show ") else ""
        kept, then = _columns_kept(done.out, answer), _columns_kept(answer, answer)
        assert _without_column(kept, left_out) == _without_column(then, left_out)
    elif code == 0 and question.startswith("tournament trf"):
        assert _report_kept(done.out) == _report_kept(answer)
    elif code == 0:
        assert done.out == answer
    elif answer:
        assert json.loads(done.err)["error"] == answer


def _asked_today(question: str) -> list[str]:
    """Returns the words that ask the same today: what is published is what comes by default now."""
    words = question.split()
    is_as_known = question.startswith(("list show ", "explain ")) and "--edition" not in words
    return [*words, "--recalculated"] if is_as_known else words


def _upgraded(folder: Path) -> Path:
    """Copies the database into a folder and brings it up to date."""
    shutil.copy(RELEASE / "rating-ledger.db", folder)
    done = run_here("init", "--db", str(folder / "rating-ledger.db"))
    assert done.code == 0, done.err
    return folder


def _columns_kept(now: str, then: str) -> list[list[str]]:
    """Returns the rows of a table without the columns that were added since, at the end."""
    width = len(next(csv.reader(then.splitlines())))
    return [row[:width] for row in csv.reader(now.splitlines())]


def _without_column(rows: list[list[str]], name: str) -> list[list[str]]:
    """Return the rows of a table without a column, by its name in the first row, if it is there."""
    if name not in rows[0]:
        return rows
    place = rows[0].index(name)
    return [row[:place] + row[place + 1 :] for row in rows]


def _report_kept(report: str) -> list[str]:
    """Returns the lines of a report; a blank round and ``0000 - Z`` are one word of the format."""
    return [line.replace("0000 - Z", "        ").rstrip() for line in report.splitlines()]


def _kept(now: Any, then: Any) -> Any:
    """Returns an answer without the keys that were added since: programs may pass them over."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: _kept(value, then[key]) for key, value in now.items() if key in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [_kept(one, other) for one, other in zip(now, then, strict=True)]
    return now


def test_the_archive_is_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    archive = str(RELEASE / "archive")
    assert run_here("init").code == 0
    restored = run_here("import", "archive", archive)
    assert restored.code == 0, restored.err
    for place in ((), ("--db", f"archive:{archive}")):
        for question in LISTS:
            assert run_here(*question.split(), *place).out == ANSWERS[question][1], question
        verified = json.loads(ANSWERS["verify --format json"][1])
        now = json.loads(run_here("verify", "--format", "json", *place).out)
        assert _kept(now, verified) == verified


def test_the_database_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_upgraded(tmp_path))
    for words in (
        "correct result ymca-2010 5 3400190 3404510 1/2-1/2 --reason sheet",
        "player add P3 Nueva --born 1999",
        "publish ENF 2010-07",
        "publish ENF 2010-10",
        "publish NEXT 2010-10",
        "verify",
        "replay --check",
        "export archive later",
        "verify --db archive:later",
    ):
        done = run_here(*words.split())
        assert done.code == 0, (words, done.err)
    for question in LISTS:
        at = question if "--edition" in question else f"{question} --edition {_edition(question)}"
        assert run_here(*at.split()).out == ANSWERS[question][1], question


def _edition(question: str) -> int:
    """The edition of a list that was the last one when the answers were written."""
    return 2 if question.endswith("ENF 2010-07") else 1
