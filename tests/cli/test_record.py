"""Recording by hand: what an arbiter is stopped at, and what an auditor sees of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.ledgers import GAMES_HEADER

PLAYERS = "id,name\nA,Ana\nB,Beto\nC,Ciro\nD,Dina\n"
ABOUT = "T,Copa,2010-07-10,2010-07-12,swiss,rapid,"


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    games = ("1,,A,B,1-0", "1,,C,D,+/-", "2,,A,C,1-0", "2,,B,,U")
    Path("players.csv").write_text(PLAYERS, encoding="utf-8")
    Path("games.csv").write_text(
        GAMES_HEADER + "".join(f"{ABOUT},{game}\n" for game in games), encoding="utf-8"
    )
    Path("first.csv").write_text(GAMES_HEADER + f"{ABOUT},{games[0]}\n", encoding="utf-8")
    rules = ("tournament", "rules", "T", "--pairing", "fenamac-1975")
    for words in (("init",), ("import", "players.csv"), ("import", "games.csv"), rules):
        assert run_here(*words).code == 0


@pytest.mark.parametrize(
    ("words", "breach"),
    [
        (("result", "T", "3", "B", "A", "1-0"), "second-meeting"),
        (("adjudication", "T", "3", "B", "A", "1-0"), "second-meeting"),
        (("adjournment", "T", "3", "B", "A"), "second-meeting"),
        (("forfeit", "T", "3", "A", "D", "+/-"), "second-absence"),
        (("bye", "T", "3", "B", "F"), "second-bye"),
    ],
)
def test_a_rule_is_broken_only_on_purpose_and_on_the_record(
    words: tuple[str, ...], breach: str
) -> None:
    refused = run_here("record", *words)
    assert refused.code == 4
    assert "--anyway" in refused.err
    assert "round 3" in refused.err
    assert "ronda 3" in run_here("--lang", "es", "record", *words).err
    done = run_here("record", *words, "--anyway", "--reason", "too few players")
    assert (done.code, "against the rules" in done.err) == (0, True)
    log = json.loads(run_here("log", "--tournament", "T", "--format", "json").out)["events"]
    assert log[-1]["payload"]["despite"] == [breach]
    assert log[-1]["reason"] == "too few players"


def test_a_correction_names_what_it_annuls_before_and_when_it_does() -> None:
    words = ("import", "first.csv", "--as-correction", "--reason", "score sheet")
    preview, done, again = (run_here(*words, *more) for more in (["--dry-run"], [], []))
    struck = ["C - D +/-", "A - C 1-0", "B pairing-allocated"]
    for told in (preview.err, done.err):
        assert [text for text in struck if text in told] == struck
    assert "nothing new" in again.out
    shown = json.loads(run_here("tournament", "show", "T", "--format", "json").out)
    assert [sorted(row["rounds"]) for row in shown["players"]] == [["1"], ["1"], [], []]


def test_a_part_of_a_report_annuls_nothing() -> None:
    words = ("import", "first.csv", "--as-correction", "--reason", "score sheet", "--partial")
    assert "nothing new" in run_here(*words).out


def test_the_log_shows_a_letter_that_nobody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    actor = ("--actor", "ana\u200b")
    with monkeypatch.context() as before:
        before.setattr("ledger.service.ledger.check_name", lambda _: None)
        assert run_here("player", "add", "Z", "Soto, Ana", *actor).code == 0
    assert "ana\\u200b" in run_here("log", "--all").out
    assert run_here("log", "--format", "json").json()["events"][-1]["actor"] == "ana\u200b"
    refused = run_here("player", "add", "Y", "Soto, Eva", *actor)
    assert (refused.code, "ana\\u200b" in refused.err) == (4, True)
