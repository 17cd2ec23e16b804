"""The boards of a recorded tournament, by round, with names: to choose one that is corrected."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.application.ledger import Ledger
from ledger.application.tournaments import require_tournament
from ledger.results import Bye, Result


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
    ledger: Ledger, tournament: str, round_: int | None, seq: int | None = None
) -> RecordedTournament:
    """Returns a tournament with the boards of a round, as known at a seq (default: now).

    Names are those of now. Raises ``NotFound`` where there is no such tournament.
    """
    facts = ledger.facts()
    record = require_tournament(ledger, tournament, facts.seq if seq is None else seq)
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


def _said(result: Result | Bye | None) -> str:
    """Writes a result as reports do; a star where there is none yet."""
    return result.letter if isinstance(result, Bye) else str(result or "*")
