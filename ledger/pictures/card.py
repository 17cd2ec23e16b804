"""A player's official ratings as a small picture in PNG, for programs that show a link with one.

It says who it is, how high, in which list and when, and has the line with its axes. Messengers
show no SVG.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ledger.pictures.dotted_text import dotted
from ledger.reports.histories import HistoryLine

WIDTH: Final = 1200
HEIGHT: Final = 630
LEAST: Final = 2
"""So many ratings make a line."""

_MARGIN: Final = 80
_HALF: Final = 6.0  # of the width of the line
_TOP: Final = 190
_BELOW: Final = 90
_LEFT: Final = 180
_SHORT: Final = 20  # letters of a name beside the rating
_PAPER, _GRID, _INK = (255, 255, 255), (221, 223, 226), (23, 80, 158)
_TEXT: Final = (22, 25, 29)
_LINES: Final = 4


def official_ratings(lines: Sequence[HistoryLine]) -> list[int]:
    """Returns the rating in the last edition of each list, where there is one."""
    ratings = [line.published[-1].rating for line in lines if line.published]
    return [rating for rating in ratings if rating]


@dataclass(frozen=True, slots=True)
class CardWords:
    """What a card says: who, in which list and when, and the first and the last period."""

    name: str
    where: str
    first: str
    last: str


def rating_card(lines: Sequence[HistoryLine], words: CardWords) -> bytes | None:
    """Draws the official ratings of a history; None where there are not two."""
    known = official_ratings(lines)
    if len(known) < LEAST:
        return None
    least, most = min(known), max(known)
    height, width = HEIGHT - _TOP - _BELOW, WIDTH - _LEFT - _MARGIN
    points = [
        (
            _LEFT + width * place / (len(known) - 1),
            HEIGHT - _BELOW - height * (rating - least) / max(most - least, 1),
        )
        for place, rating in enumerate(known)
    ]
    pixels = np.full((HEIGHT, WIDTH, 3), _PAPER, dtype=np.float64)
    text, ink = np.zeros((HEIGHT, WIDTH)), np.zeros((HEIGHT, WIDTH))
    for place in range(_LINES):
        at = _TOP + place * height // (_LINES - 1)
        pixels[at, _LEFT : WIDTH - _MARGIN] = _GRID
        rating = round(most - (most - least) * place / (_LINES - 1))
        _write(text, str(rating), (_LEFT - 16, at - 18), 3, from_right=True)
    rating_at = WIDTH - _MARGIN
    _write(text, str(known[-1]), (rating_at, 20), 9, from_right=True)
    _write(text, words.name, (_MARGIN, 24), 6 if len(words.name) <= _SHORT else 4)
    _write(text, words.where, (_MARGIN, 104), 3)
    _write(text, words.first, (_LEFT, HEIGHT - _BELOW + 16), 3)
    _write(text, words.last, (WIDTH - _MARGIN, HEIGHT - _BELOW + 16), 3, from_right=True)
    for begin, end in pairwise(points):
        _draw(ink, begin, end)
    _draw(ink, points[-1], points[-1], 3 * _HALF)
    pixels += text[:, :, None] * (np.array(_TEXT) - pixels)
    pixels += ink[:, :, None] * (np.array(_INK) - pixels)
    return _png(np.rint(pixels).astype(np.uint8))


def _write(
    text: np.ndarray, words: str, at: tuple[int, int], size: int, *, from_right: bool = False
) -> None:
    """Writes words with their upper left corner at a point, or the right one; wide ones are cut."""
    dots = dotted(words, size)
    left = at[0] - dots.shape[1] if from_right else at[0]
    dots = dots[:, : WIDTH - left]
    part = text[at[1] : at[1] + dots.shape[0], left : left + dots.shape[1]]
    np.maximum(part, dots, out=part)


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
