"""Killed at any step of an import or a publication, the ledger is as before or as after."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from tests.cli.running import run

# The N-th statement that writes is the last thing the process does.
DRIVER = """
import os, signal, sys
from itertools import count
from sqlalchemy import event
from sqlalchemy.engine import Engine

last, *words = sys.argv[1:]
seen = count(1)

@event.listens_for(Engine, "%s")
def kill(_connection, _cursor, statement, *_):
    writes = not statement.lstrip().startswith(("SELECT", "PRAGMA"))
    if writes and next(seen) == int(last):
        os.kill(os.getpid(), signal.SIGKILL)

from cli.main import main
main(words)
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
    outcomes = []
    for step in range(1, 200):
        copy = Path(shutil.copytree(folder, tmp_path / f"{step}"))
        done = subprocess.run(
            [sys.executable, "-c", DRIVER % when, str(step), *words],
            cwd=copy, capture_output=True, check=False,
        )  # fmt: skip
        outcomes.append(head(copy) != before)
        if done.returncode != -signal.SIGKILL:
            assert done.returncode == 0, done.stderr
            break
        assert run("verify", cwd=copy).code == 0
        assert run(*words, cwd=copy).code == 0
        shutil.rmtree(copy)
    assert outcomes == sorted(outcomes), "once recorded, it stays recorded"
    assert not outcomes[0]
    assert outcomes[-1]
