"""Commands about rating lists, and what they come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

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
from ledger.operations.lists import (
    AdjustList,
    AdoptRegulation,
    DefineList,
    PublishList,
    SetCalendar,
    SetTwoPersons,
)
from ledger.registrar.conflicts import segments_that_cut
from ledger.registrar.deciders import decides
from ledger.registrar.register import ListRecord, Register
from ledger.regulations.code import code_of
from ledger.regulations.registry import adopted
from ledger.typed_values import YEARS
from ledger.wording import Message


@decides(DefineList)
def define_list(command: DefineList, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a list that is defined, and a first day that starts no period."""
    record = register.lists.get(command.list)
    defined = command.event(ListDefined)
    if record is not None:
        key = "list.defined" if record.defined == defined else "list.defined_otherwise"
        raise Conflict(key, list=command.list)
    _check_start(command.calendar, command.first_on)
    return [Dated(command.first_on, defined), Dated(command.first_on, _adoption(command))]


@decides(SetCalendar)
def set_calendar(command: SetCalendar, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a day within a period, or in a list that is out."""
    record = register.known_list(command.list)
    _check_start(command.calendar, command.on)
    record.check_open(command.on, as_correction=False)
    if command.on <= record.defined.first_on or not _keeps_periods(command, record):
        raise command.refused("list.calendar_cuts_period")
    return [Dated(command.on, command.event(CalendarSet))]


def _keeps_periods(command: SetCalendar, record: ListRecord) -> bool:
    """Whether every segment still starts where a period of the one before it would."""
    kept = [segment for segment in record.calendar if segment.from_on != command.on]
    new = CalendarSegment(command.on, command.calendar, command.closes_days_before)
    segments = sorted([*kept, new], key=lambda segment: segment.from_on)
    return not any(segments_that_cut(segments))


@decides(AdoptRegulation)
def adopt_regulation(
    command: AdoptRegulation, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses the rules that are in force, and a day before the list or in one that is out."""
    record, event = register.known_list(command.list), _adoption(command)
    record.check_begun(command.on)
    in_force = record.adoption_on(command.on)
    if in_force is not None and _rules(in_force) == _rules(event):
        raise command.refused("list.regulation_in_force")
    record.check_open(command.on, as_correction=command.as_correction)
    return [Dated(command.on, event)]


@decides(AdjustList)
def adjust_list(command: AdjustList, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses no share, a period that is out, and the same step twice."""
    record = register.known_list(command.list)
    period = record.known_period(command.period)
    if not 0 <= command.numerator <= command.denominator:
        raise command.refused("list.no_share", share=f"{command.numerator}/{command.denominator}")
    record.check_open(period.starts_on, as_correction=command.as_correction)
    closed = record.last_closed()
    if record.defined.policy == "next-list" and closed and period.index <= closed.index:
        raise command.refused("list.adjust_stands", period=period.name)
    event = command.event(ListAdjusted)
    if any(event == recorded for _, recorded in record.adjustments):
        raise Conflict("list.adjusted_so", list=command.list, period=period.name)
    return [Dated(period.ends_on, event)]


@decides(PublishList)
def publish_list(command: PublishList, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a period that is not over, and a second edition where published lists stand."""
    record = register.known_list(command.list)
    period = record.known_period(command.period)
    if not period.is_over(today):
        raise command.refused(
            "list.not_ended", period=period.name, closes_on=period.closes_on, today=today
        )
    editions = record.published.get(period.name, [])
    if editions and record.defined.policy == "next-list":
        raise command.refused("list.stands", period=period.name)
    assert command.edition == len(editions) + 1, "it was calculated at this very head"
    event = command.event(ListPublished, period=period.name, published_on=period.in_force_on)
    return [Dated(period.in_force_on, event)]


@decides(SetTwoPersons)
def set_two_persons(command: SetTwoPersons, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses what is so already."""
    if register.known_list(command.list).two_persons == command.required:
        raise command.refused("two.on_already" if command.required else "two.off_already")
    return [Dated(today, command.event(TwoPersonsSet))]


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
    if day.year not in YEARS:
        raise InputRefused("list.no_such_year", on=day)
    if not calendar.starts(day):
        month = (day.month - 1) // calendar.months * calendar.months + 1
        start = dt.date(day.year, month, 1)
        often = Message.of(f"often.{calendar.value.replace('-', '_')}")
        raise InputRefused("list.no_period_start", on=day, often=often, nearest=start)
