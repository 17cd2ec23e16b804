"""Rating periods: which games count together, when the interval closes, when its list is in force.

A list's calendar is a sequence of *segments*, each with a kind in force from a date. A period is
named by the interval whose events it rates (``2011-01``, ``2011-01+02``, ``2011-Q1``, ``2011-H1``,
``2011``). It may close some days before the interval ends; an event that ends after the closing
date belongs to the next period. The list of a period is in force from the day after the interval.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

_DAY = dt.timedelta(days=1)
_LAST_YEAR = 2200  # no federation has announced its lists that far ahead


class Calendar(StrEnum):
    """How often a list is published."""

    MONTHLY = "monthly"
    TWO_MONTHLY = "two-monthly"
    QUARTERLY = "quarterly"
    HALF_YEARLY = "half-yearly"
    ANNUAL = "annual"

    @property
    def months(self) -> int:
        """The length of a period in months."""
        return _MONTHS[self]

    def starts(self, day: dt.date) -> bool:
        """Whether a period of this calendar starts on the day."""
        return day.day == 1 and (day.month - 1) % self.months == 0

    def period_name(self, start: dt.date) -> str:
        """Names the period that starts on the day; ``2011-Q1``."""
        year, month = start.year, start.month  # strftime takes many times as long
        part = (month - 1) // self.months + 1
        match self:
            case Calendar.MONTHLY:
                return f"{year:04}-{month:02}"
            case Calendar.TWO_MONTHLY:
                return f"{year:04}-{month:02}+{month + 1:02}"
            case Calendar.QUARTERLY:
                return f"{year:04}-Q{part}"
            case Calendar.HALF_YEARLY:
                return f"{year:04}-H{part}"
            case Calendar.ANNUAL:
                return f"{year:04}"

    def after(self, start: dt.date) -> dt.date:
        """Returns the first day of the period after the one that starts on the day."""
        months = start.year * 12 + start.month - 1 + self.months
        return dt.date(months // 12, months % 12 + 1, 1)


@lru_cache(maxsize=4096)
def last_month(period: str) -> int:
    """Returns the last month of a period by its name, counted from the year 0.

    >>> last_month("2010-08"), last_month("2010-07+08"), last_month("2010-Q3"), last_month("2011")
    (24127, 24127, 24128, 24143)

    Raises:
        ValueError: no period is named like that.
    """
    year, _, part = period.partition("-")
    if part[:1] in _MONTHS_OF_PART:
        month = int(part[1:]) * _MONTHS_OF_PART[part[:1]]
    else:
        month = int(part.rpartition("+")[2]) if part else 12
    return int(year) * 12 + month - 1


class ListCalendar(StrEnum):
    """What a list's calendar can be said to be: one kind, or FIDE's through the years."""

    MONTHLY = "monthly"
    TWO_MONTHLY = "two-monthly"
    QUARTERLY = "quarterly"
    HALF_YEARLY = "half-yearly"
    ANNUAL = "annual"
    FIDE = "fide"


_MONTHS = {
    Calendar.MONTHLY: 1,
    Calendar.TWO_MONTHLY: 2,
    Calendar.QUARTERLY: 3,
    Calendar.HALF_YEARLY: 6,
    Calendar.ANNUAL: 12,
}


_MONTHS_OF_PART = {"Q": 3, "H": 6}


@dataclass(frozen=True, slots=True)
class CalendarSegment:
    """A calendar in force from a date that starts one of its periods, until the next segment."""

    from_on: dt.date
    calendar: Calendar
    closes_days_before: int = 0


# FIDE's lists: yearly, half-yearly, quarterly, two-monthly, monthly. The dates are those on which
# the first period of the kind starts; its list follows. Monthly lists close three days before the
# first of the month, so the last two days of a month belong to the next one (B.02 7.1.3).
FIDE_CALENDAR = (
    CalendarSegment(dt.date(1972, 1, 1), Calendar.ANNUAL),
    CalendarSegment(dt.date(1981, 1, 1), Calendar.HALF_YEARLY),
    CalendarSegment(dt.date(2000, 7, 1), Calendar.QUARTERLY),
    CalendarSegment(dt.date(2009, 7, 1), Calendar.TWO_MONTHLY),
    CalendarSegment(dt.date(2012, 7, 1), Calendar.MONTHLY, closes_days_before=2),
)


def fide_calendar(first_on: dt.date) -> list[CalendarSegment]:
    """Returns FIDE's calendar from a day on, which starts one of its periods.

    >>> [segment.calendar.value for segment in fide_calendar(dt.date(2010, 1, 1))]
    ['two-monthly', 'monthly']
    """
    before = [segment for segment in FIDE_CALENDAR if segment.from_on <= first_on]
    first = replace((before or FIDE_CALENDAR)[-1 if before else 0], from_on=first_on)
    return [first, *(segment for segment in FIDE_CALENDAR if segment.from_on > first_on)]


@dataclass(frozen=True, slots=True)
class Period:
    """An interval whose games count together; ``index`` counts from 0 at the list's first one.

    ``rates_from_on`` and ``closes_on`` bound (inclusive) the end dates of the events it rates.
    """

    index: int
    name: str
    starts_on: dt.date
    ends_on: dt.date
    rates_from_on: dt.date
    closes_on: dt.date

    @property
    def in_force_on(self) -> dt.date:
        """The first day on which the list of this period is in force."""
        return self.ends_on + _DAY

    def is_over(self, today: dt.date) -> bool:
        """Whether the last day that counts is over, on a day of the federation."""
        return self.closes_on < today


def periods(segments: Sequence[CalendarSegment], until: dt.date) -> list[Period]:
    """Returns the periods from the first segment's day to the one whose end reaches ``until``."""
    found: list[Period] = []
    for period in _walk(tuple(segments)):
        if period.rates_from_on > until:
            break
        found.append(period)
    return found


