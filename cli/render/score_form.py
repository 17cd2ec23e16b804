"""How the score sheet of an event looks on a screen and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.output import say, table
from cli.render.html import Circled, PageCell, page, row
from cli.render.standings import code_name
from cli.tables import Column, Kind
from ledger.desk.score_sheet import How
from ledger.rating.decimal_text import exact

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.score_form import RunningTotal, ScoreForm, ScoreFormRow

_OUT = "X"
_SIGNS = {"1": "①", "0": "⓪"}


def render_score_form(made: ScoreForm, out: Console) -> None:
    """Writes the rows: totals by round, points, tie-breaks, place."""
    out.print(_title(made), style="bold")
    codes = [Column(code_name(code), Kind.DECIMAL) for code in made.standings.codes]
    rounds = map(Column, map(str, _rounds(made)))
    written = table("number", "name", *rounds, "points", *codes, "place")
    below = False
    for each in made.rows:
        if each.place.cancelled and not below:
            written.section()
            below = True
        totals = map(total_text, each.totals)
        written.add(each.place.number, each.place.name, *totals, *_figures(made, each))
    out.print(written)


def score_form_html(made: ScoreForm) -> str:
    """Returns the score sheet as a page to print."""
    headings = [say("column.number"), say("column.name"), *_rounds(made), say("column.points")]
    headings += [*map(code_name, made.standings.codes), say("column.place")]
    cells = (PageCell(each, kind="name" if at == 1 else "") for at, each in enumerate(headings))
    lines = [row(cells, tag="th")]
    below = False
    for each in made.rows:
        apart = each.place.cancelled and not below
        below |= apart
        who = (PageCell(each.place.number), PageCell(each.place.name, kind="name"))
        totals = (PageCell(*_words(total)) for total in each.totals)
        figures = map(PageCell, _figures(made, each))
        lines.append(row((*who, *totals, *figures), kind="apart" if apart else ""))
    return page(_title(made), ["<table>", *lines, "</table>"])


def total_text(total: RunningTotal) -> str:
    """Returns a total with what stands beside it, ``2①``, or an X."""
    return "".join(
        _SIGNS.get(word, f"({word})") if isinstance(word, Circled) else word
        for word in _words(total)
    )


def _words(total: RunningTotal) -> Iterator[str]:
    """Yields a total and its mark.

    ``*`` where there is no result yet, ``t`` where it is temporary; in parentheses after a game
    that counts for nobody.
    """
    if total.out:
        yield _OUT
        return
    points = exact(total.total)
    if total.how is How.CANCELLED:
        yield f"({points})"
    elif total.how is How.OPEN:
        yield f"{points}*"
    else:
        yield f"{points}t" if total.temporary else points
    if total.circled is not None:
        yield Circled(exact(total.circled))


def _title(made: ScoreForm) -> str:
    about = made.standings
    return say("standings.score_sheet", name=about.name, after=about.after, rounds=about.rounds)


def _rounds(made: ScoreForm) -> range:
    return range(1, made.standings.after + 1)


def _figures(made: ScoreForm, each: ScoreFormRow) -> Iterator[object]:
    place = each.place
    yield exact(place.points)
    for code in made.standings.codes:
        amount = place.tie_breaks[code]
        yield None if amount is None else exact(amount)
    yield None if place.cancelled else place.rank
