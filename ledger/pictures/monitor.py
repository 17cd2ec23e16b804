"""A list's health: the mean of the control group by period, and where the points come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import (
    ROW,
    Hue,
    Scale,
    amount,
    curve,
    dot,
    legend,
    line,
    picture,
    ruled,
    spread,
    square,
    text,
)
from ledger.rating.decimal_text import exact, signed
from ledger.reports.measures import fixed
from ledger.reports.monitor import Monitor

_WIDTH: Final = 720
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 62, 704, 238
_LABELS: Final = 9
_MARKED: Final = 80
_BEGIN, _END = 16, 344  # of the sources below: a phone shows so much without scrolling


def monitor_picture(made: Monitor, language: str) -> str:
    """Draws both means by period, and below them the sources of the points over all periods."""
    say = saying(language)
    title = say("study.monitor", list=made.list)
    sources = list(made.sources.items())
    height = _BOTTOM + 80 + ROW * len(sources)
    named = [(say(f"pool.{source.value}"), points) for source, points in sources]
    shapes = [*_means(made, say), *_sources(named, say)]
    return picture((_WIDTH, height), title, _said(made, named, say), shapes)


def _said(made: Monitor, sources: Sequence[tuple[str, Fraction]], say: Say) -> str:
    trend = signed(fixed(made.trend)) or "-"
    said = "; ".join(f"{name} {signed(exact(points))}" for name, points in sources)
    return f"{say('study.trend', count=len(made.control), trend=trend)}. {said}"


def _means(made: Monitor, say: Say) -> Iterator[str]:
    both = (
        (Hue.OWN, "study.control", [each.control.mean for each in made.lines]),
        (Hue.OTHER, "study.all", [each.pool.mean for each in made.lines]),
    )
    known = [float(mean) for _, _, means in both for mean in means if mean is not None]
    if not known:
        return
    up = Scale.over(known, _BOTTOM, _TOP)
    yield from ruled(up, _LEFT, _RIGHT)
    count = len(made.lines)
    every = -(-count // _LABELS)
    for place in range(0, count, every):
        yield text(_x(place, count), _BOTTOM + 20, made.lines[place].period, hue=Hue.SOFT)
    marks = {Hue.OWN: dot, Hue.OTHER: square}
    yield from legend(_LEFT, [(partial(marks[hue], hue=hue), say(key)) for hue, key, _ in both])
    for hue, _, means in both:
        mark = marks[hue]
        points = [
            (_x(at, count), up.at(float(mean))) for at, mean in enumerate(means) if mean is not None
        ]
        yield curve(points, hue=hue, dash="" if hue is Hue.OWN else "6 3")
        if count <= _MARKED:
            yield from (
                mark(*point, hue=hue, told=f"{each.period}: {fixed(mean)}")
                for point, (each, mean) in zip(
                    points,
                    [(e, m) for e, m in zip(made.lines, means, strict=True) if m is not None],
                    strict=True,
                )
            )


def _x(place: int, count: int) -> float:
    return spread(place, count, _LEFT + 12, _RIGHT - 12)


def _sources(sources: Sequence[tuple[str, Fraction]], say: Say) -> Iterator[str]:
    top = _BOTTOM + 60
    yield text(16, top, say("study.sources"), anchor="start", bold=True)
    if not sources:
        return
    points = [float(each) for _, each in sources]
    along = Scale.over([0, *points], _BEGIN, _END)
    yield line(along.at(0), top + 8, along.at(0), top + 8 + ROW * len(sources), hue=Hue.FAINT)
    for place, (name, its) in enumerate(sources):
        corner, ends = (_BEGIN, top + 8 + ROW * place), (along.at(0), along.at(float(its)))
        hue = Hue.GOOD if its > 0 else Hue.BAD
        yield from amount(corner, _END, name, signed(exact(its)), ends, hue=hue)
