"""The JSON form of reports: one rule for all that they say.

Whole numbers, texts and truth values stay; fractions are written exactly, dates in ISO form, a word
of a list of words as itself, a sentence in the language that is asked for, and a value of several
parts as an object with a key for each.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any, ClassVar

from ledger.rating.decimal_text import exact
from ledger.rating.postings import OwnReason, OwnStep
from ledger.wording import Message

_AS_THEY_ARE = frozenset((int, str, bool, NoneType))


class JsonForm:
    """The base of a dataclass with slots that has a JSON form.

    ``JSON`` names the attributes that it says, in order, ``key=attribute`` where the key is another
    word, ``key=part.attribute`` for that of a part; without it they are the fields.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()
    JSON: ClassVar[str] = ""

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says by key, in order."""
        if not self.JSON:
            return fields_of(self)
        return {key: attribute(self) for key, attribute in _attributes(self.JSON)}

    def data(self, language: str | None = None) -> dict[str, Any]:
        """Returns it as JSON data, with its sentences in a language."""
        return {
            key: value if type(value) in _AS_THEY_ARE else to_data(value, language)
            for key, value in self.json_fields().items()
        }


@cache
def _attributes(said: str) -> list[tuple[str, Callable[[object], object]]]:
    """Returns keys with what finds the attributes that they stand for."""
    return [(key, attrgetter(name)) for key, name in _keys(said)]


@cache
def _keys(said: str) -> list[tuple[str, str]]:
    """Returns keys with the attributes that they stand for.

    >>> _keys("id difference=points")
    [('id', 'id'), ('difference', 'points')]
    """
    parts = (each.partition("=") for each in said.split())
    return [(key, name or key) for key, _, name in parts]


def keys_of(report: type[JsonForm]) -> list[tuple[str, str]]:
    """Returns the keys of a report's JSON form, each with the attribute that it says.

    >>> class Pair(JsonForm):
    ...     JSON = "id difference=points"
    >>> keys_of(Pair)
    [('id', 'id'), ('difference', 'points')]
    """
    return _keys(report.JSON) if report.JSON else [(name, name) for name in report.__slots__]


def fields_of(value: JsonForm) -> dict[str, object]:
    """Returns the fields of a dataclass, in the order of their declaration."""
    return {name: getattr(value, name) for name in value.__slots__}


def to_data(value: object, language: str | None = None) -> Any:
    """Returns a value as JSON data, with its sentences in a language.

    >>> to_data({"on": dt.date(2010, 7, 1), "points": (Fraction(1, 3), Fraction(9, 2))})
    {'on': '2010-07-01', 'points': ['1/3', '4.5']}
    """
    if type(value) in _AS_THEY_ARE:
        return value
    match value:  # what long tables hold comes first: some of these classes are slow to ask
        case Enum():
            return getattr(value, "code", value.value)
        case dt.date():
            return value.isoformat()
        case JsonForm():
            return value.data(language)
        case Message() if language is not None:
            return value.within(language)
        case OwnReason() | OwnStep():
            return value.code
        case Fraction():
            return exact(value)
        case Mapping():
            return {to_data(key): to_data(each, language) for key, each in value.items()}
        case list() | tuple():
            return [to_data(each, language) for each in value]
        case _ if is_dataclass(value) and not isinstance(value, Message):
            said = ((each.name, getattr(value, each.name)) for each in fields(value))
            return {name: to_data(each, language) for name, each in said}
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON form")
