"""Connections to a finished file of SQLite: read only, each used by one thread at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote


class ReadConnections:
    """Connections to a file that nobody writes to any more.

    Args:
        path: the file; where it is thrown away meanwhile, what is open goes on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._free: list[sqlite3.Connection] = []

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """Gives a connection for as long as it lasts; raises ``sqlite3.Error``."""
        try:
            connection = self._free.pop()
        except IndexError:
            connection = self._opened()
        try:
            yield connection
        except sqlite3.Error:
            connection.close()
            raise
        self._free.append(connection)

    def close(self) -> None:
        """Closes the connections that nobody uses."""
        while self._free:
            self._free.pop().close()

    def _opened(self) -> sqlite3.Connection:
        uri = f"file:{quote(str(self.path))}?mode=ro&immutable=1"
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
