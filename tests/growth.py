"""How the time of a work grows with what it is given, on a machine that others load, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

_T = TypeVar("_T")
_TIMES: Final = 3
LARGER: Final = 4
"""So many times larger is the larger work; what grows with its square takes 16 times as long."""
MOST_GROWTH: Final = 8
"""So many times as long the larger one may take: what is linear takes 4 times as long."""


def growth(work: Callable[[_T], object], small: _T, large: _T) -> float:
    """Returns how many times as long the large work takes: computing time, the best of three."""
    return _least(work, large) / _least(work, small)


def _least(work: Callable[[_T], object], given: _T) -> float:
    def once() -> float:
        before = time.process_time()
        work(given)
        return time.process_time() - before

    return min(once() for _ in range(_TIMES))
