"""The clock of the machine is set back, or far ahead by mistake and then right again.

It is the system's clock that is wrong: the real program, its children and SQLite are told so.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from tests.cli.running import Ran
from tests.faults import club
from tests.faults.fallible_site import FallibleSite, fallible_site
from tests.faults.shim import Control

DAY = 86_400
YEARS = 3_000 * DAY
WAYS = {"right": 0, "an hour back": -3_600, "a year back": -365 * DAY, "eight years ahead": YEARS}


class Office:
    """Somebody who types commands on a machine whose clock is set."""

    def __init__(self, folder: Path, typist: subprocess.Popen[str], control: Control) -> None:
        self.folder, self.control, self._typist = folder, control, typist

    def run(self, *words: str) -> Ran:
        """Runs a command in a process of its own."""
        typist = self._typist
        assert typist.stdin is not None and typist.stdout is not None  # noqa: PT018 - pipes
        typist.stdin.write(f"{json.dumps(words)}\n")
        typist.stdin.flush()
        return Ran(**json.loads(typist.stdout.readline()))

    def instants(self) -> list[dt.datetime]:
        """Returns when the commits were recorded, in order."""
        with closing(open_journal(str(self.folder / club.DATABASE))) as journal:
            return [dt.datetime.fromisoformat(each.recorded_at) for each in journal.commits()]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """The office of a club."""
    folder, control = tmp_path / "club", Control(tmp_path)
    club.make(folder)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.typist", folder],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **control.environment, "LC_ALL": "C.UTF-8"},
    ) as typist:  # fmt: skip
        yield Office(folder, typist, control)


def test_recorded_instants_never_go_back_and_it_is_said(office: Office) -> None:
    now = dt.datetime.now(dt.UTC)
    ahead = now + dt.timedelta(seconds=YEARS)
    work = {
        "a year back": ("import", "september.csv"),
        "eight years ahead": ("publish", "ENF", "2010-08"),
        "right": ("publish", "ENF", "2010-09"),
        "an hour back": ("player", "erase", club.ERASED, "--reason", "asked for"),
    }
    notes = {}
    for way, words in work.items():
        office.control.set_clock(WAYS[way])
        done = office.run(*words)
        assert done.code == 0, (way, done.err)
        notes[way] = "recorded instants never go back" in done.err
        assert office.run("backup", "B").code == 0
    assert notes == {
        "a year back": True, "eight years ahead": False, "right": True, "an hour back": True
    }  # fmt: skip
    instants = office.instants()
    assert all(before <= after for before, after in pairwise(instants))
    assert instants[-3] >= ahead
    assert instants[-3] == instants[-2] == instants[-1], "as of the last one, not of the clock"
    office.control.set_clock(0)
    for words in (("verify",), ("restore", "B", "--db", "new.db"), ("verify", "--db", "new.db")):
        done = office.run(*words)
        assert done.code == 0, done.err


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FallibleSite]:
    with fallible_site(tmp_path_factory.mktemp("clock")) as made:
        yield made


def is_signed_in(site: FallibleSite) -> bool:
    answer = site.people["ana"].client.get("/submissions", headers={"accept": "text/html"})
    assert answer.status_code in (200, 303), answer.status_code
    return bool(answer.status_code == HTTPStatus.OK)


@pytest.mark.parametrize("way", ["an hour back", "right"])
def test_who_is_signed_in_goes_on_when_the_clock_is_set_back(site: FallibleSite, way: str) -> None:
    site.control.set_clock(WAYS[way])
    assert is_signed_in(site)
    site.submit(site.form(), f"clock-{way}".replace(" ", "-"))
    assert is_signed_in(site)
    site.check()


def test_a_clock_years_ahead_lets_nobody_in_and_does_no_harm(site: FallibleSite) -> None:
    site.control.set_clock(WAYS["eight years ahead"])
    assert not is_signed_in(site), "for all that anybody knows the session is old"
    assert site.visitor().get("/lists/ENF").status_code == HTTPStatus.OK
    site.control.set_clock(0)
    assert is_signed_in(site)
    site.submit(site.form(), "right-again")
    site.check()
