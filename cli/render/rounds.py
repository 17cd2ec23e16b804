"""How a round looks on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.output import print_notes, say, table, told
from ledger.forms.page import corrected_note, joined, result_words
from ledger.forms.round_sheet import (
    below_boards,
    board_cells,
    match_cells,
    round_columns,
    round_title,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.round_sheet import BoardRow, MatchGame, RoundSheet


def render_round(sheet: RoundSheet, out: Console, *, explain: bool) -> None:
    """Writes the boards of a round, who does not play, and how the pairing came to be."""
    out.print(round_title(sheet, say), style="bold")
    made = table(*round_columns(sheet))
    for board in sheet.boards:
        made.add(*_cells(board_cells(board), board))
        for game in board.games:
            made.add(*_cells(match_cells(board, game, "({})".format, say), game))
        if board.games:
            made.section()
    out.print(made)
    print_notes(out, corrected_note(sheet.corrected_by_seqs, say))
    for line in below_boards(sheet, say):
        out.print(line)
    if explain:
        for step in sheet.steps:
            out.print(f"  {told(step)}")


def _cells(cells: list[object], of: BoardRow | MatchGame) -> Iterator[object]:
    *before, result = cells
    yield from (*before, joined(result_words(result, of.corrected_by_seq, say), str))
