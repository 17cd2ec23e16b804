"""The order of names in a list: one for every language, machine and version of Python.

Published bytes depend on it, so no locale has a say. Surnames come first (what stands before the
comma), then given names, both without case, accents and punctuation; where that is the same, the
name as it is written, by code point. Letters are folded in the blocks below, everything else
counts by its code point. Of these blocks every code point is assigned since Unicode 7.0 or
earlier, and Unicode's stability policy forbids other decompositions and case foldings of what is
assigned: so ``unicodedata`` of any later Python says the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

# Latin with its supplements and extensions A and B, Cyrillic, Latin Extended Additional.
_BLOCKS = (range(0x0250), range(0x0400, 0x0530), range(0x1E00, 0x1F00))
_ACCENTS = range(0x0300, 0x0370)
# Letters that Unicode does not decompose, and that lists print among those they are made of.
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
# Lower than every character of a name; and higher: who has no name comes last.
_END = "\x00"
_NAMELESS = "\U0010ffff"


def sort_key(name: str, id_: str) -> str:
    """Returns what a player is sorted by: the name ("" for an erased person), then the id.

    >>> names = "Perez Soto, Ana", "Pérez, Zoe", "", "PEREZ, Ana", "Peña, Eva"
    >>> sorted(names, key=lambda name: sort_key(name, "1"))
    ['Peña, Eva', 'PEREZ, Ana', 'Pérez, Zoe', 'Perez Soto, Ana', '']
    """
    if not name:
        return f"{_NAMELESS}{id_}"
    surname, _, given = name.partition(",")
    return _END.join((_folded(surname), _folded(given), name, id_))


def _folded(text: str) -> str:
    return " ".join(text.translate(_table()).split())


@cache
def _table() -> dict[int, str]:
    """Returns what stands for each character that does not stand for itself."""
    table = dict.fromkeys(_ACCENTS, "")
    for point in (point for block in _BLOCKS for point in block):
        table[point] = "".join(_letters_of(chr(point)))
    return table


def _letters_of(character: str) -> Iterable[str]:
    for part in unicodedata.normalize("NFKD", character).casefold():
        if part in _LETTERS:
            yield _LETTERS[part]
        elif ord(part) not in _ACCENTS:
            yield part if part.isalnum() else " "
