"""Writes a table to a file: CSV, Parquet or XLSX, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, assert_never

from ledger.errors import InputRefused
from ledger.exports.columns import (
    ColumnType,
    ExportColumn,
    ExportTable,
    Page,
    as_text,
    batch,
    schema,
)
from ledger.exports.workbook import Workbook

if TYPE_CHECKING:
    import pyarrow as pa

_GROUP_ROWS = 1 << 18
"""Rows of a group in Parquet: few enough to be held, many enough to be packed well."""


class FileFormat(StrEnum):
    """A kind of file."""

    CSV = "csv"
    PARQUET = "parquet"
    XLSX = "xlsx"

    @classmethod
    def of(cls, file: str) -> FileFormat:
        """Returns what a file is by its suffix; raises ``InputRefused`` for any other."""
        suffix = PurePath(file).suffix.lower().removeprefix(".")
        if suffix not in {*cls}:
            raise InputRefused("export.no_format", file=file, allowed=", ".join(cls))
        return cls(suffix)


def write(table: ExportTable, out: IO[bytes], form: FileFormat) -> int:
    """Writes a table; returns how many rows it has.

    CSV is UTF-8 with a header and LF line ends; truth values are ``yes`` and ``no``, dates ISO,
    texts that a spreadsheet would execute have an apostrophe.

    Raises:
        InputRefused: XLSX has no room for as many rows.
    """
    match form:
        case FileFormat.CSV:
            return _write_csv(table, out)
        case FileFormat.PARQUET:
            return _write_parquet(table, out)
        case FileFormat.XLSX:
            return _write_workbook(table, out)
        case _:
            assert_never(form)


def _groups(table: ExportTable) -> Iterator[pa.Table]:
    """Yields the rows in groups, each with one dictionary for each column of words."""
    import pyarrow as pa

    of = schema(table.columns)
    held, waiting = list[Any](), 0
    for page in table.pages:
        held.append(batch(table.columns, page))
        waiting += held[-1].num_rows
        if waiting >= _GROUP_ROWS:
            yield pa.Table.from_batches(held, of).unify_dictionaries().combine_chunks()
            held, waiting = [], 0
    yield pa.Table.from_batches(held, of).unify_dictionaries().combine_chunks()


def _write_parquet(table: ExportTable, out: IO[bytes]) -> int:
    import pyarrow.parquet as pq

    rows = 0
    with pq.ParquetWriter(out, schema(table.columns), compression="zstd") as writer:
        for group in _groups(table):
            writer.write_table(group)
            rows += group.num_rows
    return rows


def _write_csv(table: ExportTable, out: IO[bytes]) -> int:
    import pyarrow as pa
    from pyarrow import csv

    names = [column.name for column in table.columns]
    out.write((",".join(names) + "\n").encode())
    options = csv.WriteOptions(include_header=False, quoting_style="needed")
    rows = 0
    for group in _groups(table):
        for part in group.to_batches():
            arrays = map(_as_texts, table.columns, part.columns)
            csv.write_csv(pa.RecordBatch.from_arrays(list(arrays), names), out, options)
            rows += part.num_rows
    return rows


def _as_texts(column: ExportColumn, array: pa.Array) -> pa.Array:
    """Returns a column as what is written of it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    match column.kind:
        case ColumnType.FLAG:
            return pc.if_else(array, "yes", "no")
        case ColumnType.WORD:
            words = pa.array([as_text(word) for word in array.dictionary.to_pylist()], pa.string())
            return words.take(array.indices)
        case ColumnType.TEXT:
            return pa.array([text and as_text(text) for text in array.to_pylist()], pa.string())
        case ColumnType.DAY:
            return array.cast(pa.string())
        case ColumnType.WHOLE:
            return array


def _write_workbook(table: ExportTable, out: IO[bytes]) -> int:
    rows = 0
    with Workbook(out, table.name[:31], table.columns) as book:
        for page in table.pages:
            made = _as_rows(table.columns, page)
            rows += len(made)
            book.add(made)
    return rows


def _as_rows(columns: tuple[ExportColumn, ...], page: Page) -> list[tuple[Any, ...]]:
    made = batch(columns, page)
    return list(zip(*(array.to_pylist() for array in made.columns), strict=True))
