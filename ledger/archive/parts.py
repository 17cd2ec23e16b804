"""Reads the files of an archive, some rows at a time.

Each is held against its digest first, then against what the writer makes (see ``layout``). Texts
that are stored as a dictionary are read as one: a long one that stands in every row is there once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import accumulate, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ledger.archive.files import REPEATED, ArchiveTable, NoPlainFile, open_plain
from ledger.archive.layout import FileLayout
from ledger.archive.manifest import ArchivePart
from ledger.errors import VerificationFailed
from ledger.journal.spool import Row

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Filter: TypeAlias = "Callable[[pa.Array], pa.Array]"
"""Says of every value of a column whether its row is wanted."""

_PAGE_ROWS = 5_000


class Parts:
    """The files in a folder; a file's digest is computed once, before anything is read from it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sound: dict[str, tuple[int, ...]] = {}
        self._layouts: dict[str, FileLayout] = {}

    def rows(self, table: ArchiveTable, part: ArchivePart, *, first: int = 0) -> Iterator[Any]:
        """Yields the values of a part from a row on; the first is 0.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        for page in self.pages(table, part, first=first):
            yield from starmap(table.made, page)

    def pages(
        self,
        table: ArchiveTable,
        part: ArchivePart,
        *,
        first: int = 0,
        last: int | None = None,
        columns: list[str] | None = None,
    ) -> Iterator[list[Row]]:
        """Yields the rows of a part, from one to another, some at a time.

        ``columns`` are those wanted, by default all.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        end = part.rows - 1 if last is None else min(last, part.rows - 1)
        with self._opened(table, part) as file:
            groups = file.groups(first, end)
            if not groups:
                return
            at = groups[0][1]
            for page in file.batches([group for group, _ in groups], columns):
                rows = _rows(page.columns)[max(0, first - at) : max(0, end + 1 - at)]
                at += page.num_rows
                if rows:
                    yield rows

    def found(
        self, table: ArchiveTable, part: ArchivePart, column: str, wanted: Filter
    ) -> Iterator[Any]:
        """Yields the values of the rows in which a column is as wanted; reads only that in others.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        import pyarrow.compute as pc

        with self._opened(table, part) as file:
            for group in range(part.row_groups):
                chosen = _chosen(file.column(group, column), wanted)
                if pc.any(chosen).as_py():
                    rows = file.group(group).filter(chosen)
                    yield from starmap(table.made, _rows(rows.columns))

    def distinct(self, table: ArchiveTable, part: ArchivePart, column: str) -> Iterator[str]:
        """Yields the different values of a column; some more than once.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        with self._opened(table, part) as file:
            for group in range(part.row_groups):
                for chunk in file.column(group, column).chunks:
                    yield from _values(chunk.unique())

    def check(self, part: ArchivePart) -> None:
        """Raises ``VerificationFailed`` when a file is not the one that was archived."""
        with self._bytes(part) as file:
            self._check(part, file)

    def _check(self, part: ArchivePart, file: BufferedReader) -> None:
        """Computes the digest of a file, unless it was before and nobody wrote to it since."""
        seen = _state(os.fstat(file.fileno()))
        if self._sound.get(part.file) == seen:
            return
        file.seek(0)
        if hashlib.file_digest(file, "sha256").hexdigest() != part.sha256:
            raise VerificationFailed("archive.file_changed", file=self._folder / part.file)
        self._sound[part.file] = seen
        self._layouts.pop(part.file, None)

    @contextmanager
    def _bytes(self, part: ArchivePart) -> Iterator[BufferedReader]:
        """Opens the file of a part as it lies on the disk."""
        path = self._folder / part.file
        try:
            with open_plain(self._folder, part.file) as file:
                yield file
        except NoPlainFile as error:
            raise VerificationFailed("archive.file_special", file=path) from error
        except OSError as error:
            raise VerificationFailed("archive.file_missing", file=path) from error

    @contextmanager
    def _opened(self, table: ArchiveTable, part: ArchivePart) -> Iterator[_Opened]:
        """Opens a part that has the columns and as many rows as the manifest says."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self._folder / part.file
        with self._bytes(part) as data:
            self._check(part, data)
            layout = self._layouts.get(part.file)
            if layout is None:
                layout = FileLayout(data, path, table, part.rows, part.row_groups)
                self._layouts[part.file] = layout
            try:
                with pq.ParquetFile(
                    path,
                    read_dictionary=_texts(table),
                    thrift_string_size_limit=layout.most_string,
                    thrift_container_size_limit=layout.most_items,
                ) as file:
                    if _state(path.lstat()) != self._sound[part.file]:
                        raise VerificationFailed("archive.file_changed", file=path)
                    if not file.schema_arrow.equals(_as_read(table)):
                        raise VerificationFailed("archive.file_columns", file=path)
                    yield _Opened(file, data, layout, table)
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                why = " ".join(str(error).split())
                raise VerificationFailed("archive.file_unreadable", file=path, why=why) from error


def _state(status: os.stat_result) -> tuple[int, ...]:
    """Returns what tells one state of a file from another."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


