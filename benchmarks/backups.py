"""Backups of a ledger of a million games, on both databases: whole, again, and after 1,000 games.

``python -m benchmarks.backups FOLDER`` makes the ledger in the folder, unless it is there, and
writes a line of JSON for each command: seconds, seconds of computing, largest memory. The commands
are those that a person types, each in a process of its own; PostgreSQL's server is not counted.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.histories import documents, first_of, write_history
from benchmarks.plan import SIZES
from tests.postgres import PostgresServer

LIST: Final = "NAT"
NEW_GAMES: Final = 1_000
_PLAYERS: Final = 200
_ROUNDS: Final = 10
_PROGRAM: Final = (sys.executable, "-c", "from cli.main import main; main()")


def ran(*words: str | Path) -> tuple[dict[str, Any], str]:
    """Runs a command; returns what it took, and what it said."""
    said, begun = Path("said"), time.perf_counter()
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    child = os.posix_spawn(
        sys.executable,
        [*_PROGRAM, *map(str, words)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)],
    )
    os.close(out)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"{words}: {os.waitstatus_to_exitcode(status)}")
    took = {
        "seconds": round(time.perf_counter() - begun, 2),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 2),
        "peak_mb": used.ru_maxrss // 1024,
    }
    return took, said.read_text(encoding="utf-8")


def made(size: str) -> None:
    """Makes the ledger, from documents."""
    history = Path("history")
    if not history.exists():
        write_history(SIZES[size], 1, history)
    first = first_of(0).isoformat()
    ran("init", "--db", "new.db")
    ran("list", "define", LIST, "--regulation", "enf-2010", "--calendar", "monthly", "--first",
        first, "--db", "new.db")  # fmt: skip
    ran("import", history / "players.csv", "--list", LIST, "--db", "new.db")
    for path, is_correction in documents(history):
        why = ("--as-correction", "--partial", "--reason", "wrong result")
        ran("import", path, *(why if is_correction else ()), "--db", "new.db")
    Path("new.db").rename("ledger.db")


def games(number: int) -> Path:
    """Writes a tournament of 1,000 games."""
    path = Path(f"games-{number}.csv")
    with path.open("w", encoding="utf-8") as file:
        file.write("tournament,name,start,end,system,rate_of_play,round,date,white,black,result\n")
        for game in range(NEW_GAMES):
            round_, board = divmod(game, _PLAYERS // 2)
            white, black = f"x{board}", f"x{_PLAYERS - 1 - (board + round_) % (_PLAYERS // 2)}"
            file.write(
                f"new-{number},New,2026-01-01,2026-01-09,swiss,classical,{round_ + 1},2026-01-05,"
                f"{white},{black},1-0\n"
            )
    return path


def players() -> Path:
    """Writes those who play them."""
    path = Path("new-players.csv")
    lines = (f"x{number},New {number},CHI\n" for number in range(_PLAYERS))
    path.write_text(f"id,name,federation\n{''.join(lines)}", encoding="utf-8")
    return path


def measured(database: str, url: str, empty: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields each command by name, with what it took."""
    place = Path(f"backup-{database}")
    shutil.rmtree(place, ignore_errors=True)
    yield f"{database}: backup", ran("backup", place, "--db", url)[0]
    yield f"{database}: backup, nothing new", ran("backup", place, "--db", url)[0]
    ran("import", players(), "--db", url)
    ran("backup", place, "--db", url)
    for number in range(3):
        ran("import", games(number), "--db", url)
        took, _ = ran("backup", place, "--db", url)
        yield f"{database}: backup of {NEW_GAMES:,} new games", took
    yield f"{database}: restore --dry-run", ran("restore", place, "--dry-run")[0]
    took, said = ran("restore", place, "--db", empty, "--format", "json")
    yield f"{database}: restore", took | {"events": json.loads(said)["events"]}
    roots = {ran("checkpoint", "--db", each)[1] for each in (url, empty)}
    if len(roots) != 1:
        sys.exit("the restored ledger has another root")


def main() -> None:
    """Measures everything in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="million", choices=SIZES)
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    os.environ["RATING_LEDGER_STATE"] = str(told.folder.absolute() / "state")
    with contextlib.chdir(told.folder):
        if not Path("ledger.db").exists():
            made(told.size)
        for name in ("work.db", "restored.db"):
            for path in Path().glob(f"{name}*"):
                path.unlink()
        shutil.copy("ledger.db", "work.db")
        server = PostgresServer(Path("postgresql").absolute())
        try:
            there, empty = (server.url(server.create()) for _ in range(2))
            for what, took in measured("SQLite", "work.db", "restored.db"):
                print(json.dumps({"what": what} | took), flush=True)
            took, _ = ran("copy", "work.db", there)
            print(json.dumps({"what": "copy, SQLite to PostgreSQL"} | took), flush=True)
            for what, took in measured("PostgreSQL", there, empty):
                print(json.dumps({"what": what} | took), flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
