"""Letters of names: which are seen, which look like others, and of which script they are.

A name by which somebody signs must not be taken for another one's (Unicode Technical Standard 39):
it is brought into one form (NFKC, one blank between words), has no letter of which nothing is seen,
and in a word only one script. What is compared then is how it looks (``skeleton``).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import Final

from ledger.wording import UNSEEN

_WORD: Final = re.compile(r"\w+")  # a digit in its midst makes no two words of one
_UNSEEN: Final = re.compile(f"[{UNSEEN}\u200c\u200d]")
_SMALL_CAPITAL: Final = "LATIN LETTER SMALL CAPITAL "
_PHONETIC: Final = (*range(0x0250, 0x02B0), *range(0x1D00, 0x1DC0), *range(0xA720, 0xA800))
"""Where Unicode has capitals of the height of small letters."""
_EAST_ASIAN: Final = frozenset(("BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA"))
"""Scripts that stand in one word, as Japanese and Korean have them; Latin may stand with them."""


def plain_name(name: str) -> str:
    """Returns a name in the one form in which it is recorded: NFKC, words with a blank between.

    >>> plain_name(" \uff41na\u00a0 Soto")
    'ana Soto'
    """
    return " ".join(unicodedata.normalize("NFKC", name).split())


def unseen_in(text: str) -> str | None:
    """Returns the first letter of a text of which nothing is seen, or that steers others.

    >>> unseen_in("ana\u200b") == "\u200b", unseen_in("Ana María"), unseen_in("\u3164") == "\u3164"
    (True, None, True)
    """
    found = _UNSEEN.search(text)
    return found.group() if found else None


def mixed_in(text: str) -> str | None:
    """Returns the first word of a text whose letters are of several scripts.

    A script is the first word of its letters' names in Unicode: Python has no other property. The
    word is returned without its marks (accents, dots), which go with the letters of every script.

    >>> mixed_in("Ana Иванова"), mixed_in("ana") is None, mixed_in("\u0430\u0323na") == "\u0430na"
    (None, True, True)
    """
    if text.isascii():
        return None
    parts = unicodedata.normalize("NFD", text)
    plain = "".join(each for each in parts if not unicodedata.category(each).startswith("M"))
    return next((word for word in _WORD.findall(plain) if _is_mixed(word)), None)


def _is_mixed(word: str) -> bool:
    letters = unicodedata.normalize("NFKC", word)
    # Modifier letters, as the Hawaiian ʻokina, go with every script.
    scripts = {
        unicodedata.name(letter, "").split(" ")[0]
        for letter in letters
        if unicodedata.category(letter) in {"Lu", "Ll", "Lt", "Lo"}
    }
    if scripts & _EAST_ASIAN:
        scripts -= _EAST_ASIAN | {"IDEOGRAPHIC", "LATIN"}
        return bool(scripts)
    return len(scripts) > 1


def skeleton(name: str) -> str:
    """Returns how a name looks: two with the same skeleton can be taken for each other.

    >>> skeleton("\u0441\u043e\u0441\u0430"), skeleton("Coca")
    ('coca', 'coca')
    """
    table = _look_alikes()
    seen = plain_name(name).translate(table).casefold()
    return unicodedata.normalize("NFD", seen).translate(table)


@cache
def _look_alikes() -> dict[int, str]:
    """Returns what letters look like, in ASCII: i, 1 and | like l, 0 like o, m like rn."""
    table = {ord("i"): "l", ord("1"): "l", ord("|"): "l", ord("0"): "o", ord("m"): "rn"}
    for point in _PHONETIC:
        letter = unicodedata.name(chr(point), "").removeprefix(_SMALL_CAPITAL).lower()
        if len(letter) == 1:
            table[point] = table.get(ord(letter), letter)
    file = resources.files("ledger").joinpath("confusables.txt")
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            letter, *points = line.split()
            table |= {int(point, 16): table.get(ord(letter), letter) for point in points}
    return table
