"""Makes an archive of a journal, or writes one on: what was written once is not written again.

Writes one file of an archive.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from itertools import chain, takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any, Self, TypeVar

from ledger.archive.document_source import DocumentsLost, DocumentSource
from ledger.archive.files import EVENTS_IN_PART, ORDERED, REPEATED, ArchiveTable, open_plain
from ledger.archive.journal import ArchiveJournal
from ledger.archive.layout import FileLayout
from ledger.archive.manifest import (
    FORMAT,
    NAME,
    VERSION,
    ArchivePart,
    EventPart,
    HeadSaid,
    Manifest,
    ManifestList,
    RangePart,
    empty_manifest,
    published_in,
)
from ledger.archive.places import new_folder, open_folder
from ledger.disk import on_disk
from ledger.errors import Conflict, InputRefused, VerificationFailed
from ledger.exports.columns import need_arrow
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, PersonalDocument, Progress, SealedSegment, no_progress
from ledger.journal.stores.permissions import PRIVATE, open_new, share
from ledger.journal.verify.rules import tree_fault
from ledger.journal.verify.walk import VerifiedPrefix, Walk
from ledger.wording import Message


class PartWriter:
    """One file in the making.

    ``place`` is the folder of the archive. ``file`` is its name in the folder; by default that of
    the table.
    """

    def __init__(self, place: Path, table: ArchiveTable, file: str | None = None) -> None:
        import pyarrow.parquet as pq

        self._place = place
        self._file = file or f"{table}.parquet"
        self._path = place / self._file
        self._table = table
        self._schema = table.schema()
        self._row = attrgetter(*table.columns)
        self._held: list[tuple[Any, ...]] = []
        self._groups = 0
        self.rows = 0
        self._writer = pq.ParquetWriter(
            self._path,
            self._schema,
            compression="zstd",
            use_dictionary=[name for name in table.columns if name in REPEATED],
            write_statistics=[name for name in table.columns if name in ORDERED],
        )

    def add(self, values: Iterable[object]) -> None:
        """Writes values, a group of rows when there are as many."""
        self.add_rows(list(map(self._row, values)))

    def add_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Writes rows, their fields in the order of the columns."""
        self._held += rows
        self.rows += len(rows)
        while len(self._held) >= self._table.group_rows:
            self._write(self._table.group_rows)

    def _write(self, count: int) -> None:
        """Writes a group of rows."""
        import pyarrow as pa

        columns = zip(self._schema, zip(*self._held[:count], strict=True), strict=True)
        arrays = [pa.array(values, field.type) for field, values in columns]
        group = pa.Table.from_arrays(arrays, schema=self._schema)
        self._writer.write_table(group, row_group_size=count)
        self._groups += 1
        del self._held[:count]

    def end(self) -> ArchivePart:
        """Puts the file on the disk and says what it has become.

        Raises:
            VerificationFailed: it holds more than is ever read again (see ``layout``).
        """
        if self._held:
            self._write(len(self._held))
        self._writer.close()
        with open_plain(self._place, self._file) as file:
            layout = FileLayout(file, self._path, self._table, self.rows, self._groups)
            for group in range(self._groups):
                layout.check(file, group, self._table.columns)
        return ArchivePart(
            file=self._file,
            rows=self.rows,
            row_groups=self._groups,
            bytes=self._path.stat().st_size,
            sha256=on_disk(self._path),
        )

    def end_range(self, first_seq: int, last_seq: int) -> RangePart:
        """Does the same for a file about the events from one to another."""
        return RangePart(**self.end().model_dump(), first_seq=first_seq, last_seq=last_seq)

    def end_events(self, tree: CompactRange) -> EventPart:
        """Does the same for events; the tree is that over all up to the last of them."""
        part = self.end_range(tree.size - self.rows + 1, tree.size)
        return EventPart(**part.model_dump(), root=tree.root().hex())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # After ``end`` this does nothing; before it, what cannot be written is not wanted any more.
        with suppress(OSError):
            self._writer.close()


MOST_SHORT = 64
"""Of a table at most so many files are shorter than they could be; then they are put together."""
_TRIES = 3
_Part = TypeVar("_Part", bound=RangePart)


def _say_nothing(_message: Message) -> None:
    pass


