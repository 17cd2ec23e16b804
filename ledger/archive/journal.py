"""An archive as a journal that can only be read: every question is answered from its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from hashlib import sha256
from itertools import starmap, takewhile
from pathlib import Path
from typing import Any, cast

from ledger.archive.files import ArchiveTable
from ledger.archive.manifest import NAME, Manifest, RangePart, read_manifest
from ledger.archive.parts import Parts
from ledger.errors import DatabaseError, VerificationFailed
from ledger.exports.columns import need_arrow
from ledger.identifiers import Seq
from ledger.journal.past import ReadJournal
from ledger.journal.records import (
    Commit,
    CommitSignature,
    Head,
    PersonalDocument,
    SealedSegment,
    SegmentHeading,
    StoredEvent,
    StoredRow,
)


class ArchiveJournal(ReadJournal):
    """The journal in an archive, without a database.

    Whatever is read is held against the digest of its file; that the hashes within are right,
    ``proof.prove`` finds out. Nothing behind the seq ``upto`` will be asked for, and files that
    hold nothing else are not looked at; by default there are all.

    Raises:
        DatabaseError: there is none, or newer software made it.
        InputRefused: what reads its files is not installed.
        VerificationFailed: the manifest was changed, a file is missing or of another size.
    """

    def __init__(self, folder: Path, upto: int | None = None) -> None:
        need_arrow()
        self.folder = folder
        self.manifest: Manifest = read_manifest(folder, upto)
        self.parts = Parts(folder)

    @property
    def lacks_people(self) -> bool:
        """Whether the identity documents were left out on purpose; the manifest says it."""
        return self.manifest.personal is None

    def head(self) -> Head:
        said = self.manifest.head
        return Head(said.commit, Seq(said.seq), said.root)

    def refusal(self) -> DatabaseError:
        """Returns why nothing can be written."""
        return DatabaseError("archive.read_only", archive=self.folder)

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
        first = max(0, after)
        for part in self.manifest.commits:
            last: Commit | None = None
            for last in self.parts.rows(ArchiveTable.COMMITS, part, first=first):
                yield last
            first = max(0, first - part.rows)
            if last is None:
                continue
            if last.last_seq != part.last_seq:
                raise VerificationFailed("archive.manifest", file=self.folder / NAME)
            if (
                part.last_seq == self.head().seq
                and Head(last.commit_id, last.last_seq, last.root) != self.head()
            ):
                raise VerificationFailed("archive.head", file=self.folder / part.file)

    def signatures(self, *, after: int | None = None) -> Iterator[CommitSignature]:
        for part in self.manifest.signatures:
            for signature in self.parts.rows(ArchiveTable.SIGNATURES, part):
                if after is None or signature.commit_id > after:
                    yield signature

    def commit_with_key(self, idempotency_key: str) -> Commit | None:
        import pyarrow.compute as pc

        def same(keys: Any) -> Any:
            return pc.equal(keys, idempotency_key)

        for part in self.manifest.commits:
            found: Iterator[Commit] = self.parts.found(
                ArchiveTable.COMMITS, part, "idempotency_key", same
            )
            if commit := next(found, None):
                return commit
        return None

    def commit_by(self, seq: int) -> Commit | None:
        import pyarrow.compute as pc

        def last(seqs: Any) -> Any:
            ended = pc.less_equal(seqs, seq)
            return pc.and_(ended, pc.equal(seqs, pc.max(pc.filter(seqs, ended))))

        for part in reversed(self.manifest.commits):
            if part.first_seq <= seq:
                found: Iterator[Commit] = self.parts.found(
                    ArchiveTable.COMMITS, part, "last_seq", last
                )
                if commit := max(found, key=lambda each: each.last_seq, default=None):
                    return commit
        return None

    def personal_documents(self, digests: Iterable[str] | None = None) -> dict[str, str]:
        wanted = None if digests is None else set(digests)
        return {
            person.digest: person.document
            for person in self.personal()
            if wanted is None or person.digest in wanted
        }

    def personal(self) -> Iterator[PersonalDocument]:
        """The identity documents, each as its digest says; none when they were left out."""
        for part in self.manifest.personal or ():
            for person in self.parts.rows(ArchiveTable.PERSONAL, part):
                if sha256(person.document.encode()).hexdigest() != person.digest:
                    raise VerificationFailed("archive.personal", digest=person.digest)
                yield person

    def segments(self) -> Iterator[SealedSegment]:
        """The segments, by first seq, one at a time."""
        for part in self.manifest.segments:
            yield from self.parts.rows(ArchiveTable.SEGMENTS, part)

    def segment_headings(self) -> Iterator[SegmentHeading]:
        for part in self.manifest.segments:
            yield from self.headings(part)

    def headings(self, part: RangePart) -> Iterator[SegmentHeading]:
        """Yields the segments of a file without their rows."""
        columns = [field.name for field in fields(SegmentHeading)]
        for page in self.parts.pages(ArchiveTable.SEGMENTS, part, columns=columns):
            yield from starmap(SegmentHeading, page)

    def segment_rows(self, first_seq: int, sha256: str) -> bytes | None:
        import pyarrow.compute as pc

        def beginning(seqs: Any) -> Any:
            return pc.equal(seqs, first_seq)

        for part in self.manifest.segments:
            if part.first_seq <= first_seq <= part.last_seq:
                its = (ArchiveTable.SEGMENTS, part, "first_seq")
                found: Iterator[SealedSegment] = self.parts.found(*its, beginning)
                for segment in found:
                    if segment.sha256 == sha256:
                        return segment.rows
        return None
