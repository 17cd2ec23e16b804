"""How pairing cards look on the screen: a table for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.output import print_notes, say, table
from ledger.forms.cards import CARD_COLUMNS, card_cells, card_notes, card_title
from ledger.forms.page import joined

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.pairing_cards import PairingCard


def render_cards(cards: Sequence[PairingCard], out: Console) -> None:
    """Writes the cards, one below the other; points without play stand in brackets."""
    for card in cards:
        out.print(card_title(card), style="bold")
        made = table(*CARD_COLUMNS)
        for line in card.lines:
            made.add(*(joined(words, str) for words in card_cells(line, "({})".format, say)))
        out.print(made)
        print_notes(out, card_notes(card, say))
