"""The score sheet of an event: everybody's total after each round."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.desk.score_sheet import How
from ledger.forms.grid import StandingsGrid, word_text
from ledger.forms.page import Circled, PrintedPage, Say, saying
from ledger.rating.decimal_text import exact
from ledger.reports.score_form import RunningTotal, ScoreForm

_OUT = "X"


def score_form_page(made: ScoreForm, language: str) -> PrintedPage:
    """Returns the score sheet as a page to print."""
    return score_form_grid(made, saying(language)).page(language)


def score_form_grid(made: ScoreForm, say: Say) -> StandingsGrid:
    """Returns the score sheet as a form."""
    about = made.standings
    return StandingsGrid(
        title=say("standings.score_sheet", name=about.name, after=about.after, rounds=about.rounds),
        standings=about,
        columns=[*map(str, range(1, about.after + 1))],
        rows=[(each.place, [[*_words(total)] for total in each.totals]) for each in made.rows],
    )


def total_text(total: RunningTotal) -> str:
    """Returns a total with what stands beside it, ``2①``, or an X."""
    return "".join(map(word_text, _words(total)))


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
