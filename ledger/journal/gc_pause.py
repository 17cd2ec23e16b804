"""Lets Python's collector rest while millions of values are made that hold no cycles.

It looks through all young values each time seven hundred more of them live, which takes a fifth of
an import. Reference counting goes on: memory is given back as before.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 100_000
_lock = threading.Lock()
_resting = 0
_before = (0, 0, 0)


@contextmanager
def collector_resting() -> Iterator[None]:
    """Makes the collector look once in a hundred thousand new values, for every thread."""
    global _resting, _before  # noqa: PLW0603 - the collector is one for the whole process
    with _lock:
        _resting += 1
        if _resting == 1:
            _before = gc.get_threshold()
            if 0 < _before[0] < _YOUNG:  # 0: somebody has turned it off
                gc.set_threshold(_YOUNG, *_before[1:])
    try:
        yield
    finally:
        with _lock:
            _resting -= 1
            if not _resting:
                gc.set_threshold(*_before)
