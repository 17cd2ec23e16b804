"""The same history gives the same bytes: in any process, time zone and database."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ledger.answers.lists import regenerate
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from tests.differential.support import LIST, NOW
from tests.laws.digests import digests, digests_in

ROOT = Path(__file__).resolve().parents[2]


def _elsewhere(*words: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.laws.digests", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_several_editions_go_out() -> None:
    lines = digests(MemoryJournal())
    assert len(lines) == 6
    assert [line.split()[:2] for line in lines] == [
        ["2010-07", "1"],
        ["2010-08", "1"],
        ["2010-07", "2"],
        ["2010-08", "2"],
        ["2010-07", "2"],
        ["2010-08", "3"],
    ]


def test_another_process_with_other_settings_publishes_the_same() -> None:
    strange = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0"}
    assert _elsewhere(**strange) == digests(MemoryJournal())


def test_a_database_publishes_what_memory_publishes(tmp_path: Path) -> None:
    assert digests_in(str(tmp_path / "here.db")) == digests(MemoryJournal())


def test_a_database_made_elsewhere_comes_out_the_same_here(tmp_path: Path) -> None:
    path = str(tmp_path / "there.db")
    strange = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    lines = _elsewhere(path, **strange)
    journal = open_journal(path)
    try:
        ledger = Ledger(journal, clock=lambda: NOW)
        assert not verify(ledger).findings
        for line in lines:
            period, edition, output, ratings = line.split()
            made, failure = regenerate(ledger, LIST, period, int(edition))
            assert failure is None
            assert (made.output_sha256(), made.ratings_sha256()) == (output, ratings)
    finally:
        journal.close()
