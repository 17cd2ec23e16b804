"""How the crosstable of an event looks on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table
from cli.tables import Column, Kind
from ledger.forms.crosstable import crosstable_squares, crosstable_title
from ledger.forms.page import Circled
from ledger.forms.standings import code_name, place_figures

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.crosstable import Crosstable

_SIGNS = {"1": "①", "0": "⓪"}


def render_crosstable(made: Crosstable, out: Console) -> None:
    """Writes the rows: results, points, tie-breaks, place; points without play are circled."""
    out.print(crosstable_title(made, say), style="bold")
    codes = [Column(code_name(code, say), Kind.DECIMAL) for code in made.standings.codes]
    written = table("number", "name", *map(Column, made.columns), "points", *codes, "place")
    below = False
    for each in made.rows:
        if each.place.cancelled and not below:
            written.section()
            below = True
        squares = (
            " ".join(_SIGNS[word] if isinstance(word, Circled) else word for word in words)
            for words in crosstable_squares(made, each, say)
        )
        figures = place_figures(made.standings, each.place)
        written.add(each.place.number, each.place.name, *squares, *figures)
    out.print(written)
