"""What is particular to PostgreSQL: the writer's lock, durable settings, COPY, its errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, ClassVar

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

from ledger.errors import DatabaseError, InputRefused, Unreachable
from ledger.journal.stores.roles import Roles, make_roles
from ledger.journal.stores.schema import BEGINNING_INDEX, BEGINNINGS, LISTED, Bound
from ledger.journal.stores.triggers import postgresql_triggers
from ledger.wording import Message
from ledger.wording.masking import masked

# Said here and not in the schema: an option of a dialect loads the whole of it.
BEGINNINGS.dialect_options["postgresql"]["where"] = BEGINNINGS.dialect_options["sqlite"]["where"]

# Any constant will do, as long as every writer of the journal asks for the same.
_WRITER = 0x7261_7469_6E67
_CONNECT_SECONDS = 10
_READY_SECONDS = 10.0
_POLL_SECONDS = 0.2
_MORE_CONNECTIONS = 35  # beside five that stay: as many threads answer the requests of a site
_LEAST_MILLISECONDS = 1  # none at all would mean to wait for ever
# By SQLSTATE, or its first two digits: https://www.postgresql.org/docs/current/errcodes-appendix.html
_MEANINGS = {
    "08": "database.no_connection",
    "23": "database.refused",
    "25006": "database.read_only",
    "28": "database.no_login",
    "3D": "database.no_database",
    "42501": "database.no_privilege",
    "42P01": "database.not_initialised",
    "53": "database.no_connection",
    "53100": "database.full",
    "55P03": "database.locked",
    "57": "database.no_connection",
    "57P03": "database.not_ready",
}
_UNREACHABLE = ("database.no_connection", "database.not_ready")
# Before there is a session, psycopg knows the server's words only.
_WORDS = {
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
            connect_args={"connect_timeout": _CONNECT_SECONDS},
            pool_pre_ping=True,
            max_overflow=_MORE_CONNECTIONS,
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
    def writing(self, engine: Engine) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction; the server queues the others.

        Commits that need not reach the disk (or, where the server waits for a standby, that)
        before they are acknowledged are made to. In a turn the transaction is idle for as long as
        the draft takes: that may be longer than the server lets others be.
        """
        with engine.begin() as connection:
            connection.exec_driver_sql(
                f"SET LOCAL lock_timeout = {int(self._timeout * 1000)}; "
                "SET LOCAL idle_in_transaction_session_timeout = 0"
            )
            connection.exec_driver_sql(
                "SELECT set_config('synchronous_commit', 'on', true) "
                "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
            )
            self._lock(connection)
            yield connection

    @contextmanager
    def at_once(self, engine: Engine) -> Iterator[Connection]:
        """Gives a connection in a transaction that waits for nobody, whatever is locked."""
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_LEAST_MILLISECONDS}")
            yield connection

    def note_erasure(self, connection: Connection) -> None:
        """Writes the table of documents anew, of what is there, in the transaction that erases.

        Its old file is gone with the commit, with every dead row, whoever still reads an older
        state; so are statistics of the names, and none are made again.
        """
        column = "ALTER TABLE personal ALTER COLUMN document"
        connection.exec_driver_sql(f"{column} SET STATISTICS 0")
        # What looks like a change makes the server copy every row.
        connection.exec_driver_sql(f"{column} TYPE text USING (document || '')")

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

    def _lock(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER})")

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
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        target = f"{table.name} ({', '.join(table.columns.keys())})"
        with (
            driver.cursor() as cursor,
            cursor.copy(f"COPY {target} FROM STDIN (FORMAT BINARY)".encode()) as copy,
        ):
            copy.set_types([_wire_type(column) for column in table.columns])
            for rows in pages:
                for row in rows:
                    copy.write_row(row)

    def pages(
        self, connection: Connection, wanted: Select[Any], size: int, bound: Bound = None
    ) -> Iterator[Sequence[Any]]:
        """Yields the rows of a query in pages; the server keeps those that are not read yet."""
        # Every row will be read: without this the server plans for the first ones to come soon.
        connection.exec_driver_sql("SET LOCAL cursor_tuple_fraction = 1")
        with connection.execute(wanted, bound, execution_options={"yield_per": size}) as found:
            yield from found.partitions(size)

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
        """Returns the triggers that are gone, not enabled for every session, or not as made."""
        rows = connection.exec_driver_sql(
            "SELECT t.tgname, c.relname, pg_get_triggerdef(t.oid, true), p.prosrc "
            "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_proc p ON p.oid = t.tgfoid "
            "WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND pg_table_is_visible(c.oid)"
        )
        there = {
            name: (table, made.removeprefix(f"CREATE TRIGGER {name} "), source)
            for name, table, made, source in rows
        }
        return sorted(
            name for name, wanted in postgresql_triggers().items() if there.get(name) != wanted
        )

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


def _wire_type(column: Column[Any]) -> str:
    """Returns the type a column has in a binary COPY, which converts nothing."""
    if isinstance(column.type, BigInteger):
        return "int8"
    return "int4" if isinstance(column.type, Integer) else "text"


def _scalar(connection: Connection, query: str) -> object:
    return connection.exec_driver_sql(query).scalar()
