"""Reads the files of an archive, some rows at a time; each is held against its digest first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ledger.archive.manifest import Part
from ledger.archive.tables import Table
from ledger.errors import VerificationFailed
from ledger.journal.shelf import Row

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Filter: TypeAlias = "Callable[[pa.ChunkedArray], pa.ChunkedArray]"
"""Says of every value of a column whether its row is wanted."""

_PAGE_ROWS = 5_000


class Parts:
    """The files in a folder; a file's digest is computed once, before anything is read from it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sound: set[str] = set()

    def rows(self, table: Table, part: Part, *, first: int = 0) -> Iterator[Any]:
        """Yields the values of a part from a row on; the first is 0.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        for page in self.pages(table, part, first=first):
            yield from starmap(table.made, page)

    def pages(
        self,
        table: Table,
        part: Part,
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
            groups = _groups(file, first, end)
            if not groups:
                return
            at = groups[0][1]
            wanted = [group for group, _ in groups]
            for page in file.iter_batches(_PAGE_ROWS, row_groups=wanted, columns=columns):
                rows = _rows(page.columns)[max(0, first - at) : max(0, end + 1 - at)]
                at += page.num_rows
                if rows:
                    yield rows

    def found(self, table: Table, part: Part, column: str, wanted: Filter) -> Iterator[Any]:
        """Yields the values of the rows in which a column is as wanted; reads only that in others.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        import pyarrow.compute as pc

        with self._opened(table, part) as file:
            for group in range(file.num_row_groups):
                chosen = wanted(file.read_row_group(group, columns=[column]).column(0))
                if pc.any(chosen).as_py():
                    rows = file.read_row_group(group).filter(chosen)
                    yield from starmap(table.made, _rows(rows.columns))

    def distinct(self, table: Table, part: Part, column: str) -> Iterator[str]:
        """Yields the different values of a column; some more than once.

        Raises:
            VerificationFailed: the file is not the one that was archived.
        """
        import pyarrow.compute as pc

        with self._opened(table, part) as file:
            for group in range(file.num_row_groups):
                yield from pc.unique(
                    file.read_row_group(group, columns=[column]).column(0)
                ).to_pylist()

    def check(self, part: Part) -> None:
        """Raises ``VerificationFailed`` when a file is not the one that was archived."""
        if part.file in self._sound:
            return
        path = self._folder / part.file
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise VerificationFailed("archive.file_missing", file=path) from error
        if digest != part.sha256:
            raise VerificationFailed("archive.file_changed", file=path)
        self._sound.add(part.file)

    @contextmanager
    def _opened(self, table: Table, part: Part) -> Iterator[pq.ParquetFile]:
        """Opens a part that has the columns and as many rows as the manifest says."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.check(part)
        path = self._folder / part.file
        try:
            with pq.ParquetFile(path) as file:
                counts = (file.metadata.num_rows, file.metadata.num_row_groups)
                if counts != (part.rows, part.row_groups):
                    raise VerificationFailed("archive.file_rows", file=path, rows=part.rows)
                if not file.schema_arrow.equals(table.schema()):
                    raise VerificationFailed("archive.file_columns", file=path)
                yield file
        except (pa.ArrowException, OSError) as error:
            why = " ".join(str(error).split())
            raise VerificationFailed("archive.file_unreadable", file=path, why=why) from error


def _groups(file: pq.ParquetFile, first: int, last: int) -> list[tuple[int, int]]:
    """Returns the groups of rows that hold any from the first to the last, each with its first."""
    sizes = [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]
    starts = accumulate(sizes, initial=0)
    return [
        (group, start)
        for group, (start, size) in enumerate(zip(starts, sizes, strict=False))
        if start <= last and start + size > first
    ]


def _rows(columns: list[pa.Array]) -> list[Row]:
    return list(zip(*(column.to_pylist() for column in columns), strict=True))
