"""Writes a table to a file: CSV, Parquet or XLSX, a page at a time.

A workbook (XLSX) has one sheet, written row by row in little memory. No cell is executed: texts are
written as texts, and those that look like a formula stay one when somebody edits the cell.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, Final, Self, TypeAlias

from ledger.errors import InputRefused
from ledger.exports.columns import (
    ColumnType,
    ExportColumn,
    ExportTable,
    Page,
    as_text,
    batch,
    is_formula,
    schema,
)

if TYPE_CHECKING:
    import pyarrow as pa

_WriteGroup: TypeAlias = "Callable[[pa.Table], object]"
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
    if form is FileFormat.XLSX:
        return _write_workbook(table, out)
    return write_each(table, {form: out}, harmless=True)


def write_each(
    table: ExportTable, outs: Mapping[FileFormat, IO[bytes]], *, harmless: bool = False
) -> int:
    """Writes a table as CSV and as Parquet, its pages read once; returns how many rows it has.

    Both have the same values; where the CSV is to be ``harmless``, an apostrophe stands before
    texts that a spreadsheet would execute.
    """
    rows = 0
    with ExitStack() as stack:
        files = [
            stack.enter_context(
                _csv_file(table.columns, out, as_text if harmless else str)
                if form is FileFormat.CSV
                else _parquet_file(table.columns, out)
            )
            for form, out in outs.items()
        ]
        for group in _groups(table):
            for write_group in files:
                write_group(group)
            rows += group.num_rows
    return rows


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


@contextmanager
def _parquet_file(columns: tuple[ExportColumn, ...], out: IO[bytes]) -> Iterator[_WriteGroup]:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, schema(columns), compression="zstd") as writer:
        yield writer.write_table


@contextmanager
def _csv_file(
    columns: tuple[ExportColumn, ...], out: IO[bytes], cell: Callable[[str], str]
) -> Iterator[_WriteGroup]:
    import pyarrow as pa
    from pyarrow import csv

    names = [column.name for column in columns]
    out.write((",".join(names) + "\n").encode())
    options = csv.WriteOptions(include_header=False, quoting_style="needed")

    def write_group(group: pa.Table) -> None:
        for part in group.to_batches():
            arrays = map(partial(_as_texts, cell), columns, part.columns)
            csv.write_csv(pa.RecordBatch.from_arrays(list(arrays), names), out, options)

    yield write_group


def _as_texts(cell: Callable[[str], str], column: ExportColumn, array: pa.Array) -> pa.Array:
    """Returns a column as what is written of it; ``cell`` makes a cell of a text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    match column.kind:
        case ColumnType.FLAG:
            return pc.if_else(array, "yes", "no")
        case ColumnType.WORD:
            words = pa.array([cell(word) for word in array.dictionary.to_pylist()], pa.string())
            return words.take(array.indices)
        case ColumnType.TEXT:
            return pa.array([text and cell(text) for text in array.to_pylist()], pa.string())
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


MOST_ROWS: Final = 1_048_576
"""Rows of a sheet, its header among them."""
_LONGEST_TEXT: Final = 32_767
_WIDTHS: Final = {ColumnType.TEXT: 32, ColumnType.WORD: 14, ColumnType.DAY: 12}
_WIDTH: Final = 10
_SHEET_NAME: Final = 31  # letters


class Workbook:
    """A workbook in the making.

    It is written to ``out`` when it is closed. ``titles`` stand over the columns, by default their
    names. A ``notice`` stands on the tab of the sheet and above every printed page.
    """

    def __init__(
        self,
        out: IO[bytes],
        sheet: str,
        columns: Iterable[ExportColumn],
        titles: Iterable[str] | None = None,
        *,
        notice: str = "",
    ) -> None:
        import xlsxwriter

        # Rows wait there until the workbook is closed.
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._book = xlsxwriter.Workbook(
            out,
            {
                "constant_memory": True,
                "tmpdir": self._folder.name,
                "strings_to_formulas": False,
                "strings_to_numbers": False,
                "strings_to_urls": False,
                "use_zip64": True,
            },
        )
        # The file is the same however often, and whenever, it is written.
        self._book.set_properties({"created": dt.datetime(2000, 1, 1)})  # noqa: DTZ001 - no instant
        columns = tuple(columns)
        self._sheet = self._book.add_worksheet(f"{sheet} {notice}".strip()[:_SHEET_NAME])
        self._sheet.set_header(f"&C{notice}")
        bold = self._book.add_format({"bold": True})
        self._harmless = self._book.add_format({"quote_prefix": True, "num_format": "@"})
        text, day = (self._book.add_format({"num_format": form}) for form in ("@", "yyyy-mm-dd"))
        self._day = day
        formats = {ColumnType.TEXT: text, ColumnType.WORD: text, ColumnType.DAY: day}
        for place, column in enumerate(columns):
            width = _WIDTHS.get(column.kind, _WIDTH)
            self._sheet.set_column(place, place, width, formats.get(column.kind))
        self._sheet.freeze_panes(1, 0)
        self._rows = 0
        for place, title in enumerate(titles or (column.name for column in columns)):
            self._sheet.write_string(0, place, title, bold)
        self._rows = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._book.close()
            else:
                self._sheet.row_data_fh.close()  # of a workbook that nobody wants any more
        finally:
            self._folder.cleanup()

    def add(self, rows: Iterable[Iterable[Any]]) -> None:
        """Writes rows below those that are there.

        Raises:
            InputRefused: a sheet has no more rows.
        """
        for row in rows:
            if self._rows == MOST_ROWS:
                raise InputRefused("export.too_many_rows", most=MOST_ROWS - 1)
            for place, value in enumerate(row):
                self._write(place, value)
            self._rows += 1

    def _write(self, place: int, value: object) -> None:
        sheet, row = self._sheet, self._rows
        match value:
            case None:
                pass
            case bool():
                sheet.write_boolean(row, place, value)
            case int() | Fraction():
                sheet.write_number(
                    row, place, float(value) if isinstance(value, Fraction) else value
                )
            case dt.date():
                sheet.write_datetime(row, place, value, self._day)
            case _:
                text = str(value)[:_LONGEST_TEXT]
                form = (self._harmless,) if is_formula(text) else ()
                sheet.write_string(row, place, text, *form)
