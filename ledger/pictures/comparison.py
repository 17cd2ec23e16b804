"""A comparison of two regulations: the differences of the players, and both calibrations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.forms.page import Say, saying
from ledger.pictures.svg import (
    Hue,
    bar,
    curve,
    cut,
    dot,
    line,
    picture,
    square,
    text,
)
from ledger.rating.decimal_text import true_minus, with_sign
from ledger.reports.comparison import YARDSTICK, Comparison, Judgement
from ledger.wording.dates import period_in_words

_SIZE: Final = (960, 506)
# Each panel's plot: left, top, width, height.
_DIFFERENCES: Final = (64, 96, 380, 300)
_CALIBRATION: Final = (580, 96, 300, 300)
_TICKS: Final = 5
_LABELS: Final = 8
# So many bars have room for their counts.
_COUNTED: Final = 24
# How tall the bars of the counts under the calibration are at most.
_COUNTS: Final = 40
# How many letters fit.
_TITLE, _NAME = 105, 62


def comparison_picture(made: Comparison, language: str) -> str:
    """Draws the differences of the players, and the calibration of both regulations."""
    say = saying(language)
    title = say("study.title", list=made.list, own=made.own, other=made.other)
    period = say(
        "study.window", since=period_in_words(made.since, language),
        until=period_in_words(made.until, language),
    )  # fmt: skip
    shapes = [
        text(24, 30, cut(title, _TITLE), size=16, anchor="start"),
        text(24, 50, period, anchor="start"),
        *_histogram(made, say),
        *_calibration(made, say),
    ]
    return picture(_SIZE, title, _said(made, period, say), shapes)


def _said(made: Comparison, period: str, say: Say) -> str:
    figures = made.differences.data()
    if not figures["count"]:
        return f"{period}. {say('study.nobody')}"
    differ = say(
        "study.differ", players=figures["count"], mean=with_sign(figures["mean"]),
        spread=figures["spread"], least=with_sign(figures["least"]),
        most=with_sign(figures["most"]),
    )  # fmt: skip
    return f"{period}. {differ}"


def _histogram(made: Comparison, say: Say) -> Iterator[str]:
    left, top, width, height = _DIFFERENCES
    yield text(left, top - 16, say("study.differences"), anchor="start", bold=True)
    yield text(left + width / 2, top + height + 40, say("study.axis_points"))
    bands = made.distribution
    if not bands:
        yield text(left + width / 2, top + height / 2, say("study.nobody"))
        return
    most = max(band.players for band in bands)
    step = max(1, -(-most // _TICKS))
    for count in range(0, most + 1, step):
        y = top + height - height * count / most
        yield line(left, y, left + width, y, hue=Hue.FAINT)
        yield text(left - 8, y + 4, count, anchor="end")
    yield line(left, top + height, left + width, top + height)
    wide = width / len(bands)
    every = -(-len(bands) // _LABELS)
    for place, band in enumerate(bands):
        tall = height * band.players / most
        x = left + place * wide
        told = f"{true_minus(band.name)}: {band.players}"
        yield bar((x + 1, top + height - tall), (wide - 2, tall), hue=Hue.THIRD, told=told)
        if len(bands) <= _COUNTED:
            yield text(x + wide / 2, top + height - tall - 4, band.players, size=9)
        if place % every == 0:
            yield text(x + wide / 2, top + height + 18, with_sign(band.least))


def _calibration(made: Comparison, say: Say) -> Iterator[str]:
    left, top, width, height = _CALIBRATION
    yield text(left, top - 16, say("study.calibration"), anchor="start", bold=True)
    for tick in range(0, 101, 20):
        x, y = left + width * tick / 100, top + height - height * tick / 100
        yield line(left, y, left + width, y, hue=Hue.FAINT)
        yield line(x, top, x, top + height, hue=Hue.FAINT)
        yield text(left - 8, y + 4, tick, anchor="end")
        yield text(x, top + height + 18, tick)
    yield line(left, top + height, left + width, top, dash="2 4")
    yield text(left + width / 2, top + height + 40, say("study.axis_expected"))
    yield text(left + 6, top + 14, say("study.axis_score"), anchor="start")
    yield text(left + width, top + height + 96, say("study.axis_counts"), anchor="end")
    names = {"own": made.own, "other": made.other}
    judged = [judgement for judgement in made.judgements if judgement.by == YARDSTICK]
    most = max((b.sides for each in judged for b in each.quality.bands), default=0)
    for place, judgement in enumerate(judged):
        own = judgement.side == "own"
        x, y = left - 40, top + height + 58 + 18 * place
        yield _mark(x, y - 4, own=own)
        yield text(x + 10, y, cut(names[judgement.side], _NAME), anchor="start")
        yield from _counts(judgement, most, own=own)
        yield from _curve(judgement, own=own)


def _counts(judgement: Judgement, most: int, *, own: bool) -> Iterator[str]:
    """Draws how many sides each band has, at the foot of the panel."""
    left, top, width, height = _CALIBRATION
    for band in judgement.quality.bands:
        wide = width * (band.below - band.at_least) / 200
        x = left + width * band.at_least / 100 + (0 if own else wide)
        tall = _COUNTS * band.sides / most
        told = f"{band.at_least}–{band.below} %: {band.sides}"
        corner, size = (x + 1, top + height - tall), (wide - 2, tall)
        yield bar(corner, size, hue=_hue(own=own), told=told, opacity="0.3")


def _curve(judgement: Judgement, *, own: bool) -> Iterator[str]:
    left, top, width, height = _CALIBRATION
    points = [
        (left + width * float(band.expected), top + height - height * float(band.score))
        for band in judgement.quality.bands
    ]
    yield curve(points, hue=_hue(own=own), dash="" if own else "6 3")
    for (x, y), band in zip(points, judgement.quality.bands, strict=True):
        margin = height * float(band.margin)
        low, high = min(y + margin, top + height), max(y - margin, top)
        yield line(x, low, x, high, hue=_hue(own=own))
        yield _mark(x, y, own=own, told=f"{band.at_least}–{band.below} %: {band.sides}")


def _mark(x: float, y: float, *, own: bool, told: str = "") -> str:
    return (dot if own else square)(x, y, hue=_hue(own=own), told=told)


def _hue(*, own: bool) -> Hue:
    return Hue.OWN if own else Hue.OTHER
