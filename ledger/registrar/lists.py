"""Decides commands about rating lists."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import assert_never

from ledger.calendar import Calendar, CalendarSegment
from ledger.errors import Conflict, InputRefused
from ledger.events.lists import (
    CalendarSet,
    ListAdjusted,
    ListDefined,
    ListPublished,
    RegulationAdopted,
)
from ledger.events.model import Dated
from ledger.registrar import commands as c
from ledger.registrar.players import leaves_closed_lists
from ledger.registrar.register import ListRecord, Register
from ledger.regulations.code import code_of
from ledger.regulations.registry import adopted

# Before the first rating, and beyond any calendar: a slip of the keyboard.
_FIRST_YEAR, _LAST_YEAR = 1800, 2199


def decide(register: Register, command: c.ListCommand, today: dt.date) -> list[Dated]:
    """Returns the events of a command about a list; raises ``InputRefused``."""
    match command:
        case c.DefineList():
            return _define(register, command)
        case c.SetCalendar():
            return _set_calendar(known(register, command.list), command)
        case c.AdoptRegulation():
            return _adopt(known(register, command.list), command)
        case c.AdjustList():
            return _adjust(known(register, command.list), command)
        case c.PublishList():
            return _publish(known(register, command.list), command, today)
        case _:
            assert_never(command)


def known(register: Register, name: str) -> ListRecord:
    """Returns the record of a list; raises ``InputRefused`` where there is none."""
    record = register.lists.get(name)
    if record is None:
        raise InputRefused("list.unknown", list=name)
    return record


def _define(register: Register, command: c.DefineList) -> list[Dated]:
    record = register.lists.get(command.list)
    defined = ListDefined(
        calendar=command.calendar,
        closes_days_before=command.closes_days_before,
        first_on=command.first_on,
        list=command.list,
        policy=command.policy,
        rate_of_play=command.rate_of_play,
    )
    if record is not None:
        key = "list.defined" if record.defined == defined else "list.defined_otherwise"
        raise Conflict(key, list=command.list)
    _starts_a_period(command.calendar, command.first_on)
    return [Dated(command.first_on, defined), Dated(command.first_on, _adoption(command))]


def _adoption(command: c.DefineList | c.AdoptRegulation) -> RegulationAdopted:
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


def _starts_a_period(calendar: Calendar, day: dt.date) -> None:
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise InputRefused("list.no_such_year", on=day)
    if not calendar.starts(day):
        month = (day.month - 1) // calendar.months * calendar.months + 1
        start = dt.date(day.year, month, 1)
        raise InputRefused("list.no_period_start", on=day, calendar=calendar.value, nearest=start)


def _set_calendar(record: ListRecord, command: c.SetCalendar) -> list[Dated]:
    _starts_a_period(command.calendar, command.on)
    leaves_closed_lists(record, command.on, as_correction=False)
    if command.on <= record.defined.first_on or not _boundary(record, command):
        raise InputRefused("list.calendar_cuts_period", on=command.on, list=command.list)
    event = CalendarSet(
        calendar=command.calendar, closes_days_before=command.closes_days_before, list=command.list
    )
    return [Dated(command.on, event)]


def _boundary(record: ListRecord, command: c.SetCalendar) -> bool:
    """Whether every segment still starts where a period of the one before it would."""
    kept = [s for s in record.segments if s.from_on != command.on]
    new = CalendarSegment(command.on, command.calendar, command.closes_days_before)
    segments = sorted([*kept, new], key=lambda segment: segment.from_on)
    return all(before.calendar.starts(after.from_on) for before, after in pairwise(segments))


def _adopt(record: ListRecord, command: c.AdoptRegulation) -> list[Dated]:
    event = _adoption(command)
    if command.on < record.defined.first_on:
        raise InputRefused("list.before_first", on=command.on, first=record.defined.first_on)
    in_force = [a for on, a in sorted(record.adoptions, key=lambda a: a[0]) if on <= command.on]
    if in_force and _rules(in_force[-1]) == _rules(event):
        raise InputRefused("list.regulation_in_force", list=command.list, on=command.on)
    leaves_closed_lists(record, command.on, as_correction=command.as_correction)
    return [Dated(command.on, event)]


def _rules(event: RegulationAdopted) -> tuple[object, ...]:
    """Returns what an adoption says of the rules, whatever code computes them."""
    return event.regulation, event.parameters, event.digest


def _adjust(record: ListRecord, command: c.AdjustList) -> list[Dated]:
    period = record.period(command.period)
    if period is None:
        raise InputRefused("list.no_period", list=command.list, period=command.period)
    if not 0 <= command.numerator <= command.denominator:
        raise InputRefused("list.no_share", share=f"{command.numerator}/{command.denominator}")
    leaves_closed_lists(record, period.starts_on, as_correction=command.as_correction)
    closed = record.last_closed()
    if record.defined.policy == "next-list" and closed and period.index <= closed.index:
        raise InputRefused("list.adjust_stands", list=command.list, period=period.name)
    event = ListAdjusted(
        below=command.below,
        denominator=command.denominator,
        list=command.list,
        numerator=command.numerator,
        period=command.period,
        pivot=command.pivot,
    )
    if event in record.adjustments:
        raise Conflict("list.adjusted_so", list=command.list, period=period.name)
    return [Dated(period.ends_on, event)]


def _publish(record: ListRecord, command: c.PublishList, today: dt.date) -> list[Dated]:
    period = record.period(command.period)
    if period is None:
        raise InputRefused("list.no_period", list=command.list, period=command.period)
    if period.closes_on > today:
        raise InputRefused(
            "list.not_ended", list=command.list, period=period.name, closes_on=period.closes_on
        )
    editions = record.published.get(period.name, [])
    if editions and record.defined.policy == "next-list":
        raise InputRefused("list.stands", list=command.list, period=period.name)
    assert command.edition == len(editions) + 1, "it was calculated at this very head"
    event = ListPublished(
        basis_seq=command.basis_seq,
        edition=command.edition,
        list=command.list,
        output_sha256=command.output_sha256,
        period=period.name,
        published_on=period.in_force_on,
        ratings_sha256=command.ratings_sha256,
        regulation=command.regulation,
        regulation_digest=command.regulation_digest,
        row_count=command.row_count,
    )
    return [Dated(period.in_force_on, event)]
