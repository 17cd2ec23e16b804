"""How the score sheet of an event looks on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table
from cli.tables import Column, Kind
from ledger.forms.score_form import score_form_rounds, score_form_title, total_text
from ledger.forms.standings import code_name, place_figures

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.score_form import ScoreForm


def render_score_form(made: ScoreForm, out: Console) -> None:
    """Writes the rows: totals by round, points, tie-breaks, place."""
    out.print(score_form_title(made, say), style="bold")
    codes = [Column(code_name(code, say), Kind.DECIMAL) for code in made.standings.codes]
    rounds = map(Column, score_form_rounds(made))
    written = table("number", "name", *rounds, "points", *codes, "place")
    below = False
    for each in made.rows:
        if each.place.cancelled and not below:
            written.section()
            below = True
        totals = map(total_text, each.totals)
        figures = place_figures(made.standings, each.place)
        written.add(each.place.number, each.place.name, *totals, *figures)
    out.print(written)
