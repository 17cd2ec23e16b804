"""Writes workbooks (XLSX) of one sheet, row by row, in little memory.

No cell is executed: texts are written as texts, and those that look like a formula stay one when
somebody edits the cell.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterable
from typing import IO, Any, Final, Self

from ledger.errors import InputRefused
from ledger.exports.columns import ColumnType, ExportColumn, is_formula

MOST_ROWS: Final = 1_048_576
"""Rows of a sheet, its header among them."""
_LONGEST_TEXT: Final = 32_767
_WIDTHS: Final = {ColumnType.TEXT: 32, ColumnType.WORD: 14, ColumnType.DAY: 12}
_WIDTH: Final = 10


class Workbook:
    """A workbook in the making.

    Args:
        out: where it is written, when it is closed.
        sheet: the name of its sheet.
        columns: the columns of the sheet.
        titles: what stands over them; by default their names.
    """

    def __init__(
        self,
        out: IO[bytes],
        sheet: str,
        columns: Iterable[ExportColumn],
        titles: Iterable[str] | None = None,
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
        self._sheet = self._book.add_worksheet(sheet)
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
            case int():
                sheet.write_number(row, place, value)
            case dt.date():
                sheet.write_datetime(row, place, value, self._day)
            case _:
                text = str(value)[:_LONGEST_TEXT]
                form = (self._harmless,) if is_formula(text) else ()
                sheet.write_string(row, place, text, *form)
