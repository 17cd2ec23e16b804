"""The way of a rating as a line in a row of a table: no figures, which the row has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.wording import Message

_WIDTH: Final = 96
_HEIGHT: Final = 20
_EDGE: Final = 3  # what the last dot needs
_LEAST: Final = 40  # points that fill the height, so that a step of one is none to be seen


def sparkline(ratings: Sequence[int], places: int, language: str) -> str:
    """Returns a picture of ratings, the newest at the right; "" of fewer than two.

    ``places`` are as many as the whole width has: where there are fewer, the line begins later.
    """
    if len(ratings) <= 1:
        return ""
    least, most = min(ratings), max(ratings)
    spare = max(0, _LEAST - (most - least)) / 2
    low, high = least - spare, most + spare
    step = (_WIDTH - 2 * _EDGE) / (places - 1)
    first = _WIDTH - _EDGE - step * (len(ratings) - 1)
    points = [
        (first + step * at, _EDGE + (high - rating) / (high - low) * (_HEIGHT - 2 * _EDGE))
        for at, rating in enumerate(ratings)
    ]
    line = " ".join(f"{x:.0f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    label = Message.of("picture.way", first=ratings[0], last=ratings[-1], count=len(ratings))
    return (
        f'<svg class="spark" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{label.within(language)}"><polyline points="{line}"/>'
        f'<circle cx="{x:.0f}" cy="{y:.1f}" r="2.5"/></svg>'
    )