def period_at(segments: Sequence[CalendarSegment], index: int) -> Period:
    """Returns the period with so many others before it."""
    return _walk(tuple(segments))[index]


def first_from(segments: Sequence[CalendarSegment], day: dt.date) -> Period:
    """Returns the first period that starts on the day or later; ``has_period_from`` the day.

    >>> quarters = [CalendarSegment(dt.date(2010, 1, 1), Calendar.QUARTERLY)]
    >>> first_from(quarters, dt.date(2010, 2, 10)).name
    '2010-Q2'
    """
    return next(period for period in _walk(tuple(segments)) if period.starts_on >= day)


def period_around(segments: Sequence[CalendarSegment], day: dt.date) -> Period:
    """Returns the period in which the day lies; the first one, where it lies before all.

    The list in force on the day is the one that came in force when this period started.

    >>> quarters = [CalendarSegment(dt.date(2010, 1, 1), Calendar.QUARTERLY)]
    >>> period_around(quarters, dt.date(2010, 5, 9)).name
    '2010-Q2'
    """
    walked = _walk(tuple(segments))
    return walked[max(0, bisect_right(walked, day, key=lambda period: period.starts_on) - 1)]


def has_period_from(segments: Sequence[CalendarSegment], day: dt.date) -> bool:
    """Whether a period starts on the day or later; the calendar ends with the year 2199.

    >>> quarters = [CalendarSegment(dt.date(2010, 1, 1), Calendar.QUARTERLY)]
    >>> has_period_from(quarters, dt.date(2199, 10, 2))
    False
    """
    no_doubt = day.year < _LAST_YEAR - 1  # a period takes a year at most
    return no_doubt or _walk(tuple(segments))[-1].starts_on >= day


def period_named(segments: Sequence[CalendarSegment], name: str) -> Period | None:
    """Returns the period of that name, or None when the calendar has none.

    >>> quarters = [CalendarSegment(dt.date(2010, 1, 1), Calendar.QUARTERLY)]
    >>> period_named(quarters, "2010-Q2").closes_on
    datetime.date(2010, 6, 30)
    """
    year = name[:4]
    if not year.isascii() or not year.isdigit():
        return None
    for period in _walk(tuple(segments)):
        if period.name == name:
            return period
        if period.starts_on.year > int(year):
            return None
    return None


@lru_cache(maxsize=64)
def _walk(segments: tuple[CalendarSegment, ...]) -> Sequence[Period]:
    return list(_generate(segments))


def _generate(segments: tuple[CalendarSegment, ...]) -> Iterator[Period]:
    start = segments[0].from_on
    rates_from = start
    index = 0
    while start.year < _LAST_YEAR:
        segment = [s for s in segments if s.from_on <= start][-1]
        end = segment.calendar.after(start) - _DAY
        closes = max(start, end - segment.closes_days_before * _DAY)
        yield Period(index, segment.calendar.period_name(start), start, end, rates_from, closes)
        start, rates_from, index = end + _DAY, closes + _DAY, index + 1
