"""A database by its URL: make it, bring it up to date, open it, say how it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError

from ledger.errors import DatabaseError
from ledger.journal.stores.objects import damage
from ledger.journal.stores.revisions import (
    NEWEST,
    check_revision,
    has_revision,
    migrate,
    recorded_revision,
)
from ledger.journal.stores.row_reader import Dialect, connected, translated
from ledger.journal.stores.safeguards import unlike_made
from ledger.journal.stores.sql import SqlJournal, check_triggers
from ledger.journal.stores.sqlite import SqliteDialect

if TYPE_CHECKING:
    from ledger.journal.stores.roles import Roles

LOCK_TIMEOUT = 30.0
"""Seconds a writer waits for another one."""

ARCHIVE = "archive:"
"""What comes before the folder of an archive, which is read like a database and is none."""

_SQLITE = "sqlite:///"
_POSTGRES = ("postgres", "postgresql", "postgresql+psycopg")
# libpq's key-value form, and a login without a scheme: neither is taken for a file's name.
_KEY_VALUE = re.compile(
    r"\s*(host|hostaddr|port|dbname|user|password|passfile|service|sslmode|options)\s*="
)
_LOGIN = re.compile(r"[^/\\:@]+:(?![/\\])[^@]*@|[a-z0-9+]*sql//[^@]*:[^@]*@", re.IGNORECASE)


def normalise(url: str) -> str:
    """Returns the URL of a database; a bare path is a SQLite file.

    >>> normalise("club.db")
    'sqlite:///club.db'
    >>> normalise("postgres://ana@localhost/ratings")
    'postgresql+psycopg://ana@localhost/ratings'

    Raises:
        DatabaseError: neither a path nor the URL of a SQLite file or a PostgreSQL database.
    """
    return dialect_of(url).normalised


def archive_named(url: str) -> str | None:
    """Returns the folder after ``archive:``, written in any case, or None for anything else.

    >>> archive_named("Archive:2026-07")
    '2026-07'
    """
    scheme, folder = url[: len(ARCHIVE)], url[len(ARCHIVE) :]
    return folder if scheme.lower() == ARCHIVE else None


def dialect_of(url: str, lock_timeout: float = LOCK_TIMEOUT) -> Dialect:
    """Returns how a database is spoken to.

    Raises:
        DatabaseError: neither a path nor the URL of a SQLite file or a PostgreSQL database.
    """
    folder = archive_named(url)
    if folder is not None:
        raise DatabaseError("archive.read_only", archive=folder)
    if _KEY_VALUE.match(url):
        raise DatabaseError("database.key_value", given=url)
    path = url.removeprefix(_SQLITE) if _SQLITE in url else "" if _is_url(url) else url
    if path and path != ":memory:" and "\0" not in path:
        return SqliteDialect(Path(path).expanduser(), lock_timeout)
    parsed = _parsed(url)
    if parsed is None or parsed.drivername not in _POSTGRES or not parsed.database:
        raise DatabaseError("database.bad_url", url=_without_login(url))
    return _postgres(parsed.set(drivername="postgresql+psycopg"), lock_timeout)


def _is_url(text: str) -> bool:
    """Whether a URL is meant, if only by a login, and no file."""
    return "://" in text or _LOGIN.match(text) is not None


def _postgres(url: URL, lock_timeout: float) -> Dialect:
    """Returns the dialect of PostgreSQL; raises ``DatabaseError`` where its driver is missing."""
    try:
        from ledger.journal.stores.postgres import PostgresDialect  # noqa: PLC0415 - loads a driver
    except ImportError as error:
        shown = url.render_as_string(hide_password=True)
        raise DatabaseError("database.no_driver", url=shown, why=error) from error
    return PostgresDialect(url, lock_timeout)


def _parsed(url: str) -> URL | None:
    """Returns the parts of a URL; None for one that has none, or could be read in two ways."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        return None
    place = url.partition("://")[2]
    if parsed.username is not None:
        place = place.partition("@")[2]
    # An @ that is left before the query is one of a password that was not percent-encoded.
    return None if "@" in place.partition("?")[0] else parsed


