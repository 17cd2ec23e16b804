"""What a change would move, cascades included: who, in which list and period, and by how much."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ledger.calendar import Period, period_named
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.lists.people import People
from ledger.replay.reached import OutOfReach, Reach, changed_tournaments
from ledger.replay.remembered import Remembered, RememberedList
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class RatingShift:
    """One player's rating in one list and period, before and after the change (0: none)."""

    list: str
    period: str
    published: bool
    id: str
    name: str
    before: int
    after: int

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "list": self.list,
            "period": self.period,
            "published": self.published,
            "id": self.id,
            "name": self.name,
            "before": self.before,
            "after": self.after,
            "points": self.after - self.before,
        }


@dataclass(frozen=True, slots=True)
class Moved:
    """Who is moved in one period of a list: ratings old and new, by player, in points (0: none).

    ``players`` have a place in the columns of names and ids of ``RatingShifts``.
    """

    list: str
    period: str
    published: bool
    players: Column
    before: Column
    after: Column


class RatingShifts(Sequence[RatingShift]):
    """Shifts by list and period in columns; each becomes an object when somebody looks at it."""

    def __init__(self, moved: Sequence[Moved], people: People) -> None:
        self._moved = moved
        self._starts = np.cumsum([0, *(len(each.players) for each in moved)])
        self._players = np.unique(np.concatenate([_NOBODY, *(each.players for each in moved)]))
        self._ids, self._names = people.ids(self._players), people.names(self._players)

    def __len__(self) -> int:
        """How many there are."""
        return int(self._starts[-1])

    @overload
    def __getitem__(self, place: int) -> RatingShift: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RatingShift]: ...
    def __getitem__(self, place: int | slice) -> RatingShift | Sequence[RatingShift]:
        """Returns the shift at a place, or those of a range."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        which = int(np.searchsorted(self._starts, at, side="right")) - 1
        at -= int(self._starts[which])
        return next(self._made(self._moved[which], slice(at, at + 1)))

    def __iter__(self) -> Iterator[RatingShift]:
        """Yields them, by list, period and player."""
        for moved in self._moved:
            yield from self._made(moved, slice(None))

    def __eq__(self, other: object) -> bool:
        """Whether the other says the same."""
        return isinstance(other, RatingShifts) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _made(self, moved: Moved, some: slice) -> Iterator[RatingShift]:
        columns = (moved.players[some], moved.before[some], moved.after[some])
        places = np.searchsorted(self._players, columns[0])
        for place, before, after in zip(
            places.tolist(), columns[1].tolist(), columns[2].tolist(), strict=True
        ):
            yield RatingShift(
                list=moved.list,
                period=moved.period,
                published=moved.published,
                id=self._ids[place],
                name=self._names[place],
                before=before,
                after=after,
            )


_NOBODY = np.zeros(0, dtype=np.int64)


def impact(
    before: Facts,
    after: Facts,
    people: People,
    remembered: Mapping[str, RememberedList] | None = None,
) -> RatingShifts:
    """Returns what differs between two states of the facts, list by list and period by period.

    ``remembered`` are lists as they were calculated before the change, by name, for those who have
    them; without them they are replayed.
    """
    day = after.first_effect_between(before.seq, after.seq)
    moved: list[Moved] = []
    for name in sorted(after.lists):
        if name in before.lists:
            past = (remembered or {}).get(name)
            was = past.timeline if past else Timeline(AsOf(before, before.seq), name)
            now = Timeline(AsOf(after, after.seq), name)
            moved += _of_list(was, now, day, past)
    return RatingShifts(moved, people)


def _of_list(
    was: Timeline, now: Timeline, day: int, past: RememberedList | None
) -> Iterator[Moved]:
    """Yields what differs in a list from a day (ordinal) on."""
    last_day = max(last_touched_period(timeline).closes_on for timeline in (was, now))
    reached = [p for p in now.periods(last_day) if _reached(p, day)]
    if not reached:
        return
    publications = now.known.facts.lists[now.name].publications
    published = {event.period for _, event in publications}
    for period, players, old, new in _moves(was, now, reached, past):
        others = np.flatnonzero(old != new)
        if len(others):
            yield Moved(
                list=now.name,
                period=period.name,
                published=period.name in published,
                players=players[others],
                before=old[others],
                after=new[others],
            )


def _reached(period: Period, day: int) -> bool:
    return period.closes_on.toordinal() >= day


def _moves(
    was: Timeline, now: Timeline, reached: Sequence[Period], past: RememberedList | None
) -> Iterator[tuple[Period, Column, Column, Column]]:
    """Yields for each period some players with their ratings, old and new: all that differ."""
    before, after, name = was.known.facts, now.known.facts, now.name
    before_change = _before_change(was, reached, past)
    last = reached[0].index - 1
    try:
        changed = changed_tournaments(before, after)
        for then, differing in Reach(was, now, changed).follow(before_change):
            players = differing.players
            yield then.period, players, then.closing.rating[players], differing.standing.rating
            last = then.period.index
    except OutOfReach:
        left = [period for period in reached if period.index > last]
        yield from _everybody(before, after, name, left[0], reached[-1])


def _before_change(
    was: Timeline, reached: Sequence[Period], past: RememberedList | None
) -> Iterator[Remembered]:
    """Yields periods as they were: remembered ones, and those after them replayed when needed."""
    kept = past.periods if past else ()
    yield from kept[reached[0].index : reached[-1].index + 1]
    left = [period for period in reached if period.index >= len(kept)]
    if left:
        facts = was.known.facts
        for outcome in replay(facts, was.name, facts.seq, left[-1], since=left[0]):
            if outcome.period.index >= left[0].index:
                yield Remembered.of(outcome, for_many_questions=False)


def _everybody(
    before: Facts, after: Facts, name: str, first: Period, until: Period
) -> Iterator[tuple[Period, Column, Column, Column]]:
    """Yields everybody's ratings, old and new, of all periods from the first that is reached."""
    ratings = {
        outcome.period.name: outcome.closing.rating
        for outcome in replay(before, name, before.seq, until, since=first)
    }
    for outcome in replay(after, name, after.seq, until, since=first):
        if outcome.period.index < first.index:
            continue  # behind the snapshot, and no change reaches it
        new = outcome.closing.rating
        old = np.zeros_like(new)  # players and periods that are new had no rating
        known = ratings.get(outcome.period.name, old[:0])
        old[: len(known)] = known
        yield outcome.period, np.arange(len(new)), old, new


def last_period(facts: Facts, name: str) -> Period:
    """Returns the last period worth calculating: of the last games, or open after the last list."""
    return _last_period(Timeline(AsOf(facts, facts.seq), name))


def _last_period(timeline: Timeline) -> Period:
    last_day = timeline.last_day
    for _, event in timeline.known.facts.lists[timeline.name].publications:
        published = period_named(timeline.list.segments, event.period)
        if published is not None:
            last_day = max(last_day, published.closes_on + dt.timedelta(days=1))
    return timeline.periods(last_day)[-1]


def last_touched_period(timeline: Timeline) -> Period:
    """Returns the last period that anything recorded moves, ratings brought in later included."""
    last, known, name = _last_period(timeline), timeline.known, timeline.name
    days = [step.from_on for step in known.facts.ordered_steps if step.list == name]
    seeded_on = known.seeds(name).from_on[-1:].tolist()  # the last one of all
    days += map(dt.date.fromordinal, seeded_on)
    for _, adjusted in known.facts.lists[name].adjustments:
        period = period_named(timeline.list.segments, adjusted.period)
        days += [period.starts_on] if period else []
    return timeline.periods(max([last.closes_on, *days]))[-1]
