"""Whatever is changed in an archive, with digests that fit: no trace, no signal, no waiting."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from ledger.journal.stores.database import upgrade
from tests.archive.mutations import COMMANDS, mutate, rehash
from tests.profile import count, seeded

ROOT = Path(__file__).parents[2]
CHANGES = count(100, 30)
CONTRACTED = {"0", "3", "4", "5", "6", "7"}


def test_every_command_ends_as_it_should(folder: Path, tmp_path: Path) -> None:
    with seeded(0) as chance:
        seed = chance.randrange(2**32)
    upgrade(str(tmp_path / "empty.db"))
    words = (str(folder), str(tmp_path / "empty.db"), str(tmp_path / "report"), str(seed))
    done = subprocess.run(
        [sys.executable, "-m", "tests.archive.mutations", *words, str(CHANGES)],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    lines = (tmp_path / "report").read_text(encoding="utf-8").splitlines()
    assert done.returncode == 0, f"seed {seed}: {done.returncode} in {lines[-1]}"
    found = [line.split("\t", 4) for line in lines]
    assert len(found) == CHANGES * len(COMMANDS)
    for _, change, command, code, said in found:
        assert code in CONTRACTED, f"seed {seed}: {change}, {command}: {said}"


def test_the_same_seed_makes_the_same_changes(folder: Path) -> None:
    rehash(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    made = []
    for _ in range(2):
        for path, data in before.items():
            path.write_bytes(data)
        rng = random.Random(5)  # noqa: S311 - it is to be the same again
        made.append([mutate(folder, rng) for _ in range(9)])
    assert made[0] == made[1]
    assert len(set(made[0])) > 4
