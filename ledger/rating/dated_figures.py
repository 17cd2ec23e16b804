"""Figures of a regulation that changed over the years: each value with the day it came in force."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ledger.facts.columns import Column

NO_LIMIT = 1_000_000_000  # more than any figure it stands for


@dataclass(frozen=True)
class DatedFigure:
    """One figure through time; before the first date the first value holds.

    >>> Dated("cap", "8.3.1", (("1970-07-01", 350), ("2009-07-01", 400))).on(dt.date(2009, 6, 30))
    350
    """

    name: str
    clause: str
    values: tuple[tuple[str, int], ...]

    def on(self, day: dt.date) -> int:
        """Returns the value in force on a day."""
        return self.values[self._place(day.toordinal())][1]

    def at(self, days: Column) -> Column:
        """Returns the values in force on many days (ordinals)."""
        figures = np.array([value for _, value in self.values], dtype=np.int64)
        if days.size:
            first, last = self._place(int(days.min())), self._place(int(days.max()))
            if first == last:  # as in almost every period
                return np.broadcast_to(figures[first], days.shape)
        places = np.searchsorted(np.array(self._days), days, side="right") - 1
        found: Column = figures[np.maximum(places, 0)]
        return found

    def _place(self, day: int) -> int:
        return max(bisect_right(self._days, day) - 1, 0)

    @cached_property
    def _days(self) -> list[int]:
        return [dt.date.fromisoformat(from_on).toordinal() for from_on, _ in self.values]
