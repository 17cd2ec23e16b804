"""The crosstable of an event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.forms.page import Circled, PageCell, PrintedPage, Say, row, saying
from ledger.forms.standings import code_name, place_figures
from ledger.reports.crosstable import Crosstable, CrosstableRow

_OWN = "X"
_CIRCLED = {"+": "1", "-": "0"}
_MET: Final = re.compile(r"(\d+)([wb])")
_COLOURS: Final = {"w": "page.white_letter", "b": "page.black_letter"}


def crosstable_page(made: Crosstable, language: str) -> PrintedPage:
    """Returns the crosstable as a page to print; points without play are circled."""
    say = saying(language)
    headings = [say("column.number"), say("column.name"), *made.columns, say("column.points")]
    headings += [*(code_name(code, say) for code in made.standings.codes), say("column.place")]
    kinds = {1: "name"}
    lines = [row((PageCell(h, kind=kinds.get(i, "")) for i, h in enumerate(headings)), tag="th")]
    below = False
    for each in made.rows:
        squares = (
            PageCell(*words, kind="own" if words == [_OWN] else "")
            for words in crosstable_squares(made, each, say)
        )
        cells = (
            PageCell(each.place.number),
            PageCell(each.place.name or each.place.id, kind="name"),
            *squares,
        )
        figures = map(PageCell, place_figures(made.standings, each.place))
        apart = each.place.cancelled and not below
        below |= apart
        lines.append(row((*cells, *figures), kind="apart" if apart else ""))
    return PrintedPage(crosstable_title(made, say), ["<table>", *lines, "</table>"], language)


def crosstable_title(made: Crosstable, say: Say) -> str:
    """Returns the heading of a crosstable."""
    about = made.standings
    return say("standings.crosstable", name=about.name, after=about.after, rounds=about.rounds)


def crosstable_squares(made: Crosstable, each: CrosstableRow, say: Say) -> Iterator[list[str]]:
    """Yields the words of each square of a row; ``Circled`` are points without play."""
    for column in made.columns:
        if made.is_square and column == str(each.place.number):
            yield [_OWN]
        else:
            yield [
                _printed(word, say, is_square=made.is_square)
                for word in each.squares.get(column, ())
            ]


def round_word(word: str, say: Say) -> str:
    """Returns a round of a participant with the colour's letter in the language of the page."""
    return _MET.sub(lambda met: met[1] + say(_COLOURS[met[2]]), word, count=1)


def _printed(word: str, say: Say, *, is_square: bool) -> str:
    if is_square:
        return Circled(_CIRCLED[word]) if word in _CIRCLED else word
    return round_word(word, say)
