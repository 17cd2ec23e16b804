"""Pictures as SVG, written out as text: no fonts, scripts or files from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from cli.output import say, signed
from cli.render.studies import band_name

if TYPE_CHECKING:
    from ledger.reports.comparison import Comparison, Judgement

_WIDTH, _HEIGHT = 960, 480
# Each panel's plot: left, top, width, height.
_DIFFERENCES = (64, 96, 380, 300)
_CALIBRATION = (580, 96, 300, 300)
_OWN, _OTHER, _BAR = "#1b6ca8", "#c2571a", "#7a6ca8"
_INK, _FAINT = "#222222", "#cccccc"
_TICKS = 5
_LABELS = 8
_RADIUS = 4
# So many bars have room for their counts.
_COUNTED = 24
# How tall the bars of the counts under the calibration are at most.
_COUNTS = 40
# How many letters fit.
_TITLE, _NAME = 105, 62


def comparison_svg(made: Comparison) -> str:
    """Draws the differences of the players, and the calibration of both regulations."""
    title = say("study.title", list=made.list, own=made.own, other=made.other)
    period = say("study.window", since=made.since, until=made.until)
    opened = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12"'
        f' role="img">'
    )
    parts = [
        opened,
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(24, 30, _cut(title, _TITLE), size=16, anchor="start"),
        _text(24, 50, period, anchor="start"),
        *_histogram(made),
        *_calibration(made),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _histogram(made: Comparison) -> Iterator[str]:
    left, top, width, height = _DIFFERENCES
    yield _text(left, top - 16, say("study.differences"), anchor="start", weight="bold")
    yield _text(left + width / 2, top + height + 40, say("study.axis_points"))
    bands = made.distribution
    if not bands:
        yield _text(left + width / 2, top + height / 2, say("study.nobody"))
        return
    most = max(band["players"] for band in bands)
    step = max(1, -(-most // _TICKS))
    for count in range(0, most + 1, step):
        y = top + height - height * count / most
        yield _line(left, y, left + width, y, colour=_FAINT)
        yield _text(left - 8, y + 4, str(count), anchor="end")
    yield _line(left, top + height, left + width, top + height)
    wide = width / len(bands)
    every = -(-len(bands) // _LABELS)
    for place, band in enumerate(bands):
        tall = height * band["players"] / most
        x = left + place * wide
        label = band_name(band)
        yield (
            f'<rect x="{x + 1:.1f}" y="{top + height - tall:.1f}" width="{wide - 2:.1f}"'
            f' height="{tall:.1f}" fill="{_BAR}"><title>{label}: {band["players"]}</title></rect>'
        )
        if len(bands) <= _COUNTED:
            yield _text(x + wide / 2, top + height - tall - 4, str(band["players"]), size=9)
        if place % every == 0:
            yield _text(x + wide / 2, top + height + 18, signed(band["from"]))


def _calibration(made: Comparison) -> Iterator[str]:
    left, top, width, height = _CALIBRATION
    yield _text(left, top - 16, say("study.calibration"), anchor="start", weight="bold")
    for tick in range(0, 101, 20):
        x, y = left + width * tick / 100, top + height - height * tick / 100
        yield _line(left, y, left + width, y, colour=_FAINT)
        yield _line(x, top, x, top + height, colour=_FAINT)
        yield _text(left - 8, y + 4, f"{tick}", anchor="end")
        yield _text(x, top + height + 18, f"{tick}")
    yield _line(left, top + height, left + width, top, dash="2 4")
    yield _text(left + width / 2, top + height + 40, say("study.axis_expected"))
    yield _text(left + 6, top + 14, say("study.axis_score"), anchor="start")
    yield _text(left + width, top + height + 56, say("study.axis_counts"), anchor="end", size=10)
    names = {"own": made.own, "other": made.other}
    judged = [judgement for judgement in made.judgements if judgement.by == "yardstick"]
    most = max((b.sides for each in judged for b in each.quality.bands), default=0)
    for place, judgement in enumerate(judged):
        own = judgement.side == "own"
        x, y = left - 40, top + height + 58 + 18 * place
        yield _mark(x, y - 4, own=own)
        yield _text(x + 10, y, _cut(names[judgement.side], _NAME), anchor="start")
        yield from _counts(judgement, most, own=own)
        yield from _curve(judgement, own=own)


def _counts(judgement: Judgement, most: int, *, own: bool) -> Iterator[str]:
    """Draws how many sides each band has, at the foot of the panel."""
    left, top, width, height = _CALIBRATION
    for band in judgement.quality.bands:
        wide = width * (band.below - band.at_least) / 200
        x = left + width * band.at_least / 100 + (0 if own else wide)
        tall = _COUNTS * band.sides / most
        yield (
            f'<rect x="{x + 1:.1f}" y="{top + height - tall:.1f}" width="{wide - 2:.1f}"'
            f' height="{tall:.1f}" fill="{_OWN if own else _OTHER}" fill-opacity="0.3">'
            f"<title>{band.at_least}-{band.below} %: {band.sides}</title></rect>"
        )


def _curve(judgement: Judgement, *, own: bool) -> Iterator[str]:
    left, top, width, height = _CALIBRATION
    points = [
        (left + width * float(band.expected), top + height - height * float(band.score))
        for band in judgement.quality.bands
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = "" if own else ' stroke-dasharray="6 3"'
    colour = _OWN if own else _OTHER
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
    for (x, y), band in zip(points, judgement.quality.bands, strict=True):
        margin = height * float(band.margin)
        low, high = min(y + margin, top + height), max(y - margin, top)
        yield _line(x, low, x, high, colour=colour)
        yield _mark(x, y, own=own, title=f"{band.at_least}-{band.below} %: {band.sides}")


def _mark(x: float, y: float, *, own: bool, title: str = "") -> str:
    told = f"<title>{escape(title)}</title>" if title else ""
    if own:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="{_OWN}">{told}</circle>'
    side = 2 * _RADIUS
    return (
        f'<rect x="{x - _RADIUS:.1f}" y="{y - _RADIUS:.1f}" width="{side}" height="{side}"'
        f' fill="{_OTHER}">{told}</rect>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, *, colour: str = _INK, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashed}/>'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "middle", size: int = 12, weight: str = ""
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{bold}'
        f' fill="{_INK}">{escape(text)}</text>'
    )


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
