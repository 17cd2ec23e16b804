"""The crosstable and the score sheet of an event: a column for each opponent or round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.desk.score_sheet import How
from ledger.forms.page import (
    Circled,
    PageCell,
    PrintedPage,
    Say,
    corrected_mark,
    corrected_note,
    joined,
    row,
    saying,
    table,
)
from ledger.forms.standings import code_name, name_in_title, place_figures
from ledger.rating.decimal_text import score_text
from ledger.reports.crosstable import Crosstable, CrosstableRow, RunningTotal, ScoreForm
from ledger.reports.standings import Standings, StandingsLine

_SIGNS = {"1": "①", "0": "⓪"}
_OWN = "X"  # the square of a player and the same player
_OUT = "X"  # a round that somebody was not in
_CIRCLED = {"+": "1", "-": "0"}
_MET: Final = re.compile(r"(\d+)([wb])")
_COLOURS: Final = {"w": "page.white_letter", "b": "page.black_letter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsGrid:
    """The rows of a form, each with the words of its columns; ``Circled`` are without play.

    ``own`` are the words of a player's own square; ``between`` stands between words in a text;
    ``notes`` are sentences below the rows.
    """

    title: str
    standings: Standings
    columns: Sequence[str]
    rows: Sequence[tuple[StandingsLine, Sequence[list[str]]]]
    own: list[str] | None = None
    between: str = ""
    notes: Sequence[str] = ()

    def page(self, language: str) -> PrintedPage:
        """Returns it as a page to print."""
        say = saying(language)
        headings = [say("column.number"), say("column.name"), *self.columns, say("column.points")]
        headings += [*(code_name(code, say) for code in self.standings.codes), say("column.place")]
        heads = (PageCell(each, kind="name" if at == 1 else "") for at, each in enumerate(headings))
        lines = []
        below = False
        for place, words in self.rows:
            apart = place.cancelled and not below
            below |= apart
            who = (PageCell(place.number), PageCell(place.name or place.id, kind="name"))
            results = (PageCell(*each, kind="own" if each == self.own else "") for each in words)
            figures = map(PageCell, place_figures(self.standings, place))
            lines.append(row((*who, *results, *figures), kind="apart" if apart else ""))
        notes = (PageCell(each).html("p") for each in self.notes)
        return PrintedPage(self.title, [*table(heads, lines), *notes], language)

    def text(self, words: Iterable[str]) -> str:
        """Returns the words of a column as a text."""
        return joined(words, word_text, self.between)


def word_text(word: object) -> str:
    """Returns a word as a text; of points without play the sign ``①``, else parentheses."""
    return _SIGNS.get(word, f"({word})") if isinstance(word, Circled) else str(word)


def crosstable_page(made: Crosstable, language: str) -> PrintedPage:
    """Returns the crosstable as a page to print; points without play are circled."""
    return crosstable_grid(made, saying(language)).page(language)


def crosstable_grid(made: Crosstable, say: Say) -> StandingsGrid:
    """Returns the crosstable as a form."""
    about = made.standings
    return StandingsGrid(
        title=say(
            "standings.crosstable",
            name=name_in_title(about.name, say, annulled=about.annulled),
            after=about.after,
            rounds=about.rounds,
        ),
        standings=about,
        columns=made.columns,
        rows=[(each.place, [*_marked_squares(made, each, say)]) for each in made.rows],
        own=[_OWN],
        between=" ",
        notes=[*corrected_note(made.corrected_by_seqs, say), *coming_notes(about, say)],
    )


def coming_notes(made: Standings, say: Say) -> Iterator[str]:
    """Yields what becomes of the scores of those who leave after the round."""
    yield from (say(each.key, **dict(each.values)) for each in made.coming)


def _marked_squares(made: Crosstable, each: CrosstableRow, say: Say) -> Iterator[list[str]]:
    """Yields the words of each square of a row, the mark behind those that were corrected."""
    for column, words in zip(made.columns, crosstable_squares(made, each, say), strict=True):
        yield [*words, *([corrected_mark(say)] if column in each.corrected else [])]


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
        notes=list(coming_notes(about, say)),
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
    points = score_text(total.total)
    if total.how is How.CANCELLED:
        yield f"({points})"
    elif total.how is How.OPEN:
        yield f"{points}*"
    else:
        yield f"{points}t" if total.temporary else points
    if total.circled is not None:
        yield Circled(score_text(total.circled))
