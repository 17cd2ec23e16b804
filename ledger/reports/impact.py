"""What a change would move, cascades included: who, in which list and period, and by how much."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ledger.calendar import Period, Segment, period_named, periods
from ledger.facts.columns import Column, Facts
from ledger.facts.known import Known
from ledger.lists.people import People
from ledger.replay.reached import OutOfReach, Past, Reach, changed_tournaments
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Shift:
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


def impact(
    before: Facts,
    after: Facts,
    people: People,
    remembered: Mapping[str, Sequence[Past]] | None = None,
) -> list[Shift]:
    """Returns what differs between two states of the facts, list by list and period by period.

    ``remembered`` are all periods of lists as they were calculated before the change, by list, for
    those who have them; without them they are replayed.
    """
    day = after.first_effect_between(before.seq, after.seq)
    shifts: list[Shift] = []
    for name in sorted(after.lists):
        if name in before.lists:
            shifts += _of_list(before, after, name, people, day, (remembered or {}).get(name))
    return shifts


def _of_list(
    before: Facts, after: Facts, name: str, people: People, day: int, past: Sequence[Past] | None
) -> Iterator[Shift]:
    """Yields what differs in a list from a day (ordinal) on."""
    last_day = max(_last_touched_period(facts, name).closes_on for facts in (before, after))
    reached = [p for p in periods(_segments(after, name), last_day) if _reached(p, day)]
    if not reached:
        return
    published = {event.period for _, event in after.lists[name].publications}
    for period, players, old, new in _moves(before, after, name, reached, past):
        for player, was, is_ in zip(players.tolist(), old.tolist(), new.tolist(), strict=True):
            if was != is_:
                yield Shift(
                    list=name,
                    period=period.name,
                    published=period.name in published,
                    id=people.id(player) or "",
                    name=people.name(player) or "",
                    before=was,
                    after=is_,
                )


def _reached(period: Period, day: int) -> bool:
    return period.closes_on.toordinal() >= day


def _moves(
    before: Facts, after: Facts, name: str, reached: Sequence[Period], past: Sequence[Past] | None
) -> Iterator[tuple[Period, Column, Column, Column]]:
    """Yields for each period some players with their ratings, old and new: all that differ."""
    first, until = reached[0], reached[-1]
    if past is None or past[-1].period.index < until.index:
        before_change: Iterable[Past] = replay(before, name, before.seq, until, since=first)
    else:
        before_change = past[: until.index + 1]
    touched = (then for then in before_change if then.period.index >= first.index)
    last = first.index - 1
    try:
        changed = changed_tournaments(before, after)
        was, now = (Timeline(Known(facts, facts.seq), name) for facts in (before, after))
        for then, differing in Reach(was, now, changed).follow(touched):
            players = differing.players
            yield then.period, players, then.closing.rating[players], differing.standing.rating
            last = then.period.index
    except OutOfReach:
        left = [period for period in reached if period.index > last]
        yield from _everybody(before, after, name, left[0], until)


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


def _segments(facts: Facts, name: str) -> Sequence[Segment]:
    return Timeline(Known(facts, facts.seq), name).list.segments


def last_period(facts: Facts, name: str) -> Period:
    """Returns the last period worth calculating: of the last games, or open after the last list."""
    timeline = Timeline(Known(facts, facts.seq), name)
    last_day = timeline.last_day
    for _, event in facts.lists[name].publications:
        published = period_named(timeline.list.segments, event.period)
        if published is not None:
            last_day = max(last_day, published.closes_on + dt.timedelta(days=1))
    return periods(timeline.list.segments, last_day)[-1]


def _last_touched_period(facts: Facts, name: str) -> Period:
    """Returns the last period that anything recorded moves, ratings brought in later included."""
    last = last_period(facts, name)
    known = Known(facts, facts.seq)
    segments = known.list(name).segments
    days = [step.from_on for step in facts.ordered_steps if step.list == name]
    seeded_on = known.seeds(name).from_on[-1:].tolist()  # the last one of all
    days += map(dt.date.fromordinal, seeded_on)
    for _, adjusted in facts.lists[name].adjustments:
        period = period_named(segments, adjusted.period)
        days += [period.starts_on] if period else []
    return periods(segments, max([last.closes_on, *days]))[-1]
