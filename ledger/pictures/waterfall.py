"""Why a rating differs between two lists: from the one to the other, cause by cause."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Final

from ledger.pictures.svg import Hue, Say, Scale, bar, line, picture, speaking, text
from ledger.rating.decimal_text import exact, signed
from ledger.reports.why import Why

_WIDTH: Final = 720
_LEFT, _RIGHT = 240, 620
_TOP, _ROW = 20, 30


def waterfall_picture(made: Why, *, title: str, language: str) -> str:
    """Draws a row for each cause; each begins where the one above ends, so that they sum."""
    say = speaking(language)
    causes = list(made.totals().items())
    ends = list(accumulate((points for _, points in causes), initial=Fraction(made.before)))
    assert ends[-1] == made.after, "the causes sum to the difference"
    along = Scale.over([*map(float, ends)], _LEFT, _RIGHT)
    height = _TOP + _ROW * (len(causes) + 2) + 10
    shapes = [
        *_total(0, say("picture.before"), made.before, along),
        *(
            shape
            for place, (cause, points) in enumerate(causes)
            for shape in _step(
                place + 1, say(f"cause.{cause.value}"), (ends[place], ends[place + 1]), along
            )
        ),
        *_total(len(causes) + 1, say("picture.after"), made.after, along),
    ]
    return picture((_WIDTH, height), title, _said(made, say), shapes)


def _said(made: Why, say: Say) -> str:
    causes = "; ".join(
        f"{say(f'cause.{cause.value}')} {signed(exact(points))}"
        for cause, points in made.totals().items()
    )
    return say(
        "picture.waterfall_said", before=made.before or "–", after=made.after or "–",
        causes=causes or "–",
    )  # fmt: skip


def _total(place: int, name: str, rating: int, along: Scale) -> Iterator[str]:
    """Yields a rating: 0 stands for none."""
    y = _TOP + _ROW * place
    yield text(_LEFT - 12, y + 18, name, anchor="end", bold=True)
    x = along.at(rating)
    yield bar((x - 2, y + 4), (4, _ROW - 8), hue=Hue.OWN)
    yield text(_RIGHT + 12, y + 18, rating or "–", anchor="start", bold=True)


def _step(place: int, name: str, between: tuple[Fraction, Fraction], along: Scale) -> Iterator[str]:
    y = _TOP + _ROW * place
    begin, end = between
    points = end - begin
    low, high = sorted((along.at(float(begin)), along.at(float(end))))
    said = signed(exact(points))
    yield line(along.at(float(begin)), y - 4, along.at(float(begin)), y + 4, hue=Hue.SOFT)
    yield text(_LEFT - 12, y + 18, name, anchor="end")
    hue = Hue.GOOD if points > 0 else Hue.BAD
    yield bar((low, y + 4), (max(high - low, 1), _ROW - 8), hue=hue, told=f"{name}: {said}")
    yield text(_RIGHT + 12, y + 18, said, anchor="start")
