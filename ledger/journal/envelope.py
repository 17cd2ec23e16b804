"""What a leaf hash covers: the whole envelope of an event, its commit included.

Envelopes are canonical JSON (RFC 8785: sorted ASCII keys, integers and strings, absent instead of
null). The commit's own columns enter every leaf of it through the digest of its header, so that no
column of either table can be changed unseen.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from ledger.journal.entries import Commit, Draft, Head, StoredEvent
from ledger.journal.merkle import CompactRange, leaf_hash

_EVENT_ID_DIGITS = 32


def instant(moment: dt.datetime) -> str:
    """Writes an instant as it is stored: UTC, microseconds, ``Z``."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def event_id(idempotency_key: str, position: int) -> str:
    """Returns the id of the event at a position (from 1) of the commit with the key."""
    text = f"{idempotency_key}\n{position}"
    return sha256(text.encode()).hexdigest()[:_EVENT_ID_DIGITS]


def header_digest(commit: Commit) -> str:
    """Returns the digest of what a commit says of itself; the tree after it is not part of it."""
    header: dict[str, str | int | None] = {
        "actor": commit.actor,
        "body_sha256": commit.body_sha256,
        "commit_id": commit.commit_id,
        "first_seq": commit.first_seq,
        "idempotency_key": commit.idempotency_key,
        "last_seq": commit.last_seq,
        "reason": commit.reason,
        "recorded_at": commit.recorded_at,
        "source_name": commit.source_name,
        "source_sha256": commit.source_sha256,
    }
    return sha256(_canonical({k: v for k, v in header.items() if v is not None})).hexdigest()


def envelope(event: StoredEvent, commit_header: str) -> bytes:
    """Returns the bytes of a leaf: the event's columns and the digest of its commit's header."""
    return _canonical(
        {
            "commit": commit_header,
            "effective_on": event.effective_on,
            "event_id": event.event_id,
            "payload": event.payload,
            "seq": event.seq,
            "stream": event.stream,
            "type": event.type,
            "version": event.version,
        }
    )


def _canonical(value: Mapping[str, str | int | None]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def sealed(
    draft: Draft, head: Head, peaks: str, recorded_at: dt.datetime
) -> tuple[Commit, list[StoredEvent]]:
    """Builds the commit and the events of a draft as they will be stored after the head.

    ``peaks`` are those of the head's commit ("" for an empty journal). Everything is hashed here,
    so that the writer's lock is held for the writing only.
    """
    first = head.seq + 1
    header = Commit(
        commit_id=head.commit_id + 1,
        recorded_at=instant(recorded_at),
        actor=draft.actor,
        reason=draft.reason,
        source_name=draft.source_name,
        source_sha256=draft.source_sha256,
        idempotency_key=draft.idempotency_key,
        body_sha256=draft.body_sha256,
        first_seq=first,
        last_seq=head.seq + len(draft.events),
        peaks="",
        root="",
    )
    digest = header_digest(header)
    tree = CompactRange(head.seq, peaks_of(peaks))
    events = []
    for position, dated in enumerate(draft.events, start=1):
        bare = StoredEvent(
            seq=head.seq + position,
            event_id=event_id(draft.idempotency_key, position),
            commit_id=header.commit_id,
            type=dated.event.TYPE,
            version=dated.event.VERSION,
            effective_on=dated.effective_on.isoformat(),
            stream=dated.event.stream,
            payload=dated.event.canonical(),
            leaf_hash="",
        )
        leaf = leaf_hash(envelope(bare, digest))
        tree.append(leaf)
        events.append(with_leaf(bare, leaf))
    return with_tree(header, tree), events


def peaks_of(text: str) -> Sequence[bytes]:
    """Reads stored peaks."""
    return [bytes.fromhex(peak) for peak in text.split()]


def with_leaf(event: StoredEvent, leaf: bytes) -> StoredEvent:
    """Returns the event with its leaf hash."""
    return StoredEvent(
        event.seq, event.event_id, event.commit_id, event.type, event.version,
        event.effective_on, event.stream, event.payload, leaf.hex(),
    )  # fmt: skip


def with_tree(commit: Commit, tree: CompactRange) -> Commit:
    """Returns the commit with the tree after it."""
    return Commit(
        commit.commit_id, commit.recorded_at, commit.actor, commit.reason, commit.source_name,
        commit.source_sha256, commit.idempotency_key, commit.body_sha256, commit.first_seq,
        commit.last_seq, " ".join(peak.hex() for peak in tree.peaks), tree.root().hex(),
    )  # fmt: skip
