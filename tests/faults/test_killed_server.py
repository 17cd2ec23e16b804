"""PostgreSQL's server dies while commands run: nothing is lost, and it is said what happened.

A sample is tried; ``RATING_LEDGER_SERVER_DEATHS`` says how many runs, ``RATING_LEDGER_SEED`` which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests import profile
from tests.faults.shim import preloaded

RUNS = int(os.environ.get("RATING_LEDGER_SERVER_DEATHS", profile.count(60, 11)))
SEED = os.environ.get("RATING_LEDGER_SEED", "2010")


def test_whenever_the_server_dies_the_ledger_is_as_before_or_as_after(
    shared_folder: Path, tmp_path: Path
) -> None:
    place = shared_folder / "run"
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.server_driver", place, str(RUNS), SEED],
        env=preloaded(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *outcomes, total = map(json.loads, done.stdout.splitlines())
    sys.stdout.write(f"{total}\n")
    assert len(outcomes) == RUNS
    wrong = [one for one in outcomes if one["wrong"]]
    assert not wrong, f"RATING_LEDGER_SEED={SEED}: {wrong}"
    assert any(one["code"] == 6 for one in outcomes), "nothing failed: the server does not die"
