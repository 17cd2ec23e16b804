"""What a decision that was handed in is about, in names."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.answers.commits import numbered_commit
from ledger.errors import NotFound
from ledger.operations.kinds import MOST_ROUNDS
from ledger.service.boards import RecordedBoard, recorded_tournament
from ledger.typed_values import integer_in
from ledger.views.view import LedgerView
from web.submissions.contents import AnyContent, OperationContent


@dataclass(frozen=True, slots=True)
class AskedBoard:
    """What a decision is about, in names: the tournament, and its board with what is recorded."""

    tournament: str
    board: RecordedBoard | None


def asked_board(view: LedgerView, content: AnyContent, commit: int | None) -> AskedBoard | None:
    """Returns what a decision is about; None for a file, or where it is not recorded.

    Args:
        view: the ledger as it is known now.
        content: what is asked for.
        commit: the one that recorded it: then the board is as it was before.
    """
    if not isinstance(content, OperationContent) or "tournament" not in content.words:
        return None
    words = content.words
    try:
        seq = None if commit is None else numbered_commit(view, commit).first_seq - 1
        round_ = integer_in(words.get("round", ""), least=1, most=MOST_ROUNDS)
        found = recorded_tournament(view, words["tournament"], round_, seq)
    except NotFound:
        return None
    seats = (words.get("white"), words.get("black"))
    board = next((each for each in found.boards if (each.white, each.black) == seats), None)
    return AskedBoard(found.name, board)
