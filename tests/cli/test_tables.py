"""Tables on narrow screens: names give way, then columns fold, and nothing is ever lost."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from cli.tables import Column, Kind, Table
from ledger.rating.decimal_text import exact
from ledger.reports.balance import Figures
from tests.laws.support import law

EIGHT = Fraction(8531, 6)
NAME = "Chavarría Fernández de la Vega, María Guadalupe"
WORDS = st.lists(st.text("abcdefgh0123456789-+.", min_size=1, max_size=40), max_size=4).map(
    " ".join
)
KINDS = st.sampled_from(Kind)


def lines(table: Table, width: int) -> list[str]:
    return [line for line, _ in table.lines(width)]


def test_what_is_recorded_steers_no_terminal() -> None:
    made = Table(Column("reason"))
    made.add("a\x1b[2Jb\u202ec\nd")
    assert lines(made, 80)[2] == r"a\x1b[2Jb\u202ec d"


def test_whole_numbers_stand_to_the_right_and_texts_to_the_left() -> None:
    made = Table(Column("id"), Column("games"), Column("on", Kind.TEXT))
    made.add("7", 5, 3)
    made.add("0012", None, 12)
    made.add("x", 120, None)
    assert lines(made, 80)[2:-1] == [
        "7         5  3", "0012         12", "x       120",
    ]  # fmt: skip


def table_of(*kinds: Kind) -> Table:
    return Table(*(Column(f"c{place}", kind) for place, kind in enumerate(kinds)))


@law(200)
@given(st.lists(KINDS, min_size=1, max_size=9), st.integers(8, 120), st.data())
def test_no_line_is_too_wide_and_no_word_is_cut(
    kinds: list[Kind], width: int, data: st.DataObject
) -> None:
    made = table_of(*kinds)
    rows = data.draw(st.lists(st.tuples(*(WORDS for _ in kinds)), min_size=1, max_size=4))
    for row in rows:
        made.add(*row)
    written = lines(made, width)
    assert all(cell_len(line) <= width for line in written)
    for cell, kind in ((cell, kind) for row in rows for cell, kind in zip(row, kinds, strict=True)):
        for word in cell.split():
            if kind is not Kind.DECIMAL and len(word) <= width - 2:
                assert any(word in line for line in written), word
    for row in rows:
        of_one = Table(*(Column("", kind) for kind in kinds), heading=False)
        of_one.add(*row)
        shown = "".join("".join(lines(of_one, width)).split())
        assert sorted(shown) == sorted("".join("".join(row).split()))


@law(200)
@given(
    st.lists(st.lists(st.integers(-99999, 99999), min_size=9, max_size=9), min_size=1, max_size=3),
    st.integers(12, 80),
)
def test_every_figure_ends_where_its_own_heading_ends(rows: list[list[int]], width: int) -> None:
    """Of a row on several lines each is read with the line of the heading that is as far down."""
    made = table_of(*[Kind.FIGURE] * 9)
    for row in rows:
        made.add(*row)
    written = lines(made, width)
    depth = next(number for number, line in enumerate(written) if line.startswith("─"))
    heading = written[:depth]
    places = {
        f"c{column}": (deck, line.index(f"c{column}") + 2)
        for deck, line in enumerate(heading)
        for column in range(9)
        if f"c{column}" in line
    }
    body = written[depth + 1 : -1]
    assert len(body) == depth * len(rows)
    for number, row in enumerate(rows):
        for column, figure in enumerate(row):
            deck, end = places[f"c{column}"]
            assert body[number * depth + deck][:end].endswith(str(figure))


def test_names_give_way_first_and_columns_move_together_then_they_fold() -> None:
    made = table_of(Kind.TEXT, Kind.NAME, Kind.FIGURE, Kind.FIGURE)
    made.add("2024-06", NAME, "2194", "-6.40")
    assert lines(made, 80)[2] == f"2024-06  {NAME}  2194  -6.40"
    assert lines(made, 50)[2:-1] == [
        "2024-06  Chavarría Fernández de la     2194  -6.40",
        "         Vega, María Guadalupe",
    ]
    assert lines(made, 32)[2] == "2024-06 Chavarría     2194 -6.40"
    assert lines(made, 24)[:2] == ["c0       c1", "    c2     c3"]
    assert lines(made, 24)[3:] == [
        "2024-06  Chavarría",
        "         Fernández de la",
        "         Vega, María",
        "         Guadalupe",
        "  2194  -6.40",
        "",
    ]


def test_sentences_go_below_then_headings_are_abbreviated_and_short_texts_broken() -> None:
    made = Table(
        Column("tablero", Kind.FIGURE),
        Column("blancas"),
        Column("K*CM*chg", Kind.FIGURE),
        Column("no se evalúa porque", Kind.LONG),
    )
    made.add("1", "1 Ríos Cantú, Héctor", "-6.40", "no se presentó")
    assert lines(made, 70)[2] == "      1  1 Ríos Cantú, Héctor     -6.40  no se presentó"
    assert lines(made, 38) == [
        "tablero blancas              K*CM*chg",
        "  no se evalúa porque",
        "─" * 37,
        "      1 1 Ríos Cantú, Héctor    -6.40",
        "  no se presentó",
        "",
    ]
    assert lines(made, 36)[0] == "tab.  blancas               K*CM*chg"
    assert lines(made, 24)[0] == "tabl.  blancas  K*CM*chg"
    assert lines(made, 24)[3:5] == ["    1  1 Ríos      -6.40", "       Cantú,"]


def test_sentences_are_broken_between_words_and_figures_are_not() -> None:
    made = Table(Column("round", Kind.FIGURE), Column("reason"), Column("points", Kind.FIGURE))
    made.add(3, "the opponent has no rating and so on", "1/2")
    assert lines(made, 40)[2:-1] == [
        "    3  the opponent has no           1/2",
        "       rating and so on",
    ]


def test_points_stand_under_each_other() -> None:
    made = table_of(Kind.DECIMAL)
    for figure in ("-5.25", "1887", "+0.075", "0"):
        made.add(figure)
    assert lines(made, 80)[2:-1] == ["  -5.25", "1887", "  +0.075", "   0"]


def test_nothing_in_a_cell_is_markup_and_a_line_ends_a_section() -> None:
    made = Table(Column("id"), Column("rating", Kind.FIGURE), title="A title")
    made.add("[bold]A[/bold] :cat:", None)
    made.section()
    made.add("B", 12)
    out = Console(file=io.StringIO(), width=80, color_system=None)
    out.print(made)
    written = out.file
    assert isinstance(written, io.StringIO)
    assert written.getvalue().splitlines() == [
        "A title",
        "id                    rating",
        "────────────────────────────",
        "[bold]A[/bold] :cat:",
        "────────────────────────────",
        "B                         12",
        "",
    ]


def test_no_table_is_made_elsewhere() -> None:
    cli = Path(__file__).parents[2] / "cli"
    assert not [file for file in cli.rglob("*.py") if "rich.table" in file.read_text("utf-8")]


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
