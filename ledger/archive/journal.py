"""An archive as a journal that can only be read: every question is answered from its files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields
from hashlib import sha256
from itertools import starmap, takewhile
from pathlib import Path
from typing import Any, NoReturn, cast

from ledger.archive.files import ArchiveTable
from ledger.archive.manifest import Manifest, read_manifest
from ledger.archive.parts import Parts
from ledger.errors import DatabaseError, VerificationFailed
from ledger.journal.records import (
    Commit,
    Draft,
    Head,
    Journal,
    PersonalDocument,
    SealedSegment,
    SegmentHeading,
    StoredEvent,
    StoredRow,
)
from ledger.journal.verify.walk import Walk


class ArchiveJournal(Journal):
    """The journal in an archive, without a database.

    Whatever is read is held against the digest of its file; that the hashes within are right,
    ``proof.prove`` finds out.

    Args:
        folder: where the archive is.

    Raises:
        DatabaseError: there is none, or newer software made it.
        VerificationFailed: the manifest was changed, a file is missing or of another size.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: Manifest = read_manifest(folder)
        self.parts = Parts(folder)

    @property
    def lacks_people(self) -> bool:
        """Whether the identity documents were left out on purpose; the manifest says it."""
        return self.manifest.personal is None

    def head(self) -> Head:
        said = self.manifest.head
        return Head(said.commit, said.seq, said.root)

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        self._refuse()

    def append_in_turn(
        self, draft_at: Callable[[Head], Draft], recorded_at: Callable[[], dt.datetime]
    ) -> Commit:
        self._refuse()

    def restore(self, history: Walk, personal: Iterable[PersonalDocument]) -> None:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise DatabaseError("archive.read_only", archive=self.folder)

    def pages(self, *, after: int = 0, upto: int | None = None) -> Iterator[list[StoredRow]]:
        last = self.manifest.head.seq if upto is None else upto
        for part in self.manifest.events:
            if part.last_seq <= after or part.first_seq > last:
                continue
            start = part.first_seq
            first = max(after + 1, start) - start
            pages = self.parts.pages(ArchiveTable.EVENTS, part, first=first, last=last - start)
            yield from cast(Iterator[list[StoredRow]], pages)

    def streams(self, names: Collection[str], *, upto: int | None = None) -> Iterator[StoredEvent]:
        if not names:
            return
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = pa.array(list(names), pa.string())
        last = self.manifest.head.seq if upto is None else upto
        for part in self.manifest.events:
            found = self.parts.found(
                ArchiveTable.EVENTS, part, "stream", lambda column: pc.is_in(column, wanted)
            )
            yield from takewhile(lambda event: event.seq <= last, found)

    def stream_names(self, prefix: str) -> list[str]:
        return sorted(
            {
                name
                for part in self.manifest.events
                for name in self.parts.distinct(ArchiveTable.EVENTS, part, "stream")
                if name.startswith(prefix)
            }
        )

    def recorded(self, streams: Collection[str]) -> set[str]:
        wanted = set(streams)
        return wanted.intersection(self.stream_names("")) if wanted else set()

    def commits(self, *, after: int = 0) -> Iterator[Commit]:
        """The commits after an id; raises ``VerificationFailed`` if they end at another head."""
        part = self.manifest.commits
        last: Commit | None = None
        for last in self.parts.rows(ArchiveTable.COMMITS, part, first=max(0, after)):
            yield last
        if last and Head(last.commit_id, last.last_seq, last.root) != self.head():
            raise VerificationFailed("archive.head", file=self.folder / part.file)

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        import pyarrow.compute as pc

        its = (ArchiveTable.COMMITS, self.manifest.commits, "idempotency_key")
        found = self.parts.found(*its, lambda keys: pc.equal(keys, idempotency_key))
        return next(found, None)

    def commit_by(self, seq: int) -> Commit | None:
        import pyarrow.compute as pc

        def last(seqs: Any) -> Any:
            ended = pc.less_equal(seqs, seq)
            return pc.and_(ended, pc.equal(seqs, pc.max(pc.filter(seqs, ended))))

        found = self.parts.found(ArchiveTable.COMMITS, self.manifest.commits, "last_seq", last)
        return max(found, key=lambda commit: commit.last_seq, default=None)

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        wanted = None if digests is None else set(digests)
        return {
            person.digest: person.document
            for person in self.personal()
            if wanted is None or person.digest in wanted
        }

    def personal(self) -> Iterator[PersonalDocument]:
        """The identity documents, each as its digest says; none when they were left out."""
        if self.manifest.personal is not None:
            for person in self.parts.rows(ArchiveTable.PERSONAL, self.manifest.personal):
                if sha256(person.document.encode()).hexdigest() != person.digest:
                    raise VerificationFailed("archive.personal", digest=person.digest)
                yield person

    def segments(self) -> Iterator[SealedSegment]:
        """The segments, by first seq, one at a time."""
        return self.parts.rows(ArchiveTable.SEGMENTS, self.manifest.segments)

    def segment_headings(self) -> Iterator[SegmentHeading]:
        columns = [field.name for field in fields(SegmentHeading)]
        part = self.manifest.segments
        for page in self.parts.pages(ArchiveTable.SEGMENTS, part, columns=columns):
            yield from starmap(SegmentHeading, page)

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        import pyarrow.compute as pc

        found: Iterator[SealedSegment] = self.parts.found(
            ArchiveTable.SEGMENTS,
            self.manifest.segments,
            "first_seq",
            lambda seqs: pc.equal(seqs, first_seq),
        )
        return next((segment.rows for segment in found if segment.sha256 == sha256), None)
