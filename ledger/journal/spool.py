"""Private temporary files, and rows in one that are too many for memory.

The files have no name: nobody else can open them, and they are gone with the process, however that
ends. What goes wrong with them is told as what the user can act on.
"""

from __future__ import annotations

import contextlib
import marshal
import tempfile
import weakref
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeAlias

from ledger.disk import system_said
from ledger.errors import DatabaseError

Row: TypeAlias = tuple[Any, ...]
LIMIT = 10_000
"""How many rows a spool holds in memory."""


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """Surrounds what makes or writes a private file; it must be flushed within.

    Raises:
        DatabaseError: the temporary folder is full, or no file can be made in it.
    """
    try:
        yield
    except OSError as error:
        why = system_said(error)
        raise DatabaseError("database.no_scratch", folder=_folder(), why=why) from error


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Gives a private folder, which is gone afterwards.

    Raises:
        DatabaseError: the temporary folder is full, or nothing can be made in it.
    """
    with contextlib.ExitStack() as stack:
        with scratch():
            made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
            name = stack.enter_context(made)
        yield Path(name)


def discard(file: IO[bytes]) -> None:
    """Closes a private file; what of it could not be written is not told again."""
    with contextlib.suppress(OSError):
        file.close()


def _folder() -> str:
    """Returns the temporary folder's name, or a dash where no folder can be used at all."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return "-"


class Spool:
    """Keeps rows of texts and whole numbers, at most ``limit`` of them (``LIMIT``) in memory.

    Putting rows into it raises ``DatabaseError`` when the temporary folder is full.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = LIMIT if limit is None else limit
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
