"""How a round looks: the sheet on the screen and as a page to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import say, table, told
from cli.render.html import PageCell, page, row
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.round_sheet import RoundSheet, Seat


def render_round(sheet: RoundSheet, out: Console, *, explain: bool) -> None:
    """Writes the boards of a round, who does not play, and how the pairing came to be."""
    out.print(_title(sheet), style="bold")
    made = table("board", "white", "points", "black", "points", "result")
    for board in sheet.boards:
        white, black = board.white, board.black
        points = exact(white.points), exact(black.points)
        made.add(board.board, _named(white), points[0], _named(black), points[1], board.result)
    out.print(made)
    for line in _below(sheet):
        out.print(line)
    if explain:
        for step in sheet.steps:
            out.print(f"  {told(step)}")


def round_html(sheet: RoundSheet) -> str:
    """Returns the sheet of a round as a page to print, with room for the results."""
    heading = [
        PageCell(say(f"column.{key}"), kind="name" if key in ("white", "black") else "")
        for key in ("board", "white", "points", "black", "points", "result")
    ]
    rows = [row(heading, tag="th")]
    rows += [
        row((
            PageCell(board.board),
            PageCell(_named(board.white), kind="name"),
            PageCell(exact(board.white.points)),
            PageCell(_named(board.black), kind="name"),
            PageCell(exact(board.black.points)),
            PageCell(board.result or "\N{NO-BREAK SPACE}" * 9),
        ))
        for board in sheet.boards
    ]  # fmt: skip
    below = [row([PageCell(line, kind="name")]) for line in _below(sheet)]
    parts = ["<table>", *rows, "</table>"]
    return page(_title(sheet), [*parts, "<table>", *below, "</table>"] if below else parts)


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
