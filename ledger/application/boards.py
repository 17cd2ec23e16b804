"""What is recorded at a board of a published round, besides its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.application.desk import BoardNumber, seats_at
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.tournaments import require_tournament
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.registrar.commands import AdjournGame, AdjudicateGame, CorrectResult
from ledger.registrar.registrar import Registrar
from ledger.results import Result


@dataclass(frozen=True, slots=True)
class BoardAsked:
    """A board of a published round."""

    tournament: str
    round: int
    board: BoardNumber

    def seats(self, ledger: Ledger) -> tuple[str, str]:
        """Returns White and Black; raises as ``seats_at`` does, ``NotFound`` without the round."""
        record = require_tournament(ledger, self.tournament, ledger.journal.head().seq)
        if self.round not in record.desk.rounds:
            raise NotFound("desk.not_published", tournament=self.tournament, round=self.round)
        return seats_at(record, self.round, self.board)


def adjourn_board(ledger: Ledger, asked: BoardAsked, request: Request) -> Receipt:
    """Records that the game of a board was interrupted; raises as ``Ledger.execute`` does."""
    white, black = asked.seats(ledger)
    said = AdjournGame(
        tournament=asked.tournament, round=asked.round, white=white, black=black, anyway=False
    )
    return ledger.execute([said], request)


def adjudicate_board(
    ledger: Ledger, asked: BoardAsked, result: Result, request: Request
) -> Receipt:
    """Gives the game of a board points for the pairing only; raises as ``Ledger.execute`` does."""
    white, black = asked.seats(ledger)
    said = AdjudicateGame(
        tournament=asked.tournament, round=asked.round, white=white, black=black, result=result,
        ruling="temporary", anyway=False,
    )  # fmt: skip
    return ledger.execute([said], request)


def correct_board(
    ledger: Ledger, asked: BoardAsked, result: Result, seen: int, request: Request
) -> Receipt:
    """Corrects the result of a board, as somebody saw it.

    ``seen`` is the seq of the last word on it that was seen. ``request`` is what accompanies it;
    its reason must be said.

    Raises:
        Conflict: something else was recorded of it meanwhile.
        InputRefused: nothing is recorded of it, it has this result already, or no reason is said.
    """
    white, black = asked.seats(ledger)
    said = CorrectResult(
        tournament=asked.tournament, round=asked.round, white=white, black=black, result=result
    )
    if not request.reason.strip():
        raise InputRefused("registrar.needs_reason")

    def plan(registrar: Registrar) -> Sequence[Problem]:
        record = registrar.register.known_tournament(asked.tournament)
        there = record.pairings.get((asked.round, white))
        if there is not None and there.seq != seen:
            pairing = there.described()
            raise Conflict("desk.board_changed", round=asked.round, pairing=pairing)
        registrar.take(said)
        return [Problem(message) for message in registrar.warnings]

    return ledger.append(said.streams, plan, request)
