"""Numbers and dates on the command line: ASCII digits, and no more of them than can be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run, run_here

LONG = "1" * 5_000
WRONG = ["٣", "３", "²", "1e999999999", LONG]
REFUSED = [
    (("player", "seed", "3404510", "{}", "--list", "ENF", "--on", "2010-09-01"), 4),
    (("player", "seed", "3404510", "1500", "--list", "ENF", "--on", "2010-09-0{}"), 4),
    (("player", "seed", "3404510", "1500", "--list", "ENF", "--on", "2010-09-01", "--games", "{}"),
     2),
    (("player", "add", "X1", "Ana", "--born", "199{}"), 4),
    (("player", "add", "X1", "Ana", "--id", "fide=12 {}"), 4),
    (("player", "link", "3404510", "--id", "fide={}"), 4),
    (("k", "assign", "3404510", "{}", "--list", "ENF", "--on", "2010-09-01"), 2),
    (("list", "adjust", "ENF", "2010-08", "--below", "2000", "--pivot", "2000", "--share", "{}/5"),
     4),
    (("list", "diff", "ENF", "2010-07@{}", "2010-07"), 4),
    (("tournament", "open", "T", "--name", "T", "--start", "2010-08-0{}", "--end", "2010-08-09",
      "--rate-of-play", "classical"), 4),
    (("tournament", "open", "T", "--name", "T", "--start", "2010-08-01", "--end", "2010-08-09",
      "--rate-of-play", "classical", "--merit", "{}"), 4),
    (("log", "--since", "{}"), 2),
]  # fmt: skip


@pytest.fixture(scope="module")
def recorded(made_once: Path) -> str:
    """What the log says of the example."""
    return run("log", "--format", "jsonl", cwd=made_once).out


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("wrong", WRONG, ids=["arabic", "full-width", "superscript", "exp", "long"])
@pytest.mark.parametrize(("words", "code"), REFUSED, ids=lambda each: " ".join(each[:2])
                         if isinstance(each, tuple) else "")  # fmt: skip
@pytest.mark.usefixtures("here")
def test_what_is_no_number_in_ascii_digits_is_refused(
    words: tuple[str, ...], code: int, wrong: str, recorded: str
) -> None:
    done = run_here(*(word.format(wrong) for word in words))
    assert done.code == code, done.err
    assert done.err.strip()
    assert "Traceback" not in done.err
    assert run_here("log", "--format", "jsonl").out == recorded


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("player", "add", "X1", "Ana", "--born", "1990-13-01"), "as 1990-07-23"),
        (("player", "add", "X1", "Ana", "--born", "9" * 20), "as 1990-07-23"),
        (("player", "add", "X1", "Ana", "--id", "fide=34 00"), "digits only, as 3401234"),
        (("player", "add", "X1", "Ana", "--id", f"club={LONG}"), "at most 40 characters"),
        (("record", "result", "T", "1", "A", "B", "U"), "'U' is no result of a game"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_refusal_says_the_form_of_the_value(words: tuple[str, ...], reason: str) -> None:
    done = run_here(*words)
    assert done.code == 4
    said = " ".join(done.err.split())
    assert reason in said
    assert words[-1].partition("=")[2][:30] in said


@pytest.mark.usefixtures("here")
def test_a_seq_that_no_database_can_count_is_refused() -> None:
    assert run_here("log", "--since", "1" + "0" * 30).code == 2


@pytest.mark.usefixtures("here")
def test_more_workers_than_a_machine_holds_are_refused() -> None:
    assert run_here("replay", "--engine", "dask", "--workers", "1" + "0" * 30).code == 2


@pytest.mark.usefixtures("here")
def test_a_message_quotes_the_beginning_of_a_long_text() -> None:
    done = run_here("player", "seed", "3404510", LONG, "--list", "ENF", "--on", "2010-09-01")
    assert "1" * 900 in done.err.replace("\n", "")
    assert len(done.err) < 1_500


@pytest.mark.parametrize("share", ["2/5", "0.4", "+2/5", ".4"])
@pytest.mark.usefixtures("here")
def test_a_share_is_a_fraction_or_a_decimal(share: str) -> None:
    words = ("list", "adjust", "ENF", "2010-09", "--below", "2000", "--pivot", "2000")
    assert run_here(*words, "--share", share, "--dry-run").code == 0
