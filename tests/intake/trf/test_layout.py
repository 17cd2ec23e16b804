"""The columns are those of the printed format, checked with marks and without the layout's help."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.intake.trf.layout import LAYOUTS, Columns, PlayerField, RoundField, Team26Field
from ledger.intake.trf.records import read_records, split_lines, strays

# As printed: TRF16, player section, and TRF26, record 310.
PRINTED = [
    (PlayerField.NUMBER, 5, 8),
    (PlayerField.SEX, 10, 10),
    (PlayerField.TITLE, 11, 13),
    (PlayerField.NAME, 15, 47),
    (PlayerField.RATING, 49, 52),
    (PlayerField.FEDERATION, 54, 56),
    (PlayerField.FIDE_NUMBER, 58, 68),
    (PlayerField.BIRTH, 70, 79),
    (PlayerField.POINTS, 81, 84),
    (PlayerField.RANK, 86, 89),
    (RoundField.OPPONENT, 92, 95),
    (RoundField.COLOUR, 97, 97),
    (RoundField.RESULT, 99, 99),
    (Team26Field.NAME, 9, 40),
    (Team26Field.NICKNAME, 42, 46),
    (Team26Field.RANK, 69, 71),
]


@pytest.mark.parametrize(("field", "first", "last"), PRINTED)
def test_a_field_has_its_printed_columns(field: Columns, first: int, last: int) -> None:
    assert (field.first, field.last) == (first, last)


@pytest.mark.parametrize("code", LAYOUTS)
def test_fields_are_in_order_and_do_not_overlap(code: str) -> None:
    layout = LAYOUTS[code]
    fields = [*layout.fields, *layout.group]
    assert fields[0].first > 3
    for before, after in itertools.pairwise(fields):
        assert before.last < after.first
    if layout.group:
        group = list(layout.group)
        assert group[-1].last < group[0].first + layout.step


def test_a_later_round_stands_ten_columns_on() -> None:
    line = "001    1".ljust(111) + "  12 w 1"
    (record,) = read_records(line)
    for field, text, column in (
        (RoundField.OPPONENT, "12", 112),
        (RoundField.COLOUR, "w", 117),
        (RoundField.RESULT, "1", 119),
    ):
        cell = record.cell(field, 2)
        assert (cell.text, cell.column) == (text, column)
    assert record.cell(RoundField.RESULT, 7).text == ""


@pytest.mark.parametrize("column", [4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91, 96, 98, 100, 101])
def test_a_text_between_the_columns_is_a_stray(column: int) -> None:
    line = "001    1      Aguirre".ljust(104) + "1"
    line = line[: column - 1] + "x" + line[column:]
    (record,) = read_records(line)
    assert next(strays(record)).column == column
    assert record.written() == line


@settings(deadline=None)
@given(st.text(alphabet="a\x0b\x1c\u2028\r\n", max_size=20))
def test_lines_end_with_lf_crlf_and_cr_and_nothing_else(text: str) -> None:
    lines = split_lines(text)
    assert "".join(line + end for line, end in lines) == text
    assert all(end in ("\n", "\r\n", "\r") for _, end in lines[:-1])
    assert not any("\r" in line or "\n" in line for line, _ in lines)
