"""The score sheet of an event: everybody's total after each round."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.desk.score_sheet import How
from ledger.forms.page import Circled, PageCell, PrintedPage, Say, row, saying
from ledger.forms.standings import code_name, place_figures
from ledger.rating.decimal_text import exact
from ledger.reports.score_form import RunningTotal, ScoreForm

_OUT = "X"
_SIGNS = {"1": "①", "0": "⓪"}


def score_form_page(made: ScoreForm, language: str) -> PrintedPage:
    """Returns the score sheet as a page to print."""
    say = saying(language)
    headings = [say("column.number"), say("column.name"), *score_form_rounds(made)]
    headings += [say("column.points"), *(code_name(code, say) for code in made.standings.codes)]
    headings.append(say("column.place"))
    cells = (PageCell(each, kind="name" if at == 1 else "") for at, each in enumerate(headings))
    lines = [row(cells, tag="th")]
    below = False
    for each in made.rows:
        apart = each.place.cancelled and not below
        below |= apart
        who = (PageCell(each.place.number), PageCell(each.place.name or each.place.id, kind="name"))
        totals = (PageCell(*_words(total)) for total in each.totals)
        figures = map(PageCell, place_figures(made.standings, each.place))
        lines.append(row((*who, *totals, *figures), kind="apart" if apart else ""))
    return PrintedPage(score_form_title(made, say), ["<table>", *lines, "</table>"], language)


def score_form_title(made: ScoreForm, say: Say) -> str:
    """Returns the heading of a score sheet."""
    about = made.standings
    return say("standings.score_sheet", name=about.name, after=about.after, rounds=about.rounds)


def score_form_rounds(made: ScoreForm) -> Iterator[str]:
    """Yields the numbers of the rounds."""
    yield from map(str, range(1, made.standings.after + 1))


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
