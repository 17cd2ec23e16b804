"""What the process takes of the machine's memory: it gives back what it does not use.

The allocator of the C library keeps what was freed, for each thread that asked for some. A site
reads much at times and rests for long. Where the library has no such words, nothing is done.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Final

# <malloc.h> of the GNU C library
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
_LARGE: Final = 256 * 1024  # bytes: what is as large goes back as soon as it is freed
_ARENAS: Final = 2
_MADE_BETWEEN: Final = 5_000  # objects, until the collector looks at those that are new


def be_sparing() -> None:
    """Has the allocator keep less, from now on."""
    mallopt = getattr(_LIBRARY, "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_ARENA_MAX, _ARENAS)


def keep_what_is_there() -> None:
    """Has the collector leave alone what is there before a ledger is opened: the program itself.

    A page makes a thousand objects and hardly a cycle, so new ones are looked at less often too.
    Of a ledger nothing may be there yet: what is let go of in a ring with what the collector leaves
    alone is never given back, and the first facts that are read are in one with their reader.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MADE_BETWEEN)


def give_back() -> None:
    """Gives back what is free, after much was let go."""
    gc.collect()
    malloc_trim = getattr(_LIBRARY, "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)


def _library() -> ctypes.CDLL | None:
    """Returns the C library of the process; None where there is none to be asked."""
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows
        return None


_LIBRARY: Final = _library()
