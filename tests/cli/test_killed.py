"""Killed at any step of an import or a publication, the ledger is as before or as after."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from tests.cli.event import opened
from tests.cli.killing import driven
from tests.cli.running import run

JOBS = {
    "import": ("import", "agosto.csv"),
    "publish": ("publish", "ENF", "2010-08"),
}


def head(folder: Path) -> tuple[int, str]:
    journal = open_journal(str(folder / "rating-ledger.db"))
    try:
        return journal.head().seq, journal.head().root
    finally:
        journal.close()


@pytest.mark.parametrize("when", ["before_cursor_execute", "after_cursor_execute"])
def test_a_round_is_published_whole_or_not_at_all(tmp_path: Path, when: str) -> None:
    folder, copies = tmp_path / "event", tmp_path / "copies"
    folder.mkdir()
    opened(folder, players=5)
    before = head(folder)
    outcomes = []
    for step, _ in enumerate(driven(folder, copies, when, "tournament", "pair", "T"), start=1):
        copy = copies / str(step)
        outcomes.append(head(copy) != before)
        shown = run("tournament", "round", "T", "--format", "json", cwd=copy)
        if outcomes[-1]:
            assert (len(shown.json()["boards"]), shown.json()["bye"]["id"]) == (2, "P5")
            bye = run("tournament", "show", "T", "--format", "json", cwd=copy).json()["players"][4]
            assert bye["points"] == "1"
        else:
            assert shown.code == 7
            assert run("tournament", "pair", "T", cwd=copy).code == 0
        assert run("verify", cwd=copy).code == 0
    assert outcomes == sorted(outcomes), "once recorded, it stays recorded"
    assert not outcomes[0]
    assert outcomes[-1]


@pytest.mark.parametrize("when", ["before_cursor_execute", "after_cursor_execute"])
@pytest.mark.parametrize("job", JOBS)
def test_killed_anywhere(folder: Path, tmp_path: Path, job: str, when: str) -> None:
    words = JOBS[job]
    if job == "import":
        # The folder has August already: begin again without it.
        words = ("import", "september.csv")
        text = (folder / "agosto.csv").read_text().replace("agosto", "sept").replace("-08-", "-09-")
        (folder / "september.csv").write_text(text)
    before = head(folder)
    copies = tmp_path / "copies"
    codes = driven(folder, copies, when, *words)
    outcomes = []
    for step in range(1, len(codes) + 1):
        copy = copies / str(step)
        outcomes.append(head(copy) != before)
        assert run("verify", cwd=copy).code == 0
        assert run(*words, cwd=copy).code == 0
    assert outcomes == sorted(outcomes), "once recorded, it stays recorded"
    assert not outcomes[0]
    assert outcomes[-1]
