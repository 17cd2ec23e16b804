"""The crosstable of an event as it is printed: a square for each two players, points and place.

Manual of 1975, EL ROUND ROBIN: the players by number, in each row the results against the others,
``X`` in the own square; a game by default is circled. In a double all-play-all each square has two
results. An event in which not everybody meets has a column for each round instead.

The score sheet of an event as a form has running totals by round, tie-breaks and place (Chavarría
1975, notes on the forms, plate 1). A default, won or lost, has a small circled 1 beside the total,
and a lost one leaves the total as it was; a bye has its points in the circle. Who is expelled has
an X in each later round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final, Literal

from ledger.desk.score_sheet import Card, CardLine, How, expelled_by
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.json_form import After, InPlace, JsonForm
from ledger.rating.decimal_text import halves_text
from ledger.reports.standings import Place, Standings, StandingsHeading, StandingsLine
from ledger.results import Bye
from ledger.terms import System

_WITHOUT_PLAY: Final = {0: "-", 2: "+"}


@dataclass(frozen=True, slots=True)
class CrosstableRow(JsonForm):
    """A player's row: the place, and the results by column, an opponent's number or a round.

    They are ``1``, ``½`` and ``0``; ``+`` and ``-`` without play; ``*`` where there is none yet; in
    parentheses where they count for nobody; with a ``t`` behind where they are temporary. In
    columns of rounds the opponent's number and the colour stand before them; byes are letters.
    ``corrected`` are, by column, the seqs by which results in it were corrected.
    """

    place: Annotated[StandingsLine, InPlace(Place)]
    squares: Annotated[Mapping[str, tuple[str, ...]], After("name")]
    corrected: Annotated[Mapping[str, tuple[Seq, ...]], After("squares")]


@dataclass(frozen=True, slots=True)
class Crosstable(JsonForm):
    """The rows by starting number, who is cancelled at the end.

    ``columns`` are opponents in the same order where everybody meets, else rounds.
    """

    standings: Annotated[Standings, InPlace(StandingsHeading)]
    by: Annotated[Literal["opponent", "round"], After("final")]
    columns: Annotated[tuple[str, ...], After("by")]
    rows: tuple[CrosstableRow, ...]

    @property
    def is_square(self) -> bool:
        """Whether the columns are opponents."""
        return self.by == "opponent"

    @property
    def corrected_by_seqs(self) -> set[Seq]:
        """The seqs by which results in it were corrected."""
        return {seq for row in self.rows for seqs in row.corrected.values() for seq in seqs}


def crosstable_report(record: TournamentRecord, made: Standings) -> Crosstable:
    """Makes the crosstable of a tournament from its standings."""
    is_square = record.version.system in (System.ROUND_ROBIN, System.MATCH)
    by: Literal["opponent", "round"] = "opponent" if is_square else "round"
    places = sorted(made.rows, key=lambda row: (row.cancelled, row.number))
    if by == "opponent":
        columns = tuple(str(place.number) for place in places)
    else:
        columns = tuple(map(str, range(1, made.after + 1)))
    cards = [made.places[place.id].card for place in places]
    rows = (
        CrosstableRow(place, _squares(record, card, by), _corrected(record, card, by))
        for place, card in zip(places, cards, strict=True)
    )
    return Crosstable(made, by, columns, tuple(rows))


def _squares(record: TournamentRecord, card: Card, by: str) -> dict[str, tuple[str, ...]]:
    """Returns a player's results by column; two where two met twice."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in card.lines:
        pairing = record.pairings.get((line.round, card.player))
        result = _result(line, pairing, card.player)
        if by == "opponent" and line.opponent is not None:
            found[str(line.opponent)].append(result)
        elif by == "round" and line.how is not How.UNPAIRED:
            found[str(line.round)].append(_colour(line) + result)
    return {column: tuple(found[column]) for column in sorted(found, key=int)}


def _corrected(record: TournamentRecord, card: Card, by: str) -> dict[str, tuple[Seq, ...]]:
    """Returns by column the seqs of the corrections of a player's results."""
    found: dict[str, tuple[Seq, ...]] = defaultdict(tuple)
    for line in card.lines:
        there = record.pairings.get((line.round, card.player))
        seq = None if there is None else record.correction_of(there)
        if seq is not None:
            column = line.opponent if by == "opponent" else line.round
            found[str(column)] += (seq,)
    return found


def _colour(line: CardLine) -> str:
    """Returns the opponent's number and the own colour; nothing of a bye."""
    return "" if line.colour is None else f"{line.opponent}{line.colour[0]}"


def _result(line: CardLine, pairing: PairingRecord | None, player: str) -> str:
    if line.how is How.OPEN:
        return "*"
    if pairing is None or line.how is How.FORFEIT:
        return _WITHOUT_PLAY[line.halves]
    if isinstance(pairing.result, Bye):
        return pairing.result.letter
    score = halves_text(pairing.halves(player)) if pairing.result else "*"
    if line.how is How.CANCELLED:
        return f"({score})"
    return f"{score}t" if line.temporary else score


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
