"""The site under load: a real ``serve`` over a large federation, asked by clients side by side.

``python -m benchmarks.web FOLDER`` takes the ledger that ``benchmarks.crowd`` made in the folder;
``--import`` imports 100,000 games into it meanwhile (give it a copy). Clients run in a process of
their own. Every answer is held against others of the same address at the same seq: none may differ.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import http
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from benchmarks.crowd import CROWD, LIST, name_of

CLIENTS: Final = 8
GAMES: Final = 100_000
_FIRST_ID: Final = 3_400_000
_SEQ: Final = re.compile(rb"(?:up to seq|hasta el seq) (\d+)")
AT: Final = "@"  # before the number of an edition
_ONE_BY_ONE: Final = 200  # answers of a kind
_LONGEST_WARMING: Final = 600  # seconds
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_IMPORTED: Final = ("games-2015-10.csv", "games-2015-11.csv", "games-2015-12.csv")


@dataclass(slots=True)
class Heard:
    """What clients heard: milliseconds by kind of page, and what was wrong."""

    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    bodies: dict[tuple[str, str], str] = field(default_factory=dict)
    heaviest: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seqs: set[str] = field(default_factory=set)

    def take(self, kind: str, address: str, answer: bytes, status: int, spent: float) -> None:
        """Takes an answer; one that contradicts another is wrong."""
        self.milliseconds[kind].append(spent * 1000)
        self.heaviest[kind] = max(self.heaviest[kind], len(answer))
        body = gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer
        found = _SEQ.search(body)
        if status != http.HTTPStatus.OK or found is None:
            self.wrong.append(f"{status} {address}")
            return
        seq, digest = found[1].decode(), hashlib.sha256(body).hexdigest()
        self.seqs.add(seq)
        if self.bodies.setdefault((address, seq), digest) != digest:
            self.wrong.append(f"two answers at seq {seq}: {address}")


def addresses(chance: random.Random, periods: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields addresses as people ask for them, with their kind, for ever."""
    players = CROWD.players
    while True:
        player = chance.randrange(players)
        period = chance.choice(periods)
        word = name_of(player).split()[chance.randrange(3)].rstrip(",")
        match chance.randrange(10):
            case 0 | 1:
                yield "list", f"/lists/{LIST}/{period}?after={chance.randrange(players // 2)}"
            case 2 | 3 | 4:
                yield "search", f"/lists/{LIST}/{period}?q={quote(word)}"
            case 5 | 6 | 7:
                yield "player", f"/players/{_FIRST_ID + player}"
            case _:
                yield "statement", f"/players/{_FIRST_ID + player}/{LIST}/{period.partition(AT)[0]}"


def ask(heard: Heard, port: int, seconds: float, periods: Sequence[str], seed: int) -> None:
    """Asks side by side for some seconds, each client on a connection of its own."""
    until = time.perf_counter() + seconds

    def client(number: int) -> None:
        chance = random.Random(seed * CLIENTS + number)  # noqa: S311 - to be repeated
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for kind, address in addresses(chance, periods):
            begun = time.perf_counter()
            if begun > until:
                break
            connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            body = answer.read()
            heard.take(kind, address, body, answer.status, time.perf_counter() - begun)
        connection.close()

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(client, range(CLIENTS)))


