"""An event at the desk in a folder: four players, a list with their ratings, rules announced."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tests.cli.running import Ran, run

OPEN = (
    "tournament", "open", "T", "--name", "Open", "--start", "2025-06-01", "--end", "2025-06-03",
    "--rate-of-play", "classical", "--rounds", "3",
)  # fmt: skip
RULES = ("--pairing", "fenamac-1975", "--tie-breaks", "median,solkoff")
REASON = ("--reason", "the captains agreed")


def do(folder: Path, *words: str) -> Ran:
    """Runs a command that is to be carried out."""
    done = run(*words, cwd=folder)
    assert done.code == 0, done.err
    return done


def registered(folder: Path, players: int) -> None:
    """Makes a ledger with P1, the highest rated, and so on."""
    _write(folder, _registered(players))


def opened(folder: Path, players: int = 4) -> None:
    """Opens an event of as many players, with its rules."""
    _write(folder, _opened(players))


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@cache  # made once in a run, by commands
def _registered(players: int) -> dict[str, bytes]:
    header = "id,name,federation,sex,birth_date,rating,k,games\n"
    rows = (f'P{n},"Núñez, Ana {n}",MEX,,,{2000 - 10 * n},,\n' for n in range(1, players + 1))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "players.csv").write_text(header + "".join(rows), encoding="utf-8")
        do(folder, "init")
        do(folder, "list", "define", "L", "--regulation", "fenamac-1973", "--calendar", "monthly",
           "--first", "2025-06-01")  # fmt: skip
        do(folder, "import", "players.csv", "--list", "L")
        return _read(folder)


@cache
def _opened(players: int) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        registered(folder, players)
        do(folder, *OPEN, *RULES)
        do(folder, "tournament", "enter", "T", *(f"P{n}" for n in range(1, players + 1)))
        return _read(folder)


def played(folder: Path, round_: int, *results: str) -> None:
    """Pairs a round and records its results, in the order of the boards."""
    do(folder, "tournament", "pair", "T")
    boards = (word for at, result in enumerate(results, start=1) for word in (str(at), result))
    do(folder, "tournament", "result", "T", str(round_), *boards)
