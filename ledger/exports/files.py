"""Writes a table to a file: CSV, Parquet or XLSX, a page at a time."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, assert_never

from ledger.errors import InputRefused
from ledger.exports.columns import Column, Kind, Page, Table, batch, schema
from ledger.exports.workbook import Workbook
from ledger.spreadsheet import as_text

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


def write(table: Table, out: IO[bytes], form: FileFormat) -> int:
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


def _write_parquet(table: Table, out: IO[bytes]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    of = schema(table.columns)
    rows, held, waiting = 0, list[Any](), 0
    with pq.ParquetWriter(out, of, compression="zstd") as writer:
        for page in table.pages:
            held.append(batch(table.columns, page))
            waiting += held[-1].num_rows
            rows += held[-1].num_rows
            if waiting >= _GROUP_ROWS:
                writer.write_table(_joined(pa.Table.from_batches(held, of)))
                held, waiting = [], 0
        writer.write_table(_joined(pa.Table.from_batches(held, of)))
    return rows


def _joined(table: pa.Table) -> pa.Table:
    """Returns pages with one dictionary for each column of words."""
    return table.unify_dictionaries()


def _write_csv(table: Table, out: IO[bytes]) -> int:
    import pyarrow as pa
    from pyarrow import csv

    plain = pa.schema([(column.name, pa.string()) for column in table.columns])
    out.write((",".join(column.name for column in table.columns) + "\n").encode())
    rows = 0
    options = csv.WriteOptions(include_header=False, quoting_style="needed")
    for page in table.pages:
        made = batch(table.columns, page)
        arrays = [
            _as_texts(column, array)
            for column, array in zip(table.columns, made.columns, strict=True)
        ]
        csv.write_csv(pa.RecordBatch.from_arrays(arrays, schema=plain), out, options)
        rows += made.num_rows
    return rows


def _as_texts(column: Column, array: pa.Array) -> pa.Array:
    """Returns a column as what is written of it."""
    import pyarrow as pa

    match column.kind:
        case Kind.FLAG:
            return pa.compute.if_else(array, "yes", "no")
        case Kind.WORD:
            words = pa.array([as_text(word) for word in array.dictionary.to_pylist()], pa.string())
            return words.take(array.indices)
        case Kind.TEXT:
            return pa.array([text and as_text(text) for text in array.to_pylist()], pa.string())
        case Kind.WHOLE | Kind.DAY:
            return array.cast(pa.string())


def _write_workbook(table: Table, out: IO[bytes]) -> int:
    rows = 0
    with Workbook(out, table.name[:31], table.columns) as book:
        for page in table.pages:
            made = _as_rows(table.columns, page)
            rows += len(made)
            book.add(made)
    return rows


def _as_rows(columns: tuple[Column, ...], page: Page) -> list[tuple[Any, ...]]:
    made = batch(columns, page)
    return list(zip(*chain(array.to_pylist() for array in made.columns), strict=True))
