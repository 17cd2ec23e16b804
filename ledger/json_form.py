"""The JSON form of reports: one rule for all that they say.

Whole numbers, texts and truth values stay; fractions are written exactly, dates in ISO form, a word
of a list of words as itself, a sentence in the language that is asked for, and a value of several
parts as an object with a key for each.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
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

    def json_fields(self) -> dict[str, object]:
        """Returns what its JSON form says by key, in order, in a dictionary of its own."""
        report: Any = type(self)  # mypy holds no bare type for hashable
        keys, values = _said_of(report)
        return dict(zip(keys, values(self)))  # noqa: B905 - as many; checking costs a third

    def data(self, language: str | None = None) -> dict[str, Any]:
        """Returns it as JSON data, with its sentences in a language."""
        said = self.json_fields()
        if not _AS_THEY_ARE.issuperset(map(type, said.values())):  # most rows hold nothing else
            for key, value in said.items():
                if type(value) not in _AS_THEY_ARE:
                    said[key] = to_data(value, language)
        return said


@cache
def _said_of(report: type[JsonForm]) -> tuple[list[str], Callable[[object], tuple[object, ...]]]:
    """Returns a report's keys, and what reads all attributes that they stand for at once."""
    keys, names = zip(*keys_of(report), strict=True)
    values = attrgetter(*names)  # of one name alone it is no tuple
    return list(keys), values if len(names) > 1 else lambda value: (values(value),)


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
    kind: Any = type(value)  # as above
    return value if kind in _AS_THEY_ARE else _rule(kind)(value, language)


@cache
def _rule(kind: type) -> Callable[[Any, str | None], Any]:
    """Returns how values of a type are said; it is looked up once for each type.

    Raises:
        TypeError: it has no JSON form.
    """
    if issubclass(kind, Enum):
        word = attrgetter("code" if hasattr(kind, "code") else "value")
        return lambda value, _: word(value)
    for said, rule in _RULES.items():
        if issubclass(kind, said):
            return rule
    if is_dataclass(kind):
        return _parts
    raise TypeError(f"{kind.__name__} has no JSON form")


def _parts(value: Any, language: str | None) -> dict[str, Any]:
    return {each.name: to_data(getattr(value, each.name), language) for each in fields(value)}


def _sequence(value: Iterable[object], language: str | None) -> list[Any]:
    return [to_data(each, language) for each in value]


def _mapping(value: Mapping[object, object], language: str | None) -> dict[Any, Any]:
    return {to_data(key): to_data(each, language) for key, each in value.items()}


def _message(value: Message, language: str | None) -> Any:
    if language is None:
        raise TypeError("a sentence has a JSON form in a language only")
    return value.within(language)


_RULES: dict[type, Callable[[Any, str | None], Any]] = {
    dt.date: lambda date, _: date.isoformat(),
    JsonForm: lambda report, language: report.data(language),
    Message: _message,
    OwnReason: lambda reason, _: reason.code,
    OwnStep: lambda step, _: step.code,
    Fraction: lambda number, _: exact(number),
    Mapping: _mapping,
    list: _sequence,
    tuple: _sequence,
}
