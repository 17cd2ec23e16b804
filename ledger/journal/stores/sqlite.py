"""What is particular to SQLite: opening, durable settings, the writer's lock, its errors."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, cast
from urllib.parse import quote

from filelock import FileLock, Timeout
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    Table,
    bindparam,
    create_engine,
    func,
    select,
    text,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import QueuePool

from ledger.disk import is_disk_full, system_said
from ledger.errors import DatabaseError, InputRefused
from ledger.journal.records import EventColumns
from ledger.journal.stores.permissions import (
    PRIVATE,
    SHARED,
    described,
    is_writable,
    make_beside,
    open_new,
    owner_of,
)
from ledger.journal.stores.schema import EVENTS, LISTED, PERSONAL, Bound
from ledger.journal.stores.triggers import IS_BEGINNING, beginnings, begun_again, sqlite_triggers
from ledger.wording import Message
from ledger.wording.masking import masked

_FULL = 2
_UNSCRUBBED = 1  # what SQLite keeps for the program says that bytes of an erasure are left
_POLL_SECONDS = 0.002
# By one statement, that takes a sixth less than one by one; any SQLite takes 999 values.
_ROWS_AT_ONCE = 50
_LEAST_BYTES = 1 << 16  # the shared memory of the log takes 32 kB, and a page or two
_PRIMARY_CODE = 0xFF
# https://www.sqlite.org/rescode.html
_MEANINGS = {
    sqlite3.SQLITE_PERM: "database.read_only",
    sqlite3.SQLITE_BUSY: "database.locked",
    sqlite3.SQLITE_LOCKED: "database.locked",
    sqlite3.SQLITE_READONLY: "database.read_only",
    sqlite3.SQLITE_IOERR: "database.io_error",
    sqlite3.SQLITE_CORRUPT: "database.malformed",
    sqlite3.SQLITE_FULL: "database.full",
    sqlite3.SQLITE_CANTOPEN: "database.cannot_open",
    sqlite3.SQLITE_CONSTRAINT: "database.refused",
    sqlite3.SQLITE_NOTADB: "database.not_a_database",
}


# Statements as SQLAlchemy has written them out: they are few, and the same for every file.
_COMPILED: Final[dict[Any, Any]] = {}


class SqliteDialect:
    """Opens and writes one SQLite file.

    Args:
        path: the file; opening it never creates it.
        lock_timeout: seconds to wait for another writer.
    """

    name: ClassVar[str] = "sqlite"
    position_function: ClassVar[str] = "instr"
    parameter: ClassVar[str] = "?"
    driver_error: ClassVar[type[Exception]] = sqlite3.Error

    def __init__(self, path: Path, lock_timeout: float) -> None:
        # Of a link SQLite's own files, and the lock, stand beside what it leads to.
        self.path = path.resolve() if os.path.islink(path) else path  # noqa: PTH114 - never raises
        self._timeout = lock_timeout
        self._seen = ("", 0, 0)

    @property
    def shown(self) -> str:
        """The database as messages name it, without what looks like a secret."""
        return masked(str(self.path))

    @property
    def _lock_file(self) -> Path:
        return Path(f"{self.path}.lock")

    @property
    def address(self) -> str:
        """The URL that opens the database."""
        return f"sqlite:///{self.path.absolute()}"

    @property
    def normalised(self) -> str:
        """The URL as it is written in full."""
        return f"sqlite:///{self.path}"

    def planned_roles(self, prefix: str) -> NoReturn:
        """Raises ``InputRefused``: who may read or write a file, its permissions say."""
        raise InputRefused("database.no_roles", url=self.shown)

    def grant_roles(self, connection: Connection, roles: object) -> NoReturn:
        """Raises ``InputRefused``: there are none."""
        raise InputRefused("database.no_roles", url=self.shown)

    def check_there(self) -> None:
        """Raises ``DatabaseError`` when there is no such file."""
        try:
            found = self.path.stat()
        except PermissionError as error:
            raise self._not_opened(error) from error
        except OSError as error:
            raise DatabaseError("database.missing", url=self.shown) from error
        if stat.S_ISDIR(found.st_mode):
            raise DatabaseError("database.is_folder", url=self.shown)

    def check_place(self) -> None:
        """Raises ``DatabaseError`` when no file can be made there."""
        folder = self.path.parent
        try:
            if self.path.is_dir():
                raise DatabaseError("database.is_folder", url=self.shown)
            if not folder.is_dir():
                raise DatabaseError("database.no_folder", url=self.shown, folder=str(folder))
        except PermissionError as error:
            raise self._not_opened(error) from error

    def engine(self, *, create: bool = False, shared: bool = False) -> Engine:
        """Returns an engine; with ``create`` the file is made when it is missing.

        It is made for its owner, or ``shared`` with a group; SQLite gives its other files the same
        permissions.
        """
        if create:
            self._make(SHARED if shared else PRIVATE)
        self._seen = self._state()
        mode = "rw" if create else self._seen[0]
        # Quoted whole, so that no file name is read as options.
        uri = f"file:{quote(str(self.path.absolute()))}?mode={mode}"

        def connect() -> Any:  # SQLAlchemy has a type of its own for what a driver makes
            made = sqlite3.connect(
                uri, uri=True, timeout=self._timeout, isolation_level=None,
                check_same_thread=False, factory=_Driver,
            )  # fmt: skip
            try:
                made.execute("PRAGMA synchronous = FULL")
                made.execute("PRAGMA foreign_keys = ON")
            except BaseException:
                made.close()
                raise
            return made

        first = _first_engine()
        # Every open reading holds a connection, and they are files: no limit of our own.
        pool = QueuePool(connect, max_overflow=-1, dialect=first.dialect)
        return Engine(
            pool, first.dialect, first.url, execution_options={"compiled_cache": _COMPILED}
        )

    def _make(self, mode: int) -> None:
        """Makes an empty file, unless it is there; if that fails, opening it will tell why."""
        with suppress(OSError):
            os.close(open_new(self.path.resolve(), mode))

    def _mode(self) -> str:
        """Returns how an existing file is opened.

        In a folder that cannot be written SQLite cannot make the index of its log. When there is
        no log either, nobody is writing, and the file alone is the database.
        """
        if is_writable(self.path.absolute().parent):
            return "rw"
        return "ro" if Path(f"{self.path}-wal").exists() else "ro&immutable=1"

    def has_changed(self) -> bool:
        """Whether the file was opened as one that nobody writes to, and somebody has."""
        return "immutable" in self._seen[0] and self._seen != self._state()

    def _state(self) -> tuple[str, int, int]:
        """Returns how the file is to be opened, when it was written last, and its size."""
        try:
            found = self.path.stat()
        except OSError:
            return self._mode(), 0, 0
        return self._mode(), found.st_mtime_ns, found.st_size

    def make_durable(self, connection: Connection) -> None:
        """Sets what is stored in the file itself: the write-ahead log.

        Of two who set it at the same moment SQLite refuses one at once, whatever it was asked to
        wait: each has its turn.
        """
        if connection.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
            with self._turn(self._timeout):
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    def check_durable(self, connection: Connection) -> None:
        """Raises ``DatabaseError`` unless what is acknowledged survives a power cut.

        That takes the write-ahead log and a sync at every commit. A file that can only be read
        here loses nothing here.
        """
        settings = self.settings(connection)
        if self._mode() == "rw" and (settings["journal_mode"], settings["synchronous"]) != (
            "wal",
            str(_FULL),
        ):
            told = ", ".join(f"{name}={value}" for name, value in settings.items())
            raise DatabaseError("database.not_durable", url=self.shown, settings=told)

    def settings(self, connection: Connection) -> dict[str, str]:
        """Returns the settings that matter, for messages and for ``doctor``."""
        names = ("journal_mode", "synchronous", "foreign_keys", "page_size")
        return {name: str(connection.exec_driver_sql(f"PRAGMA {name}").scalar()) for name in names}

    def at_once(self, engine: Engine) -> AbstractContextManager[Connection]:
        """Gives the writer's connection if nobody else has it; raises ``DatabaseError`` if so.

        Neither another writer of the journal nor another program is waited for.
        """
        return self.writing(engine, patience=0)

    @contextmanager
    def writing(self, engine: Engine, *, patience: float | None = None) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction.

        SQLite's own busy handler starves some of many writers; a lock file beside the database
        gives every one its turn, and the immediate transaction guards against other programs.
        ``patience`` is in seconds, by default the timeout of the dialect.
        """
        seconds = self._timeout if patience is None else patience
        with self._turn(seconds), engine.connect() as connection:
            self._begin(connection, seconds)
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    @contextmanager
    def _turn(self, seconds: float) -> Iterator[None]:
        """Holds the lock file; waits so many seconds for it."""
        try:
            mode = make_beside(self._lock_file, self.path)
            lock = FileLock(self._lock_file, seconds, mode, poll_interval=_POLL_SECONDS)
            lock.acquire()
        except Timeout as error:
            raise DatabaseError("database.locked", url=self.shown) from error
        except OSError as error:
            raise self._no_lock(error) from error
        try:
            yield
        finally:
            lock.release()

    def migrating(self, engine: Engine) -> AbstractContextManager[Connection]:
        """Gives the writer's connection to whoever makes or changes the tables."""
        return self.writing(engine)

    def check_may_record(self, _connection: Connection, *, erasing: bool) -> None:
        """Raises ``DatabaseError`` unless this user may write the file; who may, may erase."""
        del erasing
        if self._mode() != "rw" or not is_writable(self.path):
            raise self._may_not_write()

    def forget(self, connection: Connection, digests: Collection[str]) -> None:
        """Deletes documents, and notes, in the same transaction, that bytes of them are left."""
        connection.execute(PERSONAL.delete().where(self.among(PERSONAL.c.digest, digests)))
        connection.exec_driver_sql(f"PRAGMA user_version = {_UNSCRUBBED}")

    def is_scrubbed(self, connection: Connection) -> bool:
        """Whether nothing was erased since the file was written anew."""
        return connection.exec_driver_sql("PRAGMA user_version").scalar() != _UNSCRUBBED

    def scrub(self, engine: Engine) -> Sequence[Message]:
        """Writes the file anew, of what is there, and empties the log.

        Deleting with ``secure_delete`` would not do: pages that were once split may hold a second
        copy of a row in their unused part. Raises ``DatabaseError`` while somebody reads for long.
        """
        with self._turn(self._timeout), engine.connect() as connection:
            connection.exec_driver_sql("VACUUM")
            busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            if busy:
                raise DatabaseError("database.read_on", url=self.shown)
            connection.exec_driver_sql("PRAGMA user_version = 0")
        return ()

    def _begin(self, connection: Connection, patience: float) -> None:
        """Begins to write; waits so many seconds for another program that does."""
        _wait_at_most(connection, patience)
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            if not connection.invalidated:  # as when it was interrupted
                _wait_at_most(connection, self._timeout)

    def _no_lock(self, error: OSError) -> DatabaseError:
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            return self._may_not_write()
        if is_disk_full(error):
            return DatabaseError("database.full", url=self.shown)
        return self._not_opened(error)

    def _not_opened(self, error: OSError) -> DatabaseError:
        return DatabaseError("database.cannot_open", url=self.shown, why=system_said(error))

    def _may_not_write(self) -> DatabaseError:
        """Returns what keeps this user from writing: the lock file of somebody else, or all."""
        lock = self._lock_file
        with suppress(OSError):
            if lock.exists() and is_writable(self.path) and not is_writable(lock):
                owner = owner_of(lock)
                return DatabaseError("database.lock_file", url=self.shown, lock=lock, owner=owner)
        return DatabaseError("database.read_only", url=self.shown)

    def insert(
        self, connection: Connection, table: Table, pages: Iterable[Sequence[tuple[Any, ...]]]
    ) -> None:
        """Inserts pages of rows, in the order of the table's columns.

        Raises:
            DatabaseError: a row is an event with which a stream would begin again.
        """
        one, some = _inserting(table, 1), _inserting(table, _ROWS_AT_ONCE)
        for rows in pages:
            whole = len(rows) - len(rows) % _ROWS_AT_ONCE
            together = [
                tuple(chain.from_iterable(rows[at : at + _ROWS_AT_ONCE]))
                for at in range(0, whole, _ROWS_AT_ONCE)
            ]
            try:
                if together:
                    connection.exec_driver_sql(some, together)
                if whole < len(rows):
                    connection.exec_driver_sql(one, rows[whole:])
            except IntegrityError:
                if table is EVENTS and (stream := self._begun_twice(connection, rows)):
                    raise DatabaseError(
                        "database.begun_twice", url=self.shown, stream=stream
                    ) from None
                raise

    def _begun_twice(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> str | None:
        """Returns the first stream that begins on this page of events and began before."""
        made = beginnings(rows)
        streams = self.among(EVENTS.c.stream, [stream for stream, _ in made])
        wanted = select(EVENTS.c.stream, EVENTS.c.seq).where(text(f"({IS_BEGINNING})"), streams)
        found = connection.execute(wanted).all()
        return begun_again(made, {row.stream: row.seq for row in found})

    def pages(
        self, connection: Connection, wanted: Select[Any], size: int, bound: Bound = None
    ) -> Iterator[Sequence[Any]]:
        """Yields the rows of a query in pages, as the driver gives them."""
        with connection.execute(wanted, bound) as found:
            cursor = found.cursor
            assert cursor is not None, "a query has rows"
            while page := cursor.fetchmany(size):
                yield page

    def holds(self, connection: Connection, columns: EventColumns) -> bool:
        """Whether events that follow each other are stored as they are given.

        SQLite joins the values of each column by ends of line: that takes half of the time of
        making them values of Python. Equal texts are equal values: of as many rows, as their seqs
        show, without an end of line in any. Values of another type are left out.
        """
        seqs = columns[0]
        given = tuple(_in_lines(column) for column in columns)
        driver: Any = connection.connection.driver_connection
        stored: tuple[str | None, ...] = driver.execute(_JOINED, (seqs[0], seqs[-1])).fetchone()
        return stored == given and all(text.count("\n") < len(seqs) for text in given)

    def among(
        self, column: Column[Any], values: Collection[str] | None = None
    ) -> ColumnElement[bool]:
        """Returns the condition that the column is one of any number of values.

        Without values they are those that are bound to ``LISTED``, as ``listed`` makes them.
        """
        given = bindparam(LISTED) if values is None else self.listed(values)
        listed = func.json_each(given).table_valued("value")
        return column.in_(select(listed.c.value))

    def listed(self, values: Collection[str] | Collection[int]) -> str:
        """Returns values as they are bound to ``LISTED``."""
        return json.dumps(list(values))

    def missing_triggers(self, connection: Connection) -> list[str]:
        """Returns the triggers that are gone or not as they were made."""
        rows = connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        )
        there: dict[str, str] = dict(rows.all())
        return sorted(name for name, made in sqlite_triggers().items() if there.get(name) != made)

    def meaning(self, error: BaseException) -> DatabaseError:
        """Returns what a driver's error means for the user."""
        code = getattr(error, "sqlite_errorcode", None)
        # Without a code it is Python that could not read a value: text that is not UTF-8.
        key = "database.malformed" if code is None else _MEANINGS.get(code & _PRIMARY_CODE)
        if key == "database.io_error" and not self.has_room():
            key = "database.full"
        return DatabaseError(key or "database.failed", url=self.shown, why=str(error))

    def has_room(self) -> bool:
        """Whether the disk has room for what SQLite puts beside the file: it says no more."""
        with suppress(OSError):
            return shutil.disk_usage(self.path.absolute().parent).free >= _LEAST_BYTES
        return True

    def facts(self, connection: Connection) -> dict[str, str]:
        """Returns the library, the size of the file and its permissions, for ``doctor``."""
        free = shutil.disk_usage(self.path.absolute().parent).free
        return {
            "library": f"SQLite {connection.exec_driver_sql('SELECT sqlite_version()').scalar()}",
            "size_bytes": str(self.path.stat().st_size),
            "free_disk_bytes": str(free),
            **described(Path(f"{self.path}{end}") for end in ("", "-wal", "-shm")),
        }


