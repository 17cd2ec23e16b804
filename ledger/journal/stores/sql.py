"""The journal in a database: SQLite or PostgreSQL, by SQLAlchemy Core.

Only this package imports SQLAlchemy. Rows are written in bulk as tuples.

What is kept beside the events in a database, to read faster, and may be thrown away at any time.

Segments are columns of a range of events, snapshots the states of players after a period.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Select,
    Table,
    and_,
    bindparam,
    func,
    select,
)

from ledger.errors import DatabaseError, Unreachable
from ledger.events.personal import require_digests
from ledger.identifiers import NO_EVENT
from ledger.journal.batch import erased_by, progress_of, same_request
from ledger.journal.envelope import not_before, seal
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import MOST_SNAPSHOTS, HeadMoved, Journal
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.records import (
    Commit,
    CommitSignature,
    Draft,
    EventColumns,
    Head,
    KeptSnapshot,
    PersonalDocument,
    Progress,
    SealedSegment,
    SegmentHeading,
    SignaturesInTurn,
    SnapshotHeading,
    SnapshotName,
    StoredEvent,
    StoredRow,
)
from ledger.journal.spool import Row
from ledger.journal.stores.objects import damage, foreign_objects
from ledger.journal.stores.revisions import check_revision, recorded_revision
from ledger.journal.stores.row_reader import PAGE_ROWS, Dialect, RowReader, translated
from ledger.journal.stores.safeguards import unlike_made
from ledger.journal.stores.schema import (
    COMMITS,
    EVENTS,
    LISTED,
    PERSONAL,
    SEGMENTS,
    SIGNATURES,
    SNAPSHOTS,
)
from ledger.journal.verify.walk import Walk
from ledger.wording import Message


class DisposableRows(RowReader):
    """The segments and snapshots of a journal, as ``Journal`` has them."""

    def segments(self) -> Iterator[SealedSegment]:
        """The segments that are kept, by first seq, one at a time."""
        with self._reading() as connection:
            wanted = select(SEGMENTS.c.first_seq).order_by(SEGMENTS.c.first_seq)
            for first_seq in list(connection.scalars(wanted)):
                one = select(SEGMENTS).where(SEGMENTS.c.first_seq == first_seq)
                row = connection.execute(one).first()
                if row is not None:
                    yield self._typed(SealedSegment, *row)

    def segment_headings(self) -> Iterator[SegmentHeading]:
        columns = [column for column in SEGMENTS.c if column is not SEGMENTS.c.rows]
        wanted = select(*columns).order_by(SEGMENTS.c.first_seq)
        return (self._typed(SegmentHeading, *row) for row in self._all(wanted))

    def seals(self) -> Sequence[tuple[int, str]]:
        """The same as of the headings, which are not read."""
        wanted = select(SEGMENTS.c.last_seq, SEGMENTS.c.sha256).order_by(SEGMENTS.c.first_seq)
        return [(last_seq, sha256) for last_seq, sha256 in self._all(wanted)]

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        its = (SEGMENTS.c.first_seq == first_seq, SEGMENTS.c.sha256 == sha256)
        rows: bytes | None = self._value(select(SEGMENTS.c.rows).where(*its))
        return rows

    def keep_segment(self, segment: SealedSegment) -> bool:
        """Keeps a segment, unless somebody is writing or was faster."""
        first_seq, last_seq = SEGMENTS.c.first_seq, SEGMENTS.c.last_seq
        further = select(last_seq).where(
            first_seq == segment.first_seq, last_seq >= segment.last_seq
        )
        within = first_seq.between(segment.first_seq, segment.last_seq)

        def keep(connection: Connection) -> None:
            if connection.scalar(further) is None:
                connection.execute(SEGMENTS.delete().where(within))
                connection.execute(SEGMENTS.insert(), asdict(segment))

        return self._at_once(keep)

    def drop_segments(self, first_seq: int = 1) -> bool:
        """Throws the segments from a seq on away, unless somebody is writing."""
        its = SEGMENTS.delete()
        if first_seq > 1:  # else also those that name no seq there can be
            its = its.where(SEGMENTS.c.first_seq >= first_seq)
        return self._at_once(lambda connection: connection.execute(its))

    def snapshots(self, list_: str | None = None) -> Sequence[SnapshotHeading]:
        wanted = select(*(column for column in SNAPSHOTS.c if column is not SNAPSHOTS.c.data))
        if list_ is not None:
            wanted = wanted.where(SNAPSHOTS.c.list == list_)
        return [self._typed(SnapshotHeading, *row) for row in self._all(wanted)]

    def snapshot_data(self, heading: SnapshotHeading) -> bytes | None:
        data = self._value(select(SNAPSHOTS.c.data).where(_named(heading)))
        return data if isinstance(data, bytes) else None

    def keep_snapshots(self, snapshots: Sequence[KeptSnapshot]) -> bool:
        """Keeps snapshots, unless somebody is writing."""

        def keep(connection: Connection) -> None:
            for snapshot in snapshots:
                connection.execute(SNAPSHOTS.delete().where(_named(snapshot)))
                connection.execute(SNAPSHOTS.insert(), asdict(snapshot))
            for list_ in {snapshot.list for snapshot in snapshots}:
                newest = (SNAPSHOTS.c.basis.desc(), SNAPSHOTS.c.period.desc())
                wanted = select(*SNAPSHOTS.primary_key).where(SNAPSHOTS.c.list == list_)
                old = connection.execute(wanted.order_by(*newest).offset(MOST_SNAPSHOTS)).all()
                for name in (SnapshotName(*tuple(row)) for row in old):
                    connection.execute(SNAPSHOTS.delete().where(_named(name)))

        return self._at_once(keep)

    def drop_snapshots(self) -> bool:
        """Throws all snapshots away, unless somebody is writing."""
        return self._at_once(lambda connection: connection.execute(SNAPSHOTS.delete()))

    def _at_once(self, change: Callable[[Connection], object]) -> bool:
        """Changes what is disposable, unless somebody is writing; whether it was done.

        What newer software keeps there is not touched either.
        """
        try:
            with translated(self._dialect), self._dialect.at_once(self._engine) as connection:
                self._check_known(connection)
                change(connection)
        except DatabaseError:
            return False
        return True

    def _check_known(self, connection: Connection) -> None:
        """Refuses to write where newer software has migrated the database since it was opened.

        Its rules are not known here.
        """
        check_revision(self._dialect.shown, recorded_revision(connection))


def _named(snapshot: SnapshotName) -> ColumnElement[bool]:
    return and_(*(column == getattr(snapshot, column.name) for column in SNAPSHOTS.primary_key))


_LAST_CODE_POINT = "\U0010ffff"
_UPTO = "upto"
_LAST = 2**63 - 1  # no event has a later seq


class SqlJournal(DisposableRows, Journal):
    """A journal in a database that was opened by ``database.open_journal``."""

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        super().__init__(engine, dialect)
        self._guarded = False
        # Put together once: that takes longer than to ask for a few rows.
        self._streams = _in_order(self._of_streams(), bindparam(_UPTO))
        its = dialect.among(PERSONAL.c.digest)
        self._documents = select(PERSONAL.c.digest, PERSONAL.c.document).where(its)
        # Sorted when they are read: to have them in order, SQLite might read the whole table.
        self._rows_at = select(EVENTS).where(dialect.among(EVENTS.c.seq))
        self._commits_at = select(COMMITS).where(dialect.among(COMMITS.c.commit_id))

    def head(self) -> Head:
        with self._reading() as connection:
            return self._typed(Head, *astuple(_tip(connection)[0]))

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        """Appends a draft as one commit; hashes it before it asks for the writer's lock."""
        with self._reading() as connection:
            head, peaks, last = _tip(connection)
            # After the head: a twin of this request that is not before it is found here.
            known = _with_key(connection, draft.idempotency_key)
        if known is not None:
            return same_request(known, draft)
        if head.seq != expected_seq:
            raise HeadMoved
        commit, events = seal(draft, head, peaks, not_before(recorded_at, last))
        with translated(self._dialect), self._dialect.writing(self._engine) as connection:
            if _tip(connection)[0] != head:
                known = _with_key(connection, draft.idempotency_key)
                if known is not None:
                    return same_request(known, draft)
                raise HeadMoved
            self._check_guarded(connection)
            self._store(connection, commit, events, draft)
        return commit

    def append_in_turn(
        self, draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
    ) -> Commit:
        """Appends what is drafted at the head under the writer's lock; all in one transaction."""
        with translated(self._dialect), self._dialect.writing(self._engine) as connection:
            self._check_guarded(connection)
            head, peaks, last = _tip(connection)
            draft = draft_at(head)
            known = _with_key(connection, draft.idempotency_key)
            if known is not None:
                return same_request(known, draft)
            commit, events = seal(draft, head, peaks, not_before(recorded_at(), last))
            self._store(connection, commit, events, draft)
        return commit

    def check_may_record(self, *, erasing: bool) -> None:
        with self._reading() as connection:
            self._dialect.check_may_record(connection, erasing=erasing)

    def restore(
        self,
        history: Walk,
        personal: Iterable[PersonalDocument],
        signatures: Iterable[CommitSignature] = (),
    ) -> None:
        """Takes a whole journal over, commit by commit as the triggers want it, in one go."""
        insert = self._dialect.insert
        with translated(self._dialect), self._dialect.writing(self._engine) as connection:
            if _tip(connection)[0].commit_id:
                raise HeadMoved
            self._check_guarded(connection)
            events, documents, signed = _Passed(), _Passed(), SignaturesInTurn(signatures)
            for commit, pages in history:
                insert(connection, COMMITS, [_tuples(COMMITS, [commit])])
                insert(connection, EVENTS, events.through(pages))
                self._sign(connection, signed.of(commit.commit_id))
            signed.end()
            insert(connection, PERSONAL, documents.through(_paged(PERSONAL, personal)))
            if events.rows:
                self._check_stored(connection, commit, events)
            self._check_documents(connection, None, documents.rows)

    def _check_guarded(self, connection: Connection) -> None:
        """Refuses to add to a journal that anybody could change; reading it is no harm.

        That is looked at once.
        """
        self._check_known(connection)
        if self._guarded:
            return
        check_triggers(self._dialect, connection)
        if foreign := [str(one) for one in foreign_objects(connection) if one.alters_records]:
            told = {"url": self._dialect.shown, "objects": ", ".join(foreign)}
            raise DatabaseError("database.foreign_triggers", **told)
        self._guarded = True

    def _store(
        self, connection: Connection, commit: Commit, events: HashedEvents, draft: Draft
    ) -> None:
        passed, personal = _Passed(), draft.personal
        pages = _told(events.pages(), commit, progress_of(draft.events))
        self._dialect.insert(connection, COMMITS, [_tuples(COMMITS, [commit])])
        self._dialect.insert(connection, EVENTS, passed.through(pages))
        self._check_stored(connection, commit, passed)
        self._sign(connection, draft.sign(commit))
        if personal:
            self._dialect.insert(connection, PERSONAL, _paged(PERSONAL, personal))
            digests = [document.digest for document in personal]
            self._check_documents(connection, digests, len(digests))
        if erased := erased_by(draft.events):
            self._dialect.forget(connection, erased)
            self._check_documents(connection, erased, 0)

    def _sign(self, connection: Connection, signatures: Sequence[CommitSignature]) -> None:
        """Stores the signatures of the last commit, and reads them back; see ``_not_stored``."""
        if not signatures:
            return
        rows = _tuples(SIGNATURES, signatures)
        self._dialect.insert(connection, SIGNATURES, [rows])
        its = select(SIGNATURES).where(SIGNATURES.c.commit_id == signatures[0].commit_id)
        if {tuple(row) for row in connection.execute(its)} != set(rows):
            raise self._not_stored()

    def _check_stored(self, connection: Connection, commit: Commit, events: _Passed) -> None:
        """Reads back the end of what was written, and how many events; see ``_not_stored``.

        Args:
            connection: the writer's.
            commit: the last one.
            events: what was written since the first of them, up to the end of the commit.
        """
        first_seq = commit.last_seq - events.rows + 1
        count = select(func.count()).where(EVENTS.c.seq.between(first_seq, commit.last_seq))
        last = connection.execute(select(EVENTS).where(EVENTS.c.seq == commit.last_seq)).first()
        its = select(COMMITS).where(COMMITS.c.commit_id == commit.commit_id)
        there = connection.execute(its).first()
        (written,) = _tuples(COMMITS, [commit])
        if (connection.scalar(count), last, there) != (events.rows, events.last, written):
            raise self._not_stored()

    def _check_documents(
        self, connection: Connection, digests: Collection[str] | None, count: int
    ) -> None:
        """Counts the personal documents under some digests, or all; see ``_not_stored``."""
        there = select(func.count()).select_from(PERSONAL)
        if digests is not None:
            there = there.where(self._dialect.among(PERSONAL.c.digest, digests))
        if connection.scalar(there) != count:
            raise self._not_stored()

    def _not_stored(self) -> DatabaseError:
        """Returns the error for what the database took and did not store as it was given."""
        return DatabaseError("database.not_stored", url=self._dialect.shown)

    def pages(self, *, after: int = 0, upto: int | None = None) -> Iterator[Sequence[StoredRow]]:
        """The events with ``after < seq <= upto``, as they are when reading begins, as rows."""
        return self._pages(_in_order(select(EVENTS).where(EVENTS.c.seq > after), upto))

    def holds(self, columns: EventColumns) -> bool:
        with self._reading() as connection:
            return self._dialect.holds(connection, columns)

    def rows_at(self, seqs: Collection[int]) -> list[StoredRow]:
        pages = self._pages(self._rows_at, {LISTED: self._dialect.listed(seqs)})
        return sorted((row for page in pages for row in page), key=itemgetter(0))

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        bound = {LISTED: self._dialect.listed(names), _UPTO: _LAST if upto is None else upto}
        return self._rows(self._streams, StoredEvent, bound)

    def _of_streams(self, names: Collection[str] | None = None) -> Select[Any]:
        named = self._dialect.among(EVENTS.c.stream, names)
        # Without the hint SQLite may read the whole table, because it is in order already.
        return select(EVENTS).where(named).with_hint(EVENTS, "INDEXED BY events_stream", "sqlite")

    def stream_names(self, prefix: str) -> list[str]:
        name = EVENTS.c.stream
        wanted = select(name).distinct().where(name >= prefix, name < prefix + _LAST_CODE_POINT)
        return sorted(stream for (stream,) in self._all(wanted))

    def recorded(self, streams: Collection[str]) -> set[str]:
        named = self._dialect.among(EVENTS.c.stream, streams)
        return {stream for (stream,) in self._all(select(EVENTS.c.stream).distinct().where(named))}

    def mentioning(self, text: str, streams: Collection[str]) -> Iterator[StoredEvent]:
        found = getattr(func, self._dialect.position_function)(EVENTS.c.payload, text) > 0
        return self._stored(self._of_streams(streams).where(found), None)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        wanted = select(COMMITS).where(COMMITS.c.commit_id > after)
        return self._rows(wanted.order_by(COMMITS.c.commit_id), Commit)

    def commits_at(self, numbers: Collection[int]) -> list[Commit]:
        found = self._rows(self._commits_at, Commit, {LISTED: self._dialect.listed(numbers)})
        return sorted(found, key=attrgetter("commit_id"))

    def signatures(self, *, after: int | None = None) -> Iterator[CommitSignature]:
        its = SIGNATURES.c
        wanted = select(SIGNATURES)
        if after is not None:
            wanted = wanted.where(its.commit_id > after)
        return self._rows(wanted.order_by(its.commit_id, its.account), CommitSignature)

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        with self._reading() as connection:
            return _with_key(connection, idempotency_key)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        found: dict[str, str] = {}
        if digests is None:
            pages = self._pages(select(PERSONAL.c.digest, PERSONAL.c.document))
        else:
            pages = self._pages(self._documents, {LISTED: self._dialect.listed(list(digests))})
        for page in pages:
            found.update(page)
        require_digests(found)
        return found

    def personal(self) -> Iterator[PersonalDocument]:
        return self._rows(select(PERSONAL), PersonalDocument)

    def personal_count(self) -> int:
        return self._value(select(func.count()).select_from(PERSONAL)) or 0

    def count_of(self, types: Collection[str], *, after: int = 0, upto: int | None = None) -> int:
        its = EVENTS.c.type.in_(types), EVENTS.c.seq > after
        wanted = select(func.count()).select_from(EVENTS).where(*its)
        return self._value(wanted if upto is None else wanted.where(EVENTS.c.seq <= upto)) or 0

    def type_counts(self, *, after: int = 0, upto: int | None = None) -> dict[str, int]:
        wanted = select(EVENTS.c.type, func.count()).where(EVENTS.c.seq > after)
        if upto is not None:
            wanted = wanted.where(EVENTS.c.seq <= upto)
        wanted = wanted.group_by(EVENTS.c.type).order_by(func.min(EVENTS.c.seq))
        return dict(map(tuple, self._all(wanted)))

    def is_scrubbed(self) -> bool:
        with self._reading() as connection:
            return self._dialect.is_scrubbed(connection)

    def scrub(self) -> Sequence[Message]:
        """Destroys what is left of erased documents in the database's own files."""
        with self._reading() as connection:
            self._check_known(connection)
        with translated(self._dialect):
            return self._dialect.scrub(self._engine)

    def commit_by(self, seq: int) -> Commit | None:
        with self._reading() as connection:
            row = _asked(connection, _COMMIT_BY % self._dialect.parameter, seq)
        return Commit(*row) if row else None

    def last_event(self) -> int:
        with self._reading() as connection:
            return _asked(connection, "SELECT max(seq) FROM events")[0] or 0

    def elsewhere(self) -> str | None:
        # What is made of this class may show something that nobody else sees.
        return self._dialect.address if type(self) is SqlJournal else None

    def has_room(self) -> bool:
        """Whether the disk of the database, where it is this machine's, takes a commit."""
        return self._dialect.has_room()

    def reopened(self) -> bool:
        """Opens the database again, where it has changed without being seen to."""
        if not self._dialect.has_changed():
            return False
        self._engine.dispose()
        self._engine = self._dialect.engine()
        return True

    def await_writer(self) -> None:
        """Waits until nobody is appending; raises ``DatabaseError`` where that takes too long."""
        with translated(self._dialect), self._dialect.writing(self._engine):
            pass

    def missing_triggers(self) -> list[str]:
        with self._reading() as connection:
            return self._dialect.missing_triggers(connection)

    def foreign_objects(self) -> list[str]:
        with self._reading() as connection:
            return [str(one) for one in unlike_made(connection)]

    def damage(self) -> list[Message]:
        """What the database finds wrong with itself; what keeps it from looking is among it."""
        try:
            with self._reading() as connection:
                return damage(connection)
        except Unreachable:
            raise
        except DatabaseError as error:
            return [error.message]

    def close(self) -> None:
        self._engine.dispose()

    def _stored(self, wanted: Select[Any], upto: int | None) -> Iterator[StoredEvent]:
        return self._rows(_in_order(wanted, upto), StoredEvent)


