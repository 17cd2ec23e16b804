"""``record``, ``correct``, ``annul``: one event by hand, what is right instead, what never was."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.command import command
from cli.operations import offer
from cli.options import (
    ReasonedWriteOptions,
    Round,
    Tournament,
)
from cli.session import carry_out, opened
from ledger.operations.games import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectResult,
    GiveBye,
    RecordGame,
)
from ledger.operations.participants import EnterPlayer, WithdrawPlayer
from ledger.operations.tournaments import RuleOnTournament
from ledger.typed_values import board_of

offer("record-result", RecordGame)
offer("record-forfeit", RecordGame)
offer("give-bye", GiveBye)
offer("withdraw-player", WithdrawPlayer)
offer("adjudicate-game", AdjudicateGame)
offer("adjourn-game", AdjournGame)
offer("enter-player", EnterPlayer)
offer("correct-result", CorrectResult)


@command("correct colours")
def correct_colours(
    tournament: Tournament,
    round_: Round,
    board: Annotated[
        str,
        typer.Argument(metavar="BOARD", help="The board, from 1; of teams 3.2, match and board."),
    ],
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Say that a board was played with the colours reversed; each keeps the points made there."""
    from ledger.service.boards import BoardAsked, board_colours

    with opened(to.db) as ledger:
        colours = board_colours(ledger, BoardAsked(tournament, round_, board_of(board)))
    carry_out(to, colours)


offer("annul-result", AnnulResult)
offer("annul-bye", AnnulResult)
offer("annul-tournament", RuleOnTournament)
