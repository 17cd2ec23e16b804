"""What a decision that was handed in is about, in names."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.application.boards import RecordedBoard, recorded_tournament
from ledger.application.commits import numbered_commit
from ledger.application.ledger import Ledger
from ledger.errors import NotFound
from web.submissions.contents import AnyContent, CorrectionContent


@dataclass(frozen=True, slots=True)
class AskedBoard:
    """What a decision is about, in names: the tournament, and its board with what is recorded."""

    tournament: str
    board: RecordedBoard | None


def asked_board(ledger: Ledger, content: AnyContent, commit: int | None) -> AskedBoard | None:
    """Returns what a decision is about; None for a file, or where it is not recorded.

    Args:
        ledger: as it is known now.
        content: what is asked for.
        commit: the one that recorded it: then the board is as it was before.
    """
    if not isinstance(content, CorrectionContent):
        return None
    try:
        seq = None if commit is None else numbered_commit(ledger, commit).first_seq - 1
        found = recorded_tournament(ledger, content.tournament, content.round, seq)
    except NotFound:
        return None
    asked = (content.white, content.black)
    board = next((each for each in found.boards if (each.white, each.black) == asked), None)
    return AskedBoard(found.name, board)
