"""Opens the office: a SQLite file beside the ledger's, or a schema of its PostgreSQL database.

It is made and brought up to date when it is opened. Of the random texts that let somebody in it has
digests.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Engine, event, inspect, select
from sqlalchemy.exc import DBAPIError

from ledger.errors import DatabaseError, NotFound
from ledger.journal.stores.database import archive_named, dialect_of
from ledger.journal.stores.revisions import has_revision, migrate, recorded_revision
from ledger.journal.stores.roles import OFFICE
from ledger.journal.stores.row_reader import Dialect, translated
from ledger.journal.stores.sqlite import SqliteDialect
from ledger.views.view import Clock
from web.office.schema import REVISIONS, UNFINISHED_COPIES

if TYPE_CHECKING:  # the command line opens an office too, and has no use for the rest
    from fastapi import Request
import hashlib
import secrets

# Every writer locks it, and none the journal's: who writes here must not wait for an import there.
_LOCK: Final = f"{OFFICE}.alembic_version"
# Any constant will do that is not the journal's either.
_MIGRATING: Final = 0x6F66_6669_6365
_SECONDS: Final = 30
_TRY_MILLISECONDS: Final = 1_500  # after a second the server ends an autovacuum that is in the way


class Office:
    """Where rooms of the site keep what is not the ledger's.

    Args:
        dialect: how its database is spoken to.
        engine: gives connections to it.
        clock: tells the time, with a time zone.
    """

    def __init__(self, dialect: Dialect, engine: Engine, clock: Clock) -> None:
        self._dialect = dialect
        self._engine = engine
        self._clock = clock

    def now(self) -> int:
        """Returns the time in whole seconds since 1970 (UTC)."""
        return int(self._clock().timestamp())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Gives a connection for reading; raises ``DatabaseError`` for what goes wrong."""
        with translated(self._dialect), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Gives a connection that reads everything as it is when reading begins.

        Raises ``DatabaseError`` for what goes wrong.
        """
        with translated(self._dialect), self._engine.connect() as connection_:
            if not isinstance(self._dialect, SqliteDialect):
                yield connection_.execution_options(isolation_level="REPEATABLE READ")
                return
            connection_.exec_driver_sql("BEGIN")
            try:
                yield connection_
            finally:
                connection_.exec_driver_sql("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Gives the one writer's connection, in a transaction: all that is done there, or nothing.

        The others wait, who sign in too: keep it short. Who also asks the ledger asks it within
        this (the lock of ``web.site.Site`` comes after the office's), and never begins to write
        here while it holds the ledger's: else two would wait for each other.

        Raises ``DatabaseError`` for what goes wrong, and where newer software has migrated the
        office since it was opened.
        """
        with translated(self._dialect), _one_writer(self._dialect, self._engine) as connection:
            _check_known(self._dialect, recorded_revision(connection))
            yield connection

    def compact(self, tables: Sequence[str]) -> None:
        """Leaves nothing in the files of what was deleted from some tables.

        Raises ``DatabaseError``: somebody reads for long, or it cannot be written.
        """
        alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with translated(self._dialect), alone.connect() as connection:
            if connection.dialect.name == "postgresql":
                for table in tables:
                    self._vacuum(connection, table)
                return
            connection.exec_driver_sql("VACUUM")
            busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            if busy:
                raise DatabaseError("database.locked", url=self._dialect.shown)

    def _vacuum(self, connection: Connection, table: str) -> None:
        """Writes a table of PostgreSQL anew.

        Readers are waited for in short tries: who comes after them does not wait for long ones.
        """
        until = monotonic() + _SECONDS
        connection.exec_driver_sql(f"SET lock_timeout = {_TRY_MILLISECONDS}")
        try:
            while True:
                try:
                    connection.exec_driver_sql(f"VACUUM (FULL) {table}")
                except DBAPIError as error:
                    meaning = self._dialect.meaning(error.orig or error)
                    if meaning.message.key != "database.locked" or monotonic() >= until:
                        raise
                else:
                    return
        finally:
            connection.exec_driver_sql("RESET lock_timeout")

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()


def office_beside(ledger: str) -> str | None:
    """Returns the URL of the office of a ledger; None for an archive, which has none.

    >>> office_beside("club.db"), office_beside("archive:2026-07")
    ('sqlite:///club-office.db', None)

    Raises:
        DatabaseError: it is no ledger.
    """
    if archive_named(ledger) is not None:
        return None
    dialect = dialect_of(ledger)
    if isinstance(dialect, SqliteDialect):
        return f"sqlite:///{dialect.path.with_name(f'{dialect.path.stem}-office.db')}"
    return dialect.address


def has_office(url: str) -> bool:
    """Whether there is an office, which is not made for it.

    Raises:
        DatabaseError: it cannot be looked at.
    """
    dialect = dialect_of(url, _SECONDS)
    if isinstance(dialect, SqliteDialect):
        return dialect.path.is_file()
    engine = dialect.engine()
    try:
        with translated(dialect), engine.connect() as connection:
            return has_revision(connection, OFFICE)
    finally:
        engine.dispose()


