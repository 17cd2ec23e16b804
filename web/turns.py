"""Turns: a few at once do what takes memory and time, a few more wait for theirs, for a while.

Each who waits keeps one of the threads by which a site answers, of which there are forty: who comes
when enough are waiting, or waits for too long, is told to ask again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

_PATIENCE: Final = 10.0  # seconds


class Busy(Exception):
    """Nobody has a turn to give; ``key`` is that of the sentence that says so."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Turns:
    """Turns for one kind of questions.

    Args:
        at_once: how many have one at the same time.
        waiting: how many may wait for one.
        busy: the key of the sentence for all others.
    """

    def __init__(self, at_once: int, waiting: int, busy: str) -> None:
        self._turns = BoundedSemaphore(at_once)
        self._places = BoundedSemaphore(waiting)
        self._busy = busy

    @contextmanager
    def one(self, *, waits: bool = True) -> Iterator[None]:
        """Has a turn as long as the block takes; raises ``Busy`` where there is none."""
        if not self._has_one(waits=waits):
            raise Busy(self._busy)
        try:
            yield
        finally:
            self._turns.release()

    def _has_one(self, *, waits: bool) -> bool:
        if self._turns.acquire(blocking=False):
            return True
        if not waits or not self._places.acquire(blocking=False):
            return False
        try:
            return self._turns.acquire(timeout=_PATIENCE)
        finally:
            self._places.release()
