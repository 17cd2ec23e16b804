"""A list's health: the mean of its control group and that of all who are rated, by period.

It is drawn for a page and for a phone; both lines are named at their ends, in their colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import Hue, Scale, curve, dot, picture, ruled, spread, text
from ledger.rating.decimal_text import true_minus, with_sign
from ledger.reports.measures import fixed
from ledger.reports.monitor import Monitor
from ledger.wording.dates import period_in_words, short_period

_LETTERS: Final = 14
_LABEL: Final = 76  # the width of the name of a list
_MARKED: Final = 80  # so many lists have room for a point each
_APART: Final = 44  # between the two names at the right edge
_PHONE: Final = 358
_SPAN: Final = 50  # points that the axis shows at least, so that a few are no mountain


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where the lines are drawn, within what size."""

    size: tuple[int, int]
    left: float
    right: float
    top: float
    bottom: float

    def x(self, place: int, count: int) -> float:
        """The place of a list, by its number."""
        return spread(place, count, self.left + 8, self.right - 8)


_WIDE: Final = _Plot((1120, 320), 48, 930, 16, 280)
_NARROW: Final = _Plot((_PHONE, 270), 48, 222, 16, 230)
_Means = Sequence[Fraction | None]


def monitor_picture(made: Monitor, language: str, *, is_narrow: bool = False) -> str:
    """Draws both means by period; a narrow one is for a phone."""
    say, plot = saying(language), _NARROW if is_narrow else _WIDE
    title = say("study.monitor", list=made.list)
    return picture(plot.size, title, _description(made, say), _drawn(made, plot, language))


def _description(made: Monitor, say: Say) -> str:
    trend = with_sign(fixed(made.trend)) or "–"
    return say("study.trend", count=len(made.control), trend=trend)


def _drawn(made: Monitor, plot: _Plot, language: str) -> Iterator[str]:
    lines = {
        Hue.OWN: ("study.control", [each.control.mean for each in made.lines]),
        Hue.OTHER: ("study.all", [each.pool.mean for each in made.lines]),
    }
    known = [float(mean) for _, means in lines.values() for mean in means if mean is not None]
    if not known:
        return
    middle = (min(known) + max(known)) / 2
    spanned = [*known, middle - _SPAN / 2, middle + _SPAN / 2]
    up, say = Scale.over(spanned, plot.bottom, plot.top), saying(language)
    periods, count = [each.period for each in made.lines], len(made.lines)
    yield from ruled(up, plot.left, plot.right, size=_LETTERS)
    room = max(1, int((plot.right - plot.left) // _LABEL))
    every = -(-count // room)
    for place in range((count - 1) % every, count, every):
        words, x = short_period(periods[place], language), plot.x(place, count)
        yield text(x, plot.bottom + 24, words, size=_LETTERS, hue=Hue.SOFT)
    for hue, (_, means) in lines.items():
        yield from _line(means, periods, plot, up, hue, language)
    yield from _names({hue: (say(key), means) for hue, (key, means) in lines.items()}, plot, up)


def _line(
    means: _Means, periods: Sequence[str], plot: _Plot, up: Scale, hue: Hue, language: str
) -> Iterator[str]:
    """Yields a line, with a point for each list where there is room, else for the last one."""
    count = len(periods)
    points = [
        (
            plot.x(place, count),
            up.at(float(mean)),
            f"{period_in_words(period, language)}: {fixed(mean)}",
        )
        for place, (period, mean) in enumerate(zip(periods, means, strict=True))
        if mean is not None
    ]
    yield curve([(x, y) for x, y, _ in points], hue=hue, width=2.5 if hue is Hue.OWN else 1.5)
    has_room = count <= _MARKED and plot.size[0] > _PHONE
    for x, y, tip in points if has_room else points[-1:]:
        yield dot(x, y, hue=hue, told=tip, radius=3.5)


def _names(lines: dict[Hue, tuple[str, _Means]], plot: _Plot, up: Scale) -> Iterator[str]:
    """Yields the names of the lines and their last means at the right edge, one above the other."""
    last = [
        (up.at(float(mean)), hue, name, mean)
        for hue, (name, means) in lines.items()
        for mean in [next(filter(None, reversed(means)), None)]
        if mean is not None
    ]
    y = float("-inf")
    for at, hue, name, mean in sorted(last, key=lambda each: each[0]):
        y = max(min(at, plot.bottom - _APART * (len(last) - 1)), y + _APART)
        x = plot.right + 10
        yield text(x, y, name, anchor="start", size=_LETTERS, hue=hue)
        figure = true_minus(fixed(mean))
        yield text(x, y + 18, figure, anchor="start", size=_LETTERS, hue=hue, bold=True)
