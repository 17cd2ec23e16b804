"""Snapshots: where everybody stands after a period, kept so that a replay can begin there.

A snapshot says nothing that a replay from the first period would not say. It serves only those who
know the same of all that lies before it, calculate by the same rules and run the same code; whoever
keeps it answers for its bytes (see ``derived.snapshots``).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import ledger
from ledger.calendar import Period
from ledger.facts.arrays import NEVER, AnyColumn, Column
from ledger.identifiers import Seq
from ledger.journal.records import SnapshotName
from ledger.rating.first_ratings import Buckets
from ledger.rating.newcomer_results import Achievements, OpponentColumns, Results
from ledger.rating.player_state import VECTORS, Played, PlayerStates
from ledger.rating.ratios import Ratios
from ledger.regulations.registry import adopted
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline

FORMAT = 3
_NARROW = ("<i1", "<i2", "<i4", "<i8")
_TYPES = frozenset(np.dtype(type_).str for type_ in _NARROW)
# How many periods before the one that was asked for: the next month and a correction of last month
# begin right there, an older correction at most twice as far back as it must.
KEPT_BACK = frozenset({0, 1, 6, 12, 24, 48, 96, 192, 384})
# What decides a result, beside the rules: a change of it makes all snapshots stale.
_DECIDING = (
    "calendar.py",
    "results.py",
    "terms.py",
    "events/",
    "facts/",
    "rating/",
    "regulations/",
    "replay/",
)
_SOURCES = (".py", ".csv", ".c")


@dataclass(frozen=True, slots=True)
class State:
    """What a replay carries from one period to the next."""

    before: Period
    states: PlayerStates
    in_force: RatingsInForce


def key_of(timeline: Timeline, period: Period) -> str:
    """Returns what names the rules up to a period of a list, and the code that knows them."""
    adoptions = [a.event for a in timeline.list.adoptions if a.from_on <= period.starts_on]
    rules = [
        adopted(event.regulation, event.parameters)
        for event in adoptions or [timeline.list.adoptions[0].event]
    ]
    content = [FORMAT, _code(), [(rule.digest(), _source(type(rule).__module__)) for rule in rules]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


@cache
def _code() -> str:
    """Returns the digest of everything in this program that decides a result.

    "" where the program has no sources (a packed one): then nothing is kept and nothing holds.
    """
    digest = hashlib.sha256()
    try:
        for name, path in _sources(str(Path(ledger.__file__).parent)):
            with open(path, "rb", buffering=0) as source:  # noqa: PTH123 - they are many
                digest.update(f"{name}\n".encode())
                digest.update(source.readall())
    except OSError:
        return ""
    return digest.hexdigest()


def _sources(root: str) -> list[tuple[str, str]]:
    """Returns the files that decide a result: their names, "/" between the parts, and paths."""
    found, left = [], [("", root)]
    while left:
        above, folder = left.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                name = f"{above}{entry.name}/" if entry.is_dir() else f"{above}{entry.name}"
                if not name.startswith(_DECIDING):
                    continue
                if entry.is_dir():
                    left.append((name, entry.path))
                elif name.endswith(_SOURCES):
                    found.append((name, entry.path))
    return sorted(found)


@cache
def _source(module: str) -> str:
    """Returns the digest of a module, which may be another package's."""
    path = getattr(sys.modules[module], "__file__", None)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else ""


def usable(timeline: Timeline, since: Period) -> State | None:
    """Returns the last state kept before a period that holds for the timeline, if there is any."""
    facts, basis = timeline.known.facts, timeline.known.seq
    found = [kept for kept in facts.snapshots.find(timeline.name) if kept.period < since.index]
    for kept in sorted(found, key=lambda kept: (-kept.period, abs(kept.basis - basis))):
        if not holds(timeline, kept):
            continue
        before, first = timeline.periods(since.closes_on)[kept.period : kept.period + 2]
        data = facts.snapshots.load(kept)
        state = unpack(data, before, len(facts.players)) if data is not None else None
        if state is not None and state.in_force.reaches(timeline.earliest_start(first)):
            return state
    return None


def holds(timeline: Timeline, kept: SnapshotName) -> bool:
    """Whether a snapshot says what the timeline would say: the same past, rules and code."""
    facts = timeline.known.facts
    first, last = sorted((Seq(kept.basis), timeline.known.seq))
    if last > facts.seq or not _code():
        return False
    period = timeline.period_at(kept.period)
    # Nothing that was recorded between the two may reach up to the period's close.
    reaches = facts.first_effect_between(first, last) <= period.closes_on.toordinal()
    return not reaches and kept.key == key_of(timeline, period)


def pack(state: State) -> bytes:
    """Returns a state as bytes: the same state gives the same.

    Players in ascending order are written as steps from one to the next, days as counted from the
    first of them, ratings that were in force where they are not those of the end: narrow columns
    are read sooner.
    """
    states, buckets = state.states, state.states.buckets
    results = buckets.results
    first_day = int(states.seeded_on[states.seeded_on > 0].min(initial=NEVER)) - 1
    arrays: dict[str, AnyColumn] = {name: getattr(states, name) for name in VECTORS}
    arrays["seeded_on"] = np.maximum(states.seeded_on - first_day, 0)
    for i, played in enumerate(states.recent):
        arrays |= {f"recent.{i}.players": _steps(played.players), f"recent.{i}.games": played.games}
    days, ratings = state.in_force.content()
    for i, rating in enumerate(ratings):
        others = np.flatnonzero(rating != states.rating)
        arrays |= {f"in_force.{i}.players": _steps(others), f"in_force.{i}.rating": rating[others]}
    arrays["periods"] = buckets.periods
    arrays["met_counts"] = results.met_counts
    # Each kind under a name of its own: states have games, and so has what was achieved.
    arrays |= {
        f"achieved.{name}": getattr(results.achieved, name) for name in Achievements.__slots__
    }
    arrays |= {
        f"met.{name}": getattr(results.opponents, name) for name in OpponentColumns.__slots__
    }
    for name, ratios in (("means", results.means), ("performances", results.performances)):
        arrays[f"{name}.over"], arrays[f"{name}.under"] = ratios.numerators, ratios.denominators
    packed = {name: _narrowed(column) for name, column in arrays.items()}
    heading = {
        "period": state.before.name,
        "first_day": first_day,
        "recent": [played.day for played in states.recent],
        "in_force": days,
        "complete": state.in_force.complete,
        "columns": [[name, column.dtype.str, len(column)] for name, column in packed.items()],
    }
    return b"\n".join(
        (json.dumps(heading).encode(), b"".join(column.tobytes() for column in packed.values()))
    )


