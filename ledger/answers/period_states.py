"""How the periods of a list stand: open, closed, published, or restated since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from ledger.calendar import Period
from ledger.events.lists import ListPublished
from ledger.facts.columns import Facts
from ledger.json_form import Form, JsonForm, form_of
from ledger.lists.publications import beside_published, period_of, publications, untouched
from ledger.lists.rating_list import figures_sha256
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import last_period
from ledger.views.view import LedgerView

NAME: Final = Form(form_of(str).schema, lambda period, _: period.name)
State: TypeAlias = Literal["open", "closed", "published", "restated"]


@dataclass(frozen=True, slots=True)
class PeriodState(JsonForm):
    """A period of a list: ``open``, ``closed``, ``published`` or ``restated``."""

    period: Annotated[Period, NAME]
    start: dt.date
    end: dt.date
    closes: dt.date
    state: State
    editions: int
    games: int

    @classmethod
    def of(cls, period: Period, state: State, editions: int, games: int) -> PeriodState:
        """Returns how a period stands."""
        days = period.starts_on, period.ends_on, period.closes_on
        return cls(period, *days, state, editions, games)


@dataclass(frozen=True, slots=True)
class Periods(JsonForm):
    """The periods of a list, in order."""

    list: str
    periods: Sequence[PeriodState]


def period_states(view: LedgerView, name: str) -> list[PeriodState]:
    """Returns the states of a list's periods, up to the last that matters."""
    facts = view.facts_of(name)
    states = PeriodStates(facts, name)
    last = [editions[-1] for editions in states.editions.values()]
    touched = [each for each in last if not states.is_untouched(each)]
    for outcome, editions in beside_published(facts, name, touched, last_period(facts, name)):
        states.take(outcome)
        for publication, then in editions:
            states.take_edition(publication, then)
    return states.states()


class PeriodStates:
    """How the periods of a list stand, told by a walk over them and over their last editions.

    A period whose last edition nothing reaches stands as it was published. Of any other it is asked
    whether the list as known now has other rows than the edition as it was calculated.
    """

    def __init__(self, facts: Facts, name: str) -> None:
        self._facts = facts
        self._name = name
        self._periods: list[tuple[Period, int]] = []
        self._now: dict[str, str] = {}
        self._then: dict[str, str] = {}
        self.editions: dict[str, list[ListPublished]] = {}
        for publication in publications(facts, name):
            self.editions.setdefault(publication.period, []).append(publication)

    def is_untouched(self, edition: ListPublished) -> bool:
        """Whether nothing that was recorded since reaches the period of an edition."""
        period = period_of(self._facts, self._name, edition.period)
        return period is not None and untouched(self._facts, edition, period)

    def take(self, outcome: PeriodOutcome) -> None:
        """Takes the next period, as known now."""
        name = outcome.period.name
        self._periods.append((outcome.period, outcome.rated.count))
        if name in self.editions and not self.is_untouched(self.editions[name][-1]):
            self._now[name] = figures_sha256(outcome)

    def take_edition(self, publication: ListPublished, then: PeriodOutcome) -> None:
        """Takes an edition as it was calculated, in any order; others than the last are ignored."""
        if publication is self.editions[publication.period][-1]:
            self._then[publication.period] = figures_sha256(then)

    def states(self) -> list[PeriodState]:
        """Returns the states of the periods that were taken."""
        found = (period_of(self._facts, self._name, each) for each in self.editions)
        closed_upto = max((period.index for period in found if period), default=-1)
        found_ = []
        for period, games in self._periods:
            editions = len(self.editions.get(period.name, ()))
            if not editions:
                state: State = "closed" if period.index <= closed_upto else "open"
            else:
                name = period.name
                is_same = name not in self._now or self._now[name] == self._then.get(name)
                state = "published" if is_same else "restated"
            found_.append(PeriodState.of(period, state, editions, games))
        return found_
