"""The power fails at any operation: what was acknowledged is there, and the ledger verifies.

A sample of images is opened; ``RATING_LEDGER_POWER_CUTS`` says how many, ``RATING_LEDGER_SEED``
which.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ledger.events.personal import identity_in
from ledger.journal.interface import Journal
from ledger.journal.stores.database import open_journal
from ledger.journal.verify.check import check
from tests import profile
from tests.faults import club
from tests.faults.power_cut import Cut, Disk, Operation, operations
from tests.faults.shim import preloaded
from tests.journal.drafts import append, draft

CUTS = int(os.environ.get("RATING_LEDGER_POWER_CUTS", profile.count(1_000, 120)))
FILES = (club.DATABASE, f"{club.DATABASE}-wal", f"{club.DATABASE}-journal")
EACH = 10  # of so many images one is written on


@dataclass(frozen=True, slots=True)
class Recorded:
    """A ledger as it was, what was done to its files, and the roots of its commits in the end."""

    before: Path
    operations: list[Operation]
    roots: dict[int, str]
    commits: dict[int, int]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("power")
    place, before, file = folder / "club", folder / "before", folder / "operations"
    club.make(place)
    before.mkdir()
    (before / club.DATABASE).write_bytes((place / club.DATABASE).read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.recorder", place, file],
        env=preloaded(folder), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with closing(open_journal(str(place / club.DATABASE))) as journal:
        commits = list(journal.commits())
    made = [moved(one, place, before) for one in operations(file)]
    return Recorded(
        before, made, {commit.last_seq: commit.root for commit in commits},
        {commit.last_seq: commit.commit_id for commit in commits},
    )  # fmt: skip


def moved(operation: Operation, old: Path, new: Path) -> Operation:
    """Returns the operation on the ledger as it was before."""
    path = operation.path.replace(str(old), str(new), 1)
    return Operation(operation.kind, path, operation.offset, operation.data)


def test_what_was_acknowledged_outlives_any_power_cut(recorded: Recorded, tmp_path: Path) -> None:
    tally: Counter[str] = Counter()
    with profile.seeded(0) as chance:
        for cut, disk, mark, number in moments(recorded):
            image = disk.image(cut, chance)
            place = written(image, tmp_path / str(number))
            with closing(open_journal(str(place / club.DATABASE))) as journal:
                outcome = hold(journal, recorded, mark)
                if number % EACH == 0:
                    append(journal, draft())
                    assert check(journal).findings == ()
            tally[f"{cut.name.lower()}: {outcome}"] += 1
            shutil.rmtree(place)
    sys.stdout.write(f"{json.dumps(tally)}\n")
    assert sum(tally.values()) == CUTS
    for cut in Cut:
        assert any(name.startswith(cut.name.lower()) for name in tally)
    assert any("not yet acknowledged" in name for name in tally)


def written(image: dict[str, bytes], folder: Path) -> Path:
    """Writes files into a new folder; returns the folder."""
    folder.mkdir()
    for name, data in image.items():
        (folder / name).write_bytes(data)
    return folder


def test_a_database_that_did_not_sync_would_be_found(recorded: Recorded, tmp_path: Path) -> None:
    disk, mark = Disk(recorded.before, FILES), {"seq": 0, "erased": False}
    for operation in recorded.operations:
        if operation.kind == "m":
            mark = json.loads(operation.data)
        elif disk.concerned(operation) and operation.kind != "s":
            disk.take(operation)
    place = written(disk.image(Cut.NOTHING, random.Random(0)), tmp_path / "lost")  # noqa: S311
    with (
        closing(open_journal(str(place / club.DATABASE))) as journal,
        pytest.raises(AssertionError, match="acknowledged and lost"),
    ):
        hold(journal, recorded, mark)


def moments(recorded: Recorded) -> Iterator[tuple[Cut, Disk, dict[str, Any], int]]:
    """Yields moments at which the power fails, in order, as many as are wanted.

    With each comes what was acknowledged last. They are spread over all operations alike.
    """
    disk = Disk(recorded.before, FILES)
    concerning = sum(1 for one in recorded.operations if disk.concerned(one))
    mark: dict[str, Any] = {"seq": 0, "erased": False}
    done = number = 0
    for operation in recorded.operations:
        if operation.kind == "m":
            mark = json.loads(operation.data)
        elif disk.concerned(operation):
            disk.take(operation)
            done += 1
            while number < CUTS * done // concerning:
                yield list(Cut)[number % len(Cut)], disk, mark, number
                number += 1


def hold(journal: Journal, recorded: Recorded, mark: dict[str, Any]) -> str:
    """Asserts that the ledger is a state that it had, not before what was acknowledged."""
    head = journal.head()
    assert head.seq >= mark["seq"], "acknowledged and lost"
    assert recorded.roots[head.seq] == head.root
    assert recorded.commits[head.seq] == head.commit_id
    assert check(journal).findings == ()
    if mark["erased"]:
        names = {identity_in(text).name for text in journal.personal_documents().values()}
        assert names
        assert not any(club.NAME in name for name in names)
    return "as acknowledged" if head.seq == mark["seq"] else "not yet acknowledged, and whole"
