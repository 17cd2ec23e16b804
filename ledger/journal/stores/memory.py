"""A journal in memory: the reference of the contract, for tests and for trying things out."""

from __future__ import annotations

import datetime as dt
import threading
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from operator import attrgetter

from ledger.errors import DatabaseError
from ledger.events.personal import require_digests
from ledger.identifiers import NO_EVENT
from ledger.journal.batch import erased_by, same_request
from ledger.journal.envelope import not_before, seal
from ledger.journal.interface import MOST_SNAPSHOTS, HeadMoved, Journal
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.records import (
    Commit,
    CommitSignature,
    Draft,
    Head,
    KeptSnapshot,
    PersonalDocument,
    SealedSegment,
    SegmentHeading,
    SignaturesInTurn,
    SnapshotHeading,
    SnapshotName,
    StoredEvent,
    StoredRow,
)
from ledger.journal.stores.triggers import beginnings, begun_again
from ledger.journal.verify.walk import Walk

_PAGE_ROWS = 1_000
_by_commit = attrgetter("commit_id", "account")
_fields = attrgetter(*StoredEvent.__slots__)


class MemoryJournal(Journal):
    """Keeps commits and events in lists; safe among threads."""

    def __init__(self) -> None:
        self._commits: list[Commit] = []
        self._events: list[StoredEvent] = []
        self._signatures: list[CommitSignature] = []
        self._segments: dict[int, SealedSegment] = {}
        self._snapshots: dict[SnapshotName, KeptSnapshot] = {}
        self._keys: dict[str, Commit] = {}
        self._begun: dict[str, int] = {}
        self._personal: dict[str, PersonalDocument] = {}
        self._writer: AbstractContextManager[object] = threading.Lock()

    def head(self) -> Head:
        return _tip(self._commits)[0]

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        with self._writer:
            known = self._keys.get(draft.idempotency_key)
            if known is not None:
                return same_request(known, draft)
            if self.head().seq != expected_seq:
                raise HeadMoved
            return self._append(draft, recorded_at)

    def append_in_turn(
        self, draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
    ) -> Commit:
        """Appends what is drafted at the head while the lock is held."""
        with self._writer:
            draft = draft_at(self.head())
            known = self._keys.get(draft.idempotency_key)
            return same_request(known, draft) if known else self._append(draft, recorded_at())

    def _append(self, draft: Draft, recorded_at: dt.datetime) -> Commit:
        head, peaks, last = _tip(self._commits)
        commit, hashed = seal(draft, head, peaks, not_before(recorded_at, last))
        events = [StoredEvent(*row) for rows in hashed.pages() for row in rows]
        for person in draft.personal:
            if person.digest in self._personal:
                raise DatabaseError("database.refused", url="-", why=person.digest)
        signatures = sorted(draft.sign(commit), key=_by_commit)
        self._begin(events)
        self._signatures += signatures
        self._store(commit, events, draft.personal)
        for digest in erased_by(draft.events):
            self._personal.pop(digest, None)
        return commit

    def restore(
        self,
        history: Walk,
        personal: Iterable[PersonalDocument],
        signatures: Iterable[CommitSignature] = (),
    ) -> None:
        with self._writer:
            if self._commits:
                raise HeadMoved
            commits = [
                (commit, [StoredEvent(*row) for rows in pages for row in rows])
                for commit, pages in history
            ]
            in_turn = SignaturesInTurn(signatures)
            signed = [each for commit, _ in commits for each in in_turn.of(commit.commit_id)]
            in_turn.end()
            documents = list(personal)
            self._begin(event for _, events in commits for event in events)
            self._signatures += sorted(signed, key=_by_commit)
            for commit, events in commits:
                self._store(commit, events, ())
            self._personal.update((person.digest, person) for person in documents)

    def _begin(self, events: Iterable[StoredEvent]) -> None:
        """Notes the streams that begin; raises ``DatabaseError`` for one that began before."""
        made = beginnings(map(_fields, events))
        stream = begun_again(made, ChainMap({}, self._begun))
        if stream is not None:
            raise DatabaseError("database.begun_twice", url="-", stream=stream)
        self._begun.update(made)

    def _store(
        self, commit: Commit, events: list[StoredEvent], personal: Iterable[PersonalDocument]
    ) -> None:
        self._personal.update((person.digest, person) for person in personal)
        self._events += events
        self._keys[commit.idempotency_key] = commit
        # Last, because readers take no lock: what they see of a commit is all of it.
        self._commits.append(commit)

    def events(self, *, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        head = self.head().seq
        return islice(self._events, max(0, after), head if upto is None else min(upto, head))

    def pages(self, *, after: int = 0, upto: int | None = None) -> Iterator[list[StoredRow]]:
        events = self.events(after=after, upto=upto)
        while page := [_row(event) for event in islice(events, _PAGE_ROWS)]:
            yield page

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        wanted = set(names)
        return (event for event in self.events(upto=upto) if event.stream in wanted)

    def stream_names(self, prefix: str) -> list[str]:
        return sorted({e.stream for e in self.events() if e.stream.startswith(prefix)})

    def recorded(self, streams: Collection[str]) -> set[str]:
        return {event.stream for event in self.streams(streams)}

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        return islice(self._commits, max(0, after), len(self._commits))

    def signatures(self, *, after: int | None = None) -> Iterator[CommitSignature]:
        return (x for x in list(self._signatures) if after is None or x.commit_id > after)

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        return self._keys.get(idempotency_key)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        wanted = list(self._personal) if digests is None else digests
        found = {d: self._personal[d].document for d in wanted if d in self._personal}
        require_digests(found)
        return found

    def personal(self) -> Iterator[PersonalDocument]:
        return iter(list(self._personal.values()))

    def commit_by(self, seq: int) -> Commit | None:
        return next((c for c in reversed(self._commits) if c.last_seq <= seq), None)

    def segments(self) -> Iterator[SealedSegment]:
        return iter(sorted(self._segments.values(), key=lambda segment: segment.first_seq))

    def segment_headings(self) -> Iterator[SegmentHeading]:
        """The same; their rows cost nothing here."""
        return self.segments()

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        found = self._segments.get(first_seq)
        return found.rows if found is not None and found.sha256 == sha256 else None

    def keep_segment(self, segment: SealedSegment) -> bool:
        there = self._segments.get(segment.first_seq)
        if there is None or there.last_seq < segment.last_seq:
            for first_seq in range(segment.first_seq, segment.last_seq + 1):
                self._segments.pop(first_seq, None)
            self._segments[segment.first_seq] = segment
        return True

    def drop_segments(self, first_seq: int = 1) -> bool:
        for first in [first for first in self._segments if first >= first_seq or first_seq == 1]:
            del self._segments[first]
        return True

    def snapshots(self, list_: str | None = None) -> Sequence[SnapshotHeading]:
        return [
            snapshot.heading
            for snapshot in self._snapshots.values()
            if list_ is None or snapshot.list == list_
        ]

    def snapshot_data(self, heading: SnapshotHeading) -> bytes | None:
        found = self._snapshots.get(heading.name)
        return found.data if found else None

    def keep_snapshots(self, snapshots: Sequence[KeptSnapshot]) -> bool:
        self._snapshots |= {snapshot.name: snapshot for snapshot in snapshots}
        for list_ in {snapshot.list for snapshot in snapshots}:
            names = [name for name in self._snapshots if name.list == list_]
            names.sort(key=lambda name: (name.basis, name.period), reverse=True)
            for name in names[MOST_SNAPSHOTS:]:
                del self._snapshots[name]
        return True

    def drop_snapshots(self) -> bool:
        self._snapshots.clear()
        return True


def _row(event: StoredEvent) -> StoredRow:
    row: StoredRow = _fields(event)
    return row


def _tip(commits: list[Commit]) -> tuple[Head, str, str]:
    """Returns the head, the peaks of its tree and when it was recorded."""
    if not commits:
        return Head(0, NO_EVENT, EMPTY_ROOT.hex()), "", ""
    last = commits[-1]
    return Head(last.commit_id, last.last_seq, last.root), last.peaks, last.recorded_at
