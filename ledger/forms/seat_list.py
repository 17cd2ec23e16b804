"""The sheet on which everybody finds the own board by name."""

from __future__ import annotations

from typing import Final

from ledger.forms.page import PageCell, PrintedPage, Say, row, saying
from ledger.reports.seat_list import SeatList, SeatRow

SEAT_COLUMNS: Final = ("name", "board", "colour", "opponent")
_KINDS: Final = ("name", "board", "colour", "name")


def seats_page(seats: SeatList, language: str) -> PrintedPage:
    """Returns the seats of a round as a page to print."""
    say = saying(language)
    heading = [
        PageCell(say(f"column.{column}"), kind=kind)
        for column, kind in zip(SEAT_COLUMNS, _KINDS, strict=True)
    ]
    rows = [
        row(PageCell(cell, kind=kind) for cell, kind in zip(cells, _KINDS, strict=True))
        for cells in (seat_cells(each, say) for each in seats.seats)
    ]
    parts = [
        PageCell(seats.about, kind="about").html("p"), '<table class="wall">', "<thead>",
        row(heading, tag="th"), "</thead>", "<tbody>", *rows, "</tbody>", "</table>",
    ]  # fmt: skip
    return PrintedPage(seats_title(seats, say), parts, language)


def seats_title(seats: SeatList, say: Say) -> str:
    """Returns the heading of the seats."""
    return say("sheet.seats", name=seats.name, round=seats.round)


def seat_cells(seat: SeatRow, say: Say) -> list[object]:
    """Returns a row: ``SEAT_COLUMNS``."""
    if seat.board is None:
        return [f"{seat.name} ({seat.number})", None, None, say("sheet.has_bye")]
    colour = None if seat.colour is None else say(f"column.{seat.colour.name.lower()}")
    return [f"{seat.name} ({seat.number})", seat.board, colour, seat.opponent]
