"""Killed at any step of an import or a publication, the ledger is as before or as after."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from tests.cli.event import opened
from tests.cli.running import run

# Each child works in a copy of its own; its N-th statement that writes is the last thing it does.
# The process that all are forked from did the whole once: what that loads is loaded for all.
DRIVER = """
import os, shutil, signal, sys
from itertools import count
from sqlalchemy import event
from sqlalchemy.engine import Engine
from cli.main import _run, main

when, folder, copies, *words = sys.argv[1:]

def killed_at(last):
    seen = count(1)

    @event.listens_for(Engine, when)
    def kill(_connection, _cursor, statement, *_):
        writes = not statement.lstrip().startswith(("SELECT", "PRAGMA"))
        if writes and next(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    main(words)

os.chdir(shutil.copytree(folder, f"{copies}/whole"))
sys.stdout, told = open(os.devnull, "w"), sys.stdout
if _run(words):
    sys.exit("the command fails, whoever kills it")
sys.stdout = told
for step in range(1, 200):
    copy = shutil.copytree(folder, f"{copies}/{step}")
    child = os.fork()
    if not child:
        os.chdir(copy)
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
        killed_at(step)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code != -signal.SIGKILL:
        break
"""
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


def driven(folder: Path, copies: Path, when: str, *words: str) -> list[int]:
    """Kills a command at each of its writing statements; returns the exit codes, the last is 0."""
    copies.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, when, folder, copies, *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    codes = [int(line) for line in done.stdout.split()]
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0], done.stderr
    return codes


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
