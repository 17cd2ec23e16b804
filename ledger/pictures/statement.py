"""A statement drawn: from the rating before, game by game, to the rating after.

Levels are strokes, steps are bars: the axis is cut, so a bar has the height of what it adds alone.
A phone, and who has many games, gets a row for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, Scale, bar, cut, line, picture, text
from ledger.reports.balance import Figures
from ledger.reports.statement import PostingLine, Statement

_LETTERS: Final = 14
_ANSWER: Final = 20  # letters of the two ratings
_MOST: Final = 10  # steps beside each other
_WIDE, _HIGH = 1120, 300
_TOP, _BOTTOM, _WORDS = 44.0, 216.0, 252
_PHONE, _ROW = 358, 44
_LETTER: Final = 8.8  # the width of one, about
_DRAW: Final = Fraction(1, 2)
_FIGURES: Final = Figures(exactly=False)


@dataclass(frozen=True, slots=True)
class _Bar:
    """Something that moves the rating: what it is, a word on it, and the exact points."""

    name: str
    word: str
    points: Fraction
    hue: Hue


def statement_picture(
    statement: Statement, *, title: str, language: str, is_narrow: bool = False
) -> str | None:
    """Draws a statement; None where there is no rating before or after, or no game is rated."""
    if statement.opening is None or statement.closing is None or not statement.postings:
        return None
    say = saying(language)
    steps = list(_steps(statement, language))
    ends = list(accumulate((step.points for step in steps), initial=Fraction(statement.opening)))
    assert ends[-1] == statement.closing, "the steps sum to the change"
    causes = "; ".join(f"{step.name} {_FIGURES.gain(step.points)}" for step in steps)
    about = say(
        "picture.waterfall_said", before=statement.opening, after=statement.closing, causes=causes
    )
    if is_narrow or len(steps) > _MOST:
        width = _PHONE if is_narrow else _WIDE
        size, shapes = (width, _ROW * (len(steps) + 2) + 8), _rows(steps, ends, width, say)
    else:
        size, shapes = (_WIDE, _HIGH), _columns(steps, ends, say)
    return picture(size, title, about, shapes)


def _steps(statement: Statement, language: str) -> Iterator[_Bar]:
    say = saying(language)
    for game in statement.postings:
        word = f"{game.opponent_rating} {say(_word(game))}"
        yield _Bar(_surname(game), word, game.contribution, _hue(game.contribution))
    for each in statement.steps:
        yield _Bar(each.kind.message.within(language), "", each.points, _hue(each.points))
    owed = sum((credit.credit for credit in statement.credits), Fraction(0))
    adjusted = Fraction(statement.adjustment + statement.lifted + statement.removed)
    for key, points in (("picture.owed", owed), ("picture.others", adjusted)):
        if points:
            yield _Bar(say(key), "", points, _hue(points))
    if statement.rounding:
        yield _Bar(say("picture.rounding"), "", statement.rounding, Hue.SOFT)


def _surname(game: PostingLine) -> str:
    return (game.opponent.name or game.opponent.id or "").partition(",")[0]


def _word(game: PostingLine) -> str:
    if game.score == _DRAW:
        return "picture.drew"
    return "picture.won" if game.score > _DRAW else "picture.lost"


def _columns(steps: Sequence[_Bar], ends: Sequence[Fraction], say: Say) -> Iterator[str]:
    up = Scale(float(min(ends)), float(max(ends)) + 0.001, 1, _BOTTOM, _TOP)
    width = _WIDE / (len(steps) + 2)
    half = min(36.0, width / 2 - 4)
    first, last = up.at(float(ends[0])), up.at(float(ends[-1]))
    middle = [width * (place + 0.5) for place in range(len(steps) + 2)]
    yield line(middle[0] + half, first, middle[-1] + half + 8, first, dash="1 3", hue=Hue.SOFT)
    for place, step in enumerate(steps):
        begin, end = (up.at(float(each)) for each in ends[place : place + 2])
        x, hue, gain = middle[place + 1], step.hue, _FIGURES.gain(step.points)
        corner, size = (x - half, min(begin, end)), (2 * half, max(abs(end - begin), 2))
        yield line(middle[place] + half, begin, x - half, begin, hue=Hue.SOFT)
        yield bar(corner, size, hue=hue, told=f"{step.name}: {gain}", rounded=2)
        y = min(begin, end) - 8 if step.points >= 0 else max(begin, end) + 18
        yield text(x, y, gain, size=_LETTERS, hue=hue, bold=True)
        yield text(x, _WORDS, cut(step.name, int(width / _LETTER)), size=_LETTERS)
        yield text(x, _WORDS + 20, step.word, size=_LETTERS, hue=Hue.SOFT)
    yield line(middle[-2] + half, last, middle[-1] - half, last, hue=Hue.SOFT)
    for x, y, rating, key, hue in (
        (middle[0], first, ends[0], "picture.before", Hue.INK),
        (middle[-1], last, ends[-1], "picture.after", Hue.OWN),
    ):
        yield bar((x - half, y - 3), (2 * half, 6), hue=hue)
        yield text(x, y - 12, int(rating), size=_ANSWER, hue=hue, bold=True)
        yield text(x, _WORDS, say(key), size=_LETTERS)


def _rows(steps: Sequence[_Bar], ends: Sequence[Fraction], width: int, say: Say) -> Iterator[str]:
    left, right = width * 0.45, width - 68.0
    along = Scale(float(min(ends)), float(max(ends)) + 0.001, 1, left, right)
    start = along.at(float(ends[0]))
    yield line(start, 30, start, _ROW * (len(steps) + 1) + 20, dash="1 3", hue=Hue.SOFT)
    for place, step in enumerate(steps):
        y = _ROW * (place + 1)
        begin, end = (along.at(float(each)) for each in ends[place : place + 2])
        hue, gain = step.hue, _FIGURES.gain(step.points)
        yield text(0, y + 18, cut(step.name, 20), anchor="start", size=_LETTERS)
        yield text(0, y + 36, step.word, anchor="start", size=_LETTERS, hue=Hue.SOFT)
        yield bar((min(begin, end), y + 12), (max(abs(end - begin), 2), 20), hue=hue, rounded=2)
        yield text(width, y + 27, gain, anchor="end", size=_LETTERS, hue=hue, bold=True)
    for place, rating, key, hue in (
        (0, ends[0], "picture.before", Hue.INK),
        (len(steps) + 1, ends[-1], "picture.after", Hue.OWN),
    ):
        y, x = _ROW * place, along.at(float(rating))
        yield text(0, y + 27, say(key), anchor="start", size=_LETTERS)
        yield bar((x - 3, y + 8), (6, 28), hue=hue)
        yield text(width, y + 29, int(rating), anchor="end", size=_ANSWER, hue=hue, bold=True)


def _hue(points: Fraction) -> Hue:
    if not points:
        return Hue.SOFT
    return Hue.GOOD if points > 0 else Hue.BAD
