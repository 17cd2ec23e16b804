"""Calculated periods, for those who ask about the same one again."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from ledger.application.kept_values import KeptValues
from ledger.calendar import Period
from ledger.facts.columns import Facts
from ledger.lists.publications import calculated
from ledger.replay.period_outcome import PeriodOutcome

Calculate: TypeAlias = Callable[[Facts, str, int, Period], PeriodOutcome]
"""Returns a period of a list as known at a basis: facts, list, basis, period."""


class KeptOutcomes:
    """Calculates periods of one ledger, and keeps those that were asked for last.

    What a period came to at a basis never changes, whatever is recorded later. One is calculated at
    a time: that takes memory, too.

    Args:
        most: how many are kept; each takes memory in proportion to the players.
    """

    def __init__(self, most: int) -> None:
        self._kept = KeptValues[tuple[str, int, int], PeriodOutcome](most)
        self._turn = Lock()

    def __call__(self, facts: Facts, name: str, basis: int, period: Period) -> PeriodOutcome:
        """Returns a period of a list, as known at the basis."""

        def calculate() -> PeriodOutcome:
            with self._turn:
                return calculated(facts, name, basis, period)

        return self._kept.get((name, basis, period.index), calculate)
