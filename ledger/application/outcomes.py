"""Calculated periods, for those who ask about the same one again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

from ledger.calendar import Period
from ledger.facts.columns import Facts
from ledger.lists.publications import calculated
from ledger.replay.period_outcome import PeriodOutcome

Calculate: TypeAlias = Callable[[Facts, str, int, Period], PeriodOutcome]
"""Returns a period of a list as known at a basis: facts, list, basis, period."""


class KeptOutcomes:
    """Calculates periods of one ledger, and keeps those that were asked for last.

    What a period came to at a basis never changes, whatever is recorded later. Whoever asks must be
    alone: a period is looked into while its lines are cut out.

    Args:
        most: how many are kept; each takes memory in proportion to the players.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int, int], PeriodOutcome] = OrderedDict()

    def __call__(self, facts: Facts, name: str, basis: int, period: Period) -> PeriodOutcome:
        """Returns a period of a list, as known at the basis."""
        key = (name, basis, period.index)
        if key not in self._kept:
            self._kept[key] = calculated(facts, name, basis, period)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
