"""What is particular to SQLite: opening, durable settings, the writer's lock, its errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from ledger.errors import DatabaseError
from ledger.journal.triggers import sqlite_triggers

_FULL = 2
# SQLite's own words for what a user can do something about.
_MEANINGS = {
    "database is locked": "database.locked",
    "database or disk is full": "database.full",
    "attempt to write a readonly database": "database.read_only",
    "unable to open database file": "database.cannot_open",
    "file is not a database": "database.not_a_database",
    "database disk image is malformed": "database.malformed",
    "disk i/o error": "database.io_error",
}


class SqliteDialect:
    """Opens and writes one SQLite file.

    Args:
        path: the file; it is never created by opening it.
        lock_timeout: seconds to wait for another writer.
    """

    name = "sqlite"

    def __init__(self, path: Path, lock_timeout: float) -> None:
        self.path = path
        self._timeout = lock_timeout
        self._lock = FileLock(f"{path}.lock", timeout=lock_timeout, poll_interval=0.005)

    @property
    def shown(self) -> str:
        """The database as messages name it."""
        return str(self.path)

    def engine(self, *, create: bool = False) -> Engine:
        """Returns an engine; with ``create`` the file is made when it is missing."""
        mode = "rwc" if create else "rw"
        if not create and not os.access(self.path.parent, os.W_OK):
            # In a folder that cannot be written, SQLite cannot keep its index of the log.
            mode = "ro&immutable=1"
        uri = f"file:{quote(str(self.path.absolute()))}?mode={mode}"

        def connect() -> sqlite3.Connection:
            return sqlite3.connect(
                uri, uri=True, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )

        engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=QueuePool)
        event.listen(engine, "connect", self._configure)
        return engine

    def _configure(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    def make_durable(self, connection: Connection) -> None:
        """Sets what is stored in the file itself: the write-ahead log."""
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    def check_durable(self, connection: Connection) -> None:
        """Raises ``DatabaseError`` unless what is acknowledged survives a power cut."""
        settings = self.settings(connection)
        if settings["journal_mode"] != "wal" or settings["synchronous"] != str(_FULL):
            raise DatabaseError("database.not_durable", url=self.shown, settings=settings)

    def settings(self, connection: Connection) -> dict[str, str]:
        """Returns the settings that matter, for messages and for ``doctor``."""
        names = ("journal_mode", "synchronous", "foreign_keys", "page_size")
        return {name: str(connection.exec_driver_sql(f"PRAGMA {name}").scalar()) for name in names}

    @contextmanager
    def writing(self, engine: Engine) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction.

        The lock file keeps writers in a queue of sorts; SQLite's own busy handler starves some.
        """
        try:
            self._lock.acquire()
        except Timeout as error:
            raise DatabaseError("database.locked", url=self.shown) from error
        except OSError as error:
            raise DatabaseError("database.read_only", url=self.shown) from error
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.exec_driver_sql("COMMIT")
                except BaseException:
                    _roll_back(connection)
                    raise
        finally:
            self._lock.release()

    def insert(
        self, connection: Connection, statement: str, rows: list[tuple[object, ...]]
    ) -> None:
        """Inserts rows with a statement that has a ``?`` for each column."""
        connection.exec_driver_sql(statement, rows)

    def missing_triggers(self, connection: Connection) -> list[str]:
        """Returns the triggers that are gone or not as they were made."""
        rows = connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        )
        there: dict[str, str] = dict(rows.tuples().all())
        return sorted(name for name, sql in sqlite_triggers().items() if there.get(name) != sql)

    def meaning(self, error: BaseException) -> DatabaseError:
        """Returns what a driver's error means for the user."""
        text = str(error)
        for words, key in _MEANINGS.items():
            if words in text.lower():
                return DatabaseError(key, url=self.shown)
        return DatabaseError("database.failed", url=self.shown, why=text)

    def facts(self, connection: Connection) -> dict[str, str]:
        """Returns the library and the size of the file, for ``doctor``."""
        version = connection.exec_driver_sql("SELECT sqlite_version()").scalar()
        return {"SQLite": str(version), "file": f"{self.path.stat().st_size} bytes"}


def _roll_back(connection: Connection) -> None:
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection) and driver.in_transaction:
        driver.rollback()
