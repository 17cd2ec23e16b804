"""Measures one huge list, here and by shards on a local Dask cluster: ``docs/scale.md`` tells what.

The games are made up and written as the rows of sealed segments, without the events they would be
made of: a hundred million of those would take an hour. Everybody has a rating, so all games are
plain; that is what scales. From a clone, with Dask installed::

    python -m examples.scale FOLDER --players 1000000 --games 50000000 --months 24 --workers 2
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np

from ledger.calendar import Calendar
from ledger.cluster.dask import OnDask, on_dask
from ledger.cluster.shards import Asked, Coordinator, Shard, ShardPlace, Share
from ledger.facts.arrays import Column
from ledger.facts.blocks import BlockRows, GameDirectory, coded
from ledger.facts.builder import FactsBuilder
from ledger.facts.columns import Facts
from ledger.facts.runs import Effects
from ledger.facts.segment import Content
from ledger.facts.tables import NOT_TOLD, RATES, SYSTEMS, TABLES, PlayerTable, Seeds, Tournaments
from ledger.journal.stores.memory import MemoryJournal
from ledger.replay.replay import Source, replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list
from ledger.terms import Rate, System

FIRST_ON = dt.date(2014, 1, 1)
SEGMENT = 250_000
TOURNAMENT = 250
NAME = "huge"


def main() -> None:
    """Makes the games, replays them here and on a cluster, and compares."""
    parser = argparse.ArgumentParser(description="one huge list, here and on a local Dask cluster")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=50_000_000)
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--workers", type=int, default=2, help="0: none")
    parser.add_argument("--costs", type=int, nargs="*", default=[1, 2, 4, 8])
    parser.add_argument("--regulation", default="enf-2010")
    given = parser.parse_args()
    make(given.folder, given.players, given.games, given.months, given.regulation)
    load = partial(facts_of, given.folder)
    facts = load()
    here = timed("here", facts)
    print("here", used(), sep="; ")
    if given.workers:
        with on_dask(given.workers) as engine:
            begun = perf_counter()
            shards = engine.shards(ShardPlace(load, NAME))
            print(f"shards ready after {perf_counter() - begun:.2f} s")
            there = timed(f"{given.workers} shards", facts, Coordinator(shards))
            for worker in engine.client.run(used).values():
                print("worker", worker, sep="; ")
            latency(engine)
        assert (here == there).all(), "every rating is the same"
    for count in given.costs:
        costs(load, facts, count)


def timed(what: str, facts: Facts, summing: Source | None = None) -> Column:
    """Replays the list; tells how long it took, and returns the ratings."""
    begun, sides, periods = perf_counter(), 0, 0
    outcome = None
    for outcome in replay(Timeline.at_head(facts, NAME), last_period(facts, NAME), summing=summing):
        sides += int(outcome.rated_games.sum())
        periods += 1
    assert outcome is not None
    seconds = perf_counter() - begun
    speed = sides / 2 / seconds / 1e6
    print(f"{what}: {periods} periods, {sides // 2} games, {seconds:.2f} s, {speed:.1f} M games/s")
    return outcome.closing.rating


def costs(load: Callable[[], Facts], facts: Facts, count: int) -> None:
    """Tells what each would have to compute if there were so many shards."""
    made = [Shard(ShardPlace(load, NAME), number, count) for number in range(count)]
    spent = {"sums": 0.0, "all": 0.0}

    class Counted:
        def sums(self, asked: Asked, again: Callable[[], Asked]) -> list[Share]:
            del again
            begun = thread_time()
            answers = [shard.sums(asked) for shard in made]
            spent["sums"] += thread_time() - begun
            return answers

    begun = thread_time()
    process = process_time()
    timed(f"{count} shards in one process", facts, Coordinator(Counted()))
    here = thread_time() - begun
    reading = process_time() - process - here
    print(
        f"  computing: {here - spent['sums']:.2f} s where the replay is; "
        f"a shard {spent['sums'] / count:.2f} s sums, {reading / count:.2f} s reading"
    )


def used() -> str:
    """Returns what this process took: computing, and the most memory (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    most = int(status.split("VmHWM:")[1].split()[0]) // 1024
    return f"{process_time():.1f} s of computing, {most} MB"


class Echo:
    """Says what it is told."""

    def say(self, what: bytes) -> bytes:
        """Says it."""
        return what


def latency(engine: OnDask) -> None:
    """Tells how long a message there and back takes: to an actor, and as a task of its own."""
    echo: Any = engine.client.submit(Echo, actor=True).result()
    for size in (10, 8_000_000):
        begun = perf_counter()
        for _ in range(50):
            echo.say(b"x" * size).result()
        print(f"{size} bytes there and back: {(perf_counter() - begun) * 20:.1f} ms")
    begun = perf_counter()
    for number in range(50):
        engine.client.submit(abs, number, pure=False).result()
    print(f"a task: {(perf_counter() - begun) * 20:.1f} ms")


def make(folder: Path, players: int, games: int, months: int, regulation: str) -> None:
    """Writes the rows of all segments, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    said = {"players": players, "segments": games // SEGMENT, "months": months}
    about = folder / "about.json"
    if about.exists() and json.loads(about.read_text()) == said | {"regulation": regulation}:
        return
    random = np.random.default_rng(1)
    for number in range(said["segments"]):
        white = random.integers(0, players, SEGMENT)
        black = (white + random.integers(1, players, SEGMENT)) % players
        halves = random.integers(0, 3, SEGMENT)
        order = np.lexsort((white, np.arange(SEGMENT) // TOURNAMENT))
        rows = BlockRows(
            np.arange(SEGMENT), white[order], black[order], np.ones(SEGMENT, dtype=np.int64),
            coded(halves, 2 - halves, np.zeros(SEGMENT, dtype=np.int64)),
        )  # fmt: skip
        (folder / f"{number:06}.rows").write_bytes(rows.packed())
    about.write_text(json.dumps(said | {"regulation": regulation}))


def facts_of(folder: Path) -> Facts:
    """Returns the facts; a segment's rows are read when they are asked for."""
    about = json.loads((folder / "about.json").read_text())
    players, segments, months = about["players"], about["segments"], about["months"]
    builder = FactsBuilder()
    first = defined(about["regulation"])
    at = len(first) + 1
    random = np.random.default_rng(2)
    registered = PlayerTable(
        np.arange(at, at + players),
        random.integers(1940, 2008, players).astype(np.int16),
        np.zeros(players, dtype="S3"),
        np.zeros(players, dtype="V32"),
    )
    seeds = Seeds(
        np.arange(at + players, at + 2 * players),
        np.full(players, FIRST_ON.toordinal(), dtype=np.int32),
        np.zeros(players, dtype=np.int16),
        np.arange(players, dtype=np.int32),
        np.clip(random.normal(1700, 260, players), 1100, 2850).astype(np.int16),
        np.full(players, 100, dtype=np.int32),
        np.full(players, NOT_TOLD, dtype=np.int16),
    )
    ids = "\n".join(map(str, range(players))).encode()
    builder.take_sealed(
        content(1, at + 2 * players - 1, registered, seeds, others=first, ids=ids), no_rows
    )
    count = SEGMENT // TOURNAMENT
    for number in range(segments):
        month = number * months // segments
        year, month = FIRST_ON.year + month // 12, month % 12 + 1
        day = dt.date(year, month, 10).toordinal()
        opened = builder.seq + 1 + np.arange(count)
        last = builder.seq + count + SEGMENT
        tournaments = Tournaments(
            opened, np.full(count, day, dtype=np.int32), np.full(count, day + 5, dtype=np.int32),
            np.full(count, RATES.index(Rate.CLASSICAL), dtype=np.int8),
            np.full(count, SYSTEMS.index(System.SWISS), dtype=np.int8),
            np.full(count, -1, dtype=np.int16), np.zeros(count, dtype=np.int16),
            np.zeros(count, dtype="S3"),
        )  # fmt: skip
        start = np.arange(0, SEGMENT, TOURNAMENT, dtype=np.int32)
        its = np.arange(number * count, (number + 1) * count, dtype=np.int32)
        directory = GameDirectory(its, start, opened[-1] + 1 + start)
        made = content(
            builder.seq + 1, last, tournaments=tournaments, directory=directory, rows=SEGMENT,
            names="\n".join(f"t{one}" for one in its).encode(),
        )  # fmt: skip
        builder.take_sealed(made, partial(rows_of, folder / f"{number:06}.rows"))
    return builder.facts()


def rows_of(path: Path) -> BlockRows:
    """Reads the rows of a segment."""
    return BlockRows.unpacked(path.read_bytes())


def no_rows() -> BlockRows:
    """There are no games among the players."""
    return BlockRows.unpacked(b"")


def defined(regulation: str) -> list[tuple[int, str, int, str, str]]:
    """Returns the events that define the list."""
    ledger = Ledger(MemoryJournal(), clock=lambda: dt.datetime(2014, 1, 1, tzinfo=dt.UTC))
    define_list(
        ledger, NAME, regulation=regulation, parameters={}, calendar=Calendar.MONTHLY,
        first_on=FIRST_ON, policy="restate", rate_of_play=None, closes_days_before=0,
        request=Request("scale", "", "scale", ""),
    )  # fmt: skip
    return [
        (event.seq, event.type, event.version, event.effective_on, event.payload)
        for event in ledger.journal.events()
    ]


def content(
    first_seq: int,
    last_seq: int,
    players: PlayerTable | None = None,
    seeds: Seeds | None = None,
    *,
    tournaments: Tournaments | None = None,
    directory: GameDirectory | None = None,
    rows: int = 0,
    others: list[tuple[int, str, int, str, str]] | None = None,
    ids: bytes = b"",
    names: bytes = b"",
) -> Content:
    """Returns what a segment says; what is not given is empty."""
    nothing = np.zeros(0, dtype=np.int32)
    empty: dict[str, Any] = {name: kind.of(()) for name, kind in TABLES.items()}
    given = {"players": players, "tournaments": tournaments, "seeds": seeds}
    return Content(
        first_seq=first_seq,
        last_seq=last_seq,
        row_count=rows,
        rows_sha256="",
        directory=directory or GameDirectory(nothing, nothing, nothing.astype(np.int64)),
        effects=Effects.of(first_seq, np.full(1, FIRST_ON.toordinal())),
        names=[NAME] if seeds else [],
        texts={
            "players": ids,
            "tournaments": names,
            "names": names,
            "places": b"\n" * len(nothing),
        },
        others=others or [],
        **(empty | {name: table for name, table in given.items() if table is not None}),
    )


if __name__ == "__main__":
    main()
