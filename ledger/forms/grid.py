"""Standings with a column for each opponent or round: crosstable and score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger.forms.page import Circled, PageCell, PrintedPage, row, saying
from ledger.forms.standings import code_name, place_figures
from ledger.reports.standings import Standings, StandingsLine

_SIGNS = {"1": "①", "0": "⓪"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsGrid:
    """The rows of a form, each with the words of its columns; ``Circled`` are without play.

    ``own`` are the words of a player's own square; ``between`` stands between words in a text.
    """

    title: str
    standings: Standings
    columns: Sequence[str]
    rows: Sequence[tuple[StandingsLine, Sequence[list[str]]]]
    own: list[str] | None = None
    between: str = ""

    def page(self, language: str) -> PrintedPage:
        """Returns it as a page to print."""
        say = saying(language)
        headings = [say("column.number"), say("column.name"), *self.columns, say("column.points")]
        headings += [*(code_name(code, say) for code in self.standings.codes), say("column.place")]
        cells = (PageCell(each, kind="name" if at == 1 else "") for at, each in enumerate(headings))
        lines = [row(cells, tag="th")]
        below = False
        for place, words in self.rows:
            apart = place.cancelled and not below
            below |= apart
            who = (PageCell(place.number), PageCell(place.name or place.id, kind="name"))
            results = (PageCell(*each, kind="own" if each == self.own else "") for each in words)
            figures = map(PageCell, place_figures(self.standings, place))
            lines.append(row((*who, *results, *figures), kind="apart" if apart else ""))
        return PrintedPage(self.title, ["<table>", *lines, "</table>"], language)

    def text(self, words: Iterable[str]) -> str:
        """Returns the words of a column as a text."""
        return self.between.join(map(word_text, words))


def word_text(word: str) -> str:
    """Returns a word as a text; of points without play the sign ``①``, else parentheses."""
    return _SIGNS.get(word, f"({word})") if isinstance(word, Circled) else word
