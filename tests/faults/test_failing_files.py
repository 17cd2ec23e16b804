"""Writes, syncs and renames that fail: nothing is lost, and it is said what happened.

A sample is tried; ``RATING_LEDGER_FAULT_RUNS`` says how many runs, ``RATING_LEDGER_SEED`` which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests import profile
from tests.faults import club
from tests.faults.shim import preloaded

RUNS = int(os.environ.get("RATING_LEDGER_FAULT_RUNS", profile.count(200, 20)))
SEED = os.environ.get("RATING_LEDGER_SEED", "2010")


def test_whatever_operation_fails_the_ledger_is_as_before_or_as_after(tmp_path: Path) -> None:
    folder, copies = tmp_path / "club", tmp_path / "copies"
    club.make(folder)
    copies.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.driver", folder, copies, str(RUNS), SEED],
        env=preloaded(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *outcomes, total = map(json.loads, done.stdout.splitlines())
    sys.stdout.write(f"{total}\n")
    assert len(outcomes) == RUNS
    wrong = [one for one in outcomes if one["wrong"]]
    assert not wrong, f"RATING_LEDGER_SEED={SEED}: {wrong}"
    assert any(one["code"] == 6 for one in outcomes), "nothing failed: the shim does not reach"
    assert any(one["code"] == -9 for one in outcomes)
    assert any(one["code"] == 0 for one in outcomes)
