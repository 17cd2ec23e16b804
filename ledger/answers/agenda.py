"""What is due: lists whose period is over, reports of tournaments that are over; how to begin."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.answers.tournament_calendar import reports_due
from ledger.calendar import Period, periods
from ledger.facts.as_of import AsOf
from ledger.json_form import HIDDEN, JsonForm
from ledger.lists.publications import publications
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class DueWork(JsonForm):
    """A list to be published (``kind`` is ``list``), or a tournament to be handed in (``report``).

    ``id`` is the list or the tournament, ``name`` the period or what the tournament is called. It
    was due on a day, ``days`` ago: the first on which the list is to be in force, the tournament's
    last. ``more`` periods of the list are over behind it. A tournament that is only announced is
    not ``opened``.
    """

    kind: Literal["list", "report"]
    id: str
    name: str
    due_on: dt.date
    days: int
    more: int = 0
    opened: Annotated[bool, HIDDEN] = True


@dataclass(frozen=True, slots=True)
class Agenda(JsonForm):
    """What is due on a day: lists, then reports, what waits longest first."""

    on: dt.date
    due: tuple[DueWork, ...]


def agenda_of(view: LedgerView, today: dt.date) -> Agenda:
    """Returns what is due on a day."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    lists = sorted(_lists(known, today), key=lambda each: (each.due_on, each.id))
    reports = (
        DueWork("report", row.tournament, row.name, row.ends_on, row.due_days or 0, 0, row.opened)
        for row in reports_due(view, today)
    )
    return Agenda(today, (*lists, *reports))


def _lists(known: AsOf, today: dt.date) -> Iterator[DueWork]:
    facts = known.facts
    for name in facts.lists:
        due = [period for period in _unpublished(known, name, today) if period.is_over(today)]
        if due:
            on = due[0].in_force_on
            days, more = max(0, (today - on).days), len(due) - 1
            yield DueWork("list", name, due[0].name, on, days, more)


def _unpublished(known: AsOf, name: str, today: dt.date) -> Sequence[Period]:
    """Returns the periods of a list after the last that was published, up to that of a day."""
    published = {each.period for each in publications(known.facts, name)}
    found = list(periods(known.list(name).segments, today))
    last = max((at for at, each in enumerate(found) if each.name in published), default=-1)
    return found[last + 1 :]


@dataclass(frozen=True, slots=True)
class ComingList:
    """The list that is published next: its first period that is not, in force from a day on.

    ``days`` are left until then; none are left of one that is due.
    """

    list: str
    period: str
    in_force_on: dt.date
    days: int


def coming_lists(view: LedgerView, today: dt.date) -> Sequence[ComingList]:
    """Returns the lists that are published next, each with its period, the most urgent first."""
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    first = ((name, each[0]) for name in facts.lists if (each := _unpublished(known, name, today)))
    found = (
        ComingList(name, each.name, each.in_force_on, max(0, (each.in_force_on - today).days))
        for name, each in first
    )
    return sorted(found, key=lambda each: (each.in_force_on, each.list))


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """Which of the three steps to the first list are done: the list, players, a tournament."""

    list: bool
    players: bool
    tournament: bool


def first_steps(view: LedgerView) -> FirstSteps | None:
    """Returns what is done on the way to the first list; None: one was published."""
    facts = view.facts()
    if any(publications(facts, name) for name in facts.lists):
        return None
    return FirstSteps(bool(facts.lists), len(facts.players) > 0, len(facts.tournaments) > 0)
