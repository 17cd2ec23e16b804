"""Workbooks for tests: made by a writer of workbooks, or of XML as no writer would make them."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence

import xlsxwriter

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SHEET = "xl/worksheets/sheet1.xml"
_STRINGS = "xl/sharedStrings.xml"


def workbook(
    rows: Sequence[Sequence[object]], *, sheet: str = "Hoja 1", others: Sequence[str] = (),
    first: str | None = None,
) -> bytes:  # fmt: skip
    """Returns a workbook with the rows; a text that begins with = is a formula, without value.

    ``others`` are empty sheets behind it, ``first`` is one with a word before it.

    A pair is a formula and the value that was calculated last.
    """
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        if first is not None:
            book.add_worksheet(first).write(0, 0, "x")
        page = book.add_worksheet(sheet)
        day = book.add_format({"num_format": "dd/mm/yyyy"})
        for line, row in enumerate(rows):
            for place, value in enumerate(row):
                match value:
                    case dt.date():
                        page.write_datetime(line, place, value, day)
                    case (formula, calculated):
                        page.write_formula(line, place, formula, None, calculated)
                    case _:
                        page.write(line, place, value)
        for other in others:
            book.add_worksheet(other)
    return out.getvalue()


def raw_workbook(
    rows: Iterable[str], *, strings: str = "", more: Mapping[str, str] | None = None
) -> bytes:
    """Returns a workbook whose sheet has the rows as XML, ``strings`` its shared ones.

    ``more`` are other members, which replace those of the same name.
    """
    members = {_STRINGS: f'<sst xmlns="{_MAIN}">{strings}</sst>', **(more or {})}
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook([["x"]]))) as model,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in {*model.namelist(), *members} - {_SHEET}:
            archive.writestr(name, members.get(name) or model.read(name))
        with archive.open(_SHEET, "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in rows:
                sheet.write(row.encode())
            sheet.write(b"</sheetData></worksheet>")
    return out.getvalue()
