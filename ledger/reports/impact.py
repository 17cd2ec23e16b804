"""What a change would move, cascades included: who, in which list and period, and by how much."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import numpy as np

from ledger.calendar import Period, period_named, periods
from ledger.facts.columns import Facts
from ledger.facts.known import Known
from ledger.lists.people import People
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


def impact(before: Facts, after: Facts, people: People) -> list[Shift]:
    """Returns what differs between two states of the facts, list by list and period by period."""
    shifts: list[Shift] = []
    for name in sorted(after.lists):
        if name in before.lists:
            shifts += _of_list(before, after, name, people)
    return shifts


def _of_list(before: Facts, after: Facts, name: str, people: People) -> list[Shift]:
    until = _last_touched_period(after, name)
    published = {event.period for _, event in after.lists[name].publications}
    ratings = {
        outcome.period.name: outcome.closing.rating
        for outcome in replay(before, name, before.seq, until)
    }
    shifts = []
    for outcome in replay(after, name, after.seq, until):
        new = outcome.closing.rating
        old = np.zeros_like(new)  # players and periods that are new had no rating
        known = ratings.get(outcome.period.name, old[:0])
        old[: len(known)] = known
        shifts += [
            Shift(
                list=name,
                period=outcome.period.name,
                published=outcome.period.name in published,
                id=people.id(player) or "",
                name=people.name(player) or "",
                before=int(old[player]),
                after=int(new[player]),
            )
            for player in np.flatnonzero(old != new).tolist()
        ]
    return shifts


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
    segments = Timeline(Known(facts, facts.seq), name).list.segments
    days = [step.from_on for step in facts.ordered_steps if step.list == name]
    days += [seed.from_on for seed in facts.seeds if seed.list == name]
    for _, adjusted in facts.lists[name].adjustments:
        period = period_named(segments, adjusted.period)
        days += [period.starts_on] if period else []
    return periods(segments, max([last.closes_on, *days]))[-1]
