"""Periods: their names, their bounds, their closing dates, and calendars that change."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.calendar import Calendar, CalendarSegment, period_named, periods

FIRST = dt.date(2010, 1, 1)


@pytest.mark.parametrize(
    ("calendar", "names"),
    [
        (Calendar.MONTHLY, ["2010-01", "2010-02", "2010-03"]),
        (Calendar.TWO_MONTHLY, ["2010-01+02", "2010-03+04", "2010-05+06"]),
        (Calendar.QUARTERLY, ["2010-Q1", "2010-Q2", "2010-Q3"]),
        (Calendar.HALF_YEARLY, ["2010-H1", "2010-H2", "2011-H1"]),
        (Calendar.ANNUAL, ["2010", "2011", "2012"]),
    ],
)
def test_names(calendar: Calendar, names: list[str]) -> None:
    segments = [CalendarSegment(FIRST, calendar)]
    found = periods(segments, dt.date(2013, 1, 1))
    assert [period.name for period in found[:3]] == names
    for name in names:
        period = period_named(segments, name)
        assert period is not None
        assert period.name == name


@pytest.mark.parametrize("name", ["2010-13", "2010-Q1", "10-01", "", "x", "2009-12", "9999-01"])
def test_names_that_are_none(name: str) -> None:
    assert period_named([CalendarSegment(FIRST, Calendar.MONTHLY)], name) is None


def test_a_period_may_close_some_days_before_it_ends() -> None:
    segments = [CalendarSegment(FIRST, Calendar.MONTHLY, 2)]
    january, february = periods(segments, dt.date(2010, 2, 26))
    assert january.closes_on == dt.date(2010, 1, 29)
    assert january.in_force_on == dt.date(2010, 2, 1)
    assert february.rates_from_on == dt.date(2010, 1, 30)


def test_a_calendar_that_changes() -> None:
    segments = [
        CalendarSegment(FIRST, Calendar.HALF_YEARLY),
        CalendarSegment(dt.date(2011, 1, 1), Calendar.MONTHLY),
    ]
    names = [period.name for period in periods(segments, dt.date(2011, 2, 1))]
    assert names == ["2010-H1", "2010-H2", "2011-01", "2011-02"]


@given(
    calendar=st.sampled_from(Calendar),
    days_before=st.integers(0, 27),
    until=st.dates(FIRST, dt.date(2030, 12, 31)),
)
def test_periods_leave_no_day_out(calendar: Calendar, days_before: int, until: dt.date) -> None:
    found = periods([CalendarSegment(FIRST, calendar, days_before)], until)
    day = dt.timedelta(days=1)
    assert found[0].rates_from_on == FIRST
    assert found[-1].rates_from_on <= until
    for before, after in pairwise(found):
        assert after.starts_on == before.ends_on + day == before.in_force_on
        assert after.rates_from_on == before.closes_on + day
        assert before.closes_on <= before.ends_on
