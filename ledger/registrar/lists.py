"""Commands about rating lists, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ledger.calendar import Calendar, CalendarSegment
from ledger.errors import Conflict, InputRefused
from ledger.events.lists import (
    CalendarSet,
    ListAdjusted,
    ListDefined,
    ListPublished,
    RegulationAdopted,
    TwoPersonsSet,
)
from ledger.events.model import Dated
from ledger.registrar.register import ListRecord, Register
from ledger.registrar.registrar import Command
from ledger.regulations.code import code_of
from ledger.regulations.registry import adopted
from ledger.terms import Rate
from ledger.wording import Message

# Before the first rating, and beyond any calendar: a slip of the keyboard.
_FIRST_YEAR, _LAST_YEAR = 1800, 2199


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfList(Command):
    NAMES = ("list",)

    list: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineList(_OfList):
    """Define a rating list and adopt its first regulation."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    calendar: Calendar
    first_on: dt.date
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None
    closes_days_before: int = 0

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a list that is defined, and a first day that starts no period."""
        record = register.lists.get(self.list)
        defined = self.said(ListDefined)
        if record is not None:
            key = "list.defined" if record.defined == defined else "list.defined_otherwise"
            raise Conflict(key, list=self.list)
        _check_start(self.calendar, self.first_on)
        return [Dated(self.first_on, defined), Dated(self.first_on, _adoption(self))]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCalendar(_OfList):
    """Change a list's calendar from a day on."""

    calendar: Calendar
    closes_days_before: int
    on: dt.date

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a day within a period, or in a list that is out."""
        record = register.known_list(self.list)
        _check_start(self.calendar, self.on)
        record.check_open(self.on, as_correction=False)
        if self.on <= record.defined.first_on or not self._keeps_periods(record):
            raise self.refused("list.calendar_cuts_period")
        return [Dated(self.on, self.said(CalendarSet))]

    def _keeps_periods(self, record: ListRecord) -> bool:
        """Whether every segment still starts where a period of the one before it would."""
        kept = [segment for segment in record.calendar if segment.from_on != self.on]
        new = CalendarSegment(self.on, self.calendar, self.closes_days_before)
        segments = sorted([*kept, new], key=lambda segment: segment.from_on)
        return all(before.calendar.starts(after.from_on) for before, after in pairwise(segments))


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptRegulation(_OfList):
    """Change a list's regulation, or its parameters, from a day on."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    on: dt.date
    as_correction: bool = False

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses the rules that are in force, and a day before the list or in one that is out."""
        record, event = register.known_list(self.list), _adoption(self)
        record.check_begun(self.on)
        in_force = record.adoption_on(self.on)
        if in_force is not None and _rules(in_force) == _rules(event):
            raise self.refused("list.regulation_in_force")
        record.check_open(self.on, as_correction=self.as_correction)
        return [Dated(self.on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustList(_OfList):
    """Order a list-wide step after the calculation of a period."""

    period: str
    below: int
    pivot: int
    numerator: int
    denominator: int
    as_correction: bool = False

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses no share, a period that is out, and the same step twice."""
        record = register.known_list(self.list)
        period = record.known_period(self.period)
        if not 0 <= self.numerator <= self.denominator:
            raise self.refused("list.no_share", share=f"{self.numerator}/{self.denominator}")
        record.check_open(period.starts_on, as_correction=self.as_correction)
        closed = record.last_closed()
        if record.defined.policy == "next-list" and closed and period.index <= closed.index:
            raise self.refused("list.adjust_stands", period=period.name)
        event = self.said(ListAdjusted)
        if any(event == recorded for _, recorded in record.adjustments):
            raise Conflict("list.adjusted_so", list=self.list, period=period.name)
        return [Dated(period.ends_on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishList(_OfList):
    """Record that a list went out, with the digests of what went out."""

    period: str
    edition: int
    basis_seq: int
    regulation: str
    regulation_digest: str
    row_count: int
    output_sha256: str
    ratings_sha256: str
    rows_root: str

    def names_head(self, head_seq: int) -> bool:
        """A list goes out of everything that is known, not of what was known a moment ago."""
        if self.basis_seq != head_seq:
            raise Conflict("list.overtaken", list=self.list, period=self.period)
        return True

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a period that is not over, and a second edition where published lists stand."""
        record = register.known_list(self.list)
        period = record.known_period(self.period)
        if not period.is_over(today):
            raise self.refused(
                "list.not_ended", period=period.name, closes_on=period.closes_on, today=today
            )
        editions = record.published.get(period.name, [])
        if editions and record.defined.policy == "next-list":
            raise self.refused("list.stands", period=period.name)
        assert self.edition == len(editions) + 1, "it was calculated at this very head"
        event = self.said(ListPublished, period=period.name, published_on=period.in_force_on)
        return [Dated(period.in_force_on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTwoPersons(_OfList):
    """Say whether what reaches a published period of a list needs two people."""

    NEEDS_REASON = True

    required: bool

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses what is so already."""
        if register.known_list(self.list).two_persons == self.required:
            raise self.refused("two.on_already" if self.required else "two.off_already")
        return [Dated(today, self.said(TwoPersonsSet))]


def _adoption(command: DefineList | AdoptRegulation) -> RegulationAdopted:
    """Returns the adoption; raises where there is no such regulation or it refuses a parameter."""
    code = code_of(type(adopted(command.regulation, command.parameters)))
    return RegulationAdopted(
        code=code.sha256 if code else None,
        digest=command.regulation_digest,
        distribution=code.distribution if code else None,
        list=command.list,
        parameters=command.parameters,
        regulation=command.regulation,
        version=code.version if code else None,
    )


def _rules(event: RegulationAdopted) -> tuple[object, ...]:
    """Returns what an adoption says of the rules, whatever code computes them."""
    return event.regulation, event.parameters, event.digest


def _check_start(calendar: Calendar, day: dt.date) -> None:
    """Raises ``InputRefused`` for a day that starts no period of the calendar."""
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise InputRefused("list.no_such_year", on=day)
    if not calendar.starts(day):
        month = (day.month - 1) // calendar.months * calendar.months + 1
        start = dt.date(day.year, month, 1)
        often = Message.of(f"often.{calendar.value.replace('-', '_')}")
        raise InputRefused("list.no_period_start", on=day, often=often, nearest=start)