def write_archive(
    journal: Journal,
    folder: Path,
    *,
    personal: bool = True,
    shared: bool = False,
    progress: Progress = no_progress,
    notice: Callable[[Message], None] = _say_nothing,
) -> Manifest:
    """Writes the ledger, as it is when this begins, into a new or empty folder, or an archive on.

    What is written is hashed anew on the way: a ledger that is not as it was recorded is not
    archived. The same ledger gives the same files in a new folder. To an archive of the same
    ledger files are added for what is new; its other files are held against their digests. At any
    time the folder holds an archive: the one that was there, or the one that is being made.

    Args:
        journal: the ledger's.
        folder: where the archive goes; it is there when all of it is on the disk.
        personal: whether the identity documents, which are personal data, go into it, in files
            that their owner alone can read and write. Those that an event erased go; those that
            are gone without one stay.
        shared: whether the group can read and write all of it.
        progress: is told "archive", the events done and their total.
        notice: is told of documents that the ledger has lost before they were archived.

    Raises:
        InputRefused: the folder is not empty and no archive, or one with people where they are to
            be left out, or the other way round; or what writes files is not installed.
        Conflict: it is an archive of another ledger, or of a later state.
        VerificationFailed: the ledger is not as it was recorded, or the archive not as it was
            written.
        DocumentsLost: the ledger has lost identity documents that the archive has. It was written
            on, and keeps them.
        DatabaseError: the ledger cannot be read, or the archive cannot be written; it is as before.
    """
    need_arrow()
    if not (folder / NAME).is_file():
        with new_folder(folder) as place:
            made = _written(journal, place, empty_manifest(personal=personal), progress)
            if shared:
                share(place)
        _tell_lost(made, notice)
        return made.manifest
    with open_folder(folder) as opened:
        archive = ArchiveJournal(folder)
        _check_goes_on(journal, archive, personal=personal)
        before = archive.manifest
        made = _written(journal, opened.place, before, progress, archive)
        if made.manifest != before:
            if shared:
                share(opened.place)
            opened.take(made.manifest)
    _tell_lost(made, notice)
    return made.manifest


def _tell_lost(made: _Archive, notice: Callable[[Message], None]) -> None:
    """Tells of documents that are lost to both, and raises for those that only the archive has."""
    if lost := made.people.lost:
        notice(Message.of("archive.documents_lost", count=len(lost), first=min(lost)))
    if kept := made.people.kept:
        raise DocumentsLost("archive.documents_kept", count=len(kept), first=min(kept))


def _check_goes_on(journal: Journal, archive: ArchiveJournal, *, personal: bool) -> None:
    """Raises what is in the way of writing an archive on."""
    manifest, head = archive.manifest, archive.head()
    if personal is not (manifest.personal is not None):
        key = "archive.has_people" if not personal else "archive.has_no_people"
        raise InputRefused(key, archive=archive.folder)
    commit = journal.commit_by(head.seq)
    there = (commit.commit_id, commit.last_seq, commit.root) if commit else (0, 0, head.root)
    if there != (head.commit_id, head.seq, head.root):
        told = {"archive": archive.folder, "seq": head.seq, "root": head.root}
        raise Conflict("archive.other_ledger", **told)
    for _, part in manifest.parts:
        archive.parts.check(part)


def _written(
    journal: Journal,
    place: Path,
    before: Manifest,
    progress: Progress,
    archive: ArchiveJournal | None = None,
) -> _Archive:
    """Writes what is missing; once more, where somebody was erased meanwhile (see ``_Archive``)."""
    for left in reversed(range(_TRIES)):
        made = _Archive(journal, place, before, progress, archive)
        if not left or not made.is_outrun:
            break
        for path in place.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    return made


