"""How pairing cards look: a table for each on the screen, a page of cards to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cli.output import say, table
from cli.render.html import Circled, PageCell, page, row
from ledger.desk.score_sheet import How
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.pairing_cards import CardRow, PairingCard

_COLUMNS = ("round", "colour", "number", "name", "rating", "board", "result", "total")


def render_cards(cards: Sequence[PairingCard], out: Console) -> None:
    """Writes the cards, one below the other; points without play stand in brackets."""
    for card in cards:
        out.print(_title(card), style="bold")
        made = table(*_COLUMNS)
        for line in card.lines:
            made.add(*_cells(line, "({})".format))
        out.print(made)


def cards_html(tournament: str, cards: Sequence[PairingCard]) -> str:
    """Returns the cards as a page to print; points without play are circled."""
    heading = row((PageCell(say(f"column.{key}"), kind=key) for key in _COLUMNS), tag="th")
    parts: list[str] = []
    for card in cards:
        rows = [
            row(
                PageCell(cell, kind=key)
                for key, cell in zip(_COLUMNS, _cells(line, Circled), strict=True)
            )
            for line in card.lines
        ]
        parts += [f"<h2>{PageCell(_title(card)).html('span')}</h2>", "<table>", heading, *rows]
        parts.append("</table>")
    return page(say("card.title", tournament=tournament), parts)


def _title(card: PairingCard) -> str:
    rating = "" if card.rating is None else f" ({card.rating})"
    return f"{card.number} {card.name or card.id}{rating}: {exact(card.points)}"


def _cells(line: CardRow, circle: Callable[[str], str]) -> list[object]:
    """Returns the cells of ``_COLUMNS``; ``circle`` marks points without play."""
    result = None if line.result is None else exact(line.result)
    return [
        line.round or None,
        None if line.colour is None else say(f"card.{line.colour.name.lower()}"),
        line.opponent,
        _without_opponent(line.how) if line.opponent is None else line.name,
        line.rating,
        line.board,
        circle(result) if line.circled and result is not None else result,
        exact(line.total),
    ]


def _without_opponent(how: How) -> str:
    return say(f"card.{how.value.replace('-', '_')}")
