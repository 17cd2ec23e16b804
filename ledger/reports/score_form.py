"""The score sheet of an event as a form: running totals by round, tie-breaks, place.

Chavarría 1975, notes on the forms, plate 1. A default, won or lost, has a small circled 1 beside
the total, and a lost one leaves the total as it was; a bye has its points in the circle. Who is
expelled has an X in each later round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

from ledger.desk.score_sheet import Card, CardLine, How, expelled_by
from ledger.facts.tournament import TournamentRecord
from ledger.json_form import After, InPlace, JsonForm
from ledger.reports.standings import Place, Standings, StandingsHeading, StandingsLine

_BYES: Final = (How.ALLOCATED_BYE, How.FULL_BYE, How.HALF_BYE, How.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class RunningTotal(JsonForm):
    """The points of a player after a round.

    ``how`` is a word of ``How``. ``circled`` is what stands in a circle beside the total: 1 for a
    default, won or lost, the points of a bye, None where there was play. ``out`` says that the
    player was expelled by then, and ``temporary`` that the result is for the pairing only.
    """

    round: int
    how: How
    total: Fraction
    circled: Fraction | None
    temporary: bool
    out: bool


@dataclass(frozen=True, slots=True)
class ScoreFormRow(JsonForm):
    """A player's row: the totals by round, and the place.

    The points are those after the last round, with games that are awarded: these are of no round.
    """

    place: Annotated[StandingsLine, InPlace(Place)]
    totals: Annotated[tuple[RunningTotal, ...], After("name")]


@dataclass(frozen=True, slots=True)
class ScoreForm(JsonForm):
    """The rows by starting number, who is cancelled at the end."""

    standings: Annotated[Standings, InPlace(StandingsHeading)]
    rows: tuple[ScoreFormRow, ...]


def score_form(record: TournamentRecord, made: Standings) -> ScoreForm:
    """Makes the form of a tournament from its standings."""
    out = {round_: expelled_by(record, round_) for round_ in range(1, made.after + 1)}
    places = sorted(made.rows, key=lambda row: (row.cancelled, row.number))
    rows = (
        ScoreFormRow(place, tuple(_totals(made.places[place.id].card, out))) for place in places
    )
    return ScoreForm(made, tuple(rows))


def _totals(card: Card, out: Mapping[int, set[str]]) -> Iterator[RunningTotal]:
    halves = 0
    for line in card.lines:
        if line.how is How.AWARDED:
            continue
        halves += line.halves
        yield RunningTotal(
            round=line.round,
            how=line.how,
            total=Fraction(halves, 2),
            circled=_circled(line),
            temporary=line.temporary,
            out=line.how is How.UNPAIRED and card.player in out[line.round],
        )


def _circled(line: CardLine) -> Fraction | None:
    if line.how is How.FORFEIT:
        return Fraction(1)
    return Fraction(line.halves, 2) if line.how in _BYES else None
