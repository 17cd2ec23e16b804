"""What is particular to PostgreSQL: the writer's lock, durable settings, COPY, its errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from sqlalchemy import URL, Connection, Engine, create_engine

from ledger.errors import DatabaseError
from ledger.journal.triggers import POSTGRESQL_FUNCTIONS, postgresql_triggers

# Any constant will do, as long as every writer of the journal asks for the same.
_WRITER = 0x7261_7469_6E67
_COPY_FROM = 200
_MEANINGS: dict[type[psycopg.Error], str] = {
    errors.LockNotAvailable: "database.locked",
    errors.DiskFull: "database.full",
    errors.ReadOnlySqlTransaction: "database.read_only",
    errors.InsufficientPrivilege: "database.read_only",
    errors.InvalidCatalogName: "database.cannot_open",
}


class PostgresDialect:
    """Opens and writes a PostgreSQL database.

    Args:
        url: with the psycopg 3 driver.
        lock_timeout: seconds to wait for another writer.
    """

    name = "postgresql"

    def __init__(self, url: URL, lock_timeout: float) -> None:
        self._url = url
        self._timeout = lock_timeout

    @property
    def shown(self) -> str:
        """The database as messages name it, without the password."""
        return self._url.render_as_string(hide_password=True)

    def engine(self, *, create: bool = False) -> Engine:
        """Returns an engine; a database itself is made by whoever runs the server."""
        del create
        return create_engine(self._url, connect_args={"connect_timeout": 10})

    def make_durable(self, connection: Connection) -> None:
        """Nothing to set: the server is durable or it is not."""

    def check_durable(self, connection: Connection) -> None:
        """Raises ``DatabaseError`` unless what is acknowledged survives a power cut.

        ``synchronous_commit`` is no concern of the server's: every append switches it on.
        """
        settings = self.settings(connection)
        if settings["fsync"] != "on" or settings["full_page_writes"] != "on":
            raise DatabaseError("database.not_durable", url=self.shown, settings=settings)

    def settings(self, connection: Connection) -> dict[str, str]:
        """Returns the settings that matter, for messages and for ``doctor``."""
        names = ("fsync", "full_page_writes", "synchronous_commit", "server_encoding")
        return {name: str(connection.exec_driver_sql(f"SHOW {name}").scalar()) for name in names}

    @contextmanager
    def writing(self, engine: Engine) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction; the server queues the others."""
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(self._timeout * 1000)}")
            connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER})")
            yield connection

    def insert(
        self, connection: Connection, statement: str, rows: list[tuple[object, ...]]
    ) -> None:
        """Inserts rows with a statement that has a ``?`` for each column; many by COPY."""
        if len(rows) < _COPY_FROM:
            connection.exec_driver_sql(statement.replace("?", "%s"), rows)
            return
        target = statement.removeprefix("INSERT INTO ").split(" VALUES")[0]
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        with driver.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def missing_triggers(self, connection: Connection) -> list[str]:
        """Returns the triggers that are gone, not enabled for every session, or not as made."""
        rows = connection.exec_driver_sql(
            "SELECT t.tgname, c.relname, p.proname, p.prosrc FROM pg_trigger t "
            "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid "
            "WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND pg_table_is_visible(c.oid)"
        )
        there = {
            name: table
            for name, table, function, source in rows
            if POSTGRESQL_FUNCTIONS.get(function) == source
        }
        wanted = {name: table for name, (table, _) in postgresql_triggers().items()}
        return sorted(name for name, table in wanted.items() if there.get(name) != table)

    def meaning(self, error: BaseException) -> DatabaseError:
        """Returns what a driver's error means for the user."""
        for kind, key in _MEANINGS.items():
            if isinstance(error, kind):
                return DatabaseError(key, url=self.shown)
        text = str(error).strip().replace("\n", " ")
        if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
            return DatabaseError("database.no_connection", url=self.shown, why=text)
        return DatabaseError("database.failed", url=self.shown, why=text)

    def facts(self, connection: Connection) -> dict[str, str]:
        """Returns the server and the size of the database, for ``doctor``."""
        version = connection.exec_driver_sql("SHOW server_version").scalar()
        size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
        return {"PostgreSQL": str(version), "database": f"{size} bytes"}
