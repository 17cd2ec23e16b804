"""The library between a program and the system: builds it, and tells it what shall happen.

It is loaded by ``LD_PRELOAD`` into a process of its own, which ``preloaded`` gives the environment
for. That process and its children say with ``arm`` which operation fails; or they obey a
``Control`` that another process holds.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import subprocess
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
_CALLED = ctypes.CFUNCTYPE(None, ctypes.c_int)
_KEPT: list[object] = []  # what C may call, for as long as it may


class Manner(IntEnum):
    """How the n-th operation fails; the numbers are those of ``shim.c``."""

    ONCE = 0
    FROM_THEN_ON = 1
    SHORT = 2  # half of it is written, and nothing afterwards
    KILLED = 3


class Moment(IntEnum):
    """When something happens at a message to a server; the numbers are those of ``shim.c``."""

    BEFORE = 0  # it is sent
    ANSWERED = 1  # the answer has come
    UNHEARD = 2  # the answer has come and is lost


class Control:
    """What shall happen to processes that run: they have its file in ``FAULT_CONTROL``.

    Args:
        folder: where the file and the library are made.

    ``clock`` is by how many seconds the clock is ahead.
    """

    _LAYOUT = struct.Struct("=qqqqq4096s")

    def __init__(self, folder: Path) -> None:
        file = folder / "control"
        file.write_bytes(bytes(self._LAYOUT.size))
        self.environment = {
            "LD_PRELOAD": preloaded(folder)["LD_PRELOAD"], "FAULT_CONTROL": str(file)
        }  # fmt: skip
        self.clock = 0
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), self._LAYOUT.size)

    def fail(
        self, below: Path, error: int, manner: Manner = Manner.FROM_THEN_ON, at: int = 1
    ) -> None:
        """From now on the operation with a number, from 1, below a folder fails."""
        self._tell(at, error, manner, os.fsencode(below))

    def mend(self) -> int:
        """Lets all operations be done again; returns how many there were."""
        _, seen, *_ = self._LAYOUT.unpack(self._shared[:])
        self._tell(0, 0, Manner.ONCE, b"")
        made: int = seen
        return made

    def set_clock(self, seconds: int) -> None:
        """Sets the clock ahead by some seconds, or back."""
        self.clock = seconds
        self.mend()

    def _tell(self, at: int, error: int, manner: Manner, below: bytes) -> None:
        self._shared[:] = self._LAYOUT.pack(at, 0, error, manner, self.clock, below)


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
    library.fault_count.restype = library.fault_messages.restype = ctypes.c_long
    library.fault_message.argtypes = (ctypes.c_long, ctypes.c_int, _CALLED)
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


def at_message(number: int, when: Moment, call: Callable[[int], None]) -> None:
    """Has something done, once, at a message with a number, from 1, that goes out by a socket.

    Args:
        number: 0 is none; they are counted.
        when: before it, or after its answer.
        call: is given the descriptor of the socket.
    """
    _KEPT[:] = [_CALLED(call)]
    _loaded().fault_message(number, when, *_KEPT)


def messages() -> int:
    """Returns how many messages there were since ``at_message``."""
    made: int = _loaded().fault_messages()
    return made