class _Archive:
    """What an archive lacks, written.

    Args:
        place: where new files are written.
        before: what the archive holds already.
        progress: is told "archive", the events done and their total.
        archive: the one that is written on; None for a new one.

    Attributes:
        people: where the documents came from.
        manifest: what the archive holds with it; it is written last.
    """

    def __init__(
        self,
        journal: Journal,
        place: Path,
        before: Manifest,
        progress: Progress,
        archive: ArchiveJournal | None = None,
    ) -> None:
        self._journal = journal
        self._place = place
        self._before = before
        self._progress = progress
        self._archive = archive
        self._head = journal.head()
        self._identities: dict[str, str] = {}
        self._erasures = 0
        self._lists: list[ManifestList] = []
        self._numbers = {table: _highest(parts) for table, parts in before.tables}
        self.people = DocumentSource(journal, archive)
        self.manifest = self._written()

    @property
    def is_outrun(self) -> bool:
        """Whether a document is gone that no event erased up to here, but a later one did."""
        return self.people.erased_last > self._head.seq

    def _written(self) -> Manifest:
        head, before = self._head, self._before
        commits, events = self._history()
        made = Manifest(
            format=FORMAT,
            version=VERSION,
            head=HeadSaid(commit=head.commit_id, seq=head.seq, root=head.root),
            commits=commits,
            events=events,
            identities=before.identities + len(self._identities),
            personal=None if before.personal is None else self._personal(before.personal),
            segments=tuple(self._segments()),
            lists=(*before.lists, *self._lists),
            signatures=self._signatures(),
        )
        (self._place / NAME).write_text(made.text(), encoding="utf-8", newline="\n")
        return made

    def _history(self) -> tuple[tuple[RangePart, ...], tuple[EventPart, ...]]:
        """Writes commits and events, side by side; returns all their files."""
        head = self._head
        commits, events = _long(self._before.commits), _long(self._before.events)
        written, archived = _next(commits) - 1, _next(events) - 1
        start = self._journal.commit_by(min(written, archived))
        walk = Walk(
            takewhile(
                lambda one: one.commit_id <= head.commit_id,
                self._journal.commits(after=start.commit_id if start else 0),
            ),
            self._journal.pages(after=start.last_seq if start else 0, upto=head.seq),
            _prefix(start),
            cuts=range(archived, head.seq, EVENTS_IN_PART),
            hashes_only=True,
            page_seen=lambda rows, _: self._lists.extend(
                each for each in published_in(rows) if each.seq > self._before.head.seq
            ),
            tell=lambda seq: self._progress("archive", seq, head.seq),
        )
        with ExitStack() as stack:
            commit_file: PartWriter | None = None
            event_file: PartWriter | None = None
            for commit, pages in walk:
                if commit.last_seq > written:
                    if commit_file is None:
                        commit_file = stack.enter_context(self._file(ArchiveTable.COMMITS))
                    commit_file.add([commit])
                for rows in pages:
                    if rows[-1][0] <= archived:
                        continue
                    if event_file is None:
                        event_file = stack.enter_context(self._file(ArchiveTable.EVENTS))
                    event_file.add_rows(rows)
                    if event_file.rows == EVENTS_IN_PART:
                        events.append(event_file.end_events(walk.tree))
                        event_file = None
                if commit_file is not None and commit_file.rows == EVENTS_IN_PART:
                    commits.append(commit_file.end_range(_next(commits), commit.last_seq))
                    commit_file = None
            if event_file is not None:
                events.append(event_file.end_events(walk.tree))
            if commit_file is not None:
                commits.append(commit_file.end_range(_next(commits), head.seq))
        assert (walk.prefix.commits, walk.prefix.seq) == (head.commit_id, head.seq)
        self._erasures = len(walk.prefix.seen.erasures)
        self._identities = {
            digest: player
            for digest, (seq, _, player) in walk.prefix.seen.identities.items()
            if seq > self._before.head.seq
        }
        return tuple(commits), tuple(events)

    def _signatures(self) -> tuple[RangePart, ...]:
        """Writes the signatures of commits that are in no file yet; returns all their files."""
        kept, head = _long(self._before.signatures), self._head
        last = self._journal.commit_by(_next(kept) - 1)
        new = takewhile(
            lambda each: each.commit_id <= head.commit_id,
            self._journal.signatures(after=last.commit_id if last else 0),
        )
        first = next(new, None)
        if first is None:
            return tuple(kept)
        with self._file(ArchiveTable.SIGNATURES) as file:
            file.add(chain([first], new))
            return (*kept, file.end_range(_next(kept), head.seq))

    def _file(self, table: ArchiveTable) -> PartWriter:
        """Begins the next file of a table."""
        self._numbers[table] += 1
        name = f"{table}/{self._numbers[table]:06}.parquet"
        (self._place / table).mkdir(exist_ok=True)
        if table is ArchiveTable.PERSONAL:
            os.close(open_new(self._place / name, PRIVATE))
        return PartWriter(self._place, table, name)

    def _personal(self, before: Sequence[RangePart]) -> tuple[RangePart, ...]:
        """Writes the identity documents that are there; returns all their files.

        Those of a file in which one was erased are written anew. Which are gone is asked where
        there was an erasure, or might have been meanwhile, or some are missing.
        """
        kept, new = _long(before), self._identities
        for part in before:
            if part not in kept:
                new = self._people(part) | new
        added = self._documents(new, _next(kept), self._head.seq)
        there = sum(part.rows for part in (*kept, *added))
        is_moved = self._journal.head() != self._head
        if self._erasures or is_moved or there != self._journal.personal_count():
            kept = [stays for part in kept for stays in self._not_gone(part)]
        return (*kept, *added)

    def _not_gone(self, part: RangePart) -> Sequence[RangePart]:
        """Returns a file of documents, or one of those in it that were not erased."""
        people = self._people(part)
        there = sum(len(page) for page in self.people.pages(people))
        if there == part.rows:
            return [part]
        return self._documents(people, part.first_seq, part.last_seq)

    def _people(self, part: RangePart) -> dict[str, str]:
        """Returns the digests of a file of documents, and whom they are about."""
        assert self._archive is not None, "a new archive has no such file"
        people = self._archive.parts.rows(ArchiveTable.PERSONAL, part)
        return {person.digest: person.player for person in people}

    def _documents(self, people: dict[str, str], first: int, last: int) -> Sequence[RangePart]:
        """Writes those of some documents that were not erased; no file, where none is left."""
        with ExitStack() as stack:
            file: PartWriter | None = None
            for page in self.people.pages(people):
                if page and file is None:
                    file = stack.enter_context(self._file(ArchiveTable.PERSONAL))
                if file is not None:
                    file.add(
                        PersonalDocument(digest, people[digest], document)
                        for digest, document in sorted(page.items())
                    )
            return [file.end_range(first, last)] if file else []

    def _segments(self) -> Iterator[RangePart]:
        """Writes the sealed segments, unless the ledger itself would not read them, a file each."""
        kept: dict[str, RangePart] = {}
        if self._archive is not None:
            for part in self._before.segments:
                if part.rows == 1:
                    (heading,) = self._archive.headings(part)
                    kept[heading.sha256] = part
        for heading in self._journal.segment_headings():
            root = self._journal.root_at(heading.sealed_at)
            digest = hashlib.sha256(heading.heading).hexdigest()  # which has that of the rows
            is_whole = (root, digest) == (heading.root, heading.sha256)
            within = 1 <= heading.first_seq <= heading.last_seq <= heading.sealed_at
            if not (is_whole and within and heading.sealed_at <= self._head.seq):
                continue
            if heading.sha256 in kept:
                yield kept[heading.sha256]
                continue
            rows = self._journal.segment_rows(heading.first_seq, heading.sha256)
            if rows is not None:
                with self._file(ArchiveTable.SEGMENTS) as file:
                    file.add([SealedSegment(**asdict(heading) | {"rows": rows})])
                    yield file.end_range(heading.first_seq, heading.last_seq)


def _prefix(commit: Commit | None) -> VerifiedPrefix:
    """Returns a verified prefix that ends with a commit; raises ``VerificationFailed``."""
    try:
        prefix = VerifiedPrefix.behind(commit)
        fault = tree_fault(commit, prefix.tree) if commit else None
    except ValueError:
        prefix = VerifiedPrefix()
        fault = tree_fault(commit, prefix.tree) if commit else None
    if fault is not None:
        raise VerificationFailed(fault.key, **dict(fault.values))
    return prefix


def _long(parts: Sequence[_Part]) -> list[_Part]:
    """Returns the files that stay: all, or those before the short ones, where they are too many."""
    filled = [part for part in parts if part.rows]
    short = [at for at, part in enumerate(filled) if part.rows < EVENTS_IN_PART]
    return filled if len(short) < MOST_SHORT else filled[: short[0]]


def _next(parts: Sequence[RangePart]) -> int:
    """Returns the first seq that no file is about yet."""
    return parts[-1].last_seq + 1 if parts else 1


def _highest(parts: Sequence[RangePart]) -> int:
    """Returns the greatest number in the names of files."""
    numbers = (re.search(r"/([0-9]+)\.", part.file) for part in parts)
    return max((int(found[1]) for found in numbers if found), default=0)
