"""The crosstable of an event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.forms.grid import StandingsGrid
from ledger.forms.page import Circled, PrintedPage, Say, saying
from ledger.reports.crosstable import Crosstable, CrosstableRow

_OWN = "X"
_CIRCLED = {"+": "1", "-": "0"}
_MET: Final = re.compile(r"(\d+)([wb])")
_COLOURS: Final = {"w": "page.white_letter", "b": "page.black_letter"}


def crosstable_page(made: Crosstable, language: str) -> PrintedPage:
    """Returns the crosstable as a page to print; points without play are circled."""
    return crosstable_grid(made, saying(language)).page(language)


def crosstable_grid(made: Crosstable, say: Say) -> StandingsGrid:
    """Returns the crosstable as a form."""
    about = made.standings
    return StandingsGrid(
        title=say("standings.crosstable", name=about.name, after=about.after, rounds=about.rounds),
        standings=about,
        columns=made.columns,
        rows=[(each.place, [*crosstable_squares(made, each, say)]) for each in made.rows],
        own=[_OWN],
        between=" ",
    )


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
