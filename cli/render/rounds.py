"""How a round looks on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table, told
from ledger.forms.round_sheet import (
    below_boards,
    board_cells,
    match_cells,
    round_columns,
    round_title,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.round_sheet import RoundSheet


def render_round(sheet: RoundSheet, out: Console, *, explain: bool) -> None:
    """Writes the boards of a round, who does not play, and how the pairing came to be."""
    out.print(round_title(sheet, say), style="bold")
    made = table(*round_columns(sheet))
    for board in sheet.boards:
        made.add(*board_cells(board))
        for game in board.games:
            made.add(*match_cells(board, game, "({})".format, say))
        if board.games:
            made.section()
    out.print(made)
    for line in below_boards(sheet, say):
        out.print(line)
    if explain:
        for step in sheet.steps:
            out.print(f"  {told(step)}")
