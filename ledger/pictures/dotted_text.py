"""Text of dots for pictures in PNG, where no font can be counted on: five dots wide, seven high.

``letters.txt`` has a line for each sign: five columns from the left, the lowest bit at the top.
Accents stand above the letter, or below it, as dots of their own.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

_ROWS: Final = 12  # two above the letter for its accent, two below
_ABOVE: Final = 3
_STEP: Final = 6  # from one letter to the next
_PLAIN: Final = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "s"}
)
_ACCENTS: Final = {
    "\u0300": ((1, 0), (2, 1)),
    "\u0301": ((3, 0), (2, 1)),
    "\u0302": ((2, 0), (1, 1), (3, 1)),
    "\u0303": ((1, 0), (2, 0), (2, 1), (3, 1), (4, 0), (0, 1)),
    "\u0304": ((1, 1), (2, 1), (3, 1)),
    "\u0306": ((1, 0), (3, 0), (2, 1)),
    "\u0307": ((2, 1),),
    "\u0308": ((1, 1), (3, 1)),
    "\u030a": ((2, 0), (1, 1), (3, 1)),
    "\u030c": ((1, 0), (3, 0), (2, 1)),
    "\u0327": ((2, 10), (1, 11)),
    "\u0328": ((3, 10), (4, 11)),
}
"""The dots of accents: columns, and rows from the top."""


@cache
def _letters() -> dict[str, bytes]:
    text = files("ledger.pictures").joinpath("letters.txt").read_text(encoding="utf-8")
    return {line[0]: bytes.fromhex(line[2:]) for line in text.splitlines()}


def can_be_dotted(text: str) -> bool:
    """Whether every letter of a text is known, but for its accents."""
    return all(sign in _letters() or sign in _ACCENTS for sign in _apart(text))


def dotted(text: str, size: int) -> np.ndarray:
    """Return a text as rows of dots, 1 where there is ink, each dot ``size`` pixels wide."""
    signs = [sign for sign in _apart(text) if sign in _letters() or sign in _ACCENTS]
    count = sum(sign in _letters() for sign in signs)
    dots = np.zeros((_ROWS, _STEP * max(count, 1)))
    left, top = -_STEP, 0
    for sign in signs:
        if sign in _ACCENTS:
            for column, row in _ACCENTS[sign]:
                dots[row + (top if row < _ABOVE else 0), max(left, 0) + column] = 1
            continue
        left += _STEP
        top = 2 if sign.islower() else 0
        for column, bits in enumerate(_letters()[sign]):
            for row in range(8):
                dots[row + _ABOVE, left + column] = bits >> row & 1
    return np.kron(dots, np.ones((size, size)))


def _apart(text: str) -> str:
    return unicodedata.normalize("NFD", text.translate(_PLAIN).replace("\u2019", "'"))