def unpack(data: bytes, before: Period, players: int) -> State | None:
    """Returns the state after a period, for so many players as there are by now.

    None, where the period of the index has another name by now, or the bytes say nothing.
    """
    try:
        return _unpacked(data, before, players)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None  # no snapshot at all, however right its digest


def _unpacked(data: bytes, before: Period, players: int) -> State | None:
    end = data.index(b"\n")
    heading, at = json.loads(data[:end]), end + 1
    if heading["period"] != before.name:
        return None
    arrays: dict[str, Column] = {}
    for name, type_, count in heading["columns"]:
        if type_ not in _TYPES:
            raise ValueError(type_)
        arrays[name] = np.frombuffer(data, dtype=type_, count=count, offset=at)
        at += arrays[name].nbytes

    def wide(name: str) -> Column:
        return arrays[name].astype(np.int64)

    def vector(name: str, type_: type[np.signedinteger] = np.int32) -> Column:
        made = np.zeros(players, dtype=type_)
        made[: len(arrays[name])] = arrays[name]
        return made

    def in_force(place: int) -> Column:
        made = rating.copy()
        made[_of_steps(arrays[f"in_force.{place}.players"])] = arrays[f"in_force.{place}.rating"]
        return made

    rating, seeded_on = vector("rating"), vector("seeded_on")
    seeded_on += (seeded_on > 0) * np.int32(heading["first_day"])
    means, performances = (
        Ratios(wide(f"{name}.over"), wide(f"{name}.under")) for name in ("means", "performances")
    )
    results = Results.in_order(
        Achievements(*(wide(f"achieved.{name}") for name in Achievements.__slots__)),
        means,
        performances,
        wide("met_counts"),
        # Opponents are many and seldom looked at.
        OpponentColumns.made(lambda name: wide(f"met.{name}")),
    )
    states = PlayerStates(
        rating,
        vector("games"),
        vector("peak"),
        vector("listed", np.int8),
        seeded_on,
        Buckets(results, wide("periods")),
        tuple(
            Played.made(day, _of_steps(arrays[f"recent.{i}.players"]), arrays[f"recent.{i}.games"])
            for i, day in enumerate(heading["recent"])
        ),
    )
    ratings = [in_force(place) for place in range(len(heading["in_force"]))]
    made = RatingsInForce.of(heading["in_force"], ratings, complete=heading["complete"])
    return State(before, states, made)


def _steps(ascending: Column) -> Column:
    return np.diff(ascending, prepend=ascending.dtype.type(0))


def _of_steps(steps: Column) -> Column:
    return np.cumsum(steps, dtype=np.int32)


def same(one: State | None, other: State) -> bool:
    """Whether two states say the same; of ratings in force, on the days that both still know."""
    if one is None or _states_of(one) != _states_of(other):
        return False
    first, second = (dict(zip(*state.in_force.content(), strict=True)) for state in (one, other))
    return all((first[day] == second[day]).all() for day in first.keys() & second.keys())


def _states_of(state: State) -> bytes:
    return pack(State(state.before, state.states, RatingsInForce()))


def _narrowed(column: AnyColumn) -> AnyColumn:
    """Returns a column in the narrowest type that holds it."""
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    for type_ in _NARROW:
        limits = np.iinfo(type_)
        if limits.min <= low and high <= limits.max:
            return column.astype(type_)
    raise AssertionError("whole numbers fit 64 bits")


class Keeping:
    """Gathers the states of a replay that are worth keeping, and keeps them at its end."""

    def __init__(self, timeline: Timeline, until: Period) -> None:
        self._timeline = timeline
        self._until = until
        facts = timeline.known.facts
        # Only what the ledger itself knows by now, and not what is tried on top of it.
        self._wanted = timeline.known.seq == facts.seq == facts.snapshots.head and bool(_code())
        self._there = {
            (kept.period, kept.key)
            for kept in (facts.snapshots.find(timeline.name) if self._wanted else ())
            if kept.basis == facts.seq
        }
        self._states: list[State] = []
        # Who asks for a period of the far future leaves nothing behind.
        self._last = timeline.periods(timeline.last_day)[-1].index

    def take(self, state: State) -> None:
        """Takes the state after a period."""
        back = self._until.index - state.before.index
        worth = back in KEPT_BACK and state.before.index <= self._last
        if self._wanted and worth and self._place(state) not in self._there:
            self._states.append(state)

    def _place(self, state: State) -> tuple[int, str]:
        return state.before.index, key_of(self._timeline, state.before)

    def keep(self) -> None:
        """Keeps them."""
        if not self._states:
            return
        name, basis = self._timeline.name, self._timeline.known.seq
        self._timeline.known.facts.snapshots.keep(
            (SnapshotName(name, s.before.index, basis, key_of(self._timeline, s.before)), pack(s))
            for s in self._states
        )


def keep_nothing(state: State) -> None:
    """Keeps no state."""
    del state
