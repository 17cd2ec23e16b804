"""From the JSON lines of a run to what people read: a summary, the goals, a page, a picture."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from benchmarks.picture import picture
from benchmarks.plan import PEERS, QUESTIONS, SIZES, WORKS

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "quoted.jsonl"
DESK_RESULTS = ROOT / "benchmarks" / "results" / "desk.jsonl"
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "performance.svg"

Line: TypeAlias = dict[str, Any]
_NOTHING = "-"
_LINEAR = 1.1  # as an exponent: what is above it is not noise any more
_MANY = 100
_GROWING = ("import-sqlite", "replay-cold", "replay-warm", "publish-next", "explain", "verify")
_LARGE, _HUGE = "ten-million", "hundred-million"


class Results:
    """The lines of one run, by name, size and regulation."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.machine = next(line for line in self.lines if line["kind"] == "run")
        self._found = {
            (line["name"], line["size"], line.get("regulation")): line
            for line in self.lines
            if line["kind"] != "run" and "seconds" in line
        }

    @classmethod
    def read(cls, path: Path) -> Results:
        """Reads a file of JSON lines."""
        return cls(map(json.loads, path.read_text(encoding="utf-8").splitlines()))

    @property
    def sizes(self) -> list[str]:
        """The sizes of the run, the smallest first."""
        there = {line["size"] for line in self.lines if line["kind"] != "run"}
        return [size for size in SIZES if size in there]

    @property
    def imported(self) -> list[str]:
        """Those of which there are events: at these the works are measured, and peers."""
        return [size for size in self.sizes if not SIZES[size].sealed]

    @property
    def regulations(self) -> list[str]:
        """The regulations of the run, in its order."""
        named = [line["regulation"] for line in self.lines if "regulation" in line]
        return list(dict.fromkeys(named))

    def get(self, name: str, size: str, regulation: str | None = None) -> Line | None:
        """Returns a measurement, None where there is none; a peer has no regulation."""
        return self._found.get((name, size, None if name in PEERS else regulation))

    def rate(self, name: str, size: str, regulation: str | None = None) -> float | None:
        """Returns games a second."""
        line = self.get(name, size, regulation)
        if line is None or not line["seconds"]:
            return None
        return float(line["figures"].get("games", line["games"])) / float(line["seconds"])

    def share(self, part: str, whole: str, size: str, regulation: str) -> float | None:
        """Returns the seconds of one work as a share of another's."""
        first, second = self.get(part, size, regulation), self.get(whole, size, regulation)
        if first is None or second is None or not second["seconds"]:
            return None
        return float(first["seconds"] / second["seconds"])

    def to_riix(self, name: str, size: str, regulation: str | None = None) -> float | None:
        """Returns the games a second as a multiple of riix's, measured in the same run."""
        own, other = self.rate(name, size, regulation), self.rate("riix", size)
        return own / other if own and other else None

    def growth(self, name: str, regulation: str, what: str = "seconds") -> float | None:
        """Returns the exponent between the two largest sizes: 1 is linear, 2 quadratic."""
        lines = [self.get(name, size, regulation) for size in self.sizes]
        there = [line for line in lines if line is not None and line[what]]
        if len(there) < 2:  # noqa: PLR2004 - a pair
            return None
        smaller, larger = there[-2:]
        games = math.log(larger["games"] / smaller["games"])
        return math.log(larger[what] / smaller[what]) / games


