"""How crosstable and score sheet of an event look on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import print_notes, say, table
from cli.tables import Column, Kind
from ledger.forms.standings import code_name, place_figures

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.forms.grid import StandingsGrid


def render_grid(grid: StandingsGrid, out: Console) -> None:
    """Writes the rows: results by column, points, tie-breaks, place."""
    out.print(grid.title, style="bold")
    codes = [
        Column(code_name(code, say), Kind.DECIMAL, explained=True) for code in grid.standings.codes
    ]
    written = table("number", "name", *map(Column, grid.columns), "points", *codes, "place")
    below = False
    for place, words in grid.rows:
        if place.cancelled and not below:
            written.section()
            below = True
        figures = place_figures(grid.standings, place)
        written.add(place.number, place.name, *map(grid.text, words), *figures)
    out.print(written)
    print_notes(out, grid.notes)
