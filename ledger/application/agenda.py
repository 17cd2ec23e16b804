"""What is due: lists whose period is over, events of the desk that are over and not handed in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ledger.application.publications import begun_before_results
from ledger.application.view import LedgerView
from ledger.calendar import periods
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance
from ledger.json_form import JsonForm
from ledger.lists.publications import publications

_REMEMBERED: Final = dt.timedelta(days=400)
"""Whatever ended before is not waited for any more."""


@dataclass(frozen=True, slots=True)
class DueWork(JsonForm):
    """A list to be published (``kind`` is ``list``), or a tournament to be handed in (``report``).

    ``id`` is the list or the tournament, ``name`` the period or what the tournament is called. It
    was due on a day, ``days`` ago: the first on which the list is to be in force, the tournament's
    last. ``more`` periods of the list are over behind it.
    """

    kind: Literal["list", "report"]
    id: str
    name: str
    due_on: dt.date
    days: int
    more: int = 0


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
    return Agenda(today, (*lists, *_reports(view, known, today)))


def _lists(known: AsOf, today: dt.date) -> Iterator[DueWork]:
    facts = known.facts
    for name in facts.lists:
        published = {each.period for each in publications(facts, name)}
        over = [
            period for period in periods(known.list(name).segments, today) if period.is_over(today)
        ]
        last = max((at for at, each in enumerate(over) if each.name in published), default=-1)
        due = over[last + 1 :]
        if due:
            on = due[0].in_force_on
            days, more = max(0, (today - on).days), len(due) - 1
            yield DueWork("list", name, due[0].name, on, days, more)


def _reports(view: LedgerView, known: AsOf, today: dt.date) -> Iterator[DueWork]:
    """Yields the events that wait; a report that was imported as a whole waits for nobody."""
    facts, about = known.facts, known.tournaments
    waits = known.is_open & ~facts.is_closed & (about.ends_on < today.toordinal())
    waits &= about.ends_on >= (today - _REMEMBERED).toordinal()
    waits &= about.acceptance == Acceptance.ACCEPTED
    begun = begun_before_results(view, facts, np.flatnonzero(waits).tolist())
    names = known.tournament_names if begun else ()
    places = np.array([facts.tournament_index[each] for each in begun], dtype=np.int64)
    for place in places[np.argsort(about.ends_on[places], kind="stable")].tolist():
        ends_on = dt.date.fromordinal(int(about.ends_on[place]))
        days = (today - ends_on).days
        yield DueWork("report", facts.tournament_ids[place], names[place], ends_on, days)
