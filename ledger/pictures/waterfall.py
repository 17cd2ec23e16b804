"""A rating drawn step by step, from what it was to what it is.

Levels are strokes, steps are bars: the axis is cut, so a bar has the height of what it adds alone.
A phone, and whatever has many steps, gets a row for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, Scale, bar, cut, line, picture, text
from ledger.reports.balance import AS_READ

_LETTERS: Final = 14
_ANSWER: Final = 20  # letters of the two ratings
_WIDE, _HIGH = 1120, 300
_TOP, _BOTTOM, _WORDS = 44.0, 216.0, 252
_PHONE, _ROW = 358, 44
_LETTER: Final = 8.2  # the width of one, about


@dataclass(frozen=True, slots=True)
class RatingStep:
    """Something that moves the rating: what it is, a word on it, and the exact points."""

    name: str
    word: str
    points: Fraction
    hue: Hue


def waterfall_picture(
    steps: Sequence[RatingStep],
    between: tuple[int, int],
    *,
    title: str,
    language: str,
    is_narrow: bool,
    most: int,
) -> str:
    """Draws steps between two ratings, of which 0 stands for none.

    Args:
        steps: they sum to the change.
        between: the rating before and the one after.
        title: what it is of.
        language: of the words.
        is_narrow: whether it is for a phone.
        most: so many steps have room beside each other.
    """
    say = saying(language)
    before, after = between
    ends = list(accumulate((step.points for step in steps), initial=Fraction(before)))
    assert ends[-1] == after, "the steps sum to the change"
    causes = "; ".join(f"{step.name} {AS_READ.gain(step.points)}" for step in steps)
    about = say(
        "picture.waterfall_said", before=before or "–", after=after or "–", causes=causes or "–"
    )
    if is_narrow or len(steps) > most:
        width = _PHONE if is_narrow else _WIDE
        size, shapes = (width, _ROW * (len(steps) + 2) + 8), _rows(steps, ends, width, say)
    else:
        size, shapes = (_WIDE, _HIGH), _columns(steps, ends, say)
    return picture(size, title, about, shapes)


def hue_of(points: Fraction) -> Hue:
    """Returns the colour of points that are gained, lost, or neither."""
    if not points:
        return Hue.SOFT
    return Hue.GOOD if points > 0 else Hue.BAD


def _columns(steps: Sequence[RatingStep], ends: Sequence[Fraction], say: Say) -> Iterator[str]:
    up = Scale(float(min(ends)), float(max(ends)) + 0.001, 1, _BOTTOM, _TOP)
    width = _WIDE / (len(steps) + 2)
    half = min(36.0, width / 2 - 4)
    first, last = up.at(float(ends[0])), up.at(float(ends[-1]))
    middle = [width * (place + 0.5) for place in range(len(steps) + 2)]
    yield line(middle[0] + half, first, middle[-1] + half + 8, first, dash="1 3", hue=Hue.SOFT)
    for place, step in enumerate(steps):
        begin, end = (up.at(float(each)) for each in ends[place : place + 2])
        x, hue, gain = middle[place + 1], step.hue, AS_READ.gain(step.points)
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
        yield text(x, y - 12, int(rating) or "–", size=_ANSWER, hue=hue, bold=True)
        yield text(x, _WORDS, say(key), size=_LETTERS)


def _rows(
    steps: Sequence[RatingStep], ends: Sequence[Fraction], width: int, say: Say
) -> Iterator[str]:
    left, right = width * 0.45, width - 68.0
    along = Scale(float(min(ends)), float(max(ends)) + 0.001, 1, left, right)
    start = along.at(float(ends[0]))
    yield line(start, 30, start, _ROW * (len(steps) + 1) + 20, dash="1 3", hue=Hue.SOFT)
    for place, step in enumerate(steps):
        y = _ROW * (place + 1)
        begin, end = (along.at(float(each)) for each in ends[place : place + 2])
        hue, gain = step.hue, AS_READ.gain(step.points)
        yield text(
            0, y + (18 if step.word else 27), cut(step.name, 20), anchor="start", size=_LETTERS
        )
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
        yield text(
            width, y + 29, int(rating) or "–", anchor="end", size=_ANSWER, hue=hue, bold=True
        )