def office_of(request: Request) -> Office:
    """Returns the office of the site; raises ``NotFound`` where nobody can sign in."""
    office = office_if_any(request)
    if office is None:
        raise NotFound("access.no_office")
    return office


def office_if_any(request: Request) -> Office | None:
    """Returns the office of the site; None where nobody can sign in."""
    office: Office | None = request.app.state.office
    return office


def utc_now() -> dt.datetime:
    """Returns the time."""
    return dt.datetime.now(dt.UTC)


def open_office(url: str, clock: Clock = utc_now, *, is_copied: bool = False) -> Office:
    """Opens an office; it is made, or brought up to date, if it must.

    Args:
        url: its database.
        clock: tells the time, with a time zone.
        is_copied: whether it is opened to be filled by a copy, which may have been begun before.

    Raises:
        DatabaseError: it cannot be written, or was made by newer software, or is not filled yet.
    """
    dialect = dialect_of(url, _SECONDS)
    dialect.check_place()
    engine = dialect.engine(create=True)
    if not isinstance(dialect, SqliteDialect):
        event.listen(engine, "connect", _within_schema)
    try:
        with translated(dialect):
            _upgrade(dialect, engine)
            if not is_copied:
                _check_whole(dialect, engine)
    except BaseException:
        engine.dispose()
        raise
    return Office(dialect, engine, clock)


def _upgrade(dialect: Dialect, engine: Engine) -> None:
    """Runs the migrations that are missing, all or none."""
    with engine.connect() as connection:
        if _revision(connection) == REVISIONS[-1]:
            return
        dialect.make_durable(connection)
    engine.dispose()  # a connection of SQLite's whose write failed may say what the file does not
    with engine.connect() as connection:
        dialect.check_durable(connection)
    with _migrating(dialect, engine) as connection:
        revision = _revision(connection)
        _check_known(dialect, revision)
        if revision != REVISIONS[-1]:
            _migrate(connection)


def _check_whole(dialect: Dialect, engine: Engine) -> None:
    """Raises ``DatabaseError`` where a copy into the office was begun and is not ended."""
    with engine.connect() as connection:
        source = connection.scalar(select(UNFINISHED_COPIES.c.source))
    if source is not None:
        raise DatabaseError("keeping.unfinished", url=dialect.shown, source=source)


def _check_known(dialect: Dialect, revision: str | None) -> None:
    """Raises ``DatabaseError`` for a revision that only newer software knows."""
    if revision is not None and revision not in REVISIONS:
        known = REVISIONS[-1]
        raise DatabaseError("database.newer", url=dialect.shown, revision=revision, known=known)


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # With IF NOT EXISTS, too, it needs the right to create one, which a writer has not.
        if not inspect(connection).has_schema(OFFICE):
            connection.exec_driver_sql(f"CREATE SCHEMA {OFFICE}")
        _become_owner(connection)
    migrate(connection, "migrations.office")


def _become_owner(connection: Connection) -> None:
    """Makes tables those of the owner of the schema, so that others who belong to it write there.

    What this user made before gets the same owner. Who does not belong to it makes tables of
    their own.
    """
    owner = connection.exec_driver_sql(
        "SELECT quote_ident(pg_get_userbyid(nspowner)) FROM pg_namespace "
        "WHERE nspname = %(schema)s AND pg_has_role(nspowner, 'MEMBER')",
        {"schema": OFFICE},
    ).scalar()
    if owner is None:
        return
    owner_ = connection.exec_driver_sql(
        "SELECT quote_ident(tablename) FROM pg_tables "
        "WHERE schemaname = %(schema)s AND tableowner = current_user",
        {"schema": OFFICE},
    )
    for table in owner_.scalars().all():
        connection.exec_driver_sql(f"ALTER TABLE {OFFICE}.{table} OWNER TO {owner}")
    connection.exec_driver_sql(f"SET LOCAL ROLE {owner}")


def _revision(connection: Connection) -> str | None:
    return recorded_revision(connection) if has_revision(connection, OFFICE) else None


def _one_writer(dialect: Dialect, engine: Engine) -> AbstractContextManager[Connection]:
    if isinstance(dialect, SqliteDialect):
        return dialect.writing(engine)
    return dialect.writing(engine, _LOCK)


def _migrating(dialect: Dialect, engine: Engine) -> AbstractContextManager[Connection]:
    if isinstance(dialect, SqliteDialect):
        return dialect.migrating(engine)
    return dialect.migrating(engine, _LOCK, _MIGRATING)


def _within_schema(connection: Any, _record: object) -> None:
    """Lets a new connection see the tables of the office, and not the ledger's."""
    connection.execute(f"SET search_path TO {OFFICE}")
    connection.commit()


_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """Returns a random text of 256 bits that stands well in a URL."""
    return prefix + secrets.token_urlsafe(_BYTES)


def plain_id(id_: str) -> str:
    """Return a random id as it can be typed on a command line, where "-" begins an option."""
    return id_.replace("-", "_")


def digest_of(secret: str) -> bytes:
    """Returns what is kept of such a text: from a long random one nobody finds it again."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
