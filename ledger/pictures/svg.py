"""The shapes of a picture, and their colours.

A shape names its colour twice: by a class, for pages that are light or dark, and by attributes, for
a file that stands alone. Places are in pixels from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from html import escape

from ledger.wording import visible


def spread(place: int, count: int, left: float, right: float) -> float:
    """Returns where one of several stands between two sides, from 0; a single one in the middle."""
    return (left + right) / 2 if count == 1 else left + (right - left) * place / (count - 1)


class Hue(Enum):
    """A colour: its class, and what it is where no style says otherwise."""

    INK = ("ink", "#222222")
    SOFT = ("soft", "#56616b")
    FAINT = ("faint", "#cccccc")
    PAPER = ("paper", "#ffffff")
    ON = ("on", "#ffffff")  # what stands on a colour
    OWN = ("own", "#1b6ca8")
    OTHER = ("other", "#b34a12")
    THIRD = ("third", "#7a6ca8")
    GOOD = ("good", "#1a6b3c")
    BAD = ("bad", "#a61b1b")

    @property
    def name_of_class(self) -> str:
        """The class."""
        return self.value[0]

    @property
    def colour(self) -> str:
        """The colour."""
        return self.value[1]


RADIUS = 4


def picture(size: tuple[int, int], title: str, said: str, shapes: Iterable[str]) -> str:
    """Returns a picture.

    Args:
        size: width and height.
        title: what it is of.
        said: what is to be seen on it, for who does not see it.
        shapes: as the functions of this module return them.
    """
    width, height = size
    opened = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="12" role="img">'
    )
    parts = [
        opened,
        f"<title>{_escaped(title)}</title>",
        f"<desc>{_escaped(said)}</desc>",
        f'<rect width="{width}" height="{height}"{_fill(Hue.PAPER)}/>',
        *shapes,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def text(
    x: float,
    y: float,
    words: object,
    *,
    anchor: str = "middle",
    size: int = 12,
    hue: Hue = Hue.INK,
    bold: bool = False,
) -> str:
    """Returns words; ``y`` is their baseline, ``anchor`` where ``x`` is: start, middle or end."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}'
        f"{_fill(hue)}>{_escaped(str(words))}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, hue: Hue = Hue.INK, dash: str = "") -> str:
    """Returns a straight line; ``dash`` is its pattern."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f"{_stroke(hue)}{_dashed(dash)}/>"
    )


def curve(
    points: Iterable[tuple[float, float]], *, hue: Hue, dash: str = "", width: float = 1.5
) -> str:
    """Returns a line through points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" stroke-width="{width:g}"{_stroke(hue)}{_dashed(dash)}/>'


def bar(
    corner: tuple[float, float],
    size: tuple[float, float],
    *,
    hue: Hue,
    told: str = "",
    opacity: str = "",
    rounded: int = 0,
) -> str:
    """Returns a rectangle from its upper left corner; ``told`` is shown to who points at it."""
    (x, y), (width, height) = corner, size
    thin = f' fill-opacity="{opacity}"' if opacity else ""
    corners = f' rx="{rounded}"' if rounded else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{corners}'
        f"{_fill(hue)}{thin}>{_title(told)}</rect>"
    )


def dot(
    x: float,
    y: float,
    *,
    hue: Hue,
    told: str = "",
    is_ring: bool = False,
    dash: str = "",
    radius: float = RADIUS,
) -> str:
    """Returns a point, filled or as a ring."""
    looks = _stroke(hue) + f' stroke-width="2"{_dashed(dash)}' if is_ring else _fill(hue)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"{looks}>{_title(told)}</circle>'


def square(x: float, y: float, *, hue: Hue, told: str = "") -> str:
    """Returns a point with four corners."""
    return bar((x - RADIUS, y - RADIUS), (2 * RADIUS, 2 * RADIUS), hue=hue, told=told)


def cut(words: str, letters: int) -> str:
    """Returns words that have room: at most so many letters."""
    return words if len(words) <= letters else f"{words[: letters - 1]}…"


@dataclass(frozen=True, slots=True)
class Scale:
    """Values on an axis: from the ``first`` tick to the ``last`` one, between two places."""

    first: float
    last: float
    step: float
    begin: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], begin: float, end: float, most: int = 6) -> Scale:
        """Returns the scale that holds values with at most so many steps of 1, 2 or 5.

        >>> Scale.over([1801, 1833], 0, 100).ticks
        [1800.0, 1810.0, 1820.0, 1830.0, 1840.0]
        """
        least, greatest = min(values), max(values)
        step = 1.0
        for place in range(64):
            step = (1, 2, 5)[place % 3] * 10.0 ** (place // 3)
            if greatest // step - least // step < most:
                break
        first = least // step * step
        last = first + step * max(1, -((first - greatest) // step))
        return cls(first, last, step, begin, end)

    @property
    def ticks(self) -> list[float]:
        """The values that are written at the axis."""
        return [
            self.first + self.step * place
            for place in range(round((self.last - self.first) / self.step) + 1)
        ]

    def at(self, value: float) -> float:
        """Returns the place of a value."""
        return self.begin + (self.end - self.begin) * (value - self.first) / (
            self.last - self.first
        )


def ruled(up: Scale, left: float, right: float, *, size: int = 12) -> Iterator[str]:
    """Yields a faint line for each value at an upright axis, and the value before it."""
    for tick in up.ticks:
        yield line(left, up.at(tick), right, up.at(tick), hue=Hue.FAINT)
        yield text(left - 8, up.at(tick) + 4, round(tick), anchor="end", size=size, hue=Hue.SOFT)


def _escaped(words: str) -> str:
    """Returns words as XML; what it cannot hold is written out."""
    return escape(visible(words))


def _title(told: str) -> str:
    return f"<title>{_escaped(told)}</title>" if told else ""


@cache
def _fill(hue: Hue) -> str:
    return f' class="{hue.name_of_class}" fill="{hue.colour}"'


@cache
def _stroke(hue: Hue) -> str:
    return f' class="{hue.name_of_class} line" stroke="{hue.colour}" fill="none"'


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""
