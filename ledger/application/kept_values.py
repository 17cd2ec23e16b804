"""Values that take a while to make, kept for all threads that ask for the same ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

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
