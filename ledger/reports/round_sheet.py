"""The sheet of a round: who plays whom at which board, with the points before it.

Chavarría 1975, EL SISTEMA SUIZO (notes on the forms): board, White with number and score, Black
likewise, result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ledger.desk.score_sheet import ScoreSheet, score_sheet
from ledger.events.desk import WhyNotPaired
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Seat(JsonForm):
    """A participant of a round, with the points before it."""

    number: int
    id: str
    name: str
    rating: int | None
    points: Fraction


@dataclass(frozen=True, slots=True)
class BoardRow(JsonForm):
    """A board; the result in notation, None while there is none."""

    board: int
    white: Seat
    black: Seat
    result: str | None


@dataclass(frozen=True, slots=True)
class AwayRow(JsonForm):
    """Who does not play a round, and why."""

    number: int
    id: str
    name: str
    why: WhyNotPaired


@dataclass(frozen=True, slots=True)
class RoundSheet(JsonForm):
    """A round, published or proposed.

    ``deviations`` are codes of the rules that it breaks; ``steps`` say how the pairing came to be,
    where the rules left more than one way.
    """

    JSON = "tournament name=title round pairing engine by_hand deviations boards bye not_paired"

    tournament: str
    title: str
    round: int
    pairing: str
    engine: str
    by_hand: bool
    deviations: tuple[str, ...]
    boards: tuple[BoardRow, ...]
    bye: Seat | None
    not_paired: tuple[AwayRow, ...]
    steps: tuple[Message, ...] = ()

    def said(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data; sentences in a language."""
        return self.data() | {"steps": [step.within(language) for step in self.steps]}


class Seats:
    """The participants of a tournament as the sheet of a round shows them.

    ``before`` is the score sheet after the round before.
    """

    def __init__(
        self, record: TournamentRecord, before: ScoreSheet, facts: Facts, people: People
    ) -> None:
        self._record = record
        self._before = before
        self._facts = facts
        self._people = people

    def of(self, player: str) -> Seat:
        """Returns a participant's seat."""
        card = self._before.cards[self._record.entries[player]]
        points = Fraction(card.halves, 2)
        return Seat(card.number, player, self.name(player), card.rating, points)

    def name(self, player: str) -> str:
        """Returns a participant's name; that of an erased player is empty."""
        return self._people.name(self._facts.player_index[player]) or ""


def published_round(
    record: TournamentRecord,
    round_: int,
    ratings: Mapping[str, int],
    facts: Facts,
    people: People,
    steps: Sequence[Message] = (),
) -> RoundSheet:
    """Returns the sheet of a round that is published, with the results so far."""
    published = record.desk.rounds[round_]
    event = published.event
    seats = Seats(record, score_sheet(record, ratings, after=round_ - 1), facts, people)
    boards = [
        BoardRow(place, seats.of(white), seats.of(black), _result(record, round_, white))
        for place, (white, black) in enumerate(published.boards, start=1)
    ]
    away = [
        AwayRow(record.entries[player], player, seats.name(player), why)
        for player, why in ((record.survivors(one), why) for one, why in event.not_paired or ())
    ]
    return RoundSheet(
        tournament=record.version.tournament,
        title=record.version.name,
        round=round_,
        pairing=event.pairing.value,
        engine=event.engine,
        by_hand=bool(event.by_hand),
        deviations=event.deviations or (),
        boards=tuple(boards),
        bye=None if published.bye is None else seats.of(published.bye),
        not_paired=tuple(away),
        steps=tuple(steps),
    )


def _result(record: TournamentRecord, round_: int, white: str) -> str | None:
    there = record.pairings.get((round_, white))
    if there is None or there.black is None or there.result is None:
        return None
    return str(there.result)
