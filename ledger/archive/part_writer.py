"""Writes the files of an archive, group of rows by group of rows, and says what each has become."""

from __future__ import annotations

import contextlib
import hashlib
import os
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from ledger.archive.files import opened
from ledger.archive.layout import FileLayout
from ledger.archive.manifest import ArchivePart, EventPart
from ledger.archive.tables import EVENTS_IN_PART, ORDERED, REPEATED, ArchiveTable
from ledger.journal.merkle import CompactRange
from ledger.journal.records import StoredEvent


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

    def add(self, value: object) -> None:
        """Writes a value, with those before it when they are as many as a group."""
        self._held.append(self._row(value))
        self.rows += 1
        if len(self._held) == self._table.group_rows:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa

        if not self._held:
            return
        columns = zip(self._schema, zip(*self._held, strict=True), strict=True)
        arrays = [pa.array(values, field.type) for field, values in columns]
        group = pa.Table.from_arrays(arrays, schema=self._schema)
        self._writer.write_table(group, row_group_size=len(self._held))
        self._groups += 1
        self._held.clear()

    def end(self) -> ArchivePart:
        """Puts the file on the disk and says what it has become.

        Raises:
            VerificationFailed: it holds more than is ever read again (see ``layout``).
        """
        self._write()
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # After ``end`` this does nothing; before it, what cannot be written is not wanted any more.
        with contextlib.suppress(OSError):
            self._writer.close()


class EventParts:
    """The files of events; ``tree`` is always that of the events that were added."""

    def __init__(self, place: Path, tree: CompactRange) -> None:
        self._place = place
        self._tree = tree
        self._open: PartWriter | None = None
        self._done: list[EventPart] = []
        (place / ArchiveTable.EVENTS).mkdir()

    def add(self, event: StoredEvent) -> None:
        """Writes an event, into the next file when one is full."""
        if self._open is None:
            name = f"{ArchiveTable.EVENTS}/{len(self._done) + 1:06}.parquet"
            self._open = PartWriter(self._place, ArchiveTable.EVENTS, name)
        self._open.add(event)
        if self._open.rows == EVENTS_IN_PART:
            self._end_one(self._open)

    def end(self) -> tuple[EventPart, ...]:
        """Puts the last file on the disk and says what all have become."""
        if self._open is not None:
            self._end_one(self._open)
        return tuple(self._done)

    def _end_one(self, writer: PartWriter) -> None:
        part = writer.end()
        size, root = self._tree.size, self._tree.root().hex()
        self._done.append(
            EventPart(**part.model_dump(), first_seq=size - part.rows + 1, last_seq=size, root=root)
        )
        self._open = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        if self._open is not None:
            self._open.__exit__(*failure)


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
