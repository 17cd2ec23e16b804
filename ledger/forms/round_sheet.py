"""The sheets of a published round: boards with room for results, and who sits where by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.forms.page import (
    Circled,
    PageCell,
    PrintedPage,
    Say,
    corrected_note,
    result_words,
    row,
    saying,
)
from ledger.forms.results import days_in_words
from ledger.rating.decimal_text import score_text
from ledger.reports.round_sheet import (
    BoardRow,
    MatchGame,
    RoundSheet,
    Seat,
    SeatList,
    SeatRow,
    Venue,
)
from ledger.results import result_in_words

_NAMES = (1, 3)  # places of columns


def round_page(sheet: RoundSheet, language: str) -> PrintedPage:
    """Returns the sheet of a round as a page to print, with room for the results."""
    say = saying(language)
    columns = round_columns(sheet)
    heading = [
        PageCell(say(f"column.{key}"), kind=_kind(place, key)) for place, key in enumerate(columns)
    ]
    rows = []
    for board in sheet.boards:
        cells = board_cells(board)
        rows.append(_row(cells, board, say, apart=bool(board.games)))
        rows += (_row(match_cells(board, game, Circled, say), game, say) for game in board.games)
    below = [row([PageCell(line, kind="note")]) for line in below_boards(sheet, say)]
    parts = [PageCell(_venue(sheet.venue, language), kind="about").html("p")]
    parts += [
        '<table class="wall">', "<thead>", row(heading, tag="th"), "</thead>", "<tbody>", *rows,
        "</tbody>", "</table>",
    ]  # fmt: skip
    if below:
        parts += ["<table>", *below, "</table>"]
    notes = corrected_note(sheet.corrected_by_seqs, say)
    parts += (PageCell(note).html("p") for note in notes)
    return PrintedPage(round_title(sheet, say), parts, language)


def _venue(venue: Venue | None, language: str) -> str:
    """Returns where and when an event is played; "" where nobody said."""
    if venue is None:
        return ""
    days = days_in_words(venue.first, venue.last, language)
    return f"{venue.place} · {days}" if venue.place else days


def _row(cells: list[object], of: BoardRow | MatchGame, say: Say, *, apart: bool = False) -> str:
    *before, result = cells
    shown = [
        PageCell(cell, kind=_kind(place, "board" if place == 0 else "points"))
        for place, cell in enumerate(before)
    ]
    written = result_in_words(str(result or ""))
    words = Circled(written) if isinstance(result, Circled) else written
    shown.append(PageCell(*result_words(words, of.corrected_by_seq, say), kind="result"))
    return row(shown, kind="apart" if apart else "")


def _kind(place: int, column: str) -> str:
    return "name" if place in _NAMES else column


def round_title(sheet: RoundSheet, say: Say) -> str:
    """Returns the heading of a round."""
    return say("sheet.title", name=sheet.title, round=sheet.round)


def round_columns(sheet: RoundSheet) -> tuple[str, ...]:
    """Returns the columns of the sheet of a round."""
    sides = ("team", "team") if any(board.games for board in sheet.boards) else ("white", "black")
    return ("board", sides[0], "points", sides[1], "points", "result")


def board_cells(board: BoardRow) -> list[object]:
    """Returns the cells of a board, or of a match of two teams."""
    white, black = board.white, board.black
    seats = seat_name(white), white.points, seat_name(black), black.points
    return [board.board, *seats, board.result]


def match_cells(
    board: BoardRow, game: MatchGame, circle: Callable[[str], str], say: Say
) -> list[object]:
    """Returns the cells of a board of a match; ``circle`` marks points without play."""
    marks = [say(f"card.{colour.name.lower()}") for colour in (game.colour, game.colour.other)]
    result = None
    if game.points is not None:
        result = "-".join(map(score_text, game.points))
        result = circle(result) if game.circled else result
    return [
        f"{board.board}.{game.board}",
        _player(game.white_team, game.white_name, marks[0]),
        None,
        _player(game.black_team, game.black_name, marks[1]),
        None,
        result,
    ]


def _player(id_: str | None, name: str | None, mark: str) -> str:
    return "–" if id_ is None else f"{name or id_} ({mark})"


def seat_name(seat: Seat) -> str:
    """Returns number and name of who sits at a board."""
    return f"{seat.number} {seat.name or seat.id}"


def below_boards(sheet: RoundSheet, say: Say) -> Iterator[str]:
    """Yields what stands below the boards: the bye, who is away, what is against the rules."""
    if sheet.bye is not None:
        yield say("sheet.bye", who=seat_name(sheet.bye))
    for away in sheet.not_paired:
        who = f"{away.number} {away.name or away.id}"
        yield say("away.half" if away.half else f"away.{away.why.replace('-', '_')}", who=who)
    if sheet.reversed_boards:
        yield say("sheet.colours_reversed", boards=", ".join(sheet.reversed_boards))
    if sheet.by_hand:
        yield say("sheet.by_hand")
    for breach in sheet.breaches:
        yield say(breach.key, **dict(breach.values))


SEAT_COLUMNS: Final = ("name", "board", "colour", "opponent")
_KINDS: Final = ("name", "board", "colour", "name other")


def seats_page(seats: SeatList, language: str) -> PrintedPage:
    """Returns the seats of a round as a page to print."""
    say = saying(language)
    heading = [
        PageCell(say(f"column.{column}"), kind=kind)
        for column, kind in zip(SEAT_COLUMNS, _KINDS, strict=True)
    ]
    rows = [
        row(
            (
                PageCell(cell, kind=kind)
                for cell, kind in zip(seat_cells(each, say), _KINDS, strict=True)
            ),
            kind="alone" if each.board is None else "",
        )
        for each in seats.seats
    ]
    parts = [
        PageCell(_venue(seats.venue, language), kind="about").html("p"),
        '<table class="wall seats">', "<thead>", row(heading, tag="th"), "</thead>", "<tbody>",
        *rows, "</tbody>", "</table>",
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