class _Opened:
    """A file of an archive; the heads of its pages are checked before Arrow reads them."""

    def __init__(
        self, file: pq.ParquetFile, data: BufferedReader, layout: FileLayout, table: ArchiveTable
    ) -> None:
        self._file = file
        self._data = data
        self._layout = layout
        self._table = table

    def groups(self, first: int, last: int) -> list[tuple[int, int]]:
        """Returns the groups that hold any row from the first to the last, each with its first."""
        sizes = self._layout.group_rows
        starts = accumulate(sizes, initial=0)
        return [
            (group, start)
            for group, (start, size) in enumerate(zip(starts, sizes, strict=False))
            if start <= last and start + size > first
        ]

    def batches(self, groups: list[int], columns: list[str] | None) -> Iterator[pa.RecordBatch]:
        """Yields the rows of groups, some at a time."""
        for group in groups:
            self._layout.check(self._data, group, columns or self._table.columns)
            yield from self._file.iter_batches(_PAGE_ROWS, row_groups=[group], columns=columns)

    def column(self, group: int, column: str) -> pa.ChunkedArray:
        """Returns a column of a group."""
        self._layout.check(self._data, group, [column])
        return self._file.read_row_group(group, columns=[column]).column(0)

    def group(self, group: int) -> pa.Table:
        """Returns a group."""
        self._layout.check(self._data, group, self._table.columns)
        return self._file.read_row_group(group)


def _texts(table: ArchiveTable) -> list[str]:
    """Returns the columns of texts that may be stored as a dictionary."""
    return [f.name for f in table.schema() if f.name in REPEATED and f.type == "string"]


def _as_read(table: ArchiveTable) -> pa.Schema:
    """Returns the columns as they are read."""
    import pyarrow as pa

    schema, texts = table.schema(), _texts(table)
    dictionary = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([f.with_type(dictionary) if f.name in texts else f for f in schema])


def _chosen(column: pa.ChunkedArray, wanted: Filter) -> pa.ChunkedArray:
    """Returns which rows of a column are wanted; a dictionary is asked for each text once."""
    import pyarrow as pa

    def of(chunk: pa.Array) -> pa.Array:
        if pa.types.is_dictionary(chunk.type):
            return wanted(chunk.dictionary).take(chunk.indices)
        return wanted(chunk)

    return pa.chunked_array([of(chunk) for chunk in column.chunks], pa.bool_())


def _rows(columns: list[Any]) -> list[Row]:
    return list(zip(*map(_values, columns), strict=True))


def _values(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    """Returns the values of a column; what stands in many rows of a dictionary is one object."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in _values(chunk)]
    if not pa.types.is_dictionary(column.type):
        values: list[Any] = column.to_pylist()
        return values
    used = column.indices.unique()
    texts = dict(zip(used.to_pylist(), column.dictionary.take(used).to_pylist(), strict=True))
    return [texts[index] for index in column.indices.to_pylist()]
