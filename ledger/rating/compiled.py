"""Finds ``plain.c`` as it was compiled when the program was installed, if it was.

The library carries the digest of its source in its name: one that was made from another ``plain.c``
is never used. Without it everything works the same, only slower.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from ledger.facts.columns import AnyColumn

SOURCE = Path(__file__).with_name("plain.c")
_POINTER = ctypes.c_void_p
_WHOLE = ctypes.c_int64


class _Columns(ctypes.Structure):
    """Pointers to columns of equal length, in the types that the C source names."""

    COLUMNS: Mapping[str, str]

    def point_to(self, source: object) -> None:
        """Points to the columns of an object, which are kept as long as the pointers."""
        self._kept = [
            np.ascontiguousarray(getattr(source, name), dtype=type_)
            for name, type_ in self.COLUMNS.items()
        ]
        for name, column in zip(self.COLUMNS, self._kept, strict=True):
            setattr(self, name, column.ctypes.data)


class Games(_Columns):
    """The columns of games that the kernel reads."""

    COLUMNS: Mapping[str, str] = {
        "white": "i4",
        "black": "i4",
        "tournament": "i4",
        "white_halves": "i1",
        "black_halves": "i1",
        "reason": "i1",
    }
    _fields_ = [("rows", _WHOLE), *((name, _POINTER) for name in COLUMNS)]

    @classmethod
    def of(cls, games: object, rows: int) -> Games:
        """Points to the columns of games."""
        made = cls(rows)
        made.point_to(games)
        return made


class Conditions(_Columns):
    """The columns of conditions, by tournament."""

    COLUMNS: Mapping[str, str] = {
        "merit": "i8",
        "cap": "i4",
        "capped_below": "i4",
        "apart_beyond": "i4",
        "together": "i1",
        "ratings_from": "i8",
    }
    _fields_ = [(name, _POINTER) for name in COLUMNS]

    @classmethod
    def of(cls, conditions: object) -> Conditions:
        """Points to the columns of conditions."""
        made = cls()
        made.point_to(conditions)
        return made


class _AtWork(threading.local):
    """Room for everybody's sums and for a mark on every tournament: zeros whenever it is free."""

    def __init__(self) -> None:
        self.sums = np.zeros(0, dtype=np.int64)
        self.marks = np.zeros(0, dtype=np.int8)


_at_work = _AtWork()


def at_work(players: int, tournaments: int) -> tuple[AnyColumn, AnyColumn]:
    """Returns this thread's room for the sums of players and the marks of tournaments.

    The kernel leaves zeros behind, and so it need not be made anew for every period.
    """
    if len(_at_work.sums) != 2 * players:
        _at_work.sums = np.zeros(2 * players, dtype=np.int64)
    if len(_at_work.marks) != tournaments:
        _at_work.marks = np.zeros(tournaments, dtype=np.int8)
    return _at_work.sums, _at_work.marks


def library() -> Path:
    """Returns where the library is, if it was made."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    return SOURCE.with_name(f"plain-{digest[:16]}.so")


@cache
def kernel() -> ctypes._NamedFuncPointer | None:
    """Returns ``sum_plain_games``; None where it was not compiled or cannot be loaded."""
    try:
        found = ctypes.CDLL(str(library())).sum_plain_games
    except (OSError, AttributeError):
        return None
    found.restype = _WHOLE
    found.argtypes = (
        ctypes.POINTER(Games), ctypes.POINTER(Conditions), _POINTER, _POINTER, _POINTER, _WHOLE,
        _WHOLE, *[_POINTER] * 7,
    )  # fmt: skip
    return found