@dataclass(frozen=True, slots=True)
class SiteProcess:
    """A site that runs, as the system sees its process."""

    process: subprocess.Popen[str]
    port: int

    def cpu_seconds(self) -> float:
        """Returns how long it computed, its workers with it."""
        told = [Path(f"/proc/{pid}/stat").read_text("ascii") for pid in self._pids()]
        words = [each.rpartition(")")[2].split() for each in told]
        return sum(int(each[11]) + int(each[12]) for each in words) / _TICKS

    def megabytes(self) -> dict[str, int]:
        """Returns how much memory it has, and had at most, its workers with it.

        What processes share counts for each of them.
        """
        kilobytes: Counter[str] = Counter()
        for pid in self._pids():
            told = Path(f"/proc/{pid}/status").read_text("ascii")
            for name, value in re.findall(r"(VmHWM|VmRSS):\s+(\d+)", told):
                kilobytes[name] += int(value)
        return {name: value // 1000 for name, value in kilobytes.items()}

    def _pids(self) -> list[int]:
        """Returns the processes that answer: the site's own, and its workers where it has some."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        spawned = [
            int(each) for each in children
            if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()
        ]  # fmt: skip
        return [pid, *spawned]


@contextmanager
def site(database: Path, cache: Path, workers: int = 1) -> Iterator[SiteProcess]:
    """Serves a ledger."""
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--db", str(database),
               "--cache", str(cache), "--workers", str(workers)]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    try:
        yield SiteProcess(process, int(re.findall(r":(\d+)", said)[-1]))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        process.stdout.close()


def write_more_games(folder: Path) -> Path:
    """Writes games of a year later, from those that were played; returns the file."""
    out = folder / "more.csv"
    rows = 0
    with out.open("w", encoding="utf-8") as file:
        for place, name in enumerate(_IMPORTED):
            with (folder / name).open(encoding="utf-8") as read:
                heading = next(read)
                file.write(heading if place == 0 else "")
                for line in read:
                    if rows >= GAMES and line.split(",", 2)[1]:
                        return out
                    file.write(f"later-{line.replace('2015-', '2016-')}")
                    rows += 1
    return out


def figures(heard: Heard, seconds: float, computed: float) -> dict[str, object]:
    """Returns what was heard, in figures."""
    every = [each for kind in heard.milliseconds.values() for each in kind]
    return {
        "answers": len(every),
        "answers_per_second": round(len(every) / seconds, 1),
        "server_cpu_ms_per_answer": round(1000 * computed / len(every), 2),
        "wrong": heard.wrong[:10],
        "seqs": len(heard.seqs),
        "heaviest_bytes": dict(heard.heaviest),
        "ms": {name: _percentiles(found) for name, found in sorted(heard.milliseconds.items())},
        "ms_all": _percentiles(every),
    }


def _percentiles(found: Sequence[float]) -> dict[str, float]:
    ordered = sorted(found)
    return {
        f"p{percent}": round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 1)
        for percent in (50, 95, 99)
    }


def warm(running: SiteProcess, periods: Sequence[str], cache: Path) -> float:
    """Waits until the read models are there that the load asks for; returns for how long."""
    begun = time.perf_counter()
    made = {"": 0}
    wanted = [f"/players/{_FIRST_ID}"]
    for period in periods:
        wanted.append(f"/lists/{LIST}/{period}?q=soto")
        wanted.append(f"/players/{_FIRST_ID}/{LIST}/{period.partition(AT)[0]}")
    while time.perf_counter() - begun < _LONGEST_WARMING:
        for address in wanted:
            _get(running.port, address)
        there = {path.name: path.stat().st_size for path in cache.rglob("*.model")}
        parts = [path for path in cache.rglob("*.part") if path.stat().st_mtime > time.time() - 60]
        if there == made and not parts:
            break
        made = there
        time.sleep(3)
    return time.perf_counter() - begun


def _get(port: int, address: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
    connection.getresponse().read()
    connection.close()


def computed_by_kind(running: SiteProcess, periods: Sequence[str]) -> dict[str, float]:
    """Returns what an answer of each kind takes the site to compute, asked one by one, in ms."""
    asked: dict[str, list[str]] = defaultdict(list)
    for kind, address in addresses(random.Random(0), periods):  # noqa: S311 - to be repeated
        if len(asked[kind]) < _ONE_BY_ONE:
            asked[kind].append(address)
        elif all(len(each) == _ONE_BY_ONE for each in asked.values()):
            break
    found = {}
    for kind, some in sorted(asked.items()):
        before = running.cpu_seconds()
        for address in some:
            _get(running.port, address)
        found[kind] = round(1000 * (running.cpu_seconds() - before) / len(some), 2)
    return found


def main() -> None:
    """Runs the load and prints its figures as JSON."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("folder", type=Path)
    wanted.add_argument("--seconds", type=float, default=60)
    wanted.add_argument("--workers", type=int, default=1)
    wanted.add_argument("--import", dest="imports", action="store_true")
    wanted.add_argument("--periods", nargs="+", default=["2015-11@1", "2015-12@1"])
    told = wanted.parse_args()
    database = told.folder / "crowd.db"
    cache = told.folder / "cache"
    with site(database, cache, told.workers) as running:
        print(json.dumps({"ready_after": round(warm(running, told.periods, cache), 1)}), flush=True)
        by_kind = computed_by_kind(running, told.periods)
        print(json.dumps({"server_cpu_ms_by_kind": by_kind} | running.megabytes()), flush=True)
        importing = None
        if told.imports:
            file = write_more_games(told.folder)
            importing = subprocess.Popen(
                [sys.executable, "-m", "cli.main", "--db", str(database), "import", str(file)]
            )
        before, begun = running.cpu_seconds(), time.perf_counter()
        heard, seed = Heard(), 1
        ask(heard, running.port, told.seconds, told.periods, seed)
        while importing is not None and importing.poll() is None:
            seed += 1
            ask(heard, running.port, 5, told.periods, seed)
        seconds = time.perf_counter() - begun
        found = figures(heard, seconds, running.cpu_seconds() - before)
        imported = {"import": importing.returncode} if importing is not None else {}
        load = {"load_average": os.getloadavg()[0], "seconds": round(seconds, 1)}
        print(json.dumps(found | running.megabytes() | imported | load, indent=2))


if __name__ == "__main__":
    main()
