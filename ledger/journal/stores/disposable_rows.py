"""What is kept beside the events in a database, to read faster, and may be thrown away at any time.

Segments are columns of a range of events, snapshots the states of players after a period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, and_, select

from ledger.errors import DatabaseError
from ledger.journal.interface import MOST_SNAPSHOTS
from ledger.journal.records import (
    KeptSnapshot,
    SealedSegment,
    SegmentHeading,
    SnapshotHeading,
    SnapshotName,
)
from ledger.journal.stores.revisions import check_revision, recorded_revision
from ledger.journal.stores.row_reader import RowReader, translated
from ledger.journal.stores.schema import SEGMENTS, SNAPSHOTS


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
