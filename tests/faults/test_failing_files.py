"""Writes, syncs and renames that fail: nothing is lost, and it is said what happened.

A sample is tried; ``RATING_LEDGER_FAULT_RUNS`` says how many runs, ``RATING_LEDGER_SEED`` which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import profile
from tests.faults import club
from tests.faults.shim import preloaded

RUNS = int(os.environ.get("RATING_LEDGER_FAULT_RUNS", profile.count(200, 20)))
SWITCHING = 12  # operations until the write-ahead log is on, and some more
SEED = os.environ.get("RATING_LEDGER_SEED", "2010")


def outcomes_of(folder: Path, runs: int, chosen: str) -> list[dict[str, Any]]:
    """Lets commands fail in a new ledger; returns what came of each run, and says how many."""
    copies = folder / "copies"
    copies.mkdir()
    club.make(folder / "club")
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.driver", folder / "club", copies, str(runs), chosen],
        env=preloaded(folder), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *outcomes, total = map(json.loads, done.stdout.splitlines())
    sys.stdout.write(f"{total}\n")
    assert len(outcomes) == runs
    return outcomes


def test_whatever_operation_fails_the_ledger_is_as_before_or_as_after(tmp_path: Path) -> None:
    outcomes = outcomes_of(tmp_path, RUNS, SEED)
    wrong = [one for one in outcomes if one["wrong"]]
    assert not wrong, f"RATING_LEDGER_SEED={SEED}: {wrong}"
    assert any(one["code"] == 6 for one in outcomes), "nothing failed: the shim does not reach"
    assert any(one["code"] == -9 for one in outcomes)
    assert any(one["code"] == 0 for one in outcomes)


def test_a_new_file_that_cannot_be_made_durable_is_no_ledger(tmp_path: Path) -> None:
    outcomes = outcomes_of(tmp_path, SWITCHING, "init")
    assert not [one for one in outcomes if one["wrong"]]
    assert any("could lose" in one["said"] for one in outcomes)
