"""What is right in a journal: a commit in its place, an event of it, and the tree after it.

``event_fault`` is the specification of a right event. ``BulkEvents`` is its fast variant for a page
of them: it calculates hashes and ids of a page at once, and reads the payloads a large ledger is
full of by structs (``events.fast``). It accepts no page in which ``event_fault`` finds a fault.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Final, TypeAlias, cast

import msgspec
from pydantic import ConfigDict, TypeAdapter

from ledger.errors import VerificationFailed
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import DECODERS, FastEvent
from ledger.events.model import PlayerId, TournamentId
from ledger.events.players import PlayerErased, PlayerVersion
from ledger.journal.envelope import event_id, event_ids, event_leaf_hashes, peaks_text
from ledger.journal.merkle import CompactRange
from ledger.journal.records import (
    Commit,
    EventColumns,
    StoredEvent,
    StoredRow,
    columns_of,
    fields_between,
    rows_of,
)
from ledger.wording import Message

UNEXPECTED_VALUES: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
"""What values of any type lead to, in a table that was made anew or hashed by others."""

_CONFIG: Final = ConfigDict(strict=True, regex_engine="rust-regex")
_PLAYERS: Final = TypeAdapter(list[PlayerId], config=_CONFIG)
_TOURNAMENTS: Final = TypeAdapter(list[TournamentId], config=_CONFIG)
_encode_lines = msgspec.json.Encoder().encode_lines

# Type, version, result, ruling.
_Outcome: TypeAlias = tuple[str, int, str | None, str | None]

IdentityReference: TypeAlias = tuple[int, int, str]
"""The seq and the commit of an event that refers to a personal document, and the player's id."""


@dataclass(slots=True)
class Seen:
    """What right events have said so far.

    Attributes:
        identities: digests of personal documents, each with its first reference.
        days: effective dates that are dates as they are stored.
        erasures: the ids of the players who were erased.
    """

    identities: dict[str, IdentityReference] = field(default_factory=dict)
    days: set[str] = field(default_factory=set)
    erasures: set[str] = field(default_factory=set)

    def erased(self) -> set[str]:
        """Return the digests of all documents of erased players, whatever the erasure named."""
        return {digest for digest, player in self.players().items() if player in self.erasures}

    def players(self) -> dict[str, str]:
        """Returns digest of a personal document to the id of the player whom it is about."""
        return {digest: player for digest, (_, _, player) in self.identities.items()}

    def add(self, later: Seen) -> None:
        """Adds what later events have said."""
        for digest, reference in later.identities.items():
            self.identities.setdefault(digest, reference)
        self.days |= later.days
        self.erasures |= later.erasures


def place_fault(commit: Commit, commits: int, seq: int) -> Message | None:
    """Returns why a commit does not continue the one with an id, whose last event has a seq."""
    expected, first = commits + 1, seq + 1
    if commit.commit_id != expected:
        return Message.of("verify.commit_missing", expected=expected, found=commit.commit_id)
    if commit.first_seq != first or commit.last_seq < first:
        said = f"{commit.first_seq}-{commit.last_seq}"
        return Message.of("verify.commit_range", commit=expected, range=said, expected=first)
    return None


def tree_fault(commit: Commit, tree: CompactRange) -> Message | None:
    """Returns why the tree over all events up to a commit's last is not the one that it names."""
    if (commit.peaks, commit.root) == (peaks_text(tree), tree.root().hex()):
        return None
    first, last = commit.first_seq, commit.last_seq
    return Message.of("verify.root", commit=commit.commit_id, first=first, last=last)


def missing_events(commit: Commit, first: int, last: int) -> Message:
    """Returns the fault that events of a commit are not there."""
    return Message.of("verify.seq_missing", expected=first, last=last, commit=commit.commit_id)


def column_fault(seq: int, column: str) -> Message:
    """Returns the fault that an event has another value in a column than it can have."""
    return Message.of("verify.column", seq=seq, column=column)


def event_fault(event: StoredEvent, leaf: bytes, commit: Commit, seen: Seen) -> Message | None:
    """Returns what is wrong with an event.

    ``leaf`` is the hash of its envelope, as it comes to. ``seen`` learns the event's day, and the
    identities that it refers to.

    Raises:
        UNEXPECTED_VALUES: a column holds something of another type.
    """
    seq = event.seq
    if event.commit_id != commit.commit_id:
        return column_fault(seq, "commit_id")
    if leaf.hex() != event.leaf_hash:
        return Message.of("verify.leaf", seq=seq, commit=commit.commit_id)
    if event.event_id != event_id(commit.idempotency_key, seq - commit.first_seq + 1):
        return column_fault(seq, "event_id")
    return _content_fault(event, seen)


def unreadable(seq: int, error: Message | str) -> Message:
    """Returns the fault that an event cannot be read."""
    return Message.of("verify.unreadable", seq=seq, why=error)


