"""The boards of a recorded tournament, to choose one that is to be corrected."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.application.ledger import Ledger
from ledger.application.tournaments import require_tournament
from ledger.errors import NotFound
from ledger.results import Bye, Result
from web.submissions.contents import AnyContent, CorrectionContent


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


def recorded_tournament(ledger: Ledger, tournament: str, round_: int | None) -> RecordedTournament:
    """Returns a tournament with the boards of a round; raises ``NotFound`` where there is none."""
    facts = ledger.facts()
    record = require_tournament(ledger, tournament, facts.seq)
    people = ledger.people(facts)

    def name(player: str | None) -> str:
        index = None if player is None else facts.player_index.get(player)
        return "" if index is None else people.name(index) or ""

    boards = [
        RecordedBoard(
            round=number,
            white=pairing.white,
            white_name=name(pairing.white),
            black=pairing.black,
            black_name=name(pairing.black),
            result=_said(pairing.result),
        )
        for (number, player), pairing in sorted(record.pairings.items())
        if number == round_ and player == pairing.white
    ]
    return RecordedTournament(tournament, record.version.name, record.last_round, tuple(boards))


@dataclass(frozen=True, slots=True)
class AskedBoard:
    """What a decision is about, in names: the tournament, and the board as it is recorded."""

    tournament: str
    board: RecordedBoard | None


def asked_board(ledger: Ledger, content: AnyContent) -> AskedBoard | None:
    """Returns what a decision is about; None for a file, or where it is not recorded."""
    if not isinstance(content, CorrectionContent):
        return None
    try:
        found = recorded_tournament(ledger, content.tournament, content.round)
    except NotFound:
        return None
    asked = (content.white, content.black)
    board = next((each for each in found.boards if (each.white, each.black) == asked), None)
    return AskedBoard(found.name, board)


def _said(result: Result | Bye | None) -> str:
    """Writes a result as reports do; a star where there is none yet."""
    return result.letter if isinstance(result, Bye) else str(result or "*")
