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
from ledger.journal.batch import pages_of, progress_of
from ledger.journal.entries import Commit, Draft, Head, StoredEvent
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.shelf import Shelf

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
    return _written(
        commit_header,
        quoted(event.effective_on),
        quoted(event.event_id),
        quoted(event.payload),
        event.seq,
        quoted(event.stream),
        quoted(event.type),
        event.version,
    ).encode()


def _written(
    commit: str,
    effective_on: str,
    event_id: str,
    payload: str,
    seq: int,
    stream: str,
    type_: str,
    version: int,
) -> str:
    """Writes an envelope of texts in quotes: a general JSON encoder takes three times as long."""
    return (
        f'{{"commit":"{commit}","effective_on":{effective_on},"event_id":{event_id},'
        f'"payload":{payload},"seq":{seq},"stream":{stream},"type":{type_},"version":{version}}}'
    )


def sealed(
    draft: Draft, head: Head, peaks: str, recorded_at: dt.datetime
) -> tuple[Commit, list[StoredEvent]]:
    """Builds the commit and the events of a draft as they will be stored after the head.

    See ``seal``, which does not need them all in memory.
    """
    commit, shelf = seal(draft, head, peaks, recorded_at)
    return commit, [StoredEvent(*row) for row in shelf.rows()]


def seal(draft: Draft, head: Head, peaks: str, recorded_at: dt.datetime) -> tuple[Commit, Shelf]:
    """Builds the commit and the rows of its events, in the order of ``StoredEvent``'s fields.

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
    shelf = _rows(draft, bare, tree)
    return replace(bare, peaks=peaks_text(tree), root=tree.root().hex()), shelf


def _rows(draft: Draft, commit: Commit, tree: CompactRange) -> Shelf:
    """Hashes the events into the tree and returns their rows."""
    shelf = Shelf()
    digest = header_digest(commit)
    key, before, total = draft.idempotency_key, commit.first_seq - 1, len(draft.events)
    position, tell = 0, progress_of(draft.events)
    for page in pages_of(draft.events):
        rows = []
        for type_, version, effective_on, stream, payload in page:
            position += 1
            seq, id_ = before + position, event_id(key, position)
            leaf = leaf_hash(
                _written(
                    digest, quoted(effective_on), f'"{id_}"', quoted(payload), seq, quoted(stream),
                    f'"{type_}"', version,
                ).encode()
            )  # fmt: skip
            tree.append(leaf)
            rows.append(
                (seq, id_, commit.commit_id, type_, version, effective_on, stream, payload,
                 leaf.hex())
            )  # fmt: skip
        shelf.extend(rows)
        tell("hash", position, total)
    return shelf


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
