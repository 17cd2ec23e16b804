"""A list's health: the mean of the control group by period, and where the points come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from ledger.pictures.svg import (
    Hue,
    Say,
    Scale,
    bar,
    curve,
    dot,
    line,
    picture,
    ruled,
    speaking,
    square,
    text,
)
from ledger.rating.decimal_text import exact, signed
from ledger.reports.measures import fixed
from ledger.reports.monitor import Monitor

_WIDTH: Final = 720
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 44, 704, 220
_LABELS: Final = 9
_MARKED: Final = 80
# The sources below: where their names end, where bars may be, and how tall a row is.
_NAMES, _BEGIN, _END, _ROW = 250, 262, 600, 24


def monitor_picture(made: Monitor, language: str) -> str:
    """Draws both means by period, and below them the sources of the points over all periods."""
    say = speaking(language)
    title = say("study.monitor", list=made.list)
    sources = list(made.totals().items())
    height = _BOTTOM + 80 + _ROW * len(sources)
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
    for place, (hue, key, means) in enumerate(both):
        mark = dot if hue is Hue.OWN else square
        yield mark(_LEFT + 240 * place, 16, hue=hue)
        yield text(_LEFT + 240 * place + 10, 20, say(key), anchor="start")
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
    if count == 1:
        return (_LEFT + _RIGHT) / 2
    return _LEFT + 12 + (_RIGHT - _LEFT - 24) * place / (count - 1)


def _sources(sources: Sequence[tuple[str, Fraction]], say: Say) -> Iterator[str]:
    top = _BOTTOM + 60
    yield text(16, top, say("study.sources"), anchor="start", bold=True)
    if not sources:
        return
    points = [float(each) for _, each in sources]
    along = Scale.over([0, *points], _BEGIN, _END)
    for place, (name, amount) in enumerate(sources):
        y = top + 8 + _ROW * place
        low, high = sorted((along.at(0), along.at(float(amount))))
        said = signed(exact(amount))
        yield text(_NAMES, y + 16, name, anchor="end")
        hue = Hue.GOOD if amount > 0 else Hue.BAD
        yield bar((low, y + 3), (max(high - low, 1), _ROW - 6), hue=hue, told=f"{name}: {said}")
        yield text(_END + 12, y + 16, said, anchor="start")
    yield line(along.at(0), top + 8, along.at(0), top + 8 + _ROW * len(sources), hue=Hue.SOFT)
