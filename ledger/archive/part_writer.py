"""Writes one file of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from ledger.archive.files import ORDERED, REPEATED, ArchiveTable, open_plain
from ledger.archive.layout import FileLayout
from ledger.archive.manifest import ArchivePart, EventPart, RangePart
from ledger.disk import on_disk
from ledger.journal.merkle import CompactRange


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
