"""What a disk may hold after a power cut, from the operations that ``shim.c`` told.

What was synced is there. Of what was not, any part may be: each write whole, not at all, or some of
its sectors; of names that were made and removed, the first so many. A file's name is there for sure
when its folder was synced, not before. That is less than most file systems promise.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path

_HEADING = struct.Struct("=cHQI")
_SECTOR = 512


@dataclass(frozen=True, slots=True)
class Operation:
    """What was done: a write, a sync, a truncation, a file made, removed or renamed; or a mark."""

    kind: str
    path: str
    offset: int
    data: bytes


class Cut(Enum):
    """What is left of what was not synced."""

    EVERYTHING = "everything, as after kill -9"
    TORN = "everything, the last write cut at a byte"
    ANYTHING = "any part of it"
    NOTHING = "nothing"


def operations(file: Path) -> Iterator[Operation]:
    """Reads the operations that a process told."""
    data = file.read_bytes()
    place = 0
    while place < len(data):
        kind, path, offset, length = _HEADING.unpack_from(data, place)
        start = place + _HEADING.size
        place = start + path + length
        name = data[start : start + path].decode()
        yield Operation(kind.decode(), name, offset, data[start + path : place])


class Disk:
    """The files of a database as a disk holds them, operation by operation.

    Args:
        folder: where they are.
        files: those whose operations are taken; the others do not matter.
    """

    def __init__(self, folder: Path, files: tuple[str, ...]) -> None:
        self._folder = str(folder)
        self._files = {f"{folder}/{name}" for name in files}
        self._numbers = count()
        self._durable: dict[int, bytearray] = {}
        self._names: dict[str, int] = {}  # as the program sees them
        self._synced: dict[str, int] = {}  # as they are sure to be
        self._unsynced: list[tuple[int, Operation]] = []
        self._unsynced_names: list[tuple[str, int | None]] = []
        for path in self._files:
            if Path(path).exists():
                self._synced[path] = self._names[path] = self._new(Path(path).read_bytes())

    def _new(self, data: bytes = b"") -> int:
        number = next(self._numbers)
        self._durable[number] = bytearray(data)
        return number

    def concerned(self, operation: Operation) -> bool:
        """Whether an operation is one on the files, or syncs their names."""
        return operation.path in self._files or operation.path == self._folder

    def take(self, operation: Operation) -> None:
        """Carries out an operation that concerns the files."""
        path = operation.path
        if path == self._folder:
            assert operation.kind == "s", operation
            self._synced = _renamed(self._synced, self._unsynced_names)
            self._unsynced_names = []
        elif operation.kind == "c":
            self._name(path, self._new())
        elif operation.kind == "u":
            self._name(path, None)
        elif operation.kind == "s":
            self._sync(self._names[path])
        else:
            assert operation.kind in {"w", "t"}, operation
            self._unsynced.append((self._names[path], operation))

    def _name(self, path: str, number: int | None) -> None:
        self._unsynced_names.append((path, number))
        self._names = _renamed(self._names, [(path, number)])

    def _sync(self, number: int) -> None:
        for its, operation in self._unsynced:
            if its == number:
                _carry_out(self._durable[number], operation)
        self._unsynced = [one for one in self._unsynced if one[0] != number]

    def image(self, cut: Cut, chance: random.Random) -> dict[str, bytes]:
        """Returns the files, name and bytes, that may be found if the power fails now."""
        names = self._unsynced_names
        if cut is Cut.NOTHING:
            names = []
        elif cut is Cut.ANYTHING:
            names = names[: chance.randint(0, len(names))]
        there = _renamed(self._synced, names)
        files = {number: bytearray(self._durable[number]) for number in there.values()}
        last = len(self._unsynced) - 1
        for place, (number, operation) in enumerate(self._unsynced):
            if number not in files or cut is Cut.NOTHING:
                continue
            if cut is Cut.ANYTHING:
                for part in _parts(operation, chance):
                    _carry_out(files[number], part)
            elif cut is Cut.TORN and place == last and operation.kind == "w":
                _carry_out(files[number], _cut(operation, chance.randrange(len(operation.data))))
            else:
                _carry_out(files[number], operation)
        return {Path(path).name: bytes(files[number]) for path, number in there.items()}


def _renamed(names: dict[str, int], changes: list[tuple[str, int | None]]) -> dict[str, int]:
    made = dict(names)
    for path, number in changes:
        if number is None:
            made.pop(path, None)
        else:
            made[path] = number
    return made


def _cut(operation: Operation, length: int) -> Operation:
    return Operation("w", operation.path, operation.offset, operation.data[:length])


def _parts(operation: Operation, chance: random.Random) -> Iterator[Operation]:
    """Yields the parts of an operation that come to the disk: none, all, or some sectors."""
    what = chance.choice(("none", "whole", "sectors"))
    if what == "none":
        return
    if what == "whole" or operation.kind == "t":
        yield operation
        return
    for start in range(0, len(operation.data), _SECTOR):
        if chance.random() < 1 / 2:
            data = operation.data[start : start + _SECTOR]
            yield Operation("w", operation.path, operation.offset + start, data)


def _carry_out(data: bytearray, operation: Operation) -> None:
    if operation.kind == "t":
        del data[operation.offset :]
        data.extend(bytes(operation.offset - len(data)))
        return
    end = operation.offset + len(operation.data)
    data.extend(bytes(max(0, end - len(data))))
    data[operation.offset : end] = operation.data