# The goals


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted: a figure from the results of a size, and its bound.

    ``at`` is the size for which the goal is set, None where any will do; ``only``: it says nothing
    of larger ones.
    """

    text: str
    measure: Callable[[Results, str, str], float | None]
    bound: float
    sign: Literal["≥", "≤"]
    unit: str
    at: str | None = None
    only: bool = False

    def met(self, value: float) -> bool:
        """Whether a value is as good as wanted."""
        return value >= self.bound if self.sign == "≥" else value <= self.bound

    def verdict(self, measured: Sequence[tuple[float, str] | None]) -> str:
        """Returns ``met``, ``not yet``, or what is still to be measured.

        Values of the size for which the goal is set decide, if there are any.

        Args:
            measured: values, each with the size at which it was measured.
        """
        there = [each for each in measured if each is not None]
        if not there:
            return "not measured"
        where_it_is_set = [each for each in there if each[1] == self.at]
        if not all(self.met(value) for value, _ in where_it_is_set or there):
            return "not yet"
        if self.at is not None and not where_it_is_set:
            return f"met here; {self.at} not measured"
        return "met"


def _to_riix(name: str) -> Callable[[Results, str, str], float | None]:
    return lambda results, size, regulation: results.to_riix(name, size, regulation)


def _of_replay(name: str) -> Callable[[Results, str, str], float | None]:
    return lambda results, size, regulation: results.share(name, "replay-cold", size, regulation)


def _seconds(name: str) -> Callable[[Results, str, str], float | None]:
    def measure(results: Results, size: str, regulation: str) -> float | None:
        line = results.get(name, size, regulation)
        return None if line is None else float(line["seconds"])

    return measure


def _slowest_question(results: Results, size: str, regulation: str) -> float | None:
    shares = [results.share(name, "replay-cold", size, regulation) for name in QUESTIONS]
    return max((each for each in shares if each is not None), default=None)


def _largest_question(results: Results, size: str, regulation: str) -> float | None:
    lines = [results.get(name, size, regulation) for name in QUESTIONS]
    return max((float(line["peak_mb"]) for line in lines if line is not None), default=None)


def _peak(results: Results, size: str, regulation: str) -> float | None:
    line = results.get("replay-cold", size, regulation)
    return None if line is None else float(line["peak_mb"])


def _import_share(what: str) -> Callable[[Results, str, str], float | None]:
    return lambda results, size, regulation: results.share(
        f"raw-{what}", f"import-{what}", size, regulation
    )


def _events_a_second(results: Results, size: str, regulation: str) -> float | None:
    line = results.get("verify", size, regulation)
    return None if line is None else float(line["figures"]["events"] / line["seconds"])


def _to_c(results: Results, size: str, regulation: str) -> float | None:
    own, other = results.rate("kernel", size, regulation), results.rate("c-loop", size)
    return own / other if own and other else None


def _huge_to_large(results: Results, size: str, regulation: str) -> float | None:
    large = results.get("replay-cold", _LARGE, regulation)
    huge = results.get("replay-cold", size, regulation)
    if size != _HUGE or large is None or huge is None:
        return None
    return float(huge["seconds"] / large["seconds"])


def _growth(what: str) -> Callable[[Results, str, str], float | None]:
    def measure(results: Results, size: str, regulation: str) -> float | None:
        if size != results.sizes[-1]:
            return None
        names = _GROWING if what == "seconds" else ("replay-cold",)
        found = [results.growth(name, regulation, what) for name in names]
        return max((each for each in found if each is not None), default=None)

    return measure


GOALS = (
    Goal(
        "full replay, cold, from the ledger's own storage, against riix",
        _to_riix("replay-cold"), 25, "≥", "x", _LARGE,
    ),
    Goal("its peak memory", _peak, 400, "≤", "MB", _LARGE, only=True),
    Goal("the same for 100 M games, of that for 10 M", _huge_to_large, 12, "≤", "x", _HUGE),
    Goal("its peak memory, 100 M games", _peak, 700, "≤", "MB", _HUGE, only=True),
    Goal("the kernel alone, against riix", _to_riix("kernel"), 40, "≥", "x"),
    Goal("the kernel alone, against a loop in C", _to_c, 0.3, "≥", "x"),
    Goal(
        "the next month after ten years, of a full replay",
        _of_replay("next-month"), 0.02, "≤", "%", _LARGE,
    ),
    Goal(
        "a preview of one game corrected ten years back, of a full replay",
        _of_replay("correct-ten-years"), 2.2, "≤", "x", _LARGE,
    ),
    Goal(
        "a preview of a tournament annulled ten years back, of a full replay",
        _of_replay("annul-ten-years"), 2.2, "≤", "x", _LARGE,
    ),
    Goal("import, of raw `executemany`, SQLite", _import_share("sqlite"), 0.25, "≥", "%"),
    Goal(
        "import of one file, read back and sealed, of raw `executemany`",
        _import_share("file"), 0.25, "≥", "%",
    ),
    Goal("import, of raw `executemany`, PostgreSQL", _import_share("postgresql"), 0.25, "≥", "%"),
    Goal("explain, cold", _seconds("explain"), 2, "≤", "s", _LARGE),
    Goal("list show, cold", _seconds("list-show"), 2, "≤", "s", _LARGE),
    Goal("regulation compare over five years, cold", _seconds("compare"), 2, "≤", "s"),
    Goal("list monitor over all periods, cold", _seconds("monitor"), 2, "≤", "s"),
    Goal("the slowest question, of a full replay", _slowest_question, 4, "≤", "x", _LARGE),
    Goal("the largest question's peak memory", _largest_question, 800, "≤", "MB", _LARGE),
    Goal("verify, events a second", _events_a_second, 200_000, "≥", "/s", _LARGE),
    Goal("growth of time: the worst exponent of six works", _growth("seconds"), _LINEAR, "≤", ""),
    Goal("growth of a full replay's memory: exponent", _growth("peak_mb"), 1, "≤", ""),
)  # fmt: skip


def goals(results: Results) -> list[list[str]]:
    """Returns a row for each goal: text, bound, a value for each regulation, verdict.

    A value is that of the largest size at which it was measured, which is named if it is neither
    the one the goal is set for nor the largest that was imported.
    """
    return [
        [
            goal.text,
            f"{goal.sign} {_said(goal.bound, goal.unit)}",
            *(_value(goal, results, regulation) for regulation in results.regulations),
            goal.verdict([_measured(goal, results, each) for each in results.regulations]),
        ]
        for goal in GOALS
    ]


def _measured(goal: Goal, results: Results, regulation: str) -> tuple[float, str] | None:
    """Returns a goal's value and the largest size at which it was measured."""
    for size in reversed(results.sizes):
        if goal.only and goal.at in results.sizes[: results.sizes.index(size)]:
            continue
        value = goal.measure(results, size, regulation)
        if value is not None:
            return value, size
    return None


