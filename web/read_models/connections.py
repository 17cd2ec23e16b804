"""Files of SQLite: written at once, then only read, on connections of one thread at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from ledger.derived.store import NotWritten

_KEPT = 4  # connections that nobody uses: each has a cache of two megabytes


@contextmanager
def file_to_write(path: Path, tables: str) -> Iterator[sqlite3.Connection]:
    """Gives a connection that writes a file as one transaction, once it has made these tables.

    Raises:
        NotWritten: the file cannot be.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.executescript(
                f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {tables} BEGIN;"
            )
            yield connection
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise NotWritten(error.sqlite_errorname) from error


class ReadConnections:
    """Connections to a file that nobody writes to any more: the base of read models.

    Args:
        path: the file; where it is thrown away meanwhile, what is open goes on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._free: list[sqlite3.Connection] = []
        self._is_closed = False

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """Gives a connection for as long as it lasts; raises ``sqlite3.Error``."""
        with self._lock:
            connection = self._free.pop() if self._free else None
        connection = connection or self._opened()
        is_whole = False
        try:
            yield connection
            is_whole = True
        finally:
            with self._lock:
                is_kept = is_whole and not self._is_closed and len(self._free) < _KEPT
                if is_kept:
                    self._free.append(connection)
            if not is_kept:
                connection.close()

    def close(self) -> None:
        """Closes the connections; those in use, as soon as they are not any more."""
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

    def _opened(self) -> sqlite3.Connection:
        uri = f"file:{quote(str(self.path))}?mode=ro&immutable=1"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
