"""PostgreSQL's server dies while commands run: nothing is lost, and it is said what happened.

A sample is tried; ``RATING_LEDGER_SERVER_DEATHS`` says how many runs, ``RATING_LEDGER_SEED`` which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests import profile
from tests.faults import club
from tests.faults.fallible_site import TurnedAway, fallible_site
from tests.faults.mortal_server import Death, MortalServer
from tests.faults.shim import preloaded

RUNS = int(os.environ.get("RATING_LEDGER_SERVER_DEATHS", profile.count(60, 11)))
SEED = os.environ.get("RATING_LEDGER_SEED", "2010")


def test_whenever_the_server_dies_the_ledger_is_as_before_or_as_after(
    mortal_folder: Path, tmp_path: Path
) -> None:
    place = mortal_folder / "run"
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


def test_a_site_says_that_its_server_is_away_and_goes_on_when_it_is_back(
    mortal_folder: Path, tmp_path: Path
) -> None:
    with closing(MortalServer(mortal_folder / "postgresql")) as server:
        db = server.url(server.create())
        club.make(tmp_path / "club", db)
        with fallible_site(tmp_path, db) as site:
            visitor = site.visitor()
            for death in (Death.KILLED, Death.IMMEDIATE, Death.FAST):
                form = site.form()
                server.die(death)
                with pytest.raises(TurnedAway, match="cannot reach or use its database"):
                    visitor.get("/lists/ENF")
                with pytest.raises(TurnedAway, match="cannot reach or use its database"):
                    site.submit(form, "away")
                server.start()
                assert visitor.get("/lists/ENF").status_code == 200, death
                site.submit(form, f"after-{death.name}")
            site.check()
