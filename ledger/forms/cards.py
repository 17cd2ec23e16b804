"""Pairing cards: a table for each participant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ledger.desk.score_sheet import How
from ledger.forms.page import (
    Circled,
    PageCell,
    PrintedPage,
    Say,
    corrected_note,
    result_words,
    row,
    saying,
    table,
)
from ledger.rating.decimal_text import score_text
from ledger.reports.pairing_cards import CardRow, PairingCard

CARD_COLUMNS: Final = ("round", "colour", "number", "name", "rating", "board", "result", "total")


def cards_page(tournament: str, cards: Sequence[PairingCard], language: str) -> PrintedPage:
    """Returns the cards as a page to print; points without play are circled."""
    say = saying(language)
    headings = [PageCell(say(f"column.{key}"), kind=key) for key in CARD_COLUMNS]
    ids = {card.number: card.id for card in cards}
    parts: list[str] = []
    for card in cards:
        lines = (_with_id(line, ids) for line in card.lines)
        rows = [
            row(
                PageCell(*words, kind=key)
                for key, words in zip(CARD_COLUMNS, card_cells(line, Circled, say), strict=True)
            )
            for line in lines
        ]
        parts += [f"<h2>{PageCell(card_title(card)).html('span')}</h2>", *table(headings, rows)]
        parts += (PageCell(note).html("p") for note in card_notes(card, say))
    return PrintedPage(say("card.title", tournament=tournament), parts, language)


def card_title(card: PairingCard) -> str:
    """Returns whose card it is, with rating and points."""
    rating = "" if card.rating is None else f" ({card.rating})"
    return f"{card.number} {card.name or card.id}{rating}: {score_text(card.points)}"


def card_cells(line: CardRow, circle: Callable[[str], str], say: Say) -> Iterator[list[object]]:
    """Yields the words of each of ``CARD_COLUMNS``; ``circle`` marks points without play."""
    result = None if line.result is None else score_text(line.result)
    cells = [
        line.round or None,
        None if line.colour is None else say(f"card.{line.colour.name.lower()}"),
        line.opponent,
        _without_opponent(line.how, say) if line.opponent is None else line.name,
        line.rating,
        line.board,
        circle(result) if line.circled and result is not None else result,
        line.total,
    ]
    for key, cell in zip(CARD_COLUMNS, cells, strict=True):
        yield result_words(cell, line.corrected_by_seq, say) if key == "result" else [cell]


def card_notes(card: PairingCard, say: Say) -> list[str]:
    """Returns what stands below a card."""
    return corrected_note((line.corrected_by_seq for line in card.lines), say)


def _with_id(line: CardRow, ids: Mapping[int, str]) -> CardRow:
    """Returns a line in which an opponent who has no name any more stands by id."""
    if line.opponent is None or line.name:
        return line
    return replace(line, name=ids.get(line.opponent))


def _without_opponent(how: How, say: Say) -> str:
    return say(f"card.{how.value.replace('-', '_')}")
