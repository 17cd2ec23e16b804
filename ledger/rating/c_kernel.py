"""Finds ``game_sums.c`` as it was compiled when the program was installed, if it was.

The library carries the digests of its source and of itself in its name: one of another source, or
a damaged one, is never used. Without it everything works the same, only slower.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ledger.facts.columns import AnyColumn

SOURCE = Path(__file__).with_name("game_sums.c")
_POINTER = ctypes.c_void_p
_WHOLE = ctypes.c_int64


class _Columns(ctypes.Structure):
    """Pointers to columns of equal length, in the types that the C source names."""

    COLUMNS: Mapping[str, str]

    def point_to(self, source: object) -> None:
        """Points to the columns of an object, which are kept as long as the pointers."""
        self._kept = [
            np.require(getattr(source, name), dtype=type_, requirements=("C", "A"))
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
        "ratings_of": "i4",
    }
    _fields_ = [(name, _POINTER) for name in COLUMNS]

    @classmethod
    def of(cls, conditions: object) -> Conditions:
        """Points to the columns of conditions."""
        made = cls()
        made.point_to(conditions)
        return made


class Kernel:
    """The functions of ``game_sums.c``; arrays are contiguous and of the types it names."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._find_others, self._sum_plain = library.find_others, library.sum_plain
        of_games = ctypes.POINTER(Games), ctypes.POINTER(Conditions)
        self._find_others.argtypes = (*of_games, *[_POINTER] * 4)
        self._sum_plain.argtypes = (
            *of_games, _POINTER, _POINTER, _WHOLE, _POINTER, _WHOLE, _WHOLE, *[_POINTER] * 4,
        )  # fmt: skip
        self._find_others.restype = self._sum_plain.restype = _WHOLE
        self._at_work = _AtWork()

    def others(
        self,
        games: Games,
        conditions: Conditions,
        rating: AnyColumn,
        ratings: Sequence[AnyColumn],
        tournaments: int,
    ) -> AnyColumn:
        """Returns the rows of the games that are not plain but can matter."""
        others = np.empty(games.rows, dtype=np.int32)
        marks = self._at_work.marks(tournaments)
        count = self._find_others(
            games, conditions, rating.ctypes.data, _pointers(ratings), marks.ctypes.data,
            others.ctypes.data,
        )  # fmt: skip
        return others[:count].copy()  # the room for all games is given back

    def sums(
        self,
        games: Games,
        conditions: Conditions,
        ratings: Sequence[AnyColumn],
        others: AnyColumn,
        expected: AnyColumn,
        half_point: int,
        everybody: int,
    ) -> list[AnyColumn]:
        """Returns who played plain games, what each gained for a K of 1, and how many they were."""
        most = min(everybody, 2 * games.rows) + 1
        made = [np.empty(most, dtype=type_) for type_ in ("i4", "i8", "i8")]
        room = self._at_work.sums(everybody)
        count = self._sum_plain(
            games, conditions, _pointers(ratings), others.ctypes.data, len(others),
            expected.ctypes.data, len(expected) // 2, half_point,
            *(column.ctypes.data for column in (room, *made)),
        )  # fmt: skip
        return [column[:count].copy() for column in made]


def _pointers(columns: Sequence[AnyColumn]) -> ctypes.Array[ctypes.c_void_p]:
    """Points to each of some columns, whoever calls keeps them."""
    return (_POINTER * len(columns))(*(column.ctypes.data for column in columns))


class _AtWork(threading.local):
    """A thread's room for everybody's sums and for marks: zeros, and the kernel leaves zeros."""

    def __init__(self) -> None:
        self._sums = np.zeros(0, dtype=np.int64)
        self._marks = np.zeros(0, dtype=np.int8)

    def sums(self, players: int) -> AnyColumn:
        """Returns room for the sum and the games of each player."""
        if len(self._sums) != 2 * players:
            self._sums = np.zeros(2 * players, dtype=np.int64)
        return self._sums

    def marks(self, tournaments: int) -> AnyColumn:
        """Returns room for a mark on each tournament."""
        if len(self._marks) != tournaments:
            self._marks = np.zeros(tournaments, dtype=np.int8)
        return self._marks


def library() -> Path | None:
    """Returns where the library of this source is, if it was made and is as it was made."""
    of_source = _digest(SOURCE)
    for path in sorted(SOURCE.parent.glob(f"game_sums-{of_source}-*.so")):
        if path.stem.endswith(f"-{_digest(path)}"):
            return path
    return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@cache
def kernel() -> Kernel | None:
    """Returns the kernel; None where it was not compiled, is damaged or cannot be loaded."""
    try:
        found = library()
        return Kernel(ctypes.CDLL(str(found))) if found else None
    except (OSError, AttributeError):
        return None