def check_triggers(dialect: Dialect, connection: Connection) -> None:
    """Raises ``DatabaseError`` when a trigger is gone or not as it was made."""
    if missing := dialect.missing_triggers(connection):
        raise DatabaseError("database.triggers", url=dialect.shown, triggers=", ".join(missing))


class _Passed:
    """Counts the rows that pass, and remembers the last."""

    def __init__(self) -> None:
        self.rows = 0
        self.last: Row = ()

    def through(self, pages: Iterable[Sequence[Row]]) -> Iterator[Sequence[Row]]:
        """Yields the pages."""
        for page in pages:
            if page:
                self.rows += len(page)
                self.last = page[-1]
            yield page


def _in_order(wanted: Select[Any], upto: BindParameter[int] | int | None) -> Select[Any]:
    if upto is not None:
        wanted = wanted.where(EVENTS.c.seq <= upto)
    return wanted.order_by(EVENTS.c.seq)


_TIP: Final = (
    "SELECT commit_id, last_seq, root, peaks, recorded_at FROM commits"
    " ORDER BY commit_id DESC LIMIT 1"
)
_COMMIT_BY: Final = (
    f"SELECT {', '.join(COMMITS.columns.keys())} FROM commits"  # noqa: S608 - names of the schema
    " WHERE last_seq <= %s ORDER BY commit_id DESC LIMIT 1"
)


