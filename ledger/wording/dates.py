"""Days and months as people say them."""

from __future__ import annotations

import datetime as dt
from typing import Final

from ledger.wording import Message

_PARTS_OF_YEAR: Final = ("Q1", "Q2", "Q3", "Q4", "H1", "H2")


def day_in_words(day: dt.date | str, language: str) -> str:
    """Returns a day, or its text as it is stored, as people say it.

    >>> day_in_words(dt.date(2010, 8, 1), "en"), day_in_words(dt.date(2010, 8, 1), "es")
    ('1 August 2010', '1 de agosto de 2010')
    """
    if isinstance(day, str):
        day = dt.date.fromisoformat(day)
    named = {"day": day.day, "month": _month(day, language), "year": day.year}
    return Message.of("value.day", **named).within(language)


def short_day(day: dt.date, language: str) -> str:
    """Returns a day of these months, with three letters of the month.

    >>> short_day(dt.date(2026, 11, 16), "en")
    '16 Nov'
    """
    return Message.of("value.short_day", day=day.day, month=_month(day, language)[:3]).within(
        language
    )


def day_and_month(day: dt.date, language: str) -> str:
    """Returns a day that is near, without the year.

    >>> day_and_month(dt.date(2026, 12, 1), "es")
    '1 de diciembre'
    """
    return Message.of("value.day_and_month", day=day.day, month=_month(day, language)).within(
        language
    )


def _month(day: dt.date, language: str) -> str:
    return Message.of("value.months").within(language).split()[day.month - 1]


def period_in_words(period: str, language: str) -> str:
    """Returns the name of a period as people say it: of a month, a quarter, half a year, a year.

    >>> period_in_words("2010-08", "en"), period_in_words("2010-08", "es")
    ('August 2010', 'agosto de 2010')
    >>> period_in_words("2010-Q3", "en"), period_in_words("2010-H1", "es")
    ('third quarter of 2010', 'primer semestre de 2010')
    >>> period_in_words("2011", "en")
    '2011'
    """
    year, _, part = period.partition("-")
    if part in _PARTS_OF_YEAR:
        words = Message.of("value.parts_of_year").within(language).split(", ")
        part_ = words[_PARTS_OF_YEAR.index(part)]
        return Message.of("value.part_of_year", part=part_, year=year).within(language)
    try:
        first = dt.date.fromisoformat(f"{period}-01")
    except ValueError:
        return period
    month = _month(first, language)
    return Message.of("value.month", month=month, year=first.year).within(language)
