"""Makes an archive of a journal: beside its place first, then put there whole, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from ledger.archive.files import EVENTS_IN_PART, ORDERED, REPEATED, ArchiveTable, opened
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
    published_in,
)
from ledger.errors import DatabaseError, InputRefused
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Journal, PersonalDocument, Progress, no_progress
from ledger.journal.stores.permissions import PRIVATE, open_new, share
from ledger.journal.verify.walk import Walk

_DOCUMENTS = 10_000


def write_archive(
    journal: Journal,
    folder: Path,
    *,
    personal: bool = True,
    shared: bool = False,
    progress: Progress = no_progress,
) -> Manifest:
    """Writes the whole ledger, as it is when this begins, into a new or empty folder.

    Everything is hashed anew on the way: a ledger that is not as it was recorded is not archived.
    The same ledger gives the same files.

    Args:
        journal: the ledger's.
        folder: where the archive goes; it is there when all of it is on the disk.
        personal: whether the identity documents, which are personal data, go into it, in a file
            that its owner alone can read and write.
        shared: whether the group can read and write all of it.
        progress: is told "archive", the events done and their total.

    Raises:
        InputRefused: the folder is not empty.
        VerificationFailed: the ledger is not as it was recorded.
        DatabaseError: it cannot be read, or the archive cannot be written.
    """
    with _appearing(folder) as place:
        made = _Archive(journal, place, progress).written(personal=personal)
        if shared:
            share(place)
        return made


class _Archive:
    """An archive in the making."""

    def __init__(self, journal: Journal, place: Path, progress: Progress) -> None:
        self._journal = journal
        self._place = place
        self._progress = progress
        self._head = journal.head()
        self._identities: dict[str, str] = {}
        self._lists: list[ManifestList] = []

    def written(self, *, personal: bool) -> Manifest:
        """Writes all files, the manifest last."""
        head = self._head
        commits, events = self._history()
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            head=HeadSaid(commit=head.commit_id, seq=head.seq, root=head.root),
            commits=commits,
            events=events,
            identities=len(self._identities),
            personal=self._personal() if personal else None,
            segments=self._segments(),
            lists=tuple(self._lists),
        )
        path = self._place / NAME
        path.write_text(manifest.text(), encoding="utf-8", newline="\n")
        on_disk(path)
        return manifest

    def _history(self) -> tuple[ArchivePart, tuple[EventPart, ...]]:
        """Writes commits and events, side by side."""
        head = self._head
        walk = Walk(
            takewhile(lambda one: one.commit_id <= head.commit_id, self._journal.commits()),
            self._journal.pages(upto=head.seq),
            cuts=range(EVENTS_IN_PART, head.seq, EVENTS_IN_PART),
            hashes_only=True,
            page_seen=lambda rows, _: self._lists.extend(published_in(rows)),
            tell=lambda seq: self._progress("archive", seq, head.seq),
        )
        (self._place / ArchiveTable.EVENTS).mkdir()
        done: list[EventPart] = []
        with ExitStack() as stack:
            commits = stack.enter_context(PartWriter(self._place, ArchiveTable.COMMITS))
            events: PartWriter | None = None
            for commit, pages in walk:
                commits.add([commit])
                for rows in pages:
                    if events is None:
                        events = stack.enter_context(self._events_file(len(done) + 1))
                    events.add_rows(rows)
                    if events.rows == EVENTS_IN_PART:
                        done.append(events.end_events(walk.tree))
                        events = None
            if events is not None:
                done.append(events.end_events(walk.tree))
            assert (walk.prefix.commits, walk.prefix.seq) == (head.commit_id, head.seq)
            self._identities = walk.prefix.seen.players()
            return commits.end(), tuple(done)

    def _events_file(self, number: int) -> PartWriter:
        name = f"{ArchiveTable.EVENTS}/{number:06}.parquet"
        return PartWriter(self._place, ArchiveTable.EVENTS, name)

    def _personal(self) -> ArchivePart:
        """Writes the identity documents that are there."""
        os.close(open_new(self._place / f"{ArchiveTable.PERSONAL}.parquet", PRIVATE))
        with PartWriter(self._place, ArchiveTable.PERSONAL) as part:
            identities = sorted(self._identities)
            for start in range(0, len(identities), _DOCUMENTS):
                there = self._journal.personal_documents(identities[start : start + _DOCUMENTS])
                part.add(
                    PersonalDocument(digest, self._identities[digest], document)
                    for digest, document in sorted(there.items())
                )
            return part.end()

    def _segments(self) -> ArchivePart:
        """Writes the sealed segments, unless the ledger itself would not read them."""
        with PartWriter(self._place, ArchiveTable.SEGMENTS) as part:
            for segment in self._journal.segments():
                root = self._journal.root_at(segment.sealed_at)
                digest = hashlib.sha256(segment.heading).hexdigest()  # which has that of the rows
                is_sound = (root, digest) == (segment.root, segment.sha256)
                if segment.sealed_at <= self._head.seq and is_sound:
                    part.add([segment])
            return part.end()


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """Gives a folder that takes the place of the one named at the end; or nothing is left of it."""
    target = folder.expanduser().absolute()
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise InputRefused("archive.not_empty", archive=folder)
    place = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        place.mkdir()
        try:
            yield place
            for made in (*(each for each in place.rglob("*") if each.is_dir()), place):
                on_disk(made)
            if target.exists():
                target.rmdir()
            place.rename(target)
            on_disk(target.parent)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        key = "archive.full" if full else "archive.cannot_write"
        why = error.strerror or os.strerror(error.errno or errno.EIO)
        raise DatabaseError(key, archive=folder, why=why) from error


class PartWriter:
    """One file in the making.

    Args:
        place: the folder of the archive.
        table: what the rows are.
        file: its name in the folder; by default that of the table.
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
        with opened(self._place, self._file) as file:
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

    def end_events(self, tree: CompactRange) -> EventPart:
        """Does the same for events; the tree is that over all up to the last of them."""
        part, last = self.end(), tree.size
        first, root = last - part.rows + 1, tree.root().hex()
        return EventPart(**part.model_dump(), first_seq=first, last_seq=last, root=root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # After ``end`` this does nothing; before it, what cannot be written is not wanted any more.
        with suppress(OSError):
            self._writer.close()


def on_disk(path: Path) -> str:
    """Waits until a file or folder is on the disk; returns a file's SHA-256, "" for a folder."""
    if path.is_dir():
        if os.name != "nt":  # Windows does it by itself, and lets nobody ask for it
            folder = os.open(path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return ""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()
