"""What goes into a journal and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias, cast

from ledger.errors import VerificationFailed
from ledger.events.model import Dated
from ledger.identifiers import Seq

Progress: TypeAlias = Callable[[str, int, int], None]


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Tells nobody how far a long work has come."""


@dataclass(frozen=True, slots=True)
class PersonalDocument:
    """An identity document (see ``ledger.events.personal``): erasable, bound by its digest."""

    digest: str
    player: str
    document: str


@dataclass(frozen=True, slots=True)
class CommitSignature:
    """That an account signed a commit: with which public key, and the signature, in base64.

    It stands beside the commit, which is what it is without; see ``ledger.journal.signatures``.
    """

    commit_id: int
    account: str
    key: str
    signature: str


SignCommit: TypeAlias = "Callable[[Commit], tuple[CommitSignature, ...]]"
"""Signs a commit as it will be stored."""


def unsigned(_: Commit) -> tuple[CommitSignature, ...]:
    """Signs nothing."""
    return ()


TakeHashed: TypeAlias = Callable[[Any], None]
"""Takes the ``HashedEvents`` of a draft, whose module stands above this one."""


def not_kept(_: Any) -> None:
    """Keeps nothing of what was hashed."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What one command wants to append, all of it or nothing.

    ``idempotency_key`` names the command, ``body_sha256`` is the digest of what it asked for: the
    same key again with the same body is answered with the first commit, with another body it is a
    conflict. ``source_sha256`` is the hexadecimal digest of the source document's bytes.
    ``events`` may be a ``Batch``, which need not be in memory. ``sign`` signs the commit that it
    becomes, again for each head at which that is tried; ``hashed`` is then told of its events.
    """

    events: Sequence[Dated]
    personal: tuple[PersonalDocument, ...]
    actor: str
    reason: str
    idempotency_key: str
    body_sha256: str
    source_name: str | None = None
    source_sha256: str | None = None
    sign: SignCommit = unsigned
    hashed: TakeHashed = not_kept


# Not frozen: that would take five times as long to make, and millions are made.
@dataclass(slots=True)
class StoredEvent:
    """An event as it is stored; ``payload`` is the canonical text, ``leaf_hash`` hexadecimal."""

    seq: Seq
    event_id: str
    commit_id: int
    type: str
    version: int
    effective_on: str
    stream: str
    payload: str
    leaf_hash: str


StoredRow: TypeAlias = tuple[Seq, str, int, str, int, str, str, str, str]
"""The fields of a ``StoredEvent`` in their order, as a database gives them."""

EventColumns: TypeAlias = tuple[
    Sequence[Seq], Sequence[str], Sequence[int], Sequence[str], Sequence[int],
    Sequence[str], Sequence[str], Sequence[str], Sequence[str],
]  # fmt: skip
"""The same of some events that follow each other, field by field."""


def columns_of(rows: Sequence[StoredRow]) -> EventColumns:
    """Returns some rows, at least one, by their fields."""
    return cast(EventColumns, tuple(zip(*rows, strict=True)))


def fields_between(columns: EventColumns, start: int, end: int) -> EventColumns:
    """Returns the fields of some of the events, by their places."""
    return cast(EventColumns, tuple(column[start:end] for column in columns))


def rows_of(columns: EventColumns) -> list[StoredRow]:
    """Returns the rows whose fields are given."""
    return list(zip(*columns, strict=True))


@dataclass(frozen=True, slots=True)
class Commit:
    """One transaction: who, why, when it was recorded, from which document, and the tree after it.

    ``recorded_at`` is UTC in ISO form with microseconds and ``Z``. ``peaks`` are the hashes of the
    perfect subtrees that make up the tree after the commit, largest first (hexadecimal, separated
    by blanks): enough to append without reading any leaf. ``root`` is the hash of the whole tree.
    """

    commit_id: int
    recorded_at: str
    actor: str
    reason: str
    source_name: str | None
    source_sha256: str | None
    idempotency_key: str
    body_sha256: str
    first_seq: Seq
    last_seq: Seq
    peaks: str
    root: str


@dataclass(frozen=True, slots=True)
class SegmentHeading:
    """What is small of a range of events packed into columns; disposable.

    See ``ledger.facts.segment``. ``root`` is that of the tree over the first ``sealed_at`` events,
    the range among them: it says of which ledger, and of which history, the segment is. ``sha256``
    is the digest of ``heading``, which has that of the rows.
    """

    first_seq: int
    last_seq: int
    sealed_at: int
    root: str
    sha256: str
    heading: bytes


@dataclass(frozen=True, slots=True)
class SealedSegment(SegmentHeading):
    """All of a segment."""

    rows: bytes


@dataclass(frozen=True, slots=True)
class SnapshotName:
    """Of what a snapshot is: where everybody stood after a period of a list; disposable.

    ``period`` is its index, ``basis`` the seq up to which events were known, ``key`` names the
    rules and the code.
    """

    list: str
    period: int
    basis: int
    key: str


@dataclass(frozen=True, slots=True)
class SnapshotHeading(SnapshotName):
    """A snapshot without its data; ``root`` is that of the tree at the basis."""

    root: str
    sha256: str

    @property
    def name(self) -> SnapshotName:
        """Of what it is."""
        return SnapshotName(self.list, self.period, self.basis, self.key)


@dataclass(frozen=True, slots=True)
class KeptSnapshot(SnapshotHeading):
    """All of a snapshot."""

    data: bytes

    @property
    def heading(self) -> SnapshotHeading:
        """The same without the data."""
        return SnapshotHeading(self.list, self.period, self.basis, self.key, self.root, self.sha256)


@dataclass(frozen=True, slots=True)
class Head:
    """Where the journal ends: 0, 0 and the hash of the empty tree for an empty one."""

    commit_id: int
    seq: Seq
    root: str


class SignaturesInTurn:
    """Signatures by commit, for who goes through the commits once."""

    def __init__(self, signatures: Iterable[CommitSignature]) -> None:
        self._groups = groupby(signatures, key=attrgetter("commit_id"))
        self._next = self._taken()

    def _taken(self) -> tuple[int, list[CommitSignature]] | None:
        for number, its in self._groups:
            return number, list(its)
        return None

    def of(self, commit_id: int) -> list[CommitSignature]:
        """Returns those of the next commit.

        Raises:
            VerificationFailed: there are some of a commit that is not there.
        """
        if self._next is None or self._next[0] > commit_id:
            return []
        number, its = self._next
        if number < commit_id:
            raise VerificationFailed("signing.stray_commit", commit=number)
        self._next = self._taken()
        return its

    def end(self) -> None:
        """Raises ``VerificationFailed`` where there are more than commits."""
        if self._next is not None:
            raise VerificationFailed("signing.stray_commit", commit=self._next[0])
