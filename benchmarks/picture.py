"""One picture as SVG, written out as text: points of rates, and lines of seconds by size.

All axes are logarithmic, so no length stands for a rate; what grows linearly is as steep as the
dashed lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

_WIDTH = 960
_ROW, _RADIUS, _TOP = 24, 5, 64
_NAMES, _RATES = 190, 240  # widths of the left panel: names, then rates
_LEFT, _PLOT, _TALL = 560, 260, 300  # the right panel
_COLOURS = ("#1b6ca8", "#c2571a", "#7a6ca8", "#2e8b57", "#a83232", "#666666")
_OF_KIND = {"peer": "#999999", "work": "#1b6ca8"}
_INK, _FAINT = "#222222", "#cccccc"

Rate = tuple[str, float, str]
Points = Sequence[tuple[float, float]]


def picture(
    rates_title: str, rates: Sequence[Rate], lines_title: str, lines: Mapping[str, Points]
) -> str:
    """Draws both panels; a rate is (name, rate, ``peer`` or ``work``)."""
    height = _TOP + max(len(rates) * _ROW + 40, _TALL + 60)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
            f' width="{_WIDTH}" height="{height}" font-family="sans-serif" font-size="12"'
            f' role="img">'
        ),
        f"<title>{escape(rates_title)}; {escape(lines_title)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(20, 32, rates_title, size=15),
        *_rates(rates),
        _text(_LEFT, 32, lines_title, size=15),
        *_lines({name: points for name, points in lines.items() if points}),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rates(rates: Sequence[Rate]) -> Iterator[str]:
    if not rates:
        return
    low = math.floor(math.log10(min(rate for _, rate, _ in rates)))
    high = math.ceil(math.log10(max(rate for _, rate, _ in rates)))
    bottom = _TOP + len(rates) * _ROW
    for power in range(low, high + 1):
        x = 20 + _NAMES + _RATES * (power - low) / (high - low or 1)
        yield _line(x, _TOP - 8, x, bottom, colour=_FAINT)
        yield _text(x, bottom + 16, _short(10.0**power), anchor="middle")
    for place, (name, rate, kind) in enumerate(rates):
        y = _TOP + place * _ROW + _ROW / 2
        x = 20 + _NAMES + _RATES * (math.log10(rate) - low) / (high - low or 1)
        yield _text(20 + _NAMES - 10, y, name, anchor="end")
        yield (
            f'<circle cx="{x:.1f}" cy="{y - 4:.1f}" r="{_RADIUS}" fill="{_OF_KIND[kind]}">'
            f"<title>{escape(name)}: {rate:,.0f}</title></circle>"
        )
        yield _text(x + _RADIUS + 4, y, _short(rate))


def _lines(lines: Mapping[str, Points]) -> Iterator[str]:
    games = [x for points in lines.values() for x, _ in points]
    seconds = [y for points in lines.values() for _, y in points]
    if not games:
        return
    left, right = math.log10(min(games)) - 0.1, math.log10(max(games)) + 0.1
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    high = max(high, low + 1)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - left) / (right - left)
        return _LEFT + 40 + _PLOT * across, _TOP + _TALL * (high - math.log10(y)) / (high - low)

    for power in range(low, high + 1):
        _, y = at(games[0], 10.0**power)
        yield _line(_LEFT + 40, y, _LEFT + 40 + _PLOT, y, colour=_FAINT)
        yield _text(_LEFT + 32, y + 4, f"{10.0**power:g} s", anchor="end")
    for x in sorted(set(games)):
        yield _text(at(x, 1)[0], _TOP + _TALL + 18, _short(x), anchor="middle")
    # The names stand in the order in which the lines end, so that nothing leads across.
    for place, (name, points) in enumerate(sorted(lines.items(), key=lambda each: -each[1][-1][1])):
        colour = _COLOURS[place % len(_COLOURS)]
        path = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        (x, y), (_, last) = points[0], at(*points[-1])
        linear = y * points[-1][0] / x
        if linear < 10.0**high:
            yield _line(*at(x, y), *at(points[-1][0], linear), colour=colour, dash="2 4")
        yield _line(
            at(*points[-1])[0] + 2, last, _LEFT + 44 + _PLOT, _label(place, len(lines)) - 4,
            colour=_FAINT,
        )  # fmt: skip
        yield _text(_LEFT + 46 + _PLOT, _label(place, len(lines)), name, colour=colour)


def _label(place: int, count: int) -> float:
    return _TOP + 16 + place * (_TALL - 32) / max(1, count - 1)


def _short(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def _line(x1: float, y1: float, x2: float, y2: float, *, colour: str = _INK, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashed}/>'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = _INK
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
        f' fill="{colour}">{escape(text)}</text>'
    )
