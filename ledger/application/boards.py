"""The boards of a tournament: what is recorded at one besides its result, and all of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.application.desk import BoardNumber, seats_at
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.tournaments import require_tournament
from ledger.application.view import LedgerView
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.operations.commands import AdjournGame, AdjudicateGame, CorrectColours, CorrectResult
from ledger.registrar.registrar import Registrar
from ledger.results import Bye, Result


@dataclass(frozen=True, slots=True)
class BoardAsked:
    """A board of a published round."""

    tournament: str
    round: int
    board: BoardNumber

    def seats(self, view: LedgerView) -> tuple[str, str]:
        """Returns White and Black; raises as ``seats_at`` does, ``NotFound`` without the round."""
        record = require_tournament(view, self.tournament, view.journal.head().seq)
        if self.round not in record.desk.rounds:
            raise NotFound("desk.not_published", tournament=self.tournament, round=self.round)
        return seats_at(record, self.round, self.board)


def adjourn_board(ledger: Ledger, board: BoardAsked, request: Request) -> Receipt:
    """Records that the game of a board was interrupted; raises as ``Ledger.execute`` does."""
    white, black = board.seats(ledger)
    command = AdjournGame(
        tournament=board.tournament, round=board.round, white=white, black=black, anyway=False
    )
    return ledger.execute([command], request)


def adjudicate_board(
    ledger: Ledger, board: BoardAsked, result: Result, request: Request
) -> Receipt:
    """Gives the game of a board points for the pairing only; raises as ``Ledger.execute`` does."""
    white, black = board.seats(ledger)
    command = AdjudicateGame(
        tournament=board.tournament, round=board.round, white=white, black=black, result=result,
        ruling="temporary", anyway=False,
    )  # fmt: skip
    return ledger.execute([command], request)


def board_colours(view: LedgerView, board: BoardAsked) -> CorrectColours:
    """Returns the command that says that a board was played with the colours reversed.

    Raises:
        NotFound: no such tournament, round or board.
        InputRefused: somebody is missing at the board.
    """
    white, black = board.seats(view)
    return CorrectColours(tournament=board.tournament, round=board.round, white=white, black=black)


def correct_board(
    ledger: Ledger, board: BoardAsked, result: Result, seen: int, request: Request
) -> Receipt:
    """Corrects the result of a board, as somebody saw it.

    ``seen`` is the seq of the last word on it that was seen. ``request`` is what accompanies it;
    its reason must be said.

    Raises:
        Conflict: something else was recorded of it meanwhile.
        InputRefused: nothing is recorded of it, it has this result already, or no reason is said.
    """
    white, black = board.seats(ledger)
    command = CorrectResult(
        tournament=board.tournament, round=board.round, white=white, black=black, result=result
    )
    if not request.reason.strip():
        raise InputRefused("registrar.needs_reason")

    def plan(registrar: Registrar) -> Sequence[Problem]:
        record = registrar.register.known_tournament(board.tournament)
        pairing_ = record.pairings.get((board.round, white))
        if pairing_ is not None and pairing_.seq != seen:
            pairing = pairing_.described()
            raise Conflict("desk.board_changed", round=board.round, pairing=pairing)
        registrar.take(command)
        return [Problem(message) for message in registrar.warnings]

    return ledger.append(command.streams, plan, request)


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """A pairing of a round, or a bye (``black`` None), with names and the recorded result."""

    round: int
    white: str
    white_name: str
    black: str | None
    black_name: str
    result: str


@dataclass(frozen=True, slots=True)
class RecordedTournament:
    """A tournament with the boards of one round of it."""

    id: str
    name: str
    rounds: int
    boards: tuple[RecordedBoard, ...]


def recorded_tournament(
    view: LedgerView, tournament: str, round_: int | None, seq: int | None = None
) -> RecordedTournament:
    """Returns a tournament with the boards of a round, as known at a seq (default: now).

    Names are those of now. Raises ``NotFound`` where there is no such tournament.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq if seq is None else seq)
    people = view.people(facts)
    shown = [
        pairing
        for (number, player), pairing in sorted(record.pairings.items())
        if number == round_ and player == pairing.white
    ]
    indexes = {player: facts.player_index.get(player) for each in shown for player in each.players}
    people.read(index for index in indexes.values() if index is not None)

    def name(player: str | None) -> str:
        index = None if player is None else indexes[player]
        return "" if index is None else people.name(index) or ""

    boards = [
        RecordedBoard(
            round=pairing.round,
            white=pairing.white,
            white_name=name(pairing.white),
            black=pairing.black,
            black_name=name(pairing.black),
            result=_said(pairing.result),
        )
        for pairing in shown
    ]
    return RecordedTournament(tournament, record.version.name, record.last_round, tuple(boards))


def _said(result: Result | Bye | None) -> str:
    """Writes a result as reports do; a star where there is none yet."""
    return result.letter if isinstance(result, Bye) else str(result or "*")
