"""A table in every kind of file says the same; nothing in it is executed."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from ledger.errors import InputRefused
from ledger.exports import files
from ledger.exports.columns import ColumnType, ExportColumn, ExportTable, constant, words
from ledger.exports.files import FileFormat, write
from tests.profile import examples

DAY = dt.date(2010, 7, 23)
COLUMNS = (
    ExportColumn("word", ColumnType.WORD, ""),
    ExportColumn("text", ColumnType.TEXT, "", optional=True),
    ExportColumn("whole", ColumnType.WHOLE, "", optional=True),
    ExportColumn("flag", ColumnType.FLAG, ""),
    ExportColumn("day", ColumnType.DAY, ""),
)
Row = tuple[str, str | None, int | None, bool, dt.date]


def table(pages: Sequence[Sequence[Row]]) -> ExportTable:
    made = []
    for rows in pages:
        cells = [[row[place] for row in rows] for place in range(len(COLUMNS))]
        texts = sorted({row[0] for row in rows})
        places = np.array([texts.index(row[0]) for row in rows], dtype=np.int64)
        page = {
            "word": words(places, pa.array(texts, pa.string())),
            "text": pa.array(cells[1], pa.string()),
            "whole": pa.array(cells[2], pa.int64()),
            "flag": pa.array(cells[3], pa.bool_()),
            "day": pa.array(cells[4], pa.date32()),
        }
        made.append(page)
    return ExportTable("rows", COLUMNS, made)


def written(pages: Sequence[Sequence[Row]], form: FileFormat) -> bytes:
    out = io.BytesIO()
    assert write(table(pages), out, form) == sum(map(len, pages))
    return out.getvalue()


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=5
)
rows = st.tuples(
    st.sampled_from(["A", "B", "=C", "-1"]), st.none() | texts, st.none() | st.integers(-9, 9),
    st.booleans(), st.dates(),
)  # fmt: skip


@examples(50)
@given(st.lists(st.lists(rows, max_size=4), max_size=3))
def test_parquet_says_what_was_put_in(pages: list[list[Row]]) -> None:
    read = pq.read_table(io.BytesIO(written(pages, FileFormat.PARQUET)))
    assert read.column_names == [column.name for column in COLUMNS]
    assert [tuple(row.values()) for row in read.to_pylist()] == [
        row for page in pages for row in page
    ]


def test_csv() -> None:
    pages: list[list[Row]] = [[("A", 'a "b"', 1, True, DAY)], [], [("B", None, None, False, DAY)]]
    assert list(csv.reader(io.StringIO(written(pages, FileFormat.CSV).decode()))) == [
        ["word", "text", "whole", "flag", "day"],
        ["A", 'a "b"', "1", "yes", "2010-07-23"],
        ["B", "", "", "no", "2010-07-23"],
    ]


def test_xlsx() -> None:
    pages: list[list[Row]] = [[("007", "½", 1, True, DAY)], [("B", None, None, False, DAY)]]
    book = CalamineWorkbook.from_filelike(io.BytesIO(written(pages, FileFormat.XLSX)))
    assert book.sheet_names == ["rows"]
    assert book.get_sheet_by_index(0).to_python() == [
        ["word", "text", "whole", "flag", "day"],
        ["007", "½", 1.0, True, DAY],
        ["B", "", "", False, DAY],
    ]


def test_no_cell_is_executed() -> None:
    pages: list[list[Row]] = [[("=1+1", "@SUM(A1)", -1, True, DAY)]]
    cells = list(csv.reader(io.StringIO(written(pages, FileFormat.CSV).decode())))[1]
    assert cells[:3] == ["'=1+1", "'@SUM(A1)", "-1"]
    book = CalamineWorkbook.from_filelike(io.BytesIO(written(pages, FileFormat.XLSX)))
    # As it is, and a text: a formula would have the value that it comes to.
    assert book.get_sheet_by_index(0).to_python()[1][:3] == ["=1+1", "@SUM(A1)", -1.0]


@pytest.mark.parametrize("form", list(FileFormat))
def test_the_same_table_is_the_same_to_the_byte(form: FileFormat) -> None:
    pages: list[list[Row]] = [[("A", "a", 1, True, DAY)]]
    assert written(pages, form) == written(pages, form)


@pytest.mark.parametrize("form", list(FileFormat))
def test_a_table_without_rows_has_its_columns(form: FileFormat) -> None:
    assert written([], form)


def test_a_sheet_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_ROWS", 2)
    with pytest.raises(InputRefused):
        written([[("A", None, 1, True, DAY)] * 2], FileFormat.XLSX)


def test_constant_words() -> None:
    assert constant("NAT", 2).to_pylist() == ["NAT", "NAT"]
