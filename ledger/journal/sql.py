"""The journal in a database: SQLite or PostgreSQL, by SQLAlchemy Core.

Only this package imports SQLAlchemy. Rows are written as tuples and read in pages of a fixed size.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from itertools import islice
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, Select, select
from sqlalchemy.exc import DBAPIError

from ledger.journal.entries import Commit, Draft, Head, HeadMoved, StoredEvent
from ledger.journal.envelope import sealed
from ledger.journal.memory import same_request
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.postgres import PostgresDialect
from ledger.journal.schema import COMMITS, EVENTS, PERSONAL
from ledger.journal.sqlite import SqliteDialect

Dialect: TypeAlias = SqliteDialect | PostgresDialect
_PAGE = 5_000
_NAMES = 500


def _insert(table: str, columns: Collection[str]) -> str:
    marks = ", ".join("?" for _ in columns)
    # Names from the schema, never from outside.
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608


_INSERT_COMMIT = _insert("commits", [column.name for column in COMMITS.columns])
_INSERT_EVENT = _insert("events", [column.name for column in EVENTS.columns])
_INSERT_PERSONAL = _insert("personal", [column.name for column in PERSONAL.columns])


class SqlJournal:
    """A journal in a database that was opened by ``database.open_journal``."""

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        self._engine = engine
        self._dialect = dialect

    def head(self) -> Head:
        """The position after the last commit."""
        with self._reading() as connection:
            return _tip(connection)[0]

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        """Appends a draft as one commit."""
        with self._reading() as connection:
            head, peaks = _tip(connection)
        commit, events = sealed(draft, head, peaks, recorded_at)
        event_rows = [astuple(event) for event in events]
        with self._meaningful(), self._dialect.writing(self._engine) as connection:
            known = _with_key(connection, draft.idempotency_key)
            if known is not None:
                return same_request(known, draft)
            if not _tip(connection)[0].seq == head.seq == expected_seq:
                raise HeadMoved
            self._dialect.insert(connection, _INSERT_COMMIT, [astuple(commit)])
            self._dialect.insert(connection, _INSERT_EVENT, event_rows)
            if draft.personal:
                personal = [astuple(document) for document in draft.personal]
                self._dialect.insert(connection, _INSERT_PERSONAL, personal)
        return commit

    def events(self, *, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events with ``after < seq <= upto``."""
        end = self.head().seq if upto is None else upto
        while after < end:
            page = (
                select(EVENTS)
                .where(EVENTS.c.seq > after, EVENTS.c.seq <= end)
                .order_by(EVENTS.c.seq)
                .limit(_PAGE)
            )
            found = self._events(page)
            if not found:
                return
            yield from found
            after = found[-1].seq

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events of the named streams."""
        end = self.head().seq if upto is None else upto
        found: list[StoredEvent] = []
        for some in _batches(names, _NAMES):
            wanted = select(EVENTS).where(EVENTS.c.stream.in_(some), EVENTS.c.seq <= end)
            found += self._events(wanted)
        found.sort(key=lambda event: event.seq)
        return iter(found)

    def stream_names(self, prefix: str) -> list[str]:
        """The names of all streams with the prefix."""
        wanted = select(EVENTS.c.stream).distinct().where(EVENTS.c.stream.startswith(prefix))
        with self._reading() as connection:
            return sorted(connection.scalars(wanted))

    def mentioning(self, text: str) -> Iterator[StoredEvent]:
        """The events whose payload holds the text."""
        return (event for event in self.events() if text in event.payload)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        """The commits after an id."""
        while True:
            page = (
                select(COMMITS)
                .where(COMMITS.c.commit_id > after)
                .order_by(COMMITS.c.commit_id)
                .limit(_PAGE)
            )
            with self._reading() as connection:
                found = [Commit(*row) for row in connection.execute(page)]
            if not found:
                return
            yield from found
            after = found[-1].commit_id

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        """The commit appended under the key."""
        with self._reading() as connection:
            return _with_key(connection, idempotency_key)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        """Digest to document."""
        columns = select(PERSONAL.c.digest, PERSONAL.c.document)
        with self._reading() as connection:
            if digests is None:
                return dict(connection.execute(columns).tuples().all())
            found: dict[str, str] = {}
            for some in _batches(digests, _NAMES):
                rows = connection.execute(columns.where(PERSONAL.c.digest.in_(some)))
                found.update((digest, document) for digest, document in rows)
            return found

    def missing_triggers(self) -> list[str]:
        """The triggers that are gone or not as they were made."""
        with self._reading() as connection:
            return self._dialect.missing_triggers(connection)

    def close(self) -> None:
        """Gives back the connections."""
        self._engine.dispose()

    def _events(self, wanted: Select[Any]) -> list[StoredEvent]:
        with self._reading() as connection:
            return [StoredEvent(*row) for row in connection.execute(wanted)]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._meaningful(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _meaningful(self) -> Iterator[None]:
        """Turns a driver's error into what it means for the user."""
        try:
            yield
        except DBAPIError as error:
            raise self._dialect.meaning(error.orig or error) from error


def _tip(connection: Connection) -> tuple[Head, str]:
    """Returns the head and the peaks of its tree."""
    last = select(COMMITS).order_by(COMMITS.c.commit_id.desc()).limit(1)
    row = connection.execute(last).first()
    if row is None:
        return Head(0, 0, EMPTY_ROOT.hex()), ""
    commit = Commit(*row)
    return Head(commit.commit_id, commit.last_seq, commit.root), commit.peaks


def _with_key(connection: Connection, key: str) -> Commit | None:
    row = connection.execute(select(COMMITS).where(COMMITS.c.idempotency_key == key)).first()
    return Commit(*row) if row else None


def _batches(values: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yields the values in lists of at most the size."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch
