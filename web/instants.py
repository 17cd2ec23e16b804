"""Instants as people and programs read them; the office keeps seconds since 1970 (UTC)."""

from __future__ import annotations

import datetime as dt

from ledger.wording.dates import day_in_words


def told_moment(seconds: int | None) -> str:
    """Returns an instant as people read it, to the minute.

    >>> told_moment(0), told_moment(None)
    ('1970-01-01 00:00 UTC', '-')
    """
    return "-" if seconds is None else _utc(seconds).strftime("%Y-%m-%d %H:%M UTC")


def instant_in_words(instant: dt.datetime, language: str) -> str:
    """Returns an instant as people say it, to the minute, in its time zone.

    >>> instant_in_words(dt.datetime(2026, 11, 23, 14, 5, 59), "en")
    '23 November 2026, 14:05'
    """
    return f"{day_in_words(instant.date(), language)}, {instant:%H:%M}"


def iso_moment(seconds: int) -> str:
    """Returns an instant as JSON has it.

    >>> iso_moment(0)
    '1970-01-01T00:00:00+00:00'
    """
    return _utc(seconds).isoformat()


def _utc(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)
