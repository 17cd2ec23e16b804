"""Where everybody sits in a round, by name: the sheet that hangs beside that of the boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.json_form import HIDDEN, JsonForm
from ledger.lists.people import sort_key
from ledger.reports.round_sheet import BoardRow, RoundSheet, Seat
from ledger.terms import Colour


@dataclass(frozen=True, slots=True)
class SeatRow(JsonForm):
    """Where a participant sits: the board, the colour and the opponent; a bye has none of them.

    Of teams it is a match, in which the boards have both colours.
    """

    name: str
    number: int
    id: str
    board: int | None
    colour: Colour | None
    opponent: str | None


@dataclass(frozen=True, slots=True)
class SeatList(JsonForm):
    """Everybody who plays in a round, or has the bye, by name."""

    tournament: str
    name: str
    round: int
    seats: tuple[SeatRow, ...]
    about: Annotated[str, HIDDEN] = ""


def seat_list(sheet: RoundSheet) -> SeatList:
    """Returns the seats of a round, by name, then by starting number."""
    rows = sorted(_rows(sheet), key=lambda each: (sort_key(each.name, each.id), each.number))
    return SeatList(sheet.tournament, sheet.title, sheet.round, tuple(rows), sheet.about)


def _rows(sheet: RoundSheet) -> Iterator[SeatRow]:
    for board in sheet.boards:
        of_team = bool(board.games)
        yield _row(board, board.white, board.black, None if of_team else Colour.WHITE)
        yield _row(board, board.black, board.white, None if of_team else Colour.BLACK)
    if sheet.bye is not None:
        yield SeatRow(_name(sheet.bye), sheet.bye.number, sheet.bye.id, None, None, None)


def _row(board: BoardRow, seat: Seat, opponent: Seat, colour: Colour | None) -> SeatRow:
    other = f"{opponent.number} {_name(opponent)}"
    return SeatRow(_name(seat), seat.number, seat.id, board.board, colour, other)


def _name(seat: Seat) -> str:
    return seat.name or seat.id
