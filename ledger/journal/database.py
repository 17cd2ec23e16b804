"""A database by its URL: make it, bring it up to date, open it, say how it is."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from sqlalchemy import Connection, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from ledger.errors import DatabaseError
from ledger.journal.postgres import PostgresDialect
from ledger.journal.schema import REVISION
from ledger.journal.sql import Dialect, SqlJournal
from ledger.journal.sqlite import SqliteDialect

LOCK_TIMEOUT = 30.0
_POSTGRES = ("postgres", "postgresql", "postgresql+psycopg")


def dialect_of(url: str, lock_timeout: float = LOCK_TIMEOUT) -> Dialect:
    """Returns how a database is spoken to; a bare path is a SQLite file.

    Raises:
        DatabaseError: neither a path nor a SQLite or PostgreSQL URL.
    """
    if "://" not in url:
        return SqliteDialect(Path(url), lock_timeout)
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise DatabaseError("database.bad_url", url=url.rpartition("@")[2]) from error
    if parsed.drivername == "sqlite" and parsed.database:
        return SqliteDialect(Path(parsed.database), lock_timeout)
    if parsed.drivername in _POSTGRES:
        return PostgresDialect(parsed.set(drivername="postgresql+psycopg"), lock_timeout)
    raise DatabaseError("database.bad_url", url=parsed.render_as_string(hide_password=True))


def open_journal(url: str, *, lock_timeout: float = LOCK_TIMEOUT) -> SqlJournal:
    """Opens the journal of a database that is up to date.

    Args:
        url: a path, or a SQLite or PostgreSQL URL.
        lock_timeout: seconds to wait for another writer.

    Raises:
        DatabaseError: it is missing, was made by newer software, waits for a migration, has lost
            a trigger, is not durable, or cannot be reached.
    """
    dialect = dialect_of(url, lock_timeout)
    _check_exists(dialect)
    engine = dialect.engine()
    try:
        with engine.connect() as connection:
            _check_revision(dialect, _revision(connection))
            dialect.check_durable(connection)
    except DBAPIError as error:
        engine.dispose()
        raise dialect.meaning(error.orig or error) from error
    except BaseException:
        engine.dispose()
        raise
    return SqlJournal(engine, dialect)


def upgrade(url: str) -> bool:
    """Creates the database or brings it up to date; returns whether anything was done.

    Raises:
        DatabaseError: it cannot be written, or was made by newer software.
    """
    dialect = dialect_of(url)
    if isinstance(dialect, SqliteDialect) and not dialect.path.parent.is_dir():
        raise DatabaseError("database.no_folder", url=dialect.shown)
    engine = dialect.engine(create=True)
    try:
        with engine.connect() as connection:
            before = _revision(connection)
            if before is not None:
                _check_revision(dialect, before, may_be_older=True)
        if before == REVISION:
            return False
        with engine.connect() as connection:
            dialect.make_durable(connection)
        with dialect.writing(engine) as connection:
            if _revision(connection) != REVISION:
                _migrate(connection)
            missing = dialect.missing_triggers(connection)
            if missing:
                raise DatabaseError(
                    "database.triggers", url=dialect.shown, triggers=", ".join(missing)
                )
    except DBAPIError as error:
        raise dialect.meaning(error.orig or error) from error
    finally:
        engine.dispose()
    return True


def _migrate(connection: Connection) -> None:
    """Runs Alembic within the connection's transaction."""
    from alembic import command  # noqa: PLC0415 - importing Alembic takes most of a second
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config()
    with resources.as_file(resources.files("migrations")) as folder:
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How a database is: facts by name, and what is wrong with it (None: nothing)."""

    facts: dict[str, str]
    trouble: DatabaseError | None


def diagnose(url: str) -> Diagnosis:
    """Looks at a database without changing it."""
    facts: dict[str, str] = {"revision wanted": REVISION}
    try:
        dialect = dialect_of(url)
        facts = {"url": dialect.shown, "backend": dialect.name, **facts}
        if isinstance(dialect, SqliteDialect):
            folder = dialect.path.absolute().parent
            if folder.is_dir():
                facts["free disk"] = f"{shutil.disk_usage(folder).free // 2**20} MiB"
        _check_exists(dialect)
        engine = dialect.engine()
        try:
            with engine.connect() as connection:
                revision = _revision(connection)
                facts["revision"] = revision or "-"
                facts |= dialect.facts(connection) | dialect.settings(connection)
                _check_revision(dialect, revision)
                missing = dialect.missing_triggers(connection)
                facts["triggers missing"] = ", ".join(missing) or "none"
                if missing:
                    raise DatabaseError(
                        "database.triggers", url=dialect.shown, triggers=", ".join(missing)
                    )
                dialect.check_durable(connection)
        except DBAPIError as error:
            raise dialect.meaning(error.orig or error) from error
        finally:
            engine.dispose()
    except DatabaseError as trouble:
        return Diagnosis(facts, trouble)
    return Diagnosis(facts, None)


def _check_exists(dialect: Dialect) -> None:
    if isinstance(dialect, SqliteDialect):
        if dialect.path.is_dir():
            raise DatabaseError("database.is_folder", url=dialect.shown)
        if not dialect.path.exists():
            raise DatabaseError("database.missing", url=dialect.shown)
        if not os.access(dialect.path, os.R_OK):
            raise DatabaseError("database.cannot_open", url=dialect.shown)


def _revision(connection: Connection) -> str | None:
    """Returns the migration the database is at, or None for one without our tables."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def _check_revision(dialect: Dialect, revision: str | None, *, may_be_older: bool = False) -> None:
    if revision is None:
        raise DatabaseError("database.not_initialised", url=dialect.shown)
    if revision > REVISION:
        raise DatabaseError("database.newer", url=dialect.shown, revision=revision, known=REVISION)
    if revision < REVISION and not may_be_older:
        raise DatabaseError("database.older", url=dialect.shown, revision=revision, known=REVISION)
