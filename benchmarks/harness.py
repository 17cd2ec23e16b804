"""Runs the works, each in a cold process of its own, and writes what they took as JSON lines.

The first line says on what machine, with what versions and from which seed; then comes one line for
each measurement. A work that fails is a line as well, and the others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.plan import (
    DESK,
    MAKING,
    ONCE,
    PEERS,
    REGULATIONS,
    SEALED,
    SIZES,
    UNDER_ANOTHER,
    WORKS,
    Size,
)
from benchmarks.report import summary

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks" / "work"
_PACKAGES = (
    "rating-ledger", "numpy", "sqlalchemy", "pydantic", "psycopg", "riix", "elote", "skelo", "jax",
    "gacrux",
)  # fmt: skip
_TOLD = 300  # letters of a failure


def machine(seed: int) -> dict[str, Any]:
    """Returns what a figure depends on, beside the program."""
    return {
        "kind": "run",
        "seed": seed,
        "revision": _revision(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu_count": os.cpu_count(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        "versions": {package: _version(package) for package in _PACKAGES},
    }


def _revision() -> str:
    """Returns the commit that is measured, as far as git can tell."""
    try:
        command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def history(size: str, seed: int, folder: Path) -> Path:
    """Makes a history, unless it is there already; returns its folder."""
    there = folder / f"{size}-{seed}"
    if not (there / "history.json").exists():
        print(f"making the history {size}, seed {seed}", file=sys.stderr)
        module = "benchmarks.sealed" if SIZES[size].sealed else "benchmarks.histories"
        command = [sys.executable, "-m", module, size, str(seed), str(there)]
        subprocess.run(command, cwd=ROOT, check=True)
    return there


def measured(
    name: str, place: Path, regulation: str, defined: str | None, *, repeat: int, timeout: float
) -> dict[str, Any]:
    """Returns the best of some measurements of one work, each in a new process."""
    ledgers = place / "ledgers"
    ledgers.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.child", name, str(place), regulation, str(ledgers)]
    command += [defined] if defined else []
    runs: list[dict[str, Any]] = []
    for _ in range(repeat):
        start = time.perf_counter()
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return {"not_measured": f"longer than {timeout:.0f} s"}
        if done.returncode:
            return {"not_measured": (done.stderr.strip().splitlines() or ["?"])[-1][:_TOLD]}
        run: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        if "not_measured" in run:
            return run
        run["process_seconds"] = time.perf_counter() - start
        runs.append(run)
    best = min(runs, key=lambda run: run["seconds"])
    best["peak_mb"] = max(run["peak_mb"] for run in runs)
    if repeat > 1:
        best["all_seconds"] = [run["seconds"] for run in runs]
    return {key: _rounded(value) for key, value in best.items()}


def _rounded(value: Any) -> Any:
    """Keeps a tenth of a millisecond: more is noise."""
    match value:
        case float():
            return round(value, 4)
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
        case list():
            return [_rounded(each) for each in value]
        case _:
            return value


def measurements(
    given: argparse.Namespace, done: Collection[tuple[Any, ...]]
) -> Iterator[dict[str, Any]]:
    """Yields one line for each measurement that was asked for and is not done yet."""
    for size in given.size:
        place = history(size, given.seed, given.folder)
        about = json.loads((place / "history.json").read_text(encoding="utf-8"))
        common = {"size": size, **{k: about[k] for k in ("players", "games", "months")}}
        first = given.regulation[0]
        for name, regulation in _wanted(given, SIZES[size], place):
            named = {} if name in PEERS else {"regulation": regulation}
            if _key({"name": name, "size": size, **named}) in done:
                continue
            defined = first if SIZES[size].one_ledger and regulation != first else None
            found = measured(
                name, place, regulation, defined, repeat=given.repeat, timeout=given.timeout
            )
            kind = "peer" if name in PEERS else "work"
            yield {"kind": kind, "name": name, **named, **common, **found}
        if not given.keep:
            shutil.rmtree(place)


def _wanted(given: argparse.Namespace, size: Size, place: Path) -> Iterator[tuple[str, str]]:
    only = set(given.only or (*PEERS, *WORKS))
    if given.without_postgresql:
        only -= {"import-postgresql", "raw-postgresql"}
    if size.sealed:
        only &= set(SEALED)
    yield from ((name, given.regulation[0]) for name in PEERS if name in only)
    for regulation in given.regulation:
        works = [name for name in WORKS if name in only]
        if size.one_ledger and regulation != given.regulation[0]:
            works = [name for name in works if name in UNDER_ANOTHER]
        elif set(works) - set(DESK) and not (place / "ledgers" / f"{regulation}.db").exists():
            works = [name for name in WORKS if name in only or name in MAKING]
        for name in works:
            if name not in ONCE or regulation == given.regulation[0]:
                yield name, regulation


def _earlier(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Returns the lines of a run that is to be resumed: all that were measured."""
    if not given.resume or not given.out.exists():
        return []
    lines = map(json.loads, given.out.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if "not_measured" not in line]


def _key(line: dict[str, Any]) -> tuple[Any, ...]:
    return line.get("name"), line.get("size"), line.get("regulation")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures what was asked for, writes the lines, prints the summary."""
    given = options().parse_args(arguments)
    lines = _earlier(given) or [machine(given.seed)]
    done = {_key(line) for line in lines}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with given.out.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
        for line in measurements(given, done):
            lines.append(line)
            out.write(json.dumps(line) + "\n")
            out.flush()
            told = line.get("not_measured") or f"{line['seconds']:.2f} s, {line['peak_mb']:.0f} MB"
            under = line.get("regulation", "")
            print(f"{line['size']:12} {line['name']:18} {under:14} {told}", file=sys.stderr)
    print(summary(lines))


def options() -> argparse.ArgumentParser:
    """Returns what can be asked for."""
    parser = argparse.ArgumentParser(
        prog="benchmarks/run.py", description="measures the ledger beside others"
    )
    add = parser.add_argument
    add("--size", nargs="+", choices=SIZES, default=["small"], help="one or more; default small")
    add("--only", nargs="+", choices=(*PEERS, *WORKS), help="these works and peers, not all")
    add("--regulation", nargs="+", default=list(REGULATIONS), help="ids of regulations")
    add("--seed", type=int, default=1, help="of the made-up histories")
    add("--repeat", type=int, default=1, help="processes for each work; the best one is told")
    add("--timeout", type=float, default=3600, help="seconds for one work")
    add("--without-postgresql", action="store_true", help="leave PostgreSQL out")
    add("--resume", action="store_true", help="go on with the run in --out, kept with --keep")
    add("--keep", action="store_true", help="keep histories and ledgers for the next run")
    add("--folder", type=Path, default=FOLDER, help="where they are made")
    add("--out", type=Path, default=FOLDER / "last.jsonl", help="the JSON lines")
    return parser


if __name__ == "__main__":
    main()
