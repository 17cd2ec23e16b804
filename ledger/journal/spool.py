"""Rows that are too many for memory: in a private file, under keys, each key's in their order.

The file has no name: nobody else can open it, and it is gone with the process, however that ends.
"""

from __future__ import annotations

import marshal
import tempfile
import weakref
from collections.abc import Hashable, Iterable, Iterator
from typing import IO, Any, TypeAlias

from ledger.journal.temporary_files import discard, scratch

Row: TypeAlias = tuple[Any, ...]
LIMIT = 10_000
"""How many rows a spool holds in memory."""


class Spool:
    """Keeps rows of texts and whole numbers, at most ``limit`` of them in memory.

    Putting rows into it raises ``DatabaseError`` when the temporary folder is full.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._count = 0
        self._held: dict[Hashable, list[Row]] = {}
        self._runs: dict[Hashable, list[tuple[int, int]]] = {}
        self._file: IO[bytes] | None = None

    def put(self, row: Row, key: Hashable = None) -> None:
        """Puts a row behind those of its key."""
        try:
            self._held[key].append(row)
        except KeyError:
            self._held[key] = [row]
        self._count += 1
        if self._count >= self._limit:
            self._put_away()

    def extend(self, rows: Iterable[Row], key: Hashable = None) -> None:
        """Puts rows behind those of their key: a page, or as few as fit into memory."""
        held = self._held.setdefault(key, [])
        before = len(held)
        held.extend(rows)
        self._count += len(held) - before
        if self._count >= self._limit:
            self._put_away()

    def pages(self, key: Hashable = None) -> Iterator[list[Row]]:
        """Yields the rows of a key in their order, some at a time; none for an unknown key."""
        for start, length in self._runs.get(key, ()):
            assert self._file is not None
            self._file.seek(start)
            # Nobody else could have written the file.
            yield marshal.loads(self._file.read(length))  # noqa: S302
        if held := self._held.get(key):
            yield held

    def rows(self, key: Hashable = None) -> Iterator[Row]:
        """Yields the rows of a key one by one."""
        for page in self.pages(key):
            yield from page

    def drop(self, key: Hashable) -> None:
        """Forgets the rows of a key; those in the file stay there unread."""
        self._runs.pop(key, None)
        self._count -= len(self._held.pop(key, ()))

    def _put_away(self) -> None:
        with scratch():
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the spool
                weakref.finalize(self, discard, self._file)
            end = self._file.seek(0, 2)
            for key, rows in self._held.items():
                length = self._file.write(marshal.dumps(rows))
                self._runs.setdefault(key, []).append((end, length))
                end += length
            self._file.flush()
        self._held.clear()
        self._count = 0
