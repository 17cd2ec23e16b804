"""The federation's time zone: in it a day, and with it a rating period, is over."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Final
from zoneinfo import ZoneInfo

from ledger.errors import InputRefused

UTC: Final = "UTC"  # known also where there is no database of time zones


def clock_of(zone: str, days_back: int = 0) -> Callable[[], dt.datetime]:
    """Returns a clock whose days are those of a time zone, or so many days before them.

    Raises as ``zone_of`` does.
    """
    found, back = zone_of(zone), dt.timedelta(days=days_back)
    return lambda: dt.datetime.now(found) - back


def zone_of(name: str) -> dt.tzinfo:
    """Returns a time zone by its name in the IANA database, as ``America/Santiago``.

    Raises:
        InputRefused: there is no such time zone, on this machine or in the package ``tzdata``.
    """
    if name == UTC:
        return dt.UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # the last for a name that is a folder
        raise InputRefused("list.bad_time_zone", zone=name) from error