def _value(goal: Goal, results: Results, regulation: str) -> str:
    found = _measured(goal, results, regulation)
    if found is None:
        return _NOTHING
    value, size = found
    said = _said(value, goal.unit)
    plain = size == (goal.at or (results.imported or results.sizes)[-1])
    return said if plain or size == results.sizes[-1] else f"{said} ({size})"


# Tables


def rows(results: Results, size: str) -> Iterator[list[str]]:
    """Yields what was measured at a size: peers first, then the works by regulation."""
    for line in results.lines:
        if line.get("size") != size:
            continue
        name, regulation = line["name"], line.get("regulation")
        if "seconds" not in line:
            yield [name, regulation or "", line["not_measured"], *[_NOTHING] * 4]
            continue
        scales = name not in _ASKED
        yield [
            name,
            regulation or "",
            _said(line["seconds"], "s"),
            _said(line.get("cpu_seconds"), "s"),
            _said(results.rate(name, size, regulation), "") if scales else _NOTHING,
            _said(results.to_riix(name, size, regulation), "x") if scales else _NOTHING,
            _said(line["peak_mb"], "MB"),
        ]


_ASKED = frozenset(WORKS) - {
    "import-sqlite", "import-postgresql", "raw-sqlite", "raw-postgresql", "first-reader",
    "import-file", "raw-file",
    "replay-cold", "replay-warm", "kernel", "verify",
}  # fmt: skip
_COLUMNS = ("work", "regulation", "seconds", "computing", "games/s", "of riix", "peak")


def summary(lines: Sequence[Line]) -> str:
    """Returns the run as text: a table for each size, growth, goals."""
    results = Results(lines)
    parts = [f"\n{size}\n{_text(_COLUMNS, list(rows(results, size)))}" for size in results.sizes]
    if not results.regulations:
        return "\n".join(parts)
    growing = list(growth(results))
    if growing:
        heading = ("growth (exponent)", *results.sizes, *results.regulations)
        parts.append("\n" + _text(heading, growing))
    heading = ("goal", "wanted", *results.regulations, "")
    return "\n".join([*parts, "\n" + _text(heading, goals(results))])