def _asked(connection: Connection, query: str, *values: int) -> Any:
    """Returns the first row of a query that the driver is asked; None, if there is none.

    Every page of a site and every command asks some, and SQLAlchemy takes longer than the query.
    """
    driver: Any = connection.connection.driver_connection
    return driver.execute(query, values).fetchone()


def _tip(connection: Connection) -> tuple[Head, str, str]:
    """Returns the head, the peaks of its tree and when it was recorded."""
    row = _asked(connection, _TIP)
    if row is None:
        return Head(0, NO_EVENT, EMPTY_ROOT.hex()), "", ""
    return Head(*row[:3]), row[3], row[4]


def _with_key(connection: Connection, key: str) -> Commit | None:
    row = connection.execute(select(COMMITS).where(COMMITS.c.idempotency_key == key)).first()
    return Commit(*row) if row else None


def _tuples(table: Table, values: Iterable[object]) -> list[tuple[Any, ...]]:
    """Returns the values as rows of the table: their fields have the names of its columns."""
    return list(map(attrgetter(*table.columns.keys()), values))


def _paged(table: Table, values: Iterable[object]) -> Iterator[list[Row]]:
    """Yields the values as rows of the table, a page at a time."""
    left = iter(values)
    while page := _tuples(table, islice(left, PAGE_ROWS)):
        yield page


def _told(pages: Iterable[list[Row]], commit: Commit, tell: Progress) -> Iterator[list[Row]]:
    """Yields the pages and tells how many of the commit's events are stored."""
    done, total = 0, commit.last_seq - commit.first_seq + 1
    for page in pages:
        yield page
        done += len(page)
        tell("append", done, total)
