"""The journal as its users see it: the interface that every store implements."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import starmap, takewhile
from typing import Protocol

from ledger.journal.records import (
    Commit,
    CommitSignature,
    Draft,
    EventColumns,
    Head,
    KeptSnapshot,
    PersonalDocument,
    SealedSegment,
    SegmentHeading,
    SnapshotHeading,
    StoredEvent,
    StoredRow,
    rows_of,
)
from ledger.journal.verify.walk import Walk
from ledger.wording import Message

MOST_SNAPSHOTS = 48
"""How many snapshots of a list are kept beside the events."""


class HeadMoved(Exception):
    """Somebody else appended since the head was read: draft at the new one and retry."""


class Journal(Protocol):
    """A store of commits and events. Reading never waits for a writer.

    What is answered here holds for stores that keep nothing beside the events and have nothing of
    their own that could be damaged.
    """

    @property
    def lacks_people(self) -> bool:
        """Whether the identity documents were left out on purpose."""
        return False

    def head(self) -> Head:
        """Returns the position after the last commit."""

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        """Appends all events of the draft as one commit and returns it, durably stored.

        The identity documents that they erase are gone with it; what is left of them where the
        store keeps its bytes, ``scrub`` destroys.

        The same idempotency key with the same body returns the earlier commit and adds nothing.
        Recorded instants never go back: the commit bears that of the last one, if it is later.

        Raises:
            HeadMoved: the journal's last seq is not ``expected_seq`` any more.
            Conflict: the idempotency key was used with another body.
            DatabaseError: it cannot be written; nothing was.
        """

    def append_in_turn(
        self, draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
    ) -> Commit:
        """Appends what is drafted at the head while nobody else can append, as ``append`` does.

        Other writers wait until it is drafted, hashed and stored; readers do not.

        Args:
            draft_at: returns the draft at the head that it is given. It may read the journal. What
                it raises ends the turn, and nothing is appended.
            recorded_at: returns the instant, and is called when the draft is there.

        Raises:
            Conflict: the idempotency key was used with another body.
            DatabaseError: others did not let it in time, or it cannot be written; nothing was.
        """

    def check_may_record(self, *, erasing: bool) -> None:
        """Raises ``DatabaseError`` where this user may not append, or may not erase anybody.

        Nothing else is looked at: what is appended may be refused for another reason.
        """
        del erasing  # where no users are told apart, nobody may do less

    def restore(
        self,
        history: Walk,
        personal: Iterable[PersonalDocument],
        signatures: Iterable[CommitSignature] = (),
    ) -> None:
        """Stores a whole journal as it was made elsewhere, in bounded memory, all of it or nothing.

        The commits are read first, each followed by its signatures, then the personal documents.

        Raises:
            HeadMoved: the journal is not empty.
            VerificationFailed: the history is not what its hashes say, or a signature is of a
                commit that is not there.
            DatabaseError: it cannot be written; nothing was.
        """

    def events(self, *, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        """Yields the events with ``after < seq <= upto`` in order, in bounded memory."""
        for page in self.pages(after=after, upto=upto):
            yield from starmap(StoredEvent, page)

    def pages(self, *, after: int = 0, upto: int | None = None) -> Iterator[Sequence[StoredRow]]:
        """Yields the same events as rows, some at a time."""

    def holds(self, columns: EventColumns) -> bool:
        """Whether events that follow each other, at least one, are stored as they are given."""
        seqs = columns[0]
        pages = self.pages(after=seqs[0] - 1, upto=seqs[-1])
        return [row for page in pages for row in page] == rows_of(columns)

    def rows_at(self, seqs: Collection[int]) -> list[StoredRow]:
        """Returns those of the events with some seqs that are stored, as rows in order of seq."""
        wanted = set(seqs)
        if not wanted:
            return []
        pages = self.pages(after=min(wanted) - 1, upto=max(wanted))
        return [row for page in pages for row in page if row[0] in wanted]

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        """Yields the events of the named streams, in order of seq."""

    def stream_names(self, prefix: str) -> list[str]:
        """Returns the names of all streams with the prefix, sorted; ``tournament:``."""

    def recorded(self, streams: Collection[str]) -> set[str]:
        """Returns those of the streams that have events."""

    def mentioning(self, text: str, streams: Collection[str]) -> Iterator[StoredEvent]:
        """Yields, in order, the events of the streams whose payload holds the text."""
        return (event for event in self.streams(streams) if text in event.payload)

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        """Yields the commits with ``commit_id > after`` in order."""

    def commits_at(self, numbers: Collection[int]) -> list[Commit]:
        """Returns those of the commits with some ids that are stored, in order."""
        wanted = set(numbers)
        if not wanted:
            return []
        found = takewhile(
            lambda commit: commit.commit_id <= max(wanted), self.commits(after=min(wanted) - 1)
        )
        return [commit for commit in found if commit.commit_id in wanted]

    def signatures(self, *, after: int | None = None) -> Iterator[CommitSignature]:
        """Yields the signatures of commits with ``commit_id > after``, by commit and account.

        By default all that are stored, be there such a commit or not.
        """

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        """Returns the commit appended under the key, if any."""

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        """Returns digest to document; of all that are stored, or of those asked for.

        Raises:
            VerificationFailed: a document is not the one that its digest names.
        """

    def personal(self) -> Iterator[PersonalDocument]:
        """Yields all personal documents that are stored, in no order."""

    def personal_count(self) -> int:
        """Returns how many personal documents are stored."""
        return sum(1 for _ in self.personal())

    def count_of(self, types: Collection[str], *, after: int = 0, upto: int | None = None) -> int:
        """Returns how many events of some types there are after a seq, up to another."""
        return sum(event.type in types for event in self.events(after=after, upto=upto))

    def type_counts(self, *, after: int = 0, upto: int | None = None) -> dict[str, int]:
        """Returns how many events there are of each type after a seq, up to another.

        Of types the one comes first that was recorded first.
        """
        return dict(Counter(event.type for event in self.events(after=after, upto=upto)))

    def is_scrubbed(self) -> bool:
        """Whether nothing is left of erased documents in the store's own files, as far as known."""
        return True

    def scrub(self) -> Sequence[Message]:
        """Destroys what is left of erased documents in the store's own files.

        It takes time and room as copying the ledger does, and may be done again.

        Returns:
            What it could not do or does not reach: sentences for who asked for the erasure.

        Raises:
            DatabaseError: the store cannot be written, or others did not let it in time.
        """
        return ()

    def root_at(self, seq: int) -> str | None:
        """Returns the root of the tree after the commit that ends with the seq, if one does."""
        commit = self.commit_by(seq)
        return commit.root if commit and commit.last_seq == seq else None

    def commit_by(self, seq: int) -> Commit | None:
        """Returns the last commit that had ended by a seq: its last event has no greater one."""

    def last_event(self) -> int:
        """Returns the greatest seq of an event that is stored; 0, where there is none."""
        return self.head().seq

    def segments(self) -> Iterator[SealedSegment]:
        """Yields the sealed segments that are kept, by first seq."""

    def segment_headings(self) -> Iterator[SegmentHeading]:
        """Yields the same without their rows."""

    def seals(self) -> Sequence[tuple[int, str]]:
        """Returns the last seq of each segment, and the digest of its heading, by first seq."""
        return [(each.last_seq, each.sha256) for each in self.segment_headings()]

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        """Returns the rows of the segment with this first seq and digest of its heading, if any."""

    def keep_segment(self, segment: SealedSegment) -> bool:
        """Keeps a segment beside the events, if that can be done at once; whether it was done.

        It never waits for a writer, and a ledger that cannot be written to goes without. Shorter
        ones that it holds all of give way; to one that reaches further it gives way itself.
        """
        return False

    def drop_segments(self, first_seq: int = 1) -> bool:
        """Throws the segments from a seq on away, if that can be done at once; whether it was."""
        return False

    def snapshots(self, list_: str | None = None) -> Sequence[SnapshotHeading]:
        """Returns the snapshots that are kept, of a list or of all, without their data."""
        return ()

    def snapshot_data(self, heading: SnapshotHeading) -> bytes | None:
        """Returns the data of a snapshot; None, if it is not kept any more."""
        return None

    def keep_snapshots(self, snapshots: Sequence[KeptSnapshot]) -> bool:
        """Keeps snapshots beside the events, if that can be done at once; whether it was done.

        Of a list the newest ``MOST_SNAPSHOTS`` stay.
        """
        return False

    def drop_snapshots(self) -> bool:
        """Throws all snapshots away, if that can be done at once; whether it was done."""
        return False

    def elsewhere(self) -> str | None:
        """Returns the URL that opens the same journal in another process; None where none does."""
        return None

    def reopened(self) -> bool:
        """Opens the store again, where it was read without seeing writers; whether it changed.

        Then what was read before may have been torn, and is to be read again.
        """
        return False

    def has_room(self) -> bool:
        """Whether a commit may be appended, as far as the store sees the disk that takes it."""
        return True

    def missing_triggers(self) -> list[str]:
        """Returns the names of the triggers that should keep the journal and do not."""
        return []

    def foreign_objects(self) -> list[str]:
        """Returns what stands in the database and is not the ledger's; ``trigger x on events``."""
        return []

    def damage(self) -> list[Message]:
        """Returns what the store finds wrong with itself: its indexes, its pages, lost tables.

        It reads the whole database once. At most 100 damages are told.
        """
        return []

    def close(self) -> None:
        """Gives back connections and locks."""
        return
