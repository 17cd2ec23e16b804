"""A player's official ratings as a small picture in PNG, for programs that show a link with one.

It has a line alone: who it is and how high is said by the words beside it. Messengers show no SVG.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from ledger.reports.histories import HistoryLine

WIDTH: Final = 1200
HEIGHT: Final = 630
LEAST: Final = 2
"""So many ratings make a line."""

_MARGIN: Final = 80
_HALF: Final = 6.0  # of the width of the line
_PAPER, _GRID, _INK = (255, 255, 255), (221, 223, 226), (23, 80, 158)
_LINES: Final = 4


def official_ratings(lines: Sequence[HistoryLine]) -> list[int]:
    """Returns the rating in the last edition of each list, where there is one."""
    ratings = [line.published[-1].rating for line in lines if line.published]
    return [rating for rating in ratings if rating]


def rating_card(lines: Sequence[HistoryLine]) -> bytes | None:
    """Draws the official ratings of a history; None where there are not two."""
    known = official_ratings(lines)
    if len(known) < LEAST:
        return None
    least, most = min(known), max(known)
    height, width = HEIGHT - 2 * _MARGIN, WIDTH - 2 * _MARGIN
    points = [
        (
            _MARGIN + width * place / (len(known) - 1),
            HEIGHT - _MARGIN - height * (rating - least) / max(most - least, 1),
        )
        for place, rating in enumerate(known)
    ]
    pixels = np.full((HEIGHT, WIDTH, 3), _PAPER, dtype=np.float64)
    for place in range(_LINES):
        pixels[_MARGIN + place * height // (_LINES - 1), _MARGIN : WIDTH - _MARGIN] = _GRID
    ink = np.zeros((HEIGHT, WIDTH))
    for begin, end in pairwise(points):
        _draw(ink, begin, end)
    _draw(ink, points[-1], points[-1], 3 * _HALF)
    pixels += ink[:, :, None] * (np.array(_INK) - pixels)
    return _png(np.rint(pixels).astype(np.uint8))


def _draw(
    ink: np.ndarray, begin: tuple[float, float], end: tuple[float, float], half: float = _HALF
) -> None:
    """Covers what is nearer to a line than half its width, softly at its edge."""
    (x1, y1), (x2, y2) = begin, end
    left, right = int(min(x1, x2) - half - 1), int(max(x1, x2) + half + 2)
    top, bottom = int(min(y1, y2) - half - 1), int(max(y1, y2) + half + 2)
    y, x = np.mgrid[top:bottom, left:right]
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length if length else np.zeros(x.shape)
    along = np.clip(along, 0, 1)
    distance = np.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))
    part = ink[top:bottom, left:right]
    np.maximum(part, np.clip(half + 0.5 - distance, 0, 1), out=part)


def _png(pixels: np.ndarray) -> bytes:
    """Writes pixels (rows, columns, red green blue) as a file."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(*each) for each in ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    )
