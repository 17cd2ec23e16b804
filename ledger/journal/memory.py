"""A journal in memory: the reference of the contract, for tests and for trying things out."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice

from ledger.errors import Conflict, DatabaseError
from ledger.journal.entries import (
    Commit,
    Draft,
    Head,
    HeadMoved,
    PersonalDocument,
    SealedSegment,
    StoredEvent,
)
from ledger.journal.envelope import sealed
from ledger.journal.merkle import EMPTY_ROOT


class MemoryJournal:
    """Keeps commits and events in lists; safe among threads."""

    def __init__(self) -> None:
        self._commits: list[Commit] = []
        self._events: list[StoredEvent] = []
        self._segments: dict[int, SealedSegment] = {}
        self._keys: dict[str, Commit] = {}
        self._personal: dict[str, PersonalDocument] = {}
        self._writer: AbstractContextManager[object] = threading.Lock()

    def head(self) -> Head:
        """The position after the last commit."""
        return _tip(self._commits)[0]

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        """Appends a draft as one commit."""
        with self._writer:
            known = self._keys.get(draft.idempotency_key)
            if known is not None:
                return same_request(known, draft)
            head, peaks = _tip(self._commits)
            if head.seq != expected_seq:
                raise HeadMoved
            commit, events = sealed(draft, head, peaks, recorded_at)
            for person in draft.personal:
                if person.digest in self._personal:
                    raise DatabaseError("database.refused", url="-", why=person.digest)
            self._store(commit, events, draft.personal)
            return commit

    def _store(
        self, commit: Commit, events: list[StoredEvent], personal: Iterable[PersonalDocument]
    ) -> None:
        self._personal.update((person.digest, person) for person in personal)
        self._events += events
        self._keys[commit.idempotency_key] = commit
        # Last, because readers take no lock: what they see of a commit is all of it.
        self._commits.append(commit)

    def events(self, *, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events with ``after < seq <= upto``."""
        head = self.head().seq
        return islice(self._events, max(0, after), head if upto is None else min(upto, head))

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events of the named streams."""
        wanted = set(names)
        return (event for event in self.events(upto=upto) if event.stream in wanted)

    def stream_names(self, prefix: str) -> list[str]:
        """The names of all streams with the prefix."""
        return sorted({e.stream for e in self.events() if e.stream.startswith(prefix)})

    def recorded(self, streams: Collection[str]) -> set[str]:
        """Those of the streams that have events."""
        return {event.stream for event in self.streams(streams)}

    def mentioning(self, text: str) -> Iterator[StoredEvent]:
        """The events whose payload holds the text."""
        return (event for event in self.events() if text in event.payload)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        """The commits after an id."""
        return islice(self._commits, max(0, after), len(self._commits))

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        """The commit appended under the key."""
        return self._keys.get(idempotency_key)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        """Digest to document."""
        wanted = list(self._personal) if digests is None else digests
        return {d: self._personal[d].document for d in wanted if d in self._personal}

    def root_at(self, seq: int) -> str | None:
        """The root after the commit that ends with the seq."""
        return next((c.root for c in self._commits if c.last_seq == seq), None)

    def segments(self) -> Iterator[SealedSegment]:
        """The segments that are kept."""
        return iter(sorted(self._segments.values(), key=lambda segment: segment.first_seq))

    def keep_segment(self, segment: SealedSegment) -> bool:
        """Keeps a segment."""
        self._segments.setdefault(segment.first_seq, segment)
        return True

    def drop_segments(self) -> bool:
        """Throws all segments away."""
        self._segments.clear()
        return True

    def missing_triggers(self) -> list[str]:
        """Memory has none to miss."""
        return []

    def close(self) -> None:
        """Nothing to give back."""


def _tip(commits: list[Commit]) -> tuple[Head, str]:
    if not commits:
        return Head(0, 0, EMPTY_ROOT.hex()), ""
    last = commits[-1]
    return Head(last.commit_id, last.last_seq, last.root), last.peaks


def same_request(known: Commit, draft: Draft) -> Commit:
    """Returns the earlier commit of a repeated request; raises ``Conflict`` for another body."""
    if known.body_sha256 != draft.body_sha256:
        raise Conflict(
            "database.key_conflict",
            key=draft.idempotency_key,
            commit=known.commit_id,
            recorded_at=known.recorded_at,
        )
    return known
