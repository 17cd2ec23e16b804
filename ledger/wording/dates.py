"""Days, periods and editions of lists as people say them."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Final

from ledger.wording import Message

_PARTS_OF_YEAR: Final = ("Q1", "Q2", "Q3", "Q4", "H1", "H2")
_SAID_OFTEN: Final = 4_096  # days and periods: pages say the same ones again and again
_EDITIONS: Final = {1: "value.st_edition", 2: "value.nd_edition", 3: "value.rd_edition"}


@lru_cache(_SAID_OFTEN)
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


@lru_cache(_SAID_OFTEN)
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
    first = _first_of_month(period)
    if first is None:
        return period
    month = _month(first, language)
    return Message.of("value.month", month=month, year=first.year).within(language)


@lru_cache(_SAID_OFTEN)
def short_period(period: str, language: str) -> str:
    """Returns the name of a period where there is little room, as at the axis of a chart.

    >>> short_period("2010-08", "en"), short_period("2010-Q3", "es"), short_period("2011", "en")
    ('Aug 2010', 'T3 2010', '2011')
    """
    year, _, part = period.partition("-")
    if part in _PARTS_OF_YEAR:
        words = Message.of("value.short_parts_of_year").within(language).split(", ")
        return f"{words[_PARTS_OF_YEAR.index(part)]} {year}"
    first = _first_of_month(period)
    return period if first is None else f"{_month(first, language)[:3]} {first.year}"


def _first_of_month(period: str) -> dt.date | None:
    """Returns the first day of a period that is a month; None: it is none."""
    try:
        return dt.date.fromisoformat(f"{period}-01")
    except ValueError:
        return None


def edition_in_words(edition: int, language: str) -> str:
    """Returns which edition of a list it is.

    >>> edition_in_words(1, "en"), edition_in_words(2, "en"), edition_in_words(13, "en")
    ('first edition', '2nd edition', '13th edition')
    >>> edition_in_words(1, "es"), edition_in_words(2, "es")
    ('primera edición', '2.ª edición')
    """
    if edition == 1:
        return Message.of("value.first_edition").within(language)
    is_teen = edition // 10 % 10 == 1
    key = _EDITIONS.get(0 if is_teen else edition % 10, "value.th_edition")
    return Message.of(key, number=edition).within(language)


def list_in_words(which: str, language: str) -> str:
    """Returns a list by its period and edition, ``PERIOD@EDITION``; of most the first is meant.

    >>> list_in_words("2010-08@2", "en"), list_in_words("2010-08@1", "es")
    ('August 2010, 2nd edition', 'agosto de 2010')
    """
    period, _, edition = which.partition("@")
    words = period_in_words(period, language)
    return words if edition in {"", "1"} else f"{words}, {edition_in_words(int(edition), language)}"
