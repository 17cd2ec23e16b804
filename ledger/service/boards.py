"""The boards of a tournament: what is recorded at one besides its result, and all of a round."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.answers.commits import commit_of
from ledger.answers.event_desk import RoundDesk
from ledger.answers.rounds import BoardNumber, seats_at
from ledger.answers.tournaments import require_tournament
from ledger.desk.rounds import open_boards
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.journal.records import Head
from ledger.operations.commands import (
    AdjournGame,
    AdjudicateGame,
    Command,
    CorrectColours,
    CorrectResult,
    RecordGame,
    RetypeResult,
)
from ledger.registrar.registrar import Registrar
from ledger.results import Bye, Result
from ledger.service.decisions import Decided
from ledger.service.desk import board_results
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.retractions import retraction
from ledger.trust.two_persons import person
from ledger.views.view import LedgerView


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


SOON: Final = dt.timedelta(minutes=10)
"""For so long a result may be typed anew by who typed it, though its round is complete."""


def retyped(view: LedgerView, correction: CorrectResult, actor: str) -> RetypeResult | None:
    """Returns what types a result anew, where that is no correction but a slip; else None.

    It was typed by the same person, its round is not complete or it was a moment ago, and nothing
    was made of it: no later round is paired, and the report is not handed in.

    Raises:
        NotFound: no such tournament.
        VerificationFailed: what was typed is not what was recorded.
    """
    record = require_tournament(view, correction.tournament, view.journal.head().seq)
    round_, result = correction.round, correction.result
    pairing = record.pairings.get((round_, correction.white))
    if result is None or correction.rating_only or pairing is None or not _is_plain(pairing):
        return None
    if pairing.black != correction.black or not _is_slip(view, record, pairing, actor):
        return None
    return RetypeResult(
        tournament=correction.tournament, round=round_, white=correction.white,
        black=correction.black, result=result, supersedes=pairing.seq,
    )  # fmt: skip


def _is_slip(
    view: LedgerView, record: TournamentRecord, pairing: PairingRecord, actor: str
) -> bool:
    """Whether somebody said a moment ago what is recorded of a pairing, and nobody relied on it."""
    corrected = pairing.corrects or pairing.rating_result is not None
    if corrected or record.closed or record.known_rounds > pairing.round:
        return False
    commit = commit_of(view, pairing.seq)
    typed_at = dt.datetime.fromisoformat(commit.recorded_at)
    is_soon = any(open_boards(record, pairing.round)) or view.clock() - typed_at <= SOON
    return person(commit.actor) == person(actor) and is_soon


def newest_board(view: LedgerView, desk: RoundDesk, actor: str) -> str | None:
    """Returns the place of the board of a round that somebody tapped last and can take back.

    None where it was somebody else, or too long ago; see ``take_back``.
    """
    newest = max(desk.boards, key=lambda board: board.seq or 0, default=None)
    if newest is None or newest.seq is None:
        return None
    record = require_tournament(view, desk.sheet.tournament, view.journal.head().seq)
    pairing = record.pairings[desk.sheet.round, newest.white]
    return newest.place if _is_slip(view, record, pairing, actor) else None


def take_back(ledger: Ledger, board: BoardAsked, seen: int, request: Request) -> Receipt:
    """Takes back what was tapped at a board: it is as it was before, and nobody corrected it.

    Who may type it anew may do so; see ``retyped``. ``seen`` is the seq of what is taken back.

    Raises:
        Conflict: something else was recorded of it meanwhile.
        InputRefused: it is no slip any more, or nothing is recorded of it.
    """

    def decide(head: Head) -> Decided:
        record = require_tournament(ledger, board.tournament, head.seq)
        pairing = record.pairings.get((board.round, board.seats(ledger)[0]))
        if pairing is None or pairing.seq != seen:
            words = "–" if pairing is None else pairing.described()
            raise Conflict("desk.board_changed", round=board.round, pairing=words)
        if not _is_slip(ledger, record, pairing, request.actor):
            raise InputRefused("desk.no_slip")
        return Decided(retraction(ledger, head, pairing.seq))

    return ledger.append_decided(decide, request)


def typed_boards(
    view: LedgerView,
    tournament: str,
    round_: int,
    results: Sequence[tuple[BoardNumber, Result]],
    actor: str,
) -> list[Command]:
    """Returns the commands that record results of boards, or type them anew; see ``retyped``.

    Raises as ``board_results`` does.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    return [
        _retyped_or_new(view, record, game, actor)
        for game in board_results(view, tournament, round_, results)
    ]


def _retyped_or_new(
    view: LedgerView, record: TournamentRecord, game: RecordGame, actor: str
) -> Command:
    pairing = record.pairings.get((game.round, game.white))
    if pairing is None or pairing.result == game.result:
        return game
    correction = CorrectResult(
        tournament=game.tournament, round=game.round, white=game.white, black=game.black,
        result=game.result,
    )  # fmt: skip
    return retyped(view, correction, actor) or game


def _is_plain(pairing: PairingRecord) -> bool:
    """Whether a result is recorded that is not temporary."""
    return pairing.status == "recorded" and isinstance(pairing.result, Result)


def correct_board(
    ledger: Ledger, board: BoardAsked, result: Result, seen: int, request: Request
) -> Receipt:
    """Corrects the result of a board, as somebody saw it.

    ``seen`` is the seq of the last word on it that was seen. ``request`` is what accompanies it;
    its reason must be said, unless it is a slip.

    Raises:
        Conflict: something else was recorded of it meanwhile.
        InputRefused: nothing is recorded of it, it has this result already, or no reason is said.
    """
    white, black = board.seats(ledger)
    correction = CorrectResult(
        tournament=board.tournament, round=board.round, white=white, black=black, result=result
    )
    command: Command = correction
    if not request.reason.strip():
        slip = retyped(ledger, correction, request.actor)
        if slip is None:
            raise InputRefused("registrar.needs_reason")
        command = slip

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
    """A pairing of a round, or a bye, with names and the recorded result."""

    pairing: PairingRecord
    white_name: str
    black_name: str

    @property
    def result(self) -> str:
        """What is recorded, as reports write it; a star where nothing is yet."""
        result = self.pairing.result
        return result.letter if isinstance(result, Bye) else str(result or "*")


@dataclass(frozen=True, slots=True)
class RecordedTournament:
    """A tournament with the boards of one round of it."""

    id: str
    name: str
    rounds: int
    boards: tuple[RecordedBoard, ...]


def recorded_tournament(
    view: LedgerView, tournament: str, round_: int | None, seq: Seq | None = None
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

    boards = [RecordedBoard(pairing, name(pairing.white), name(pairing.black)) for pairing in shown]
    return RecordedTournament(tournament, record.version.name, record.last_round, tuple(boards))
