"""As known at a seq: one rule for whatever takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

ASKED = (
    ("list", "show", "ENF"),
    ("list", "show", "ENF", "2010-07"),
    ("explain", "3404510"),
    ("tournament", "show", "ymca-2010"),
    ("tournament", "crosstable", "ymca-2010"),
    ("tournament", "standings", "ymca-2010"),
    ("tournament", "cards", "ymca-2010"),
)


@pytest.mark.parametrize("words", ASKED)
def test_a_seq_that_is_none_is_refused(folder: Path, words: tuple[str, ...]) -> None:
    done = run(*words, "--as-known-at", "99999", cwd=folder)
    assert (done.code, done.out) == (7, "")
    assert "there is no seq 99999" in done.err


def test_the_newest_period_is_the_newest_of_then(folder: Path) -> None:
    then = run("list", "show", "ENF", "--format", "json", cwd=folder).json()
    assert run("publish", "ENF", "2010-08", cwd=folder).code == 0
    now = run("list", "show", "ENF", "--format", "json", cwd=folder).json()
    assert (then["period"], now["period"]) == ("2010-07", "2010-08")
    known = ("--as-known-at", str(then["basis"]["seq"]), "--format", "json")
    shown = run("list", "show", "ENF", *known, cwd=folder).json()
    assert shown["period"] == "2010-07"
    assert run("explain", "3404510", *known, cwd=folder).json()["period"] == "2010-07"


def test_before_anything_was_published_it_is_that_of_the_last_games(folder: Path) -> None:
    shown = run("list", "show", "ENF", "--as-known-at", "100", "--format", "json", cwd=folder)
    assert shown.json()["period"] == "2010-07"
