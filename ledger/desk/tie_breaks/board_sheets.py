"""Score sheets of the boards of teams: their points together, and each board by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ledger.desk.score_sheet import WIN, CardLine, How, ScoreSheet


def boards_of_matches(sheet: ScoreSheet) -> int:
    """Returns how many boards a match has; 0 where the participants are no teams."""
    lines = (line for card in sheet.cards.values() for line in card.lines)
    return max((len(line.boards) for line in lines), default=0)


def by_board_points(sheet: ScoreSheet) -> ScoreSheet:
    """Returns the sheet whose scores are the points of the boards (FIDE C.07 11.1: game points)."""
    return sheet.derived("board points", _by_board_points)


def _by_board_points(sheet: ScoreSheet) -> ScoreSheet:
    win = WIN * max(1, boards_of_matches(sheet))
    return _made(sheet, lambda line: replace(line, halves=line.board_halves), win)


def of_board(sheet: ScoreSheet, board: int) -> ScoreSheet:
    """Returns the sheet of a board, from 1: a team meets on it the same teams, whoever plays."""
    return sheet.derived(
        f"board {board}", lambda of: _made(of, lambda line: _board(line, board), WIN)
    )


def _board(line: CardLine, board: int) -> CardLine:
    """Returns a line of a board; without a match the board was not played, and brings nothing."""
    if len(line.boards) < board:
        return replace(line, halves=0, how=How.UNPAIRED if line.paired else line.how)
    return line.boards[board - 1]


def _made(sheet: ScoreSheet, change: Callable[[CardLine], CardLine], win: int) -> ScoreSheet:
    cards = {
        number: replace(card, lines=tuple(map(change, card.lines)))
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played, win)
