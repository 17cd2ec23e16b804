"""How names are spoken, and compared: accents, case, punctuation and order do not matter there.

Nothing that is published depends on it: it only helps people to find each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

# Letters of which Unicode does not say what they are without their stroke.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_MARKS = re.compile("[\u0300-\u036f]+")
_WITHIN_WORDS = re.compile("['’`´]")
# One blank between words stands already in nearly every name: it is left alone.
_BETWEEN_WORDS = re.compile(r"(?: *(?:[^\w\n ]|_)| {2,})(?:[^\w\n]|_)*")
_LONG = 4  # letters of a word in which one wrong letter leaves it recognisable


def spoken(name: str) -> str:
    """Returns a name in the order in which it is spoken.

    >>> spoken("Bascuñán Ortiz, Felipe"), spoken("Club Alekhine")
    ('Felipe Bascuñán Ortiz', 'Club Alekhine')
    """
    surname, _, given = name.partition(",")
    return f"{given.strip()} {surname}".strip()


def folded(text: str) -> str:
    """Returns a text's words in small letters without accents, blanks between them, lines kept.

    >>> folded("Núñez-Łuczak, María d'Angelo")
    'nunez luczak maria dangelo'
    """
    small = text.casefold()
    if not small.isascii():
        # Some letters are capitals only after they were taken apart, others fall apart as small.
        apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
        small = _MARKS.sub("", apart).translate(_PLAIN)
    return _BETWEEN_WORDS.sub(" ", _WITHIN_WORDS.sub("", small)).strip(" ")


def is_slip(one: str, other: str) -> bool:
    """Whether two different words are one typing error apart; short words never are.

    An error is a letter too many, missing or wrong, or two neighbours exchanged.

    >>> is_slip("gonzalez", "gonzales"), is_slip("gonzalez", "gnozalez"), is_slip("ana", "ena")
    (True, True, False)
    """
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(long) - len(short) > 1 or len(short) < _LONG or one == other:
        return False
    first = 0
    while first < len(short) and short[first] == long[first]:
        first += 1
    rest, longer = short[first:], long[first:]
    if len(rest) < len(longer):
        return rest == longer[1:]
    return rest[1:] == longer[1:] or (rest[:2] == longer[1::-1] and rest[2:] == longer[2:])


def is_similar(one: Collection[str], other: Collection[str]) -> bool:
    """Whether the words of two names may be of one person.

    They may, if they are the same in any order, but for one word with a typing error, or of which
    only the first letter stands; or if one name has all words of the other, at least two, and some
    more.

    >>> is_similar(["perez", "juan"], ["juan", "peres"])
    True
    >>> is_similar(["perez", "juan"], ["perez", "soto", "juan", "carlos"])
    True
    >>> is_similar(["perez", "juan"], ["perez", "j"])
    True
    >>> is_similar(["perez", "juan"], ["perez", "jose"])
    False
    """
    few, many = sorted((one, other), key=len)
    left = list(many)
    missing = []
    for word in few:
        if word in left:
            left.remove(word)
        else:
            missing.append(word)
    if not missing:
        return not left or len(few) > 1
    if not len(missing) == len(left) == 1:
        return False
    short, long = sorted((missing[0], left[0]), key=len)
    return is_slip(short, long) or (len(short) == 1 and long.startswith(short))


# What transcriptions of other scripts, and keyboards without accents, write in several ways.
_SPELLINGS = (
    ("sch", "s"), ("tch", "ch"), ("tsch", "ch"), ("sh", "s"), ("zh", "s"), ("kh", "h"),
    ("ph", "f"), ("th", "t"), ("dzh", "j"), ("ck", "k"), ("cz", "ch"), ("ts", "s"), ("tz", "s"),
    ("ae", "a"), ("oe", "o"), ("ue", "u"), ("ou", "u"), ("oo", "u"), ("ee", "i"), ("x", "ks"),
    ("qu", "k"), ("q", "k"), ("w", "v"), ("z", "s"), ("y", "i"), ("j", "i"), ("c", "k"),
)  # fmt: skip
_DOUBLE = re.compile(r"(.)\1+")
_VOWELS = str.maketrans("", "", "aeiouh")
_HARD = str.maketrans("dbgpv", "tpkff")
_SOUND = 4


@lru_cache(maxsize=1 << 17)
def transcribed(word: str) -> str:
    """Returns a folded word as it is whatever way it is transcribed.

    >>> transcribed("mueller") == transcribed("muller"), transcribed("sergey")
    (True, 'sergei')
    """
    for written, plain in _SPELLINGS:
        word = word.replace(written, plain)
    return _DOUBLE.sub(r"\1", word)


def sound(*words: str) -> str:
    """Returns the first consonants of folded words, put together if they are several.

    Words that sound alike mostly have the same.

    >>> sound("evgeny") == sound("yevgeniy"), sound("mohammed") == sound("muhamad")
    (True, True)
    >>> sound("soto", "perez") == sound("sotoperez")
    True
    """
    return "".join(map(_consonants, words))[:_SOUND] or "".join(words)


@lru_cache(maxsize=1 << 17)
def _consonants(word: str) -> str:
    return _DOUBLE.sub(r"\1", transcribed(word).translate(_VOWELS).translate(_HARD))