def _content_fault(event: StoredEvent, seen: Seen) -> Message | None:
    """Checks that the payload is the canonical text of an event of that stream and day.

    Raises ``DatabaseError`` for one of newer software, of which this one can say nothing.
    """
    try:
        written = CATALOGUE.as_written(event.type, event.version, event.payload)
    except VerificationFailed as error:
        return unreadable(event.seq, error.message)
    if event.payload != written.canonical():
        return column_fault(event.seq, "payload")
    read = CATALOGUE.upcast(written)
    if event.stream != read.stream:
        return column_fault(event.seq, "stream")
    if event.effective_on not in seen.days:
        if not _is_day(event.effective_on):
            return column_fault(event.seq, "effective_on")
        seen.days.add(event.effective_on)
    if isinstance(read, PlayerVersion):
        seen.identities.setdefault(read.identity, (event.seq, event.commit_id, read.player))
    if isinstance(read, PlayerErased):
        seen.erasures.add(read.player)
    return None


def _is_day(text: str) -> bool:
    """Whether the text is a date as it is stored."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class BulkEvents:
    """``event_fault`` for pages of events.

    Args:
        seen: learns days and identities.
        hashes_only: whether of payloads that structs could read the hashes are enough.
    """

    def __init__(self, seen: Seen, *, hashes_only: bool = False) -> None:
        self._seen = seen
        self._hashes_only = hashes_only
        self._players: set[str | None] = {None}
        self._tournaments: set[str] = set()
        self._outcomes: set[_Outcome] = set()

    def read(
        self, commit: Commit, header: str, after: int, rows: Sequence[StoredRow]
    ) -> tuple[list[bytes], Sequence[FastEvent]] | None:
        """Returns the leaf hashes of a page, and those events that are read by structs, in order.

        None where not all of it is known to be right.

        Args:
            commit: whose events these are.
            header: its ``header_digest``.
            after: the seq before the first event.
            rows: at least one.

        Raises:
            UNEXPECTED_VALUES, msgspec.DecodeError: not all of it is right.
        """
        columns = columns_of(rows)
        leaves = _hashed(commit, header, after, columns)
        fast = None if leaves is None else self.contents(columns)
        return None if leaves is None or fast is None else (leaves, fast)

    def contents(self, columns: EventColumns) -> Sequence[FastEvent] | None:
        """Returns the same events of a page whose places, ids and hashes are right.

        Raises:
            UNEXPECTED_VALUES, msgspec.DecodeError: not all of it is right.
        """
        _, _, _, types, versions, days, _, _, _ = columns
        new_days = {*days} - self._seen.days
        if not all(map(_is_day, new_days)):
            return None
        self._seen.days |= new_days
        if not {*zip(types, versions, strict=True)} <= DECODERS.keys():
            is_fast = [key in DECODERS for key in zip(types, versions, strict=True)]
            others = (at for at, fast in enumerate(is_fast) if not fast)
            if not all(self._is_right(columns, at) for at in others):
                return None
            columns = cast(EventColumns, tuple([*compress(each, is_fast)] for each in columns))
        return () if self._hashes_only or not columns[0] else self._structs(columns)

    def _is_right(self, columns: EventColumns, at: int) -> bool:
        """Whether ``_content_fault`` finds nothing in an event of a page."""
        (row,) = rows_of(fields_between(columns, at, at + 1))
        return _content_fault(StoredEvent(*row), self._seen) is None

    def _structs(self, columns: EventColumns) -> Sequence[FastEvent] | None:
        """Returns events as structs; what these leave open is looked at once by their model."""
        _, _, _, types, versions, _, streams, payloads, _ = columns
        decoders = map(DECODERS.__getitem__, zip(types, versions, strict=True))
        read = [decode(payload) for decode, payload in zip(decoders, payloads, strict=True)]
        # As many lines as payloads: none of these has an end of line in it.
        if _encode_lines(read) != "\n".join((*payloads, "")).encode():
            return None
        tournaments = [each.tournament for each in read]
        its_streams = {*zip(streams, tournaments, strict=True)}
        if any(stream != f"tournament:{tournament}" for stream, tournament in its_streams):
            return None
        players = {each.white for each in read} | {each.black for each in read}
        self._check_ids(players - self._players, set(tournaments) - self._tournaments)
        results, rulings = [each.result for each in read], [each.ruling for each in read]
        outcomes = [*zip(types, versions, results, rulings, strict=True)]
        new = {*outcomes} - self._outcomes
        self._outcomes |= new
        return read if all(self._is_right(columns, outcomes.index(how)) for how in new) else None

    def _check_ids(self, players: set[str | None], tournaments: set[str]) -> None:
        """Raises an error when an id is none that an event can have."""
        _PLAYERS.validate_python([*players])
        _TOURNAMENTS.validate_python([*tournaments])
        self._players |= players
        self._tournaments |= tournaments


def _hashed(commit: Commit, header: str, after: int, columns: EventColumns) -> list[bytes] | None:
    """Returns the leaf hashes of a page, if places, ids and hashes are those of the commit."""
    seqs, ids, commits, types, versions, days, streams, payloads, stored = columns
    count, first = len(seqs), after + 1
    if seqs != tuple(range(first, first + count)) or commits.count(commit.commit_id) < count:
        return None
    if ids != tuple(event_ids(commit.idempotency_key, first - commit.first_seq + 1, count)):
        return None
    leaves = event_leaf_hashes(header, seqs, ids, types, versions, days, streams, payloads)
    return leaves if stored == tuple(map(bytes.hex, leaves)) else None
