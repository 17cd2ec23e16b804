"""What a leaf hash covers: the whole envelope of an event, its commit included.

Envelopes are canonical JSON (RFC 8785: sorted ASCII keys, integers and strings, absent instead of
null). The commit's own columns enter every leaf of it through the digest of its header, so that no
column of either table can be changed unseen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from json.encoder import encode_basestring as quoted

from ledger.errors import InputRefused
from ledger.identifiers import Seq
from ledger.journal.batch import batch_of, progress_of
from ledger.journal.hashed_events import ID_DIGITS, HashedEvents
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, Draft, Head, StoredEvent

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


def not_before(moment: dt.datetime, last: str) -> dt.datetime:
    """Returns the instant, or that of the last commit where it is later: a clock may be set back.

    Args:
        moment: what the clock says, with a time zone.
        last: the last commit's ``recorded_at``, "" where there is none; one that is no instant
            (``verify`` tells) holds nothing back.
    """
    try:
        return max(moment, dt.datetime.fromisoformat(last))
    except (ValueError, TypeError):  # the latter for one without a time zone
        return moment


def event_id(idempotency_key: str, position: int) -> str:
    """Returns the id of the event at a position (from 1) of the commit with the key."""
    return sha256(f"{idempotency_key}\n{position}".encode()).hexdigest()[:ID_DIGITS]


def event_ids(idempotency_key: str, first: int, count: int) -> list[str]:
    """Returns the ids of the events at some positions, one after the other."""
    beginning, ids = sha256(f"{idempotency_key}\n".encode()), []
    for position in range(first, first + count):
        hash_ = beginning.copy()
        hash_.update(b"%d" % position)
        ids.append(hash_.hexdigest()[:ID_DIGITS])
    return ids


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
    return (
        f'{{"commit":"{commit_header}","effective_on":{quoted(event.effective_on)},'
        f'"event_id":{quoted(event.event_id)},"payload":{quoted(event.payload)},"seq":{event.seq},'
        f'"stream":{quoted(event.stream)},"type":{quoted(event.type)},"version":{event.version}}}'
    ).encode()


def event_leaf_hashes(
    commit_header: str,
    seqs: Iterable[int],
    event_ids: Iterable[str],
    types: Iterable[str],
    versions: Iterable[int],
    days: Iterable[str],
    streams: Iterable[str],
    payloads: Iterable[str],
) -> list[bytes]:
    """Returns the hashes of many envelopes of a commit; the ids are hexadecimal.

    A general JSON encoder takes three times as long to write them.
    """
    known, begun = _Quoted(), f'\0{{"commit":"{commit_header}","effective_on":'
    columns = zip(seqs, event_ids, types, versions, days, streams, payloads, strict=True)
    return [
        sha256(
            f'{begun}{known[day]},"event_id":"{id_}","payload":{quoted(payload)},"seq":{seq},'
            f'"stream":{known[stream]},"type":{known[type_]},"version":{version}}}'.encode()
        ).digest()
        for seq, id_, type_, version, day, stream, payload in columns
    ]


class _Quoted(dict[str, str]):
    """Texts to the texts in quotes: there are few days, streams and types on a page."""

    def __missing__(self, text: str) -> str:
        self[text] = in_quotes = quoted(text)
        return in_quotes


def seal(
    draft: Draft, head: Head, peaks: str, recorded_at: dt.datetime
) -> tuple[Commit, HashedEvents]:
    """Builds the commit and its events, hashed; the draft's ``hashed`` is told of these, too.

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
        first_seq=Seq(head.seq + 1),
        last_seq=Seq(head.seq + len(draft.events)),
        peaks="",
        root="",
    )
    tree = CompactRange(head.seq, peaks_of(peaks))
    events = _hashed(draft, bare, tree)
    draft.hashed(events)
    return replace(bare, peaks=peaks_text(tree), root=tree.root().hex()), events


def _hashed(draft: Draft, commit: Commit, tree: CompactRange) -> HashedEvents:
    """Hashes the events into the tree and returns them."""
    digest, tell, total = header_digest(commit), progress_of(draft.events), len(draft.events)
    hashed = HashedEvents(commit.commit_id, digest, tree.copy(), batch_of(draft.events))
    for page in hashed.unhashed():
        types, versions, days, streams, payloads = zip(*page, strict=True)
        seqs = range(tree.size + 1, tree.size + 1 + len(page))
        ids = event_ids(draft.idempotency_key, seqs[0] - commit.first_seq + 1, len(seqs))
        leaves = event_leaf_hashes(digest, seqs, ids, types, versions, days, streams, payloads)
        tree.extend(leaves)
        hashed.add(ids, leaves, tree)
        tell("hash", tree.size - commit.first_seq + 1, total)
    return hashed


def _check_texts(draft: Draft) -> None:
    """Refuses what is no Unicode text, or holds the one character PostgreSQL cannot store."""
    for text in (draft.actor, draft.reason, draft.idempotency_key, draft.source_name or ""):
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise InputRefused("database.text", text=ascii(text))
    for person in draft.personal:
        assert sha256(person.document.encode()).hexdigest() == person.digest


def peaks_of(text: str) -> list[bytes]:
    """Reads stored peaks."""
    return [bytes.fromhex(peak) for peak in text.split()]


def peaks_text(tree: CompactRange) -> str:
    """Writes the peaks of a tree as they are stored."""
    return " ".join(peak.hex() for peak in tree.peaks)
