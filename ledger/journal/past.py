"""A journal as it was at a seq: everything that was recorded later is not there."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import takewhile

from ledger.errors import DatabaseError, NotFound
from ledger.identifiers import NO_EVENT
from ledger.journal.interface import Journal
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.records import (
    Commit,
    CommitSignature,
    Draft,
    Head,
    PersonalDocument,
    SealedSegment,
    SegmentHeading,
    SnapshotHeading,
    StoredEvent,
    StoredRow,
)
from ledger.journal.verify.walk import Walk


class ReadJournal(Journal, ABC):
    """A journal that can only be read."""

    @abstractmethod
    def refusal(self) -> DatabaseError:
        """Returns why nothing can be written."""

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        raise self.refusal()

    def append_in_turn(
        self, draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
    ) -> Commit:
        raise self.refusal()

    def restore(
        self,
        history: Walk,
        personal: Iterable[PersonalDocument],
        signatures: Iterable[CommitSignature] = (),
    ) -> None:
        raise self.refusal()


class PastJournal(ReadJournal):
    """The commits of a journal that had ended by a seq; nothing can be appended to it.

    A seq in the middle of a commit stands for the commit before: its events became known together.
    What is disposable (segments, snapshots) is read where it lies within, and never kept.

    Args:
        journal: the whole one; it stays open when this one is closed.
        upto: the seq, from 0 to the last one.

    ``last_commit`` is the last one that had ended; None: nothing had been recorded.

    Raises:
        NotFound: the journal has no such seq.
    """

    def __init__(self, journal: Journal, upto: int) -> None:
        last = journal.head().seq
        if not 0 <= upto <= last:
            raise NotFound("database.no_such_seq", seq=upto, last=last)
        commit = self.last_commit = journal.commit_by(upto)
        self._journal = journal
        self._head = (
            Head(commit.commit_id, commit.last_seq, commit.root)
            if commit
            else Head(0, NO_EVENT, EMPTY_ROOT.hex())
        )

    @property
    def lacks_people(self) -> bool:
        return self._journal.lacks_people

    def head(self) -> Head:
        return self._head

    def refusal(self) -> DatabaseError:
        """Returns why nothing can be written."""
        return DatabaseError("database.past", seq=self._head.seq)

    def pages(self, *, after: int = 0, upto: int | None = None) -> Iterator[Sequence[StoredRow]]:
        return self._journal.pages(after=after, upto=self._within(upto))

    def rows_at(self, seqs: Collection[int]) -> list[StoredRow]:
        return self._journal.rows_at([seq for seq in seqs if seq <= self._head.seq])

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        return self._journal.streams(names, upto=self._within(upto))

    def stream_names(self, prefix: str) -> list[str]:
        named = self._journal.stream_names(prefix)
        return sorted(self.recorded(named))

    def recorded(self, streams: Collection[str]) -> set[str]:
        return {name for name in streams if next(self.streams([name]), None) is not None}

    def mentioning(self, text: str, streams: Collection[str]) -> Iterator[StoredEvent]:
        found = self._journal.mentioning(text, streams)
        return takewhile(lambda event: event.seq <= self._head.seq, found)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        found = self._journal.commits(after=after)
        return takewhile(lambda commit: commit.last_seq <= self._head.seq, found)

    def commits_at(self, numbers: Collection[int]) -> list[Commit]:
        last = self._head.commit_id
        return self._journal.commits_at([number for number in numbers if number <= last])

    def signatures(self, *, after: int | None = None) -> Iterator[CommitSignature]:
        found = self._journal.signatures(after=after)
        return takewhile(lambda each: each.commit_id <= self._head.commit_id, found)

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        found = self._journal.commit_with_key(idempotency_key)
        return found if found and found.last_seq <= self._head.seq else None

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        return self._journal.personal_documents(digests)

    def personal(self) -> Iterator[PersonalDocument]:
        return self._journal.personal()

    def personal_count(self) -> int:
        return self._journal.personal_count()

    def count_of(self, types: Collection[str], *, after: int = 0, upto: int | None = None) -> int:
        return self._journal.count_of(types, after=after, upto=self._within(upto))

    def type_counts(self, *, after: int = 0, upto: int | None = None) -> dict[str, int]:
        return self._journal.type_counts(after=after, upto=self._within(upto))

    def root_at(self, seq: int) -> str | None:
        # Of later ones too: a segment that lies within may have been sealed under such a root.
        return self._journal.root_at(seq)

    def commit_by(self, seq: int) -> Commit | None:
        return self._journal.commit_by(self._within(seq))

    def last_event(self) -> int:
        return self._head.seq

    def segments(self) -> Iterator[SealedSegment]:
        return takewhile(self._holds, self._journal.segments())

    def segment_headings(self) -> Iterator[SegmentHeading]:
        return takewhile(self._holds, self._journal.segment_headings())

    def _holds(self, segment: SegmentHeading) -> bool:
        return segment.last_seq <= self._head.seq

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        return self._journal.segment_rows(first_seq, sha256)

    def snapshots(self, list_: str | None = None) -> Sequence[SnapshotHeading]:
        found = self._journal.snapshots(list_)
        return [snapshot for snapshot in found if snapshot.basis <= self._head.seq]

    def snapshot_data(self, heading: SnapshotHeading) -> bytes | None:
        return self._journal.snapshot_data(heading)

    def reopened(self) -> bool:
        return self._journal.reopened()

    def _within(self, seq: int | None) -> int:
        return self._head.seq if seq is None else min(seq, self._head.seq)
