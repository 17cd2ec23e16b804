"""How a round looks: the sheet on the screen and as a page to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table, told
from cli.render.html import Circled, PageCell, page, row
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from ledger.reports.round_sheet import BoardRow, MatchGame, RoundSheet, Seat

_NAMES, _RESULT = (1, 3), 5  # places of columns
_ROOM = "\N{NO-BREAK SPACE}" * 9  # for a result


def render_round(sheet: RoundSheet, out: Console, *, explain: bool) -> None:
    """Writes the boards of a round, who does not play, and how the pairing came to be."""
    out.print(_title(sheet), style="bold")
    made = table(*_columns(sheet))
    for board in sheet.boards:
        white, black = board.white, board.black
        points = exact(white.points), exact(black.points)
        made.add(board.board, _named(white), points[0], _named(black), points[1], board.result)
        for game in board.games:
            made.add(*_game(board, game, "({})".format))
        if board.games:
            made.section()
    out.print(made)
    for line in _below(sheet):
        out.print(line)
    if explain:
        for step in sheet.steps:
            out.print(f"  {told(step)}")


def round_html(sheet: RoundSheet) -> str:
    """Returns the sheet of a round as a page to print, with room for the results."""
    columns = _columns(sheet)
    heading = [
        PageCell(say(f"column.{key}"), kind="name" if place in _NAMES else "")
        for place, key in enumerate(columns)
    ]
    rows = [row(heading, tag="th")]
    for board in sheet.boards:
        rows.append(
            row((
                PageCell(board.board),
                PageCell(_named(board.white), kind="name"),
                PageCell(exact(board.white.points)),
                PageCell(_named(board.black), kind="name"),
                PageCell(exact(board.black.points)),
                PageCell(board.result or _ROOM),
            ), kind="apart" if board.games else "")
        )  # fmt: skip
        for game in board.games:
            cells = _game(board, game, Circled)
            rows.append(
                row(
                    PageCell(cell or (_ROOM if place == _RESULT else ""),
                             kind="name" if place in _NAMES else "")
                    for place, cell in enumerate(cells)
                )
            )  # fmt: skip
    below = [row([PageCell(line, kind="name")]) for line in _below(sheet)]
    parts = ["<table>", *rows, "</table>"]
    return page(_title(sheet), [*parts, "<table>", *below, "</table>"] if below else parts)


def _columns(sheet: RoundSheet) -> tuple[str, ...]:
    sides = ("team", "team") if any(board.games for board in sheet.boards) else ("white", "black")
    return ("board", sides[0], "points", sides[1], "points", "result")


def _game(board: BoardRow, game: MatchGame, circle: Callable[[str], str]) -> list[object]:
    """Returns the cells of a board of a match; ``circle`` marks points without play."""
    marks = [say(f"card.{colour.name.lower()}") for colour in (game.colour, game.colour.other)]
    result = None
    if game.points is not None:
        result = "-".join(map(exact, game.points))
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


def _title(sheet: RoundSheet) -> str:
    return say("sheet.title", name=sheet.title, round=sheet.round)


def _named(seat: Seat) -> str:
    return f"{seat.number} {seat.name or seat.id}"


def _below(sheet: RoundSheet) -> list[str]:
    """Returns what stands below the boards: the bye, who is away, and what is against the rules."""
    lines = []
    if sheet.bye is not None:
        lines.append(say("sheet.bye", who=_named(sheet.bye)))
    lines += [
        say(
            f"away.{away.why.replace('-', '_')}",
            who=f"{away.number} {away.name or away.id}",
        )
        for away in sheet.not_paired
    ]
    if sheet.by_hand:
        lines.append(say("sheet.by_hand"))
    for code in sheet.deviations:
        lines.append(say(f"against.{code.replace('-', '_')}"))
    return lines
