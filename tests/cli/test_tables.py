"""Tables on narrow screens lose nothing but the shape."""

from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from cli.tables import FittingTable
from tests.laws.support import law


def shown(table: FittingTable, width: int) -> str:
    out = Console(file=io.StringIO(), width=width, color_system=None)
    out.print(table)
    written = out.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def made(*rows: tuple[str, ...], title: str | None = None) -> FittingTable:
    table = FittingTable(["id", "name", "rating"], [False, False, True], title)
    for row in rows:
        table.add_row(*row)
    return table


def test_names_give_way_to_ids_and_figures() -> None:
    table = made(("3404510", "Ruiz Zenteno, Leonardo Marcial", "1894"))
    wide, narrow = shown(table, 80), shown(table, 30)
    assert "3404510   Ruiz Zenteno, Leonardo Marcial     1894" in wide
    assert "3404510   Ruiz" in narrow
    assert "1894" in narrow
    assert max(map(len, narrow.splitlines())) <= 30


def test_columns_stand_under_each_other_where_nothing_else_can_give_way() -> None:
    table = made(("tournament-of-long-name", "x", "1894"))
    lines = [line.strip() for line in shown(table, 26).splitlines() if line.strip()]
    assert "tournament-of-long-name" in lines
    assert any(line.endswith("1894") for line in lines)


def test_nothing_in_a_cell_is_markup() -> None:
    assert "[bold]A[/bold]" in shown(made(("1", "[bold]A[/bold]", "2")), 80)


_WORDS = st.lists(st.text("abcdefghij-0123456789", min_size=1, max_size=18), max_size=4).map(
    " ".join
)


@law(80)
@given(st.lists(st.tuples(*[_WORDS] * 6), min_size=1, max_size=6), st.integers(22, 90))
def test_no_word_is_ever_cut(rows: list[tuple[str, ...]], width: int) -> None:
    table = FittingTable(["a", "b", "c", "d", "e", "f"], [False, True, False, False, True, False])
    for row in rows:
        # What stands to the right is a figure or a date: one word.
        table.add_row(
            *(cell.replace(" ", "")[:18] if i in (1, 4) else cell for i, cell in enumerate(row))
        )
    out = shown(table, width)
    assert max(map(len, out.splitlines())) <= width
    found = out.split()
    for row in rows:
        for i, cell in enumerate(row):
            words = [cell.replace(" ", "")[:18]] if i in (1, 4) else cell.split()
            for word in filter(None, words):
                assert word in found


def test_a_screen_narrower_than_a_word_breaks_it_and_loses_nothing() -> None:
    lines = shown(made(("abcdefghijkl", "", "")), 10).split("rating")[-1]
    assert "".join(letter for letter in lines if letter.isalpha()) == "abcdefghijkl"


def test_no_table_is_made_elsewhere() -> None:
    cli = Path(__file__).parents[2] / "cli"
    found = {file.name for file in cli.rglob("*.py") if "rich.table" in file.read_text("utf-8")}
    assert found == {"tables.py"}