def growth(results: Results) -> Iterator[list[str]]:
    """Yields seconds by size (of the first regulation) and the exponent of each regulation.

    The last row is the memory of a full replay.
    """
    first = results.regulations[0]
    for name, what, unit in (
        *((name, "seconds", "s") for name in _GROWING), ("replay-cold", "peak_mb", "MB"),
    ):  # fmt: skip
        exponents = [results.growth(name, regulation, what) for regulation in results.regulations]
        if any(each is not None for each in exponents):
            lines = (results.get(name, size, first) for size in results.sizes)
            yield [
                name if what == "seconds" else f"{name}, peak",
                *(_said(line[what], unit) if line else _NOTHING for line in lines),
                *(_NOTHING if each is None else f"{each:.2f}" for each in exponents),
            ]


def _text(heading: Sequence[str], body: list[list[str]]) -> str:
    widths = [max(len(row[place]) for row in [heading, *body]) for place in range(len(heading))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [heading, *body]
    )


def _markdown(heading: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    ruled = [heading, ["---"] * len(heading), *body]
    return "\n".join("| " + " | ".join(row) + " |" for row in ruled)


def _said(value: float | None, unit: str) -> str:
    """Says a figure with as many digits as it deserves."""
    if value is None:
        return _NOTHING
    match unit:
        case "%":
            return f"{value:.0%}" if value >= 1 / 10 else f"{value:.1%}"
        case "":
            return f"{value:,.0f}" if value >= _MANY else f"{value:.2f}".removesuffix(".00")
        case "s" if value < 1 / 10:
            return f"{value * 1000:.2f} ms"
        case "/s" | "MB":
            return f"{value:,.0f} {unit}"
        case _:
            digits = 0 if value >= _MANY or value == int(value) else 2
            return f"{value:,.{digits}f} {unit}"


# The desk

DESK_GOALS = {
    "desk-rounds": ("the slowest of nine rounds paired by FENAMAC's Swiss of 1975", 1.0),
    "desk-tie-breaks": ("standings after nine rounds by every tie-break", 1.0),
    "desk-dutch": ("the slowest of nine rounds paired by the Dutch system (gacrux)", 0.6),
}
"""Of each work what is asked, and in how many seconds it is wanted."""


def desk_rows(results: Results) -> Iterator[list[str]]:
    """Yields what was measured at the desk: the slowest round where there are several."""
    for line in results.lines:
        if line.get("name") not in DESK_GOALS:
            continue
        text, wanted = DESK_GOALS[line["name"]]
        if "seconds" not in line:
            yield [text, _NOTHING, _said(wanted, "s"), line["not_measured"], *[_NOTHING] * 3]
            continue
        slowest = max([*line["parts"].values()] or [line["seconds"]])
        computing = line["figures"]["computing"]
        busy = line["load"] > results.machine["cpu_count"] and computing <= wanted
        yield [
            text,
            f"{line['figures']['players']:,}",
            _said(wanted, "s"),
            _said(slowest, "s"),
            _said(computing, "s"),
            _said(line["peak_mb"], "MB"),
            "met"
            if slowest <= wanted
            else "by computing; the machine was busy"
            if busy
            else "not yet",
        ]


def desk_run(results: Results) -> str:
    """Says of which commit and machine the figures of the desk are."""
    about = results.machine
    gacrux = about["versions"].get("gacrux", _NOTHING)
    return (
        f"Commit {about['revision']}; seed {about['seed']}; Python {about['python']}, "
        f"{about['system']}, {about['cpu_count']} processors; gacrux {gacrux}.{_load(results)}"
    )


_DESK_COLUMNS = ("work", "players", "wanted", "seconds", "computing", "peak", "")


# The page and its picture


def blocks(results: Results) -> dict[str, str]:
    """Returns the generated parts of the page, by name."""
    about = results.machine
    versions = ", ".join(f"{name} {v}" for name, v in about["versions"].items())
    run = (
        f"Commit {about['revision']}; seed {about['seed']}; Python {about['python']}, "
        f"{about['system']}, {about['cpu_count']} processors, {about['memory_mb']:,} MB; "
        f"{versions}.{_load(results)}"
    )
    named = results.regulations
    return {
        "run": run,
        "sizes": _markdown(
            ["size", "games", "players", "months", "measured"],
            (_size(results, size) for size in results.sizes),
        ),
        "goals": _markdown(["goal", "wanted", *named, ""], goals(results)),
        "measured": "\n\n".join(
            f"`{size}`:\n\n{_markdown(_COLUMNS, rows(results, size))}"
            for size in reversed(results.sizes)
        ),
        "parts": _markdown(
            ["work", "regulation", "part", "seconds", "of the work"],
            (row for size in results.imported[-1:] for row in _parts(results, size)),
        ),
        "postgresql": _markdown(["question", "seconds"], _of_postgresql(results)),
        "growth": _markdown(
            ["work", *results.sizes, *(f"exponent, {each}" for each in named)], growth(results)
        ),
    }


def _size(results: Results, size: str) -> list[str]:
    line = next(line for line in results.lines if line.get("size") == size)
    return [
        size, f"{line['games']:,}", f"{line['players']:,}", str(line["months"]),
        "replay-cold, over segments without events" if SIZES[size].sealed else "everything",
    ]  # fmt: skip


def _load(results: Results) -> str:
    """Says how busy the machine was: above its processors, works waited for others."""
    loads = [line["load"] for line in results.lines if "load" in line]
    if not loads:
        return ""
    return f" Load average after the works: {min(loads)} to {max(loads)}."


def _parts(results: Results, size: str) -> Iterator[list[str]]:
    for line in results.lines:
        if line.get("size") != size or "seconds" not in line:
            continue
        name, regulation = line["name"], line.get("regulation", "")
        for part, seconds in line["parts"].items():
            share = _said(seconds / line["seconds"], "%")
            yield [name, regulation, part, _said(seconds, "s"), share]
        for part, seconds in line.get("afterwards", {}).items():
            yield [name, regulation, part, _said(seconds, "s"), "afterwards"]


def _of_postgresql(results: Results) -> Iterator[list[str]]:
    """Yields what was asked of the largest ledger in PostgreSQL."""
    for size in reversed(results.imported):
        line = results.get("import-postgresql", size, results.regulations[0])
        if line is not None:
            yield [f"import, {size}", _said(line["seconds"], "s")]
            for what, seconds in line.get("afterwards", {}).items():
                yield [what, _said(seconds, "s")]
            return


def page(text: str, results: Results, desk: Results | None = None) -> str:
    """Returns the page with its generated parts as the results have them.

    ``desk`` has the figures of the desk (default: those quoted).
    """
    desk = desk or Results.read(DESK_RESULTS)
    made_of_desk = f"{desk_run(desk)}\n\n{_markdown(_DESK_COLUMNS, desk_rows(desk))}"
    for name, made in (blocks(results) | {"desk": made_of_desk}).items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        assert found, f"the page has no place for {name}"
        assert closed, f"the page has no end for {name}"
        text = f"{before}{begin}{made}\n{end}{after}"
    return text


def drawn(results: Results) -> str:
    """Returns the picture: games a second beside the peers, and seconds by size."""
    size = results.imported[-1]
    bars = [(name, results.rate(name, size), "peer") for name in PEERS]
    for regulation in results.regulations:
        bars += [
            (f"{name}, {regulation}", results.rate(name, size, regulation), "work")
            for name in ("import-sqlite", "replay-cold", "replay-warm", "kernel")
        ]
    lines = {
        name: [
            (float(line["games"]), float(line["seconds"]))
            for each in results.sizes
            if (line := results.get(name, each, results.regulations[0])) and line["seconds"]
        ]
        for name in _GROWING
    }
    return picture(
        f"Games a second, {size}", [(n, r, kind) for n, r, kind in bars if r],
        f"Seconds by games, {results.regulations[0]}", lines,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the page and its picture from a file of results."""
    given = sys.argv[1:] if arguments is None else arguments
    results = Results.read(Path(given[0]) if given else RESULTS)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    PICTURE.write_text(drawn(results), encoding="utf-8")


if __name__ == "__main__":
    main()
