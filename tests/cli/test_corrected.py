"""A result that was corrected bears a mark wherever it is shown; a line below names the event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.event import REASON, do, opened, played
from tests.cli.running import run

NOTES = {
    "en": "c: corrected, see the audit at seq {}",
    "es": "c: corregido, ver en la auditoría el seq {}",
}
SHOWING = {
    "tournament show T": ("3w0c", "3B0c"),
    "tournament crosstable T": ("3w0c", "3B0c"),
    "tournament round T 1": ("0-1c", "0-1c"),
    "tournament cards T P1": ("0c", "0c"),
    "explain P1 --period 2025-06": ("0c", "0c"),
}
"""Commands, and how they write the first board of round 1, in English and Spanish."""
FORMS = ("tournament crosstable T", "tournament round T 1", "tournament cards T P1")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A folder with a round that P1 won with White against P3."""
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "1-0")
    return tmp_path


def corrected(folder: Path) -> int:
    """Turns the result of the first board; returns the seq of the event."""
    do(folder, "correct", "result", "T", "1", "P1", "P3", "0-1", *REASON)
    last: dict[str, Any] = run("log", "--format", "json", cwd=folder).json()["events"][-1]
    assert last["type"] == "result.corrected"
    return int(last["seq"])


@pytest.mark.parametrize("language", [*NOTES])
def test_the_mark_and_its_event_stand_wherever_the_result_does(event: Path, language: str) -> None:
    lines = {said: ("--lang", language, *said.split()) for said in SHOWING}
    before = {said: do(event, *words).out for said, words in lines.items()}
    note = NOTES[language].format(corrected(event))
    for said, words in lines.items():
        mark = SHOWING[said][language == "es"]
        assert mark not in before[said].split()
        assert note[:4] not in before[said]
        shown = do(event, *words).out
        assert mark in shown.split(), shown
        assert note in shown.splitlines()


@pytest.mark.parametrize("said", FORMS)
def test_it_is_printed_too(event: Path, said: str) -> None:
    words = (*said.split(), "--format", "html")
    assert "<sup>" not in do(event, *words).out
    note = NOTES["en"].format(corrected(event))
    page = do(event, *words).out
    assert "<sup>c</sup>" in page
    assert f"<p>{note}</p>" in page


def test_a_program_reads_the_seq(event: Path) -> None:
    seq = corrected(event)

    def read(said: str) -> Any:
        return run(*said.split(), "--format", "json", cwd=event).json()

    assert read("tournament show T")["players"][0]["corrected"] == {"1": seq}
    assert read("tournament crosstable T")["rows"][0]["corrected"] == {"1": [seq]}
    boards = read("tournament round T 1")["boards"]
    assert [board["corrected_by_seq"] for board in boards] == [seq, None]
    card = read("tournament cards T P1")["cards"][0]
    assert card["lines"][0]["corrected_by_seq"] == seq


def test_a_cause_that_a_correction_made_is_marked(folder: Path) -> None:
    why = ("why", "3405958", "--from", "2010-07@1", "--to", "2010-07@2")
    do(folder, "correct", "result", "ymca-2010", "5", "3400190", "3404510", "1/2-1/2", *REASON)
    seq = run("log", "--format", "json", cwd=folder).json()["events"][-1]["seq"]
    do(folder, "publish", "ENF", "2010-07", *REASON)
    shown = do(folder, *why[:1], "3404510", *why[2:]).out
    assert "corrections c " in shown
    assert NOTES["en"].format(seq) in shown.splitlines()
    assert "corrections c" not in do(folder, *why).out
