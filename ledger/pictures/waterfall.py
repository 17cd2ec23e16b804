"""Why a rating differs between two lists: from the one to the other, cause by cause."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import ROW, Hue, Scale, amount, line, picture
from ledger.rating.decimal_text import exact, signed
from ledger.reports.why import Why

# A phone of 320 pixels shows so much without scrolling.
_WIDTH: Final = 280
_LEFT, _RIGHT = 12, 268
_TOP: Final = 8


def waterfall_picture(made: Why, *, title: str, language: str) -> str:
    """Draws a row for each cause; each begins where the one above ends, so that they sum."""
    say = saying(language)
    causes = list(made.totals().items())
    ends = list(accumulate((points for _, points in causes), initial=Fraction(made.before)))
    assert ends[-1] == made.after, "the causes sum to the difference"
    along = Scale.over([*map(float, ends)], _LEFT, _RIGHT)
    height = _TOP + ROW * (len(causes) + 2) + 10
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
    x = along.at(rating)
    corner, shown = (_LEFT, _TOP + ROW * place), str(rating or "–")
    yield from amount(corner, _RIGHT, name, shown, (x - 2, x + 2), hue=Hue.OWN, bold=True)


def _step(place: int, name: str, between: tuple[Fraction, Fraction], along: Scale) -> Iterator[str]:
    begin, end = between
    points = end - begin
    y, x = _TOP + ROW * place, along.at(float(begin))
    yield line(x, y - 6, x, y + 20, hue=Hue.FAINT)
    hue = Hue.GOOD if points > 0 else Hue.BAD
    said = signed(exact(points)).replace("-", "−")
    yield from amount((_LEFT, y), _RIGHT, name, said, (x, along.at(float(end))), hue=hue)
