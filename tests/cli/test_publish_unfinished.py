"""A period with an event that is not over at the desk is published when somebody says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.event import do, opened, played
from tests.cli.running import Ran, run

GAMES = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event of three rounds, of which none is paired."""
    opened(tmp_path)
    return tmp_path


def published(folder: Path, *words: str) -> Ran:
    return run("publish", "L", "2025-06", *words, cwd=folder)


def refusal(folder: Path) -> str:
    """Returns what the event lacks, as the refusal says it; nothing is published."""
    head = do(folder, "log", "--format", "json").json()
    done = published(folder)
    assert (done.code, done.out) == (4, "")
    first, *details = done.err.splitlines()
    assert first.startswith("L 2025-06 would rate events that are not over at the desk: ")
    assert "--anyway" in first
    assert do(folder, "log", "--format", "json").json() == head
    return " | ".join(each.strip() for each in details)


def test_before_its_first_round_and_in_the_middle_it_is_named(event: Path) -> None:
    assert refusal(event) == "T (Open): rounds paired: 0 of 3"
    played(event, 1, "1-0", "1/2-1/2")
    assert refusal(event) == "T (Open): rounds paired: 1 of 3"
    do(event, "tournament", "pair", "T")
    do(event, "tournament", "result", "T", "2", "1", "1-0")
    lacking = "T (Open): 1 board of round 2 without a result | T (Open): rounds paired: 2 of 3"
    assert refusal(event) == lacking


def test_all_played_it_is_to_be_closed(event: Path) -> None:
    for round_ in (1, 2, 3):
        played(event, round_, "1-0", "1/2-1/2")
    assert refusal(event) == "T (Open) is not closed"
    do(event, "tournament", "close", "T")
    done = published(event)
    assert (done.code, done.err) == (0, "")


def test_it_goes_out_with_anyway_and_the_receipt_says_what_is_open(event: Path) -> None:
    played(event, 1, "1-0", "1/2-1/2")
    looked = published(event, "--dry-run")
    assert (looked.code, "rounds paired: 1 of 3" in looked.err) == (0, True)
    assert "it goes out with --anyway only" in looked.err
    done = published(event, "--anyway")
    assert done.code == 0
    assert "note: T (Open): rounds paired: 1 of 3" in done.err
    assert "Published L 2025-06, edition 1: 4 players." in done.out
    again = published(event)
    assert (again.code, "nothing has changed" in again.err) == (0, True)


def test_who_publishes_earlier_periods_too_is_told_before_any_goes_out(event: Path) -> None:
    played(event, 1, "1-0", "1/2-1/2")
    done = run("publish", "L", "2025-08", "--also-earlier", cwd=event)
    assert (done.code, "T (Open)" in done.err) == (4, True)
    assert (
        do(event, "period", "list", "L", "--format", "json").json()["periods"][0]["editions"] == 0
    )
    assert do(event, "publish", "L", "2025-08", "--also-earlier", "--anyway").out


@pytest.mark.parametrize("end", ["annul", "reject"])
def test_one_that_is_not_rated_keeps_nothing_back(event: Path, end: str) -> None:
    played(event, 1, "1-0", "1/2-1/2")
    words = ("annul", "tournament") if end == "annul" else ("tournament", "reject")
    do(event, *words, "T", "--reason", "rained off")
    assert published(event).code == 0


def test_what_is_imported_or_of_another_period_is_complete(event: Path) -> None:
    rows = "U,Club,2025-07-01,2025-07-02,swiss,classical,,1,2025-07-01,P1,P2,1-0\n"
    (event / "games.csv").write_text(GAMES + rows, encoding="utf-8")
    do(event, "import", "games.csv")
    do(event, "correct", "result", "U", "1", "P1", "P2", "0-1", "--reason", "misread")
    assert published(event, "--anyway").code == 0
    done = run("publish", "L", "2025-07", cwd=event)
    assert (done.code, done.err) == (0, "")
