"""Tables on narrow screens: names give way, nothing else is ever lost."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cli.columns import Column, Figures, Kind, Sheet
from ledger.rating.decimal_text import exact
from tests.laws.support import law

EIGHT = Fraction(8531, 6)
NAME = "Chavarría Fernández de la Vega, María Guadalupe"
CELLS = st.text("abcdefgh0123456789-+.", min_size=1, max_size=60)
KINDS = st.sampled_from([Kind.TEXT, Kind.FIGURE])


def lines(sheet: Sheet, width: int) -> list[str]:
    return [line for line, _ in sheet.lines(width)]


def sheet_of(*kinds: Kind) -> Sheet:
    return Sheet(*(Column(f"c{place}", kind) for place, kind in enumerate(kinds)))


@law(200)
@given(st.lists(KINDS, min_size=1, max_size=9), st.integers(8, 120), st.data())
def test_no_line_is_too_wide_and_no_cell_is_cut(
    kinds: list[Kind], width: int, data: st.DataObject
) -> None:
    made = sheet_of(*kinds)
    rows = data.draw(st.lists(st.tuples(*(CELLS for _ in kinds)), min_size=1, max_size=4))
    for row in rows:
        made.add(*row)
    written = lines(made, width)
    assert all(cell_len(line) <= width for line in written)
    for cell in (cell for row in rows for cell in row):
        if len(cell) <= width - 2:
            assert any(cell in line for line in written), cell
    for row in rows:
        of_one = Sheet(*(Column("", kind) for kind in kinds), heading=False)
        of_one.add(*row)
        shown = "".join("".join(lines(of_one, width)).split())
        assert sorted(shown) == sorted("".join(row))


def test_names_give_way_first_and_columns_move_together_then_they_fold() -> None:
    made = sheet_of(Kind.TEXT, Kind.NAME, Kind.FIGURE, Kind.FIGURE)
    made.add("2024-06", NAME, "2194", "-6.40")
    assert lines(made, 80)[2] == f"2024-06  {NAME}  2194  -6.40"
    assert lines(made, 40)[2] == "2024-06  Chavarría Fernánd…  2194  -6.40"
    assert lines(made, 30)[2] == "2024-06 Chavarría… 2194 -6.40"
    assert lines(made, 24)[:2] == ["c0       c1", "    c2     c3"]
    assert lines(made, 24)[3:5] == ["2024-06  Chavarría Fern…", "  2194  -6.40"]


def test_points_stand_under_each_other() -> None:
    made = sheet_of(Kind.DECIMAL)
    for figure in ("-5.25", "1887", "+0.075", "0"):
        made.add(figure)
    assert lines(made, 80)[2:-1] == ["  -5.25", "1887", "  +0.075", "   0"]


class TestFigures:
    def test_fractions_are_numbers(self) -> None:
        shown = Figures(exactly=False)
        assert [shown(value) for value in (EIGHT, -EIGHT / 1000, EIGHT * 0)] == [
            "1421.8333", "-1.4218", "0.00",
        ]  # fmt: skip
        assert shown.mean(EIGHT) == "1421.83"
        assert shown.change(EIGHT) == "+1421.8333"

    def test_exactly_they_are_what_they_are(self) -> None:
        shown = Figures(exactly=True)
        assert [shown(EIGHT), shown.mean(EIGHT), shown.change(-EIGHT)] == [
            exact(EIGHT), "8531/6", "-8531/6",
        ]  # fmt: skip
