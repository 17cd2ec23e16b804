"""Sentences for people, by key: the code says *what* happened, the edge says it in a language.

A ``Message`` is a key and its values. The sentences stand in a folder for each language beside
this file, one TOML file for each section, with the same keys and the same ``{placeholders}`` in
every language (checked by a test). ``{games:game|games}`` is a number with what is counted: "1
game" or "2 games".
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources
from numbers import Integral
from os import PathLike

from ledger.wording.masking import masked

LANGUAGES = ("en", "es")

_MOST_QUOTED = 1_000
_PLACE = re.compile(r"\{(\w+)")
_COUNTED = re.compile(r"\{(\w+):[^{}|]*\|")
_WHOLE = 9_999  # the largest number that Spanish does not part
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Letters of which nothing is seen, or that turn the direction of others, as ranges of a pattern.

Unicode's default-ignorable code points and the blank of Braille, but for the two joiners: these are
seen by the shape of their neighbours, where a script has any.
"""
_JOINERS = "(?<![\u0600-\u1fff\u2100-\uffef\U00010000-\U0010ffff])[\u200c\u200d]"
_PRINTABLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
) | {chr(point) for block in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for point in block}
"""Those which Python takes for printable."""
_FORMS = frozenset("\ufe0e\ufe0f")  # as text, as picture: of a chess piece, a flag, a telephone
# Of what is seen nowhere, that which may stand in a text of several lines.
_HIDDEN = re.compile(f"[{UNSEEN}]|{_JOINERS}")
_CONTROLS = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{UNSEEN}]|{_JOINERS}")


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence before it is put into a language: its key and the values it quotes."""

    key: str
    values: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, key: str, /, **values: object) -> Message:
        """Makes a message; ``Message.of("player.unknown", player="12")``.

        Of a long text as much is kept as is shown.
        """
        shown = {
            name: _cut(value) if isinstance(value, str) else value for name, value in values.items()
        }
        return cls(key, tuple(sorted(shown.items())))

    def within(self, language: str) -> str:
        """Returns the sentence in one of ``LANGUAGES``; values that are messages are put in too.

        Several values in a tuple are put in with commas between them.
        What values quote from elsewhere cannot steer a terminal (see ``visible``) and shows no
        secret (see ``masked``); a text is cut after 1,000 characters.
        """
        values = {name: _within(value, language) for name, value in self.values}
        section, _, name = self.key.partition(".")
        return _section(language, section)[name].format_map(values)

    def __str__(self) -> str:
        return self.within("en")


@dataclass(frozen=True, slots=True)
class Quantity:
    """How many there are of something, as a page writes it: see ``thousands``."""

    number: int


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence that a regulation brings itself, in each of ``LANGUAGES``."""

    en: str
    es: str

    def within(self, language: str) -> str:
        """Returns the sentence in one of ``LANGUAGES``; it cannot steer a terminal."""
        return visible(self.es if language == "es" else self.en)

    def __str__(self) -> str:
        return self.within("en")


def visible(text: str) -> str:
    r"""Returns a text with its control characters escaped, and others of which nothing is seen.

    >>> print(visible("one\ntwo\x1b[31m"))
    one\ntwo\x1b[31m
    """
    return text if _is_seen(text) else _CONTROLS.sub(_escaped, text)


def revealed(text: str) -> str:
    r"""Returns a text, of one line or several, with the letters escaped of which nothing is seen.

    >>> print(revealed("ana\u200b"))
    ana\u200b
    """
    return text if text.isascii() or _is_seen(text) else _HIDDEN.sub(_escaped, text)


def _is_seen(text: str) -> bool:
    """Whether there is surely nothing to escape: that is asked of every name of a long list."""
    return text.isprintable() and (text.isascii() or _PRINTABLE.isdisjoint(text))


def _escaped(found: re.Match[str]) -> str:
    """Returns a letter escaped; one that chooses the form of the symbol before it stays."""
    letter = found.group()
    before = found.string[max(found.start() - 1, 0) : found.start()]
    if letter in _FORMS and before and unicodedata.category(before) == "So":
        return letter
    return ascii(letter)[1:-1]


def _within(value: object, language: str) -> object:
    match value:  # texts and numbers first: most are, and whether it is a path is long to tell
        case str():
            return visible(masked(_cut(str(value))))
        case bool():
            return value
        case int():
            return _Count(value)
        case Quantity():
            return _Count.apart(value.number, language)
        case Message() | Wording():
            return value.within(language)
        case tuple():
            return ", ".join(str(_within(each, language)) for each in value)
        case PathLike() | BaseException():
            return visible(masked(_cut(str(value))))
        case Integral():
            return _Count(value)
        case _:
            return value


class _Count(int):
    """A number that is written with what is counted, in the singular or the plural."""

    written = ""

    @classmethod
    def apart(cls, number: int, language: str) -> _Count:
        """Returns one that is written with its thousands apart."""
        count = cls(number)
        count.written = thousands(number, language)
        return count

    def __format__(self, spec: str) -> str:
        one, is_plural, many = spec.partition("|")
        if not is_plural:
            return self.written or super().__format__(spec)
        return f"{self.written or int(self)} {one if self == 1 else many}"


def thousands(number: int, language: str) -> str:
    r"""Returns how many there are of something with its thousands apart, as a language has it.

    In Spanish it is a thin blank that breaks no line, and four digits stay whole, as RAE wants.

    >>> thousands(1_400_000, "en"), thousands(1_559, "es"), ascii(thousands(14_000, "es"))
    ('1,400,000', '1559', "'14\\u202f000'")
    """
    if language == "es":
        return f"{number:,}".replace(",", "\u202f") if abs(number) > _WHOLE else str(number)
    return f"{number:,}"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_QUOTED else text[: _MOST_QUOTED - 1] + "…"


@cache
def places_of(key: str) -> frozenset[str]:
    """Returns the names of the values that a sentence quotes."""
    return frozenset(_PLACE.findall(sentences("en")[key]))


@cache
def counted_in(key: str) -> frozenset[str]:
    """Returns the names of the values that a sentence writes with what is counted."""
    return frozenset(_COUNTED.findall(sentences("en")[key]))


def has_sentence(key: str) -> bool:
    """Whether there is a sentence under a key of a section that there is; no other one is read."""
    section, _, name = key.partition(".")
    return name in _section("en", section)


@cache
def sentences(language: str) -> dict[str, str]:
    """Returns the sentences of one language by ``section.name``, with ``{placeholders}``."""
    files = resources.files(__name__).joinpath(language).iterdir()
    sections = sorted(file.name.removesuffix(".toml") for file in files)
    return {
        f"{section}.{name}": sentence
        for section in sections
        for name, sentence in _section(language, section).items()
    }


@cache
def _section(language: str, section: str) -> dict[str, str]:
    """Returns the sentences of a section, by name; most answers need few sections.

    Raises:
        KeyError: there is no such section.
    """
    file = resources.files(__name__).joinpath(language, f"{section}.toml")
    if not file.is_file():
        raise KeyError(section)
    return tomllib.loads(file.read_text(encoding="utf-8"))
