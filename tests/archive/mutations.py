"""Changes an archive at random, with a manifest that fits, and asks the program about it.

``python -m tests.archive.mutations ARCHIVE LEDGER REPORT SEED COUNT`` writes a line for each
command, separated by tabs: number of the change, change, command, exit code, what it said last. The
process dies of what the program does not survive, and of a command of more than ten seconds.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cli.main import main as rating_ledger
from ledger.archive.manifest import NAME

SECONDS = 10
COMMANDS = (
    ("verify", "--db", "archive:{archive}"),
    ("list", "show", "ENF", "--db", "archive:{archive}"),
    ("export", "archive", "{new}", "--db", "archive:{archive}"),
    ("import", "archive", "{archive}", "--db", "{ledger}", "--dry-run"),
)
EXTREMES: tuple[Any, ...] = (
    -1,
    0,
    1,
    2,
    7,
    255,
    2**31 - 1,
    2**31,
    2**32,
    2**63 - 1,
    2**64,
    10**30,
    "",
    "x",
    None,
    [],
)


def rehash(folder: Path) -> None:
    """Writes the digests and sizes of the files, and that of the manifest itself, anew."""
    said = json.loads((folder / NAME).read_text(encoding="utf-8"))
    for part in (*said["commits"], *said["segments"], *said["personal"], *said["events"]):
        data = (folder / part["file"]).read_bytes()
        part |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    write(folder, said)


def write(folder: Path, said: dict[str, Any]) -> None:
    """Writes a manifest that says something, with the digest of it."""
    said.pop("sha256", None)
    digest = hashlib.sha256(_text(said).encode()).hexdigest()
    (folder / NAME).write_text(_text(said | {"sha256": digest}), encoding="utf-8", newline="\n")


def _text(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _flipped(rng: random.Random, data: bytearray) -> bytearray:
    near_the_end = rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 2, 8))):
        first = max(0, len(data) - 2_000) if near_the_end else 0
        data[rng.randrange(first, len(data))] ^= 1 << rng.randrange(8)
    return data


def _overwritten(rng: random.Random, data: bytearray) -> bytearray:
    at, length = rng.randrange(len(data)), rng.choice((1, 4, 8, 100))
    value = rng.choice((b"\0", b"\xff", b"\x80", b"\x7f"))
    data[at : at + length] = value * len(data[at : at + length])
    return data


def _cut(rng: random.Random, data: bytearray) -> bytearray:
    at = rng.randrange(len(data))
    return data[:at] if rng.random() < 0.5 else data[:at] + data[at + rng.choice((1, 9, 300)) :]


def _appended(rng: random.Random, data: bytearray) -> bytearray:
    return data + rng.choice((b"\0" * 9, bytes(data), b"PAR1", rng.randbytes(30)))


def _inserted(rng: random.Random, data: bytearray) -> bytearray:
    at, start = rng.randrange(len(data)), rng.randrange(len(data))
    return data[:at] + data[start : start + rng.choice((1, 20, 500))] + data[at:]


CHANGES: tuple[Callable[[random.Random, bytearray], bytearray], ...] = (
    _flipped, _flipped, _flipped, _overwritten, _cut, _appended, _inserted,
)  # fmt: skip


def mutate(folder: Path, rng: random.Random) -> str:
    """Changes one file of an archive, or what its manifest says; returns which."""
    if rng.random() < 0.15:
        said = json.loads((folder / NAME).read_text(encoding="utf-8"))
        what = rng.choice((said["head"], *said["commits"], *said["segments"], *said["personal"],
                           *said["events"], *said["lists"], said))  # fmt: skip
        name = rng.choice(sorted(what))
        what[name] = rng.choice(EXTREMES)
        write(folder, said)
        return f"{NAME}: {name}"
    path = rng.choice(sorted(folder.rglob("*.parquet")))
    change = rng.choice(CHANGES)
    path.write_bytes(change(rng, bytearray(path.read_bytes())))
    rehash(folder)
    return f"{path.relative_to(folder)}:{change.__name__}"


def _asked(words: list[str], said: Path) -> str:
    """Runs a command in this process; returns its exit code and the last thing it said."""
    signal.alarm(SECONDS)
    with said.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    code: object = None
    try:
        rating_ledger(words)
    except SystemExit as done:
        code = done.code
    signal.alarm(0)
    last = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    return f"{code}\t{' '.join(last)}"


def main(archive: str, ledger: str, report: str, seed: str, count: str) -> None:
    """Goes through the changes of a seed."""
    with Path(report).open("w", encoding="utf-8") as lines, tempfile.TemporaryDirectory() as made:
        for number in range(int(count)):
            rng = random.Random(f"{seed} {number}")  # noqa: S311 - it is to be the same again
            place = Path(shutil.copytree(archive, Path(made) / str(number)))
            change = mutate(place, rng)
            for words in COMMANDS:
                names = {"archive": place, "ledger": ledger, "new": Path(made) / f"new-{number}"}
                lines.write(f"{number}\t{change}\t{words[0]}\t")
                lines.flush()
                lines.write(_asked([w.format(**names) for w in words], Path(made) / "said") + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
