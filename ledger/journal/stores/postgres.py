"""What is particular to PostgreSQL: the writer's lock, durable settings, COPY, its errors.

The one writer's lock on PostgreSQL: who may take it, for how long, and who has it.

It is that of a table, which takes the right to change the table. An advisory lock anybody could
take who may connect: a reader could stop all recording. Reading never waits for it, nor does
``pg_dump``; a standby refuses it, as it refuses all writing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from time import monotonic, sleep
from typing import Any, ClassVar, Final

import psycopg
from sqlalchemy import (
    ARRAY,
    URL,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    Table,
    Text,
    any_,
    bindparam,
    create_engine,
    event,
    literal,
)
from sqlalchemy.exc import DBAPIError

from ledger.errors import DatabaseError, InputRefused, Unreachable
from ledger.journal.records import EventColumns, rows_of
from ledger.journal.stores.objects import name_plainly
from ledger.journal.stores.roles import Roles, make_roles
from ledger.journal.stores.schema import (
    BEGINNING_INDEX,
    BEGINNINGS,
    COMMITS,
    EVENTS,
    LISTED,
    PERSONAL,
    WRITER_LOCK,
    Bound,
)
from ledger.journal.stores.triggers import (
    FORGETTING,
    TriggerFunction,
    postgresql_functions,
    postgresql_triggers,
)
from ledger.wording import Message
from ledger.wording.masking import masked

STANDSTILL_SECONDS: Final = 600
"""So long a writer may stand still, or one statement take, until the server ends its session."""

# A client whose machine is gone is noticed after two minutes.
_KEEPALIVES: Final = {"idle": 60, "interval": 10, "count": 6}


def limit_writing(connection: Connection, patience: float, standstill: float) -> None:
    """Sets, for a transaction, how long it waits for locks, and may stand still; both in seconds.

    Whatever the server, the database or the user has set otherwise, a commit reaches the disk (or,
    where the server waits for a standby, that) before it is acknowledged.
    """
    longest = int(standstill * 1000)
    limits = {
        "lock_timeout": int(patience * 1000),
        "idle_in_transaction_session_timeout": longest,
        "statement_timeout": longest,
        "quote_all_identifiers": "off",  # else definitions are worded in another way
        **{f"tcp_keepalives_{name}": value for name, value in _KEEPALIVES.items()},
    }
    connection.exec_driver_sql(
        "; ".join(f"SET LOCAL {name} = {value}" for name, value in limits.items())
        + "; SELECT set_config('synchronous_commit', 'on', true)"
        " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
    )


def holders(connection: Connection, table: str, *, reading: bool = False) -> str:
    """Returns who has a table locked, for a message; empty where nobody has it any more.

    Args:
        connection: of anybody; the server shows the addresses of one's own sessions only.
        table: its name.
        reading: whether those who only read it are meant, too.
    """
    rows = connection.exec_driver_sql(
        "SELECT DISTINCT a.pid, a.usename, a.application_name FROM pg_locks l"
        " JOIN pg_stat_activity a ON a.pid = l.pid AND a.pid <> pg_backend_pid()"
        " AND a.datname = current_database()"
        " WHERE l.relation = to_regclass(%(table)s) AND l.granted"
        " AND (%(reading)s OR l.mode <> 'AccessShareLock') ORDER BY a.pid",
        {"table": table, "reading": reading},
    )
    return ", ".join(
        f"{user} ({program or '-'}, process {process} of the server)"
        for process, user, program in rows
    )


def end_standstill(connection: Connection, table: str, standstill: float) -> bool:
    """Ends the session that has a table locked and stands still in the middle of a COPY.

    There the server waits for its client without a limit. Only sessions of the same user are seen
    so closely, and can be ended. Returns whether one was ended.
    """
    ended = connection.exec_driver_sql(
        "SELECT bool_or(pg_terminate_backend(a.pid, 5000)) FROM pg_locks l"
        " JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database()"
        " WHERE l.relation = to_regclass(%(table)s) AND l.granted AND l.mode = 'ExclusiveLock'"
        " AND a.state = 'active' AND a.wait_event = 'ClientRead' AND a.usename = current_user"
        " AND a.query LIKE 'COPY %%' AND clock_timestamp() - a.query_start"
        " > make_interval(secs => %(standstill)s)",
        {"table": table, "standstill": float(standstill)},
    )
    return bool(ended.scalar())


# Said here and not in the schema: an option of a dialect loads the whole of it.
BEGINNINGS.dialect_options["postgresql"]["where"] = BEGINNINGS.dialect_options["sqlite"]["where"]

# Any constant will do, as long as whoever makes or migrates the tables asks for the same; it is
# the one that writers took before revision 0007.
_MIGRATING = 0x7261_7469_6E67
_CONNECT_SECONDS = 10
_READY_SECONDS = 10.0
_POLL_SECONDS = 0.2
_MORE_CONNECTIONS = 10  # beside five that stay: a server takes 100 of all programs by default
_FREE_SECONDS = 30.0  # so long one of them is waited for
_LEAST_MILLISECONDS = 1  # none at all would mean to wait for ever
_COPIED_ROWS = 100_000  # by one COPY: it takes seconds, where the client does not stand still
_LONGEST_NAME = 63  # bytes, after which a server cuts a name
# By SQLSTATE, or its first two digits: https://www.postgresql.org/docs/current/errcodes-appendix.html
_MEANINGS = {
    "08": "database.no_connection",
    "23": "database.refused",
    "25006": "database.read_only",
    "25P03": "database.stood_still",
    "28": "database.no_login",
    "3D": "database.no_database",
    "42501": "database.no_privilege",
    "42P01": "database.not_initialised",
    "53": "database.no_connection",
    "53100": "database.full",
    "53300": "database.too_many",
    "55P03": "database.locked",
    "57": "database.no_connection",
    "57014": "database.too_slow",
    "57P03": "database.not_ready",
}
_BETWEEN = (
    f"SELECT {', '.join(EVENTS.columns.keys())} FROM events"  # noqa: S608 - names of the schema
    " WHERE seq BETWEEN %s AND %s ORDER BY seq"
)
_UNREACHABLE = ("database.no_connection", "database.not_ready", "database.too_many")
# Before there is a session, psycopg knows the server's words only.
_WORDS = {
    "too many c": "database.too_many",  # first: these name the role or the database, too
    "connection slots are reserved": "database.too_many",
    "password": "database.no_login",
    "role ": "database.no_login",
    "pg_hba": "database.no_login",
    "the database system is ": "database.not_ready",
    "database ": "database.no_database",
}


class PostgresDialect:
    """Opens and writes a PostgreSQL database.

    Args:
        url: with the psycopg 3 driver.
        lock_timeout: seconds to wait for another writer.
    """

    name: ClassVar[str] = "postgresql"
    position_function: ClassVar[str] = "strpos"
    parameter: ClassVar[str] = "%s"
    driver_error: ClassVar[type[Exception]] = psycopg.Error

    def __init__(self, url: URL, lock_timeout: float) -> None:
        self.url = url
        self._timeout = lock_timeout

    @property
    def shown(self) -> str:
        """The database as messages name it and as it may be given again, without a secret."""
        url = self.url.set(drivername="postgresql")
        return masked(url.render_as_string(hide_password=True))

    @property
    def address(self) -> str:
        """The URL that opens the database, with the password; never to be shown."""
        return self.url.render_as_string(hide_password=False)

    @property
    def normalised(self) -> str:
        """The URL as it is written in full."""
        return self.address

    def planned_roles(self, prefix: str) -> Roles:
        """Returns the roles whose names begin with a prefix; raises ``InputRefused``."""
        return Roles.of(prefix)

    def grant_roles(self, connection: Connection, roles: Roles) -> None:
        """Makes the roles (see ``make_roles``)."""
        make_roles(connection, roles)

    def check_there(self) -> None:
        """Connecting will tell."""

    def check_place(self) -> None:
        """A database itself is made by whoever runs the server."""

    def engine(self, *, create: bool = False, shared: bool = False) -> Engine:
        """Returns an engine; raises ``InputRefused`` if a file is to be shared, which is none."""
        if shared:
            raise InputRefused("database.shared", url=self.shown)
        made = create_engine(
            self.url,
            # Whatever the server, the database or the user has set otherwise.
            isolation_level="READ COMMITTED",
            connect_args={
                "connect_timeout": _CONNECT_SECONDS,
                "client_encoding": "utf8",
                "fallback_application_name": _program(),
            },
            pool_pre_ping=True,
            max_overflow=_MORE_CONNECTIONS,
            pool_timeout=_FREE_SECONDS,
            use_native_hstore=False,  # it is asked for at every opening, and never used
        )
        event.listen(made, "do_connect", self._connect)
        return made

    def _connect(self, driver: Any, _record: object, args: Any, kwargs: dict[str, Any]) -> Any:
        """Returns a new connection of the driver; waits some seconds for a server to get ready."""
        until = monotonic() + _READY_SECONDS
        while True:
            try:
                return driver.connect(*args, **kwargs)
            except psycopg.Error as error:
                not_ready = self.meaning(error).message.key == "database.not_ready"
                if not not_ready or monotonic() >= until:
                    raise
            sleep(_POLL_SECONDS)

    def has_changed(self) -> bool:
        """A server shows every reader a whole state."""
        return False

    def has_room(self) -> bool:
        """The disk is the server's: a commit that it cannot take is refused, no question before."""
        return True

    def make_durable(self, connection: Connection) -> None:
        """Nothing to set: the server is durable or it is not."""

    def check_durable(self, connection: Connection) -> None:
        """Raises ``DatabaseError`` unless what is acknowledged survives a power cut.

        Fatal are ``fsync`` and ``full_page_writes`` off, which only the server can change, and an
        encoding other than UTF-8, which cannot hold every name. ``synchronous_commit`` is not: a
        session may set it, so every append does (see ``writing``).
        """
        settings = self.settings(connection)
        told = ", ".join(f"{name}={value}" for name, value in settings.items())
        if settings["fsync"] != "on" or settings["full_page_writes"] != "on":
            raise DatabaseError("database.not_durable", url=self.shown, settings=told)
        if settings["server_encoding"] != "UTF8":
            raise DatabaseError("database.not_unicode", url=self.shown, settings=told)

    def settings(self, connection: Connection) -> dict[str, str]:
        """Returns the settings that matter, for messages and for ``doctor``."""
        names = ("fsync", "full_page_writes", "synchronous_commit", "server_encoding")
        asked = ", ".join(f"current_setting('{name}')" for name in names)
        return dict(zip(names, connection.exec_driver_sql(f"SELECT {asked}").one(), strict=True))

    @contextmanager
    def writing(self, engine: Engine, lock: str = WRITER_LOCK.name) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction; the server queues the others.

        In a turn the transaction is idle for as long as the draft takes: that may be longer than
        the server lets others be. A client that stands still loses its turn all the same.

        Args:
            engine: gives connections.
            lock: the table that every writer locks.

        Raises:
            DatabaseError: somebody else, who is named, held the lock for longer than is waited.
        """
        with engine.connect() as connection:
            if not self._takes(connection, lock):
                who = holders(connection, lock)
                is_ended = end_standstill(connection, lock, STANDSTILL_SECONDS)
                connection.rollback()
                if not (is_ended and self._takes(connection, lock)):
                    key = "database.locked_by" if who else "database.locked"
                    raise DatabaseError(key, url=self.shown, who=who)
            yield connection
            connection.commit()

    def _takes(self, connection: Connection, lock: str) -> bool:
        """Begins a transaction; returns whether it got the lock in time."""
        limit_writing(connection, self._timeout, STANDSTILL_SECONDS)
        try:
            self._lock(connection, lock)
        except DBAPIError as error:
            if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise
            connection.rollback()
            return False
        return True

    @contextmanager
    def migrating(
        self, engine: Engine, lock: str = WRITER_LOCK.name, making: int = _MIGRATING
    ) -> Iterator[Connection]:
        """Gives the same to whoever makes or changes the tables, the one with the lock among them.

        Args:
            engine: gives connections.
            lock: see ``writing``; before it is made, or older software knows it, nobody locks it.
            making: the number of an advisory lock that is taken, too.
        """
        with engine.begin() as connection:
            limit_writing(connection, self._timeout, 0)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({making})")
            if _scalar(connection, f"SELECT to_regclass('{lock}')") is not None:
                self._lock(connection, lock)
            yield connection

    def _lock(self, connection: Connection, table: str) -> None:
        connection.exec_driver_sql(f"LOCK TABLE {table} IN EXCLUSIVE MODE")

    @contextmanager
    def at_once(self, engine: Engine) -> Iterator[Connection]:
        """Gives a connection in a transaction that waits for nobody, whatever is locked."""
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LEAST_MILLISECONDS}")
            yield connection

    def check_may_record(self, connection: Connection, *, erasing: bool) -> None:
        """Raises ``DatabaseError`` unless this user may append here, or erase somebody."""
        wanted = [(table.name, "INSERT") for table in (COMMITS, EVENTS, PERSONAL)]
        wanted.append((WRITER_LOCK.name, "UPDATE"))
        asked = [
            f"CASE WHEN NOT has_table_privilege('{table}', '{what}') THEN '{what} {table}' END"
            for table, what in wanted
        ]
        if erasing:
            may = f"has_function_privilege('{FORGETTING}()', 'EXECUTE')"
            asked.append(f"CASE WHEN NOT {may} THEN 'EXECUTE {FORGETTING}()' END")
        query = f"SELECT current_setting('transaction_read_only'), {', '.join(asked)}"
        read_only, *missing = connection.exec_driver_sql(query).one()
        if read_only == "on":
            raise DatabaseError("database.read_only", url=self.shown)
        if why := ", ".join(filter(None, missing)):
            raise DatabaseError("database.no_privilege", url=self.shown, why=why)

    def forget(self, connection: Connection, _digests: Collection[str]) -> None:
        """Deletes the documents that the newest commit erases, and writes their table anew.

        The owner's function does it, also for who may only append. The table's old file is gone
        with the commit, with every dead row. That takes a moment in which nobody reads it: it is
        waited for in short tries, so that whoever comes to read does not wait for a long reader.

        Raises:
            DatabaseError: somebody, who is named, went on reading for longer than is waited.
        """
        until = monotonic() + self._timeout
        while True:
            try:
                with connection.begin_nested():
                    connection.exec_driver_sql(f"SELECT {FORGETTING}()")
            except DBAPIError as error:
                if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                    raise
                if monotonic() >= until:
                    who = holders(connection, PERSONAL.name, reading=True)
                    raise DatabaseError("database.read_by", url=self.shown, who=who) from error
            else:
                return
            sleep(_POLL_SECONDS)

    def is_scrubbed(self, connection: Connection) -> bool:
        """Nothing is left to be done after the transaction that erases."""
        return True

    def scrub(self, engine: Engine) -> Sequence[Message]:
        """Writes the server's table of statistics anew, where dead rows may hold names.

        Databases that were made before documents had no statistics may have had some.
        """
        place = "SELECT pg_relation_filenode('pg_statistic')"
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"SET lock_timeout = {int(self._timeout * 1000)}")
            before = _scalar(connection, place)
            connection.exec_driver_sql("VACUUM (FULL) pg_statistic")
            if _scalar(connection, place) == before:  # only who owns the database may do that
                return (Message.of("erasure.statistics"),)
        return ()

    def insert(
        self, connection: Connection, table: Table, pages: Iterable[Sequence[tuple[Any, ...]]]
    ) -> None:
        """Inserts pages of rows, in the order of the table's columns, by one binary COPY.

        Raises:
            DatabaseError: a row is an event with which a stream would begin again.
        """
        try:
            self._copy(connection, table, pages)
        except psycopg.errors.UniqueViolation as error:
            if error.diag.constraint_name != BEGINNING_INDEX:
                raise
            # "Key (stream)=(tournament:x) already exists.", in the server's language.
            _, _, told = (error.diag.message_detail or "").partition("=(")
            stream = told.rpartition(")")[0]
            raise DatabaseError("database.begun_twice", url=self.shown, stream=stream) from error

    def _copy(
        self, connection: Connection, table: Table, pages: Iterable[Sequence[tuple[Any, ...]]]
    ) -> None:
        """Inserts rows by as few COPY as let none take long: a standstill is told from work.

        In the middle of one the server itself waits for ever for its client.
        """
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        target = f"{table.name} ({', '.join(table.columns.keys())})"
        types = [_wire_type(column) for column in table.columns]
        left = iter(pages)
        for first in left:
            copied = 0
            with (
                driver.cursor() as cursor,
                cursor.copy(f"COPY {target} FROM STDIN (FORMAT BINARY)".encode()) as copy,
            ):
                copy.set_types(types)
                for rows in chain((first,), left):
                    for row in rows:
                        copy.write_row(row)
                    copied += len(rows)
                    if copied >= _COPIED_ROWS:
                        break

    def pages(
        self, connection: Connection, wanted: Select[Any], size: int, bound: Bound = None
    ) -> Iterator[Sequence[Any]]:
        """Yields the rows of a query in pages; the server keeps those that are not read yet."""
        # Every row will be read: without this the server plans for the first ones to come soon.
        connection.exec_driver_sql("SET LOCAL cursor_tuple_fraction = 1")
        with connection.execute(wanted, bound, execution_options={"yield_per": size}) as found:
            yield from found.partitions(size)

    def holds(self, connection: Connection, columns: EventColumns) -> bool:
        """Whether events that follow each other are stored as they are given."""
        driver: Any = connection.connection.driver_connection
        found = driver.execute(_BETWEEN, (columns[0][0], columns[0][-1])).fetchall()
        return bool(found == rows_of(columns))

    def among(
        self, column: Column[Any], values: Collection[str] | None = None
    ) -> ColumnElement[bool]:
        """Returns the condition that the column is one of any number of values.

        Without values they are those that are bound to ``LISTED``, as ``listed`` makes them.
        """
        kind = ARRAY(Text if column.type.python_type is str else BigInteger)
        if values is None:
            return column == any_(bindparam(LISTED, type_=kind))
        return column == any_(literal(self.listed(values), kind))

    def listed(self, values: Collection[str] | Collection[int]) -> list[Any]:
        """Returns values as they are bound to ``LISTED``."""
        return list(values)

    def missing_triggers(self, connection: Connection) -> list[str]:
        """Returns the triggers that are gone, not enabled for every session, or not as made.

        So are those whose function is another one, or is called in another way.
        """
        name_plainly(connection)
        rows = connection.exec_driver_sql(
            "SELECT t.tgname, c.relname, pg_get_triggerdef(t.oid, true), p.proname, "
            "quote_ident(n.nspname), p.prosrc, format_type(p.prorettype, NULL), p.prosecdef, "
            "p.proconfig FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "JOIN pg_proc p ON p.oid = t.tgfoid AND p.pronamespace = c.relnamespace "
            "JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'plpgsql' "
            "WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND pg_table_is_visible(c.oid)"
        )
        there = set()
        for name, table, made, function, schema, source, returns, as_owner, settings in rows:
            found = TriggerFunction(source, returns, as_owner, tuple(sorted(settings or ())))
            if postgresql_functions(schema).get(function) == found:
                there.add((name, table, made.removeprefix(f"CREATE TRIGGER {name} "), function))
        wanted = postgresql_triggers().items()
        return sorted(name for name, trigger in wanted if (name, *trigger) not in there)

    def meaning(self, error: BaseException) -> DatabaseError:
        """Returns what a driver's error means for the user."""
        why = " ".join(str(error).split())
        state = getattr(error, "sqlstate", None)
        if state is not None:
            key = _MEANINGS.get(state) or _MEANINGS.get(state[:2]) or "database.failed"
        else:
            refused = why.partition("FATAL: ")[2] or why.partition("fe_sendauth: ")[2]
            told = (key for words, key in _WORDS.items() if words in refused)
            key = next(told, "database.no_connection")
        kind = Unreachable if key in _UNREACHABLE else DatabaseError
        return kind(key, url=self.shown, why=why)

    def facts(self, connection: Connection) -> dict[str, str]:
        """Returns the server and the size of the database, for ``doctor``."""
        version = connection.exec_driver_sql("SHOW server_version").scalar()
        size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
        return {"library": f"PostgreSQL {version}", "size_bytes": str(size)}


def _program() -> str:
    """Returns how this process is called where the server lists its sessions."""
    return f"rating-ledger {os.getpid()}@{socket.gethostname()}"[:_LONGEST_NAME]


def _wire_type(column: Column[Any]) -> str:
    """Returns the type a column has in a binary COPY, which converts nothing."""
    if isinstance(column.type, BigInteger):
        return "int8"
    return "int4" if isinstance(column.type, Integer) else "text"


def _scalar(connection: Connection, query: str) -> object:
    return connection.exec_driver_sql(query).scalar()
