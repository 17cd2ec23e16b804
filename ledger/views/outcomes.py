"""Calculated periods, for those who ask about the same one again.

Values that take a while to make, kept for all threads that ask for the same ones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeAlias, TypeVar

from ledger.calendar import Period
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.lists.publications import calculated
from ledger.replay.period_outcome import PeriodOutcome

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(slots=True)
class _Slot(Generic[Value]):
    """A place for a value, which is made while the lock is held."""

    lock: Lock = field(default_factory=Lock)
    value: Value | None = None


class KeptValues(Generic[Key, Value]):
    """Makes each value once, and keeps those that were asked for last.

    Who asks for a value that is being made waits for it; who asks for another one does not.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()  # of the names below, for moments: nothing is made while it is held
        self._slots: OrderedDict[Key, _Slot[Value]] = OrderedDict()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Returns the value of a key; ``make`` makes it, and is raised from: then none is kept."""
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > self._most:
                self._slots.popitem(last=False)
        with slot.lock:
            if slot.value is None:
                slot.value = make()
            return slot.value

    def clear(self) -> None:
        """Lets go of all values."""
        with self._lock:
            self._slots.clear()


Calculate: TypeAlias = Callable[[Facts, str, Seq, Period], PeriodOutcome]
"""Returns a period of a list as known at a basis: facts, list, basis, period."""


class KeptOutcomes:
    """Calculates periods of one ledger, and keeps those that were asked for last.

    What a period came to at a basis never changes, whatever is recorded later; but its columns are
    as long as the players of the facts, so it is kept for so many of them. One is calculated at a
    time: that takes memory, too.

    Args:
        most: how many are kept; each takes memory in proportion to the players.
    """

    def __init__(self, most: int) -> None:
        self._kept = KeptValues[tuple[str, Seq, int, int], PeriodOutcome](most)
        self._turn = Lock()

    def __call__(self, facts: Facts, name: str, basis: Seq, period: Period) -> PeriodOutcome:
        """Returns a period of a list, as known at the basis."""

        def calculate() -> PeriodOutcome:
            with self._turn:
                return calculated(facts, name, basis, period)

        key = (name, basis, period.index, len(facts.players))
        return self._kept.get(key, calculate)