def _without_login(url: str) -> str:
    """Returns what was given as a database for a message; a password stands before the last @."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else url.rpartition("@")[2]


def open_journal(url: str, *, lock_timeout: float = LOCK_TIMEOUT) -> SqlJournal:
    """Opens the journal of a database that is up to date.

    One that lost its triggers is opened, so that it can be verified, but not written to.

    Args:
        url: a path, or a SQLite or PostgreSQL URL.
        lock_timeout: seconds to wait for another writer.

    Raises:
        DatabaseError: it is missing, was made by newer software, waits for a migration, is
            not durable, or cannot be reached.
    """
    dialect = dialect_of(url, lock_timeout)
    dialect.check_there()
    engine = dialect.engine()
    try:
        with connected(dialect, engine) as connection:
            check_revision(dialect.shown, _revision(connection))
            dialect.check_durable(connection)
    except BaseException:
        engine.dispose()
        raise
    return SqlJournal(engine, dialect)


def journal_at(url: str) -> SqlJournal:
    """Returns the journal of a database that this program has opened and checked elsewhere."""
    dialect = dialect_of(url)
    return SqlJournal(dialect.engine(), dialect)


def upgrade(url: str, *, shared: bool = False) -> bool:
    """Creates the database or brings it up to date; returns whether anything was done.

    Any number of processes may do so at once: the first does it, the others find it done. It is
    done whole or not at all. A new SQLite file can be read and written by its owner alone, or, if
    ``shared``, by its group; one that is there keeps its permissions.

    Raises:
        InputRefused: a database on PostgreSQL is to be shared.
        DatabaseError: it cannot be written, was made by newer software, has lost a trigger, or is
            not durable.
    """
    dialect = dialect_of(url)
    dialect.check_place()
    engine = dialect.engine(create=True, shared=shared)
    try:
        with connected(dialect, engine) as connection:
            done = _revision(connection) == NEWEST
            dialect.make_durable(connection)
        # A connection of SQLite's whose write failed may say what the file does not: asked anew.
        engine.dispose()
        with connected(dialect, engine) as connection:
            dialect.check_durable(connection)
            if done:
                check_triggers(dialect, connection)
                return False
        with translated(dialect), dialect.migrating(engine) as connection:
            before = _revision(connection)
            if before is not None:
                check_revision(dialect.shown, before, may_be_older=True)
            if before != NEWEST:
                migrate(connection, "migrations")
            check_triggers(dialect, connection)
            return before != NEWEST
    finally:
        engine.dispose()


def planned_roles(url: str, prefix: str) -> Roles:
    """Returns the roles that ``grant_roles`` makes; nothing is done yet.

    Raises:
        InputRefused: the database has no roles, or the prefix cannot begin their names.
        DatabaseError: it is no database.
    """
    return dialect_of(url).planned_roles(prefix)


def grant_roles(url: str, roles: Roles) -> None:
    """Makes the roles of a PostgreSQL database that is up to date (see ``make_roles``).

    Raises:
        DatabaseError: it is missing or not up to date, or the user may not do that.
    """
    dialect = dialect_of(url)
    engine = dialect.engine()
    try:
        with translated(dialect), dialect.writing(engine) as connection:
            check_revision(dialect.shown, _revision(connection))
            dialect.grant_roles(connection, roles)
    finally:
        engine.dispose()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How a database is: facts by name, and what is wrong with it (None: nothing)."""

    facts: dict[str, str]
    trouble: DatabaseError | None


def diagnose(url: str) -> Diagnosis:
    """Looks at a database without changing it; never raises ``DatabaseError``."""
    facts: dict[str, str] = {}
    try:
        _diagnose(url, facts)
    except DatabaseError as trouble:
        return Diagnosis(facts, trouble)
    return Diagnosis(facts, None)


def _diagnose(url: str, facts: dict[str, str]) -> None:
    """Adds facts for as long as there are any to learn, and raises what is wrong at the end."""
    dialect = dialect_of(url)
    facts |= {"url": dialect.shown, "backend": dialect.name, "newest_revision": NEWEST}
    dialect.check_there()
    engine = dialect.engine()
    try:
        with connected(dialect, engine) as connection:
            revision = _revision(connection)
            facts |= dialect.facts(connection) | dialect.settings(connection)
            facts |= {"revision": revision or "-"}
            check_revision(dialect.shown, revision)
            facts |= {"missing_triggers": ", ".join(dialect.missing_triggers(connection)) or "-"}
            check_triggers(dialect, connection)
            dialect.check_durable(connection)
            foreign = ", ".join(map(str, unlike_made(connection)))
            facts |= {"foreign_objects": foreign or "-"}
        with connected(dialect, engine) as connection:
            found = damage(connection)
            facts |= {"damage": str(found[0]) if found else "-"}
        if found:
            raise DatabaseError("database.damaged", url=dialect.shown, what=found[0])
        if foreign:
            raise DatabaseError("database.foreign_objects", url=dialect.shown, objects=foreign)
    finally:
        engine.dispose()


def _revision(connection: Connection) -> str | None:
    """Returns the migration the database is at, or None for one without our tables."""
    return recorded_revision(connection) if has_revision(connection) else None
