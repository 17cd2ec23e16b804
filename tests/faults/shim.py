"""The library between a program and its files: builds it, and tells it what shall happen.

It is loaded by ``LD_PRELOAD`` into a process of its own, which ``preloaded`` gives the environment
for. That process and its children say with ``arm`` which operation fails.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from enum import IntEnum
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")


class Manner(IntEnum):
    """How the n-th operation fails; the numbers are those of ``shim.c``."""

    ONCE = 0
    FROM_THEN_ON = 1
    SHORT = 2  # half of it is written, and nothing afterwards
    KILLED = 3


def preloaded(folder: Path) -> dict[str, str]:
    """Builds the library in a folder; returns the environment of a process that has it."""
    library = folder / "shim.so"
    words = ("cc", "-O1", "-Wall", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl")
    subprocess.run(words, check=True, capture_output=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


@cache
def _loaded() -> ctypes.CDLL:
    library = ctypes.CDLL(None)
    library.fault_arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int)
    library.fault_count.restype = ctypes.c_long
    return library


def arm(folder: Path, at: int, error: int = 0, manner: Manner = Manner.ONCE) -> None:
    """Lets the operation with a number, from 1, fail below a folder; 0 lets all of them be done."""
    _loaded().fault_arm(os.fsencode(folder), at, error, manner)


def count() -> int:
    """Returns how many operations there were since ``arm``."""
    made: int = _loaded().fault_count()
    return made


def record(folder: Path, file: Path) -> None:
    """From now on tells all operations below a folder in a new file."""
    arm(folder, 0)
    _loaded().fault_record(os.fsencode(file))


def mark(text: str) -> None:
    """Adds a mark to the recorded operations."""
    _loaded().fault_mark(text.encode())
