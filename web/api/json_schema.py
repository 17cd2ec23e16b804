"""JSON Schemas of what the program says: small words for them, and the schema of a report.

A report (see ``ledger.json_form``) that says its fields gets its schema from their types; one that
chooses what it says is described in ``shapes``. A schema here has every key that an answer has and
no other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from ledger.json_form import JsonForm, keys_of
from ledger.rating.postings import OwnReason, OwnStep
from ledger.wording import Message

Schema: TypeAlias = dict[str, Any]

WHOLE: Final[Schema] = {"type": "integer"}
TEXT: Final[Schema] = {"type": "string"}
FLAG: Final[Schema] = {"type": "boolean"}
DAY: Final[Schema] = {"type": "string", "format": "date"}
INSTANT: Final[Schema] = {"type": "string", "format": "date-time"}
SHA256: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
EXACT: Final[Schema] = {
    "type": "string",
    "pattern": "^-?[0-9]+(\\.[0-9]+|/[0-9]+)?$",
    "description": "an exact quantity, as a decimal or as a fraction: 4.5, 8531/6",
}
ANYTHING: Final[Schema] = {"type": "object"}

_PLAIN: Final[Mapping[Any, Schema]] = {
    int: WHOLE, str: TEXT, bool: FLAG, Fraction: EXACT, dt.date: DAY, NoneType: {"type": "null"},
    OwnReason: TEXT, OwnStep: TEXT, Message: TEXT,
}  # fmt: skip


def shape(**says: Schema) -> Schema:
    """Returns an object that has these keys, all of them; ``from_`` stands for ``from``."""
    named = {key.rstrip("_"): each for key, each in says.items()}
    return {
        "type": "object",
        "properties": named,
        "required": list(named),
        "additionalProperties": False,
    }


def maybe(each: Schema) -> Schema:
    """Returns what is null or something."""
    return {"anyOf": [each, {"type": "null"}]}


def many(each: Schema) -> Schema:
    """Returns a list."""
    return {"type": "array", "items": each}


def by_key(each: Schema) -> Schema:
    """Returns an object with keys that depend on what is asked for."""
    return {"type": "object", "additionalProperties": each}


def one_of(*words: str) -> Schema:
    """Returns one of some words."""
    return {"type": "string", "enum": list(words)}


def ref(name: str) -> Schema:
    """Returns a schema that has a name of its own."""
    return {"$ref": f"#/components/schemas/{name}"}


class ReportSchemas:
    """The schemas of reports, by the names of their classes.

    Args:
        own: of those that choose what they say.
        parts: of single keys whose types do not say it.
    """

    def __init__(
        self,
        own: Mapping[type[JsonForm], Schema],
        parts: Mapping[tuple[type[JsonForm], str], Schema],
    ) -> None:
        self._own = own
        self._parts = parts
        self.named: dict[str, Schema] = {}

    def of(self, report: type[JsonForm]) -> Schema:
        """Returns a reference to the schema of a report, and has that by its name from now on.

        Raises:
            TypeError: the report chooses what it says, and nobody described it.
        """
        name = report.__name__
        if name not in self.named:
            schema = self._own.get(report) or self._derived(report)
            self.named[name] = schema
        return ref(name)

    def extended(self, report: type[JsonForm], **more: Schema) -> Schema:
        """Returns the schema of a report that is told with more keys."""
        self.of(report)
        return shape(**(self.named[report.__name__]["properties"] | more))

    def _derived(self, report: type[JsonForm]) -> Schema:
        if "json_fields" in vars(report):
            raise TypeError(f"{report.__name__} chooses what it says: describe it")
        return shape(
            **{
                key: self._parts.get((report, key)) or self._typed(_type_of(report, name))
                for key, name in keys_of(report)
            }
        )

    def _typed(self, said: Any) -> Schema:
        """Returns the schema of a type."""
        if said in _PLAIN:
            return _PLAIN[said]
        origin, given = get_origin(said), get_args(said)
        if origin in (Union, UnionType):
            return {"anyOf": list(_once(self._typed(each) for each in given))}
        if origin is Literal:
            return one_of(*given)
        if origin is tuple and Ellipsis not in given:
            first = self._typed(given[0])
            return many(first) | {"minItems": len(given), "maxItems": len(given)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return by_key(self._typed(given[1]))
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return many(self._typed(given[0]))
        if issubclass(said, JsonForm):
            return self.of(said)
        if issubclass(said, Enum):
            return one_of(*(str(getattr(each, "code", each.value)) for each in said))
        if is_dataclass(said):
            hints = get_type_hints(said)
            return shape(**{each.name: self._typed(hints[each.name]) for each in fields(said)})
        raise TypeError(f"{said} has no JSON form")


def _type_of(report: Any, name: str) -> Any:
    """Returns the type of a field, or what a property returns; of ``part.attribute`` that."""
    for attribute in name.split("."):
        hints = get_type_hints(report)
        if attribute not in hints:
            found = getattr(report, attribute)
            getter = found.func if isinstance(found, cached_property) else found.fget
            hints = {attribute: get_type_hints(getter)["return"]}
        report = hints[attribute]
    return report


def _once(schemas: Iterator[Schema]) -> Iterator[Schema]:
    seen: list[Schema] = []
    for each in schemas:
        if each not in seen:
            seen.append(each)
            yield each
