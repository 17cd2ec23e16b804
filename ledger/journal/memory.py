"""A journal in memory: the reference of the contract, for tests and for trying things out."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager

from ledger.errors import Conflict
from ledger.journal.entries import Commit, Draft, Head, HeadMoved, StoredEvent
from ledger.journal.envelope import sealed
from ledger.journal.merkle import EMPTY_ROOT


class MemoryJournal:
    """Keeps commits and events in lists; safe among threads."""

    def __init__(self) -> None:
        self._commits: list[Commit] = []
        self._events: list[StoredEvent] = []
        self._personal: dict[str, str] = {}
        self._writer: AbstractContextManager[object] = threading.Lock()

    def head(self) -> Head:
        """The position after the last commit."""
        if not self._commits:
            return Head(0, 0, EMPTY_ROOT.hex())
        last = self._commits[-1]
        return Head(last.commit_id, last.last_seq, last.root)

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        """Appends a draft as one commit."""
        with self._writer:
            known = self.commit_with_key(draft.idempotency_key)
            if known is not None:
                return same_request(known, draft)
            head = self.head()
            if head.seq != expected_seq:
                raise HeadMoved
            peaks = self._commits[-1].peaks if self._commits else ""
            commit, events = sealed(draft, head, peaks, recorded_at)
            self._store(commit, events)
            self._personal.update((p.digest, p.document) for p in draft.personal)
            return commit

    def _store(self, commit: Commit, events: list[StoredEvent]) -> None:
        self._events.extend(events)
        self._commits.append(commit)

    def events(self, *, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events with ``after < seq <= upto``."""
        yield from self._events[after:upto]

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        """The events of the named streams."""
        wanted = set(names)
        return (event for event in self._events[:upto] if event.stream in wanted)

    def stream_names(self, prefix: str) -> list[str]:
        """The names of all streams with the prefix."""
        return sorted({e.stream for e in self._events if e.stream.startswith(prefix)})

    def mentioning(self, text: str) -> Iterator[StoredEvent]:
        """The events whose payload holds the text."""
        return (event for event in list(self._events) if text in event.payload)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        """The commits after an id."""
        yield from self._commits[after:]

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        """The commit appended under the key."""
        return next((c for c in self._commits if c.idempotency_key == idempotency_key), None)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        """Digest to document."""
        if digests is None:
            return dict(self._personal)
        return {d: self._personal[d] for d in digests if d in self._personal}

    def missing_triggers(self) -> list[str]:
        """Memory has none to miss."""
        return []

    def close(self) -> None:
        """Nothing to give back."""


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
