"""A statement drawn: from the rating before, game by game, to the rating after."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from ledger.forms.page import saying
from ledger.pictures.svg import Hue
from ledger.pictures.waterfall import RatingStep, hue_of, waterfall_picture
from ledger.reports.statement import PostingLine, Statement

_MOST: Final = 10  # steps beside each other
_DRAW: Final = Fraction(1, 2)


def statement_picture(
    statement: Statement, *, title: str, language: str, is_narrow: bool = False
) -> str | None:
    """Draws a statement; None where there is no rating before or after, or no game is rated."""
    if statement.opening is None or statement.closing is None or not statement.postings:
        return None
    between = (statement.opening, statement.closing)
    return waterfall_picture(
        list(_steps(statement, language)), between, title=title, language=language,
        is_narrow=is_narrow, most=_MOST,
    )  # fmt: skip


def _steps(statement: Statement, language: str) -> Iterator[RatingStep]:
    say = saying(language)
    for game in statement.postings:
        word = f"{game.opponent_rating} {say(_word(game))}"
        yield RatingStep(game.opponent.surname, word, game.contribution, hue_of(game.contribution))
    for each in statement.steps:
        yield RatingStep(each.kind.message.within(language), "", each.points, hue_of(each.points))
    owed = sum((credit.credit for credit in statement.credits), Fraction(0))
    adjusted = Fraction(statement.adjustment + statement.lifted + statement.removed)
    for key, points in (("picture.owed", owed), ("picture.others", adjusted)):
        if points:
            yield RatingStep(say(key), "", points, hue_of(points))
    if statement.rounding:
        yield RatingStep(say("picture.rounding"), "", statement.rounding, Hue.SOFT)


def _word(game: PostingLine) -> str:
    if game.score == _DRAW:
        return "picture.drew"
    return "picture.won" if game.score > _DRAW else "picture.lost"
