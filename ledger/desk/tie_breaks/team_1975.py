"""The tie-break by boards of Chavarría's manual of 1975: EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS.

All tie-breaks of ``manual_1975`` go with teams, on the points of their matches; with 5 rounds
Solkoff comes first. Once, in Zacatecas in 1972, the medians of the four boards were added up.
"""

from __future__ import annotations

from typing import Final

from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.desk.tie_breaks.board_sheets import boards_of_matches, of_board
from ledger.desk.tie_breaks.manual_1975 import median
from ledger.desk.tie_breaks.tie_break import Part, TieBreak, Value


def board_medians(sheet: ScoreSheet, card: Card) -> Value:
    """Sums the medians of all boards, whoever played there ("haciendo caso omiso de quien").

    Each board is a row of its own: its opponents are the same boards of the other teams.
    """
    parts: list[Part] = []
    for board in range(1, boards_of_matches(sheet) + 1):
        of = of_board(sheet, board)
        parts += median(of, of.cards[card.number]).parts
    return Value.total(parts)


BOARD_MEDIANS: Final = TieBreak("board-medians", "EQUIPOS", board_medians)
