"""Pairing cards: one a participant, a line a round (Chavarría 1975, notes on the forms).

A line says the colour, the opponent's number, name and rating, the result, and the total so far.
Points without play are circled, also lost ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.identifiers import Seq, TournamentId
from ledger.json_form import JsonForm
from ledger.reports.tournaments import Participants
from ledger.terms import Colour


@dataclass(frozen=True, slots=True)
class CardRow(JsonForm):
    """A line of a card.

    ``how`` is a word of ``How``; ``result`` the points of the round, None while there are none;
    ``total`` the points so far; ``circled`` says that they were given without play;
    ``corrected_by_seq`` is the event that corrected the result, None where none did.
    """

    round: int
    how: How
    colour: Colour | None
    opponent: int | None
    name: str | None
    rating: int | None
    board: int | None
    result: Fraction | None
    circled: bool
    total: Fraction
    corrected_by_seq: Seq | None


@dataclass(frozen=True, slots=True)
class PairingCard(JsonForm):
    """A participant's card."""

    number: int
    id: str
    name: str
    rating: int | None
    points: Fraction
    lines: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class PairingCards(JsonForm):
    """The cards of a tournament, by number."""

    tournament: TournamentId
    cards: Sequence[PairingCard]


def pairing_cards(participants: Participants, sheet: ScoreSheet) -> list[PairingCard]:
    """Returns the cards of all participants, by number."""
    record = participants.record
    names = {number: participants.name(card.player) for number, card in sheet.cards.items()}
    places = {
        (round_, player): place
        for round_, published in record.desk.rounds.items()
        for place, board in enumerate(published.boards, start=1)
        for player in board
    }
    corrected = {place: record.correction_of(pairing) for place, pairing in record.pairings.items()}
    return [
        PairingCard(
            number=number,
            id=card.player,
            name=names[number],
            rating=card.rating,
            points=Fraction(card.halves, 2),
            lines=tuple(_rows(card, sheet, names, places, corrected)),
        )
        for number, card in sheet.cards.items()
    ]


def _rows(
    card: Card,
    sheet: ScoreSheet,
    names: Mapping[int, str],
    places: Mapping[tuple[int, str], int],
    corrected: Mapping[tuple[int, str], Seq | None],
) -> list[CardRow]:
    totals = accumulate(line.halves for line in card.lines)
    return [
        CardRow(
            round=line.round,
            how=line.how,
            colour=line.colour,
            opponent=line.opponent,
            name=None if line.opponent is None else names[line.opponent],
            rating=None if line.opponent is None else sheet.cards[line.opponent].rating,
            board=places.get((line.round, card.player)),
            result=None if line.how is How.OPEN else Fraction(line.halves, 2),
            circled=_is_circled(line),
            total=Fraction(total, 2),
            corrected_by_seq=corrected.get((line.round, card.player)),
        )
        for line, total in zip(card.lines, totals, strict=True)
    ]


def _is_circled(line: CardLine) -> bool:
    return line.how not in (How.PLAYED, How.OPEN, How.UNPAIRED, How.CANCELLED)
