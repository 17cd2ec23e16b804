"""The JSON form of reports: one rule for all that they say.

Whole numbers, texts and truth values stay; fractions are written exactly, dates in ISO form, a word
of a list of words as itself, and a value of several parts as an object with a key for each.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, ClassVar

from ledger.rating.decimal_text import exact
from ledger.rating.postings import OwnReason, OwnStep

_AS_THEY_ARE = frozenset((int, str, bool, NoneType))


class JsonForm:
    """The base of a dataclass with slots that has a JSON form."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says by key, in order: by default its fields."""
        return fields_of(self)

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            key: value if type(value) in _AS_THEY_ARE else to_data(value)
            for key, value in self.json_fields().items()
        }


def fields_of(value: JsonForm) -> dict[str, object]:
    """Returns the fields of a dataclass, in the order of their declaration."""
    return {name: getattr(value, name) for name in value.__slots__}


def to_data(value: object) -> Any:
    """Returns a value as JSON data.

    >>> to_data({"on": dt.date(2010, 7, 1), "points": (Fraction(1, 3), Fraction(9, 2))})
    {'on': '2010-07-01', 'points': ['1/3', '4.5']}
    """
    if type(value) in _AS_THEY_ARE:
        return value
    match value:
        case JsonForm():
            return value.data()
        case Enum():
            return getattr(value, "code", value.value)
        case OwnReason() | OwnStep():
            return value.code
        case Fraction():
            return exact(value)
        case dt.date():
            return value.isoformat()
        case Mapping():
            return {to_data(key): to_data(each) for key, each in value.items()}
        case list() | tuple():
            return [to_data(each) for each in value]
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON form")
