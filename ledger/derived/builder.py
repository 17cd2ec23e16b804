"""Has entries of the store made beside those who answer, where nobody waits for one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic
from typing import Final

from ledger.derived.store import EntryKey, EntryKind

_AT_ONCE: Final = 2  # whoever asks for more asks again
_PAUSE: Final = 3  # times as long as it took, until one that was outdated or failed is made again

Make = Callable[[], str | None]
"""Makes an entry, in a process of its own; returns why not, where it failed."""


class EntryBuilder:
    """Makes an entry once at a time, two in all, and then pauses.

    On a day with many commits, those that each commit outdates do not keep a core busy; nor does
    one that fails, as long as the disk is full.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._in_hand: set[EntryKey] = set()
        self._paused_until: dict[EntryKey | EntryKind, float] = {}

    def begin(self, key: EntryKey, make: Make) -> None:
        """Has an entry made in a thread, unless it is in hand, or enough are, or it pauses."""
        with self._lock:
            if key in self._in_hand or len(self._in_hand) >= _AT_ONCE:
                return
            if monotonic() < self._paused_until.get(_pause_of(key), 0.0):
                return
            self._in_hand.add(key)
        Thread(target=self._make, args=(key, make), name="builder", daemon=True).start()

    def _make(self, key: EntryKey, make: Make) -> None:
        began = monotonic()
        failure: str | None = ""
        try:
            failure = make()
        finally:
            with self._lock:
                self._in_hand.discard(key)
                if failure is not None or not key.is_settled:
                    ended = monotonic()
                    self._paused_until[_pause_of(key)] = ended + _PAUSE * (ended - began)


def _pause_of(key: EntryKey) -> EntryKey | EntryKind:
    """Returns what waits together after one was made: all of a kind that each commit outdates."""
    return key if key.is_settled else key.kind