class _Driver(sqlite3.Connection):
    """A connection of the driver whose transaction ends when it is closed.

    Else it goes on, with the lock, for as long as somebody holds a cursor: so do the frames of a
    statement that was interrupted, upon which SQLAlchemy closes the connection.
    """

    def close(self) -> None:
        with suppress(sqlite3.Error):  # it is closed, or has nothing to roll back
            self.rollback()
        super().close()


@cache
def _first_engine() -> Engine:
    """Returns an engine of no file; what SQLAlchemy learns of SQLite at its start serves all."""
    made = create_engine("sqlite+pysqlite://")
    made.connect().close()
    made.dispose()
    return made


@cache
def _inserting(table: Table, rows: int) -> str:
    """Returns the statement that inserts so many rows at once."""
    marks = ", ".join("?" for _ in table.columns)
    values = ", ".join(f"({marks})" for _ in range(rows))
    # Names from the schema, never from outside.
    return f"INSERT INTO {table.name} ({', '.join(table.columns.keys())}) VALUES {values}"  # noqa: S608


def _in_lines(column: Sequence[int] | Sequence[str]) -> str:
    """Returns the values of a column, all texts or all whole numbers, joined by ends of line."""
    if isinstance(column[0], str):
        return "\n".join(cast(Sequence[str], column))
    return str([*column])[1:-1].replace(", ", "\n")  # half of the time of each by itself


def _joining() -> str:
    """Returns the query for the columns of a range of events, each joined by ends of line."""
    wanted, typed = [], []
    for column in EVENTS.columns:
        wanted.append(f"group_concat({column.name}, '\n')")
        kind = "integer" if isinstance(column.type, Integer) else "text"
        typed.append(f"typeof({column.name}) = '{kind}'")
    # Names from the schema, never from outside.
    conditions = " AND ".join(("seq BETWEEN ? AND ?", *typed))
    return f"SELECT {', '.join(wanted)} FROM events WHERE {conditions}"  # noqa: S608


_JOINED: Final = _joining()


def _wait_at_most(connection: Connection, seconds: float) -> None:
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def _roll_back(connection: Connection) -> None:
    """Ends the transaction, unless SQLite has done so itself (a full disk).

    Of a statement that was interrupted SQLAlchemy has closed the connection, and so ended it.
    """
    if connection.invalidated:
        return
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    if driver.in_transaction:
        driver.rollback()
