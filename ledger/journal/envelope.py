"""What a leaf hash covers: the whole envelope of an event, its commit included.

Envelopes are canonical JSON (RFC 8785: sorted ASCII keys, integers and strings, absent instead of
null). The commit's own columns enter every leaf of it through the digest of its header, so that no
column of either table can be changed unseen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from json.encoder import encode_basestring as quoted

from ledger.errors import InputRefused
from ledger.journal.entries import Commit, Draft, Head, StoredEvent
from ledger.journal.merkle import CompactRange, leaf_hash

_EVENT_ID_DIGITS = 32
_HEADER = (
    "actor",
    "body_sha256",
    "commit_id",
    "first_seq",
    "idempotency_key",
    "last_seq",
    "reason",
    "recorded_at",
    "source_name",
    "source_sha256",
)


def instant(moment: dt.datetime) -> str:
    """Writes an instant as it is stored: UTC, microseconds, ``Z``."""
    assert moment.tzinfo is not None, "an instant without a time zone is not an instant"
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def event_id(idempotency_key: str, position: int) -> str:
    """Returns the id of the event at a position (from 1) of the commit with the key."""
    return sha256(f"{idempotency_key}\n{position}".encode()).hexdigest()[:_EVENT_ID_DIGITS]


def header(commit: Commit) -> bytes:
    """Returns the canonical text of what a commit says of itself, without the tree after it."""
    fields = ((name, getattr(commit, name)) for name in _HEADER)
    return f"{{{','.join(_field(*field) for field in fields if field[1] is not None)}}}".encode()


def _field(name: str, value: str | int) -> str:
    return f'"{name}":{quoted(value) if isinstance(value, str) else value}'


def header_digest(commit: Commit) -> str:
    """Returns the SHA-256 of a commit's header, in hexadecimal."""
    return sha256(header(commit)).hexdigest()


def envelope(event: StoredEvent, commit_header: str) -> bytes:
    """Returns the bytes of a leaf: the event's columns and the digest of its commit's header."""
    # Written out, because a general JSON encoder takes three times as long.
    return (
        f'{{"commit":"{commit_header}","effective_on":{quoted(event.effective_on)},'
        f'"event_id":{quoted(event.event_id)},"payload":{quoted(event.payload)},'
        f'"seq":{event.seq},"stream":{quoted(event.stream)},"type":{quoted(event.type)},'
        f'"version":{event.version}}}'
    ).encode()


def sealed(
    draft: Draft, head: Head, peaks: str, recorded_at: dt.datetime
) -> tuple[Commit, list[StoredEvent]]:
    """Builds the commit and the events of a draft as they will be stored after the head.

    Everything is hashed here, so that the writer's lock is held for the writing only.

    Args:
        draft: what to append; at least one event.
        head: the position it follows.
        peaks: those of the head's commit, "" for an empty journal.
        recorded_at: the instant, with a time zone.

    Raises:
        InputRefused: a text of the draft cannot be stored in every database.
    """
    assert draft.events, "a commit without events would leave no trace in the tree"
    _check_texts(draft)
    bare = Commit(
        commit_id=head.commit_id + 1,
        recorded_at=instant(recorded_at),
        actor=draft.actor,
        reason=draft.reason,
        source_name=draft.source_name,
        source_sha256=draft.source_sha256,
        idempotency_key=draft.idempotency_key,
        body_sha256=draft.body_sha256,
        first_seq=head.seq + 1,
        last_seq=head.seq + len(draft.events),
        peaks="",
        root="",
    )
    tree = CompactRange(head.seq, peaks_of(peaks))
    events = _events(draft, bare, tree)
    return replace(bare, peaks=peaks_text(tree), root=tree.root().hex()), events


def _events(draft: Draft, commit: Commit, tree: CompactRange) -> list[StoredEvent]:
    digest = header_digest(commit)
    events = []
    for position, dated in enumerate(draft.events, start=1):
        event = StoredEvent(
            seq=commit.first_seq + position - 1,
            event_id=event_id(draft.idempotency_key, position),
            commit_id=commit.commit_id,
            type=dated.event.TYPE,
            version=dated.event.VERSION,
            effective_on=dated.effective_on.isoformat(),
            stream=dated.event.stream,
            payload=dated.event.canonical(),
            leaf_hash="",
        )
        leaf = leaf_hash(envelope(event, digest))
        tree.append(leaf)
        # Nobody has seen the value yet, and a second one would cost a microsecond an event.
        object.__setattr__(event, "leaf_hash", leaf.hex())
        events.append(event)
    return events


def _check_texts(draft: Draft) -> None:
    """Refuses what is no Unicode text, or holds the one character PostgreSQL cannot store."""
    for text in (draft.actor, draft.reason, draft.idempotency_key, draft.source_name or ""):
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise InputRefused("database.text", text=ascii(text))
    for person in draft.personal:
        assert sha256(person.document.encode()).hexdigest() == person.digest


def peaks_of(text: str) -> Sequence[bytes]:
    """Reads stored peaks."""
    return [bytes.fromhex(peak) for peak in text.split()]


def peaks_text(tree: CompactRange) -> str:
    """Writes the peaks of a tree as they are stored."""
    return " ".join(peak.hex() for peak in tree.peaks)
