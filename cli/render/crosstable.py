"""How the crosstable of an event looks on a screen and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.output import say, table
from cli.render.html import Circled, PageCell, page, row
from cli.render.standings import code_name
from cli.tables import Column, Kind
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.crosstable import Crosstable, CrosstableRow

_OWN = "X"
_CIRCLED = {"+": "1", "-": "0"}
_SIGNS = {"1": "①", "0": "⓪"}


def render_crosstable(made: Crosstable, out: Console) -> None:
    """Writes the rows: results, points, tie-breaks, place; points without play are circled."""
    out.print(_title(made), style="bold")
    codes = [Column(code_name(code), Kind.DECIMAL) for code in made.standings.codes]
    written = table("number", "name", *map(Column, made.columns), "points", *codes, "place")
    below = False
    for each in made.rows:
        if each.place.cancelled and not below:
            written.section()
            below = True
        squares = (
            " ".join(_SIGNS[word] if isinstance(word, Circled) else word for word in words)
            for words in _squares(made, each)
        )
        written.add(each.place.number, each.place.name, *squares, *_figures(made, each))
    out.print(written)


def crosstable_html(made: Crosstable) -> str:
    """Returns the crosstable as a page to print."""
    headings = [say("column.number"), say("column.name"), *made.columns, say("column.points")]
    headings += [*map(code_name, made.standings.codes), say("column.place")]
    kinds = {1: "name"}
    lines = [row((PageCell(h, kind=kinds.get(i, "")) for i, h in enumerate(headings)), tag="th")]
    below = False
    for each in made.rows:
        squares = (
            PageCell(*words, kind="own" if words == [_OWN] else "")
            for words in _squares(made, each)
        )
        cells = (PageCell(each.place.number), PageCell(each.place.name, kind="name"), *squares)
        figures = map(PageCell, _figures(made, each))
        apart = each.place.cancelled and not below
        below |= apart
        lines.append(row((*cells, *figures), kind="apart" if apart else ""))
    return page(_title(made), ["<table>", *lines, "</table>"])


def _title(made: Crosstable) -> str:
    about = made.standings
    return say("standings.crosstable", name=about.name, after=about.after, rounds=about.rounds)


def _squares(made: Crosstable, each: CrosstableRow) -> Iterator[list[str]]:
    for column in made.columns:
        if made.is_square and column == str(each.place.number):
            yield [_OWN]
        else:
            yield [
                _printed(word, is_square=made.is_square) for word in each.squares.get(column, ())
            ]


def _printed(word: str, *, is_square: bool) -> str:
    """Returns a result as it is printed; in columns of rounds it is what the report has."""
    return Circled(_CIRCLED[word]) if is_square and word in _CIRCLED else word


def _figures(made: Crosstable, each: CrosstableRow) -> Iterator[object]:
    place = each.place
    yield exact(place.points)
    for code in made.standings.codes:
        amount = place.tie_breaks[code]
        yield None if amount is None else exact(amount)
    yield None if place.cancelled else place.rank
