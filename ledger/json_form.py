"""The JSON form of reports and its schema: both are made from the types of what a report says.

A report is a dataclass with ``JsonForm`` as its base. Its form is an object with a key for each
field, and after them for each property that is ``derived``. Whole numbers, texts and truth values
stay; fractions are written exactly, dates in ISO form, a word of a list of words as its code or
value, a sentence in the language that is asked for, and a value of several parts as an object with
a key for each. What a type leaves open stands beside it in ``Annotated``: another ``Key``, where it
stands (``After``), that it is ``HIDDEN``, that the keys of a value stand in its place (``PARTS``),
or another ``Form``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    NewType,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ledger.privacy import FIELDS, mask, mask_data
from ledger.rating.decimal_text import exact, points
from ledger.wording import Message

Schema: TypeAlias = dict[str, Any]
Write: TypeAlias = Callable[[Any, str | None], Any]
Getter = TypeVar("Getter", bound=Callable[..., Any])

_AS_THEY_ARE: Final = frozenset((int, str, bool, NoneType))
_DERIVED: Final = "is_derived"


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """How values are written, given the language, and the schema of what comes of it.

    ``write`` is None where JSON has them as they are; ``reports`` are those that the schema names.
    """

    schema: Schema
    write: Write | None = None
    reports: tuple[type[JsonForm], ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a field or a derived property, where it is not its name."""

    name: str


@dataclass(frozen=True, slots=True)
class After:
    """After which key a field or a derived property stands; the empty one is the beginning."""

    key: str


@dataclass(frozen=True, slots=True)
class InPlace:
    """Of a report, those keys that ``kind`` has stand in the place of its own, or all of them.

    Where the report is None, each of them is. A key that comes again later is that one.
    """

    kind: type[JsonForm] | None = None


class _Hidden(Enum):
    HIDDEN = "hidden"


PARTS: Final = InPlace()
HIDDEN: Final = _Hidden.HIDDEN
"""A field that is no part of the form."""


def derived(getter: Getter) -> Getter:
    """Marks a property's function: what it returns is part of the form."""
    setattr(getter, _DERIVED, True)
    return getter


class JsonForm:
    """The base of a dataclass that has a JSON form."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def schema_name(cls) -> str:
        """Returns how its schema is called: what programs know it by stays."""
        return cls.__name__

    def data(self, language: str | None = None) -> dict[str, Any]:
        """Returns it as JSON data, with its sentences in a language.

        Raises:
            TypeError: it has a sentence, and no language was named.
        """
        kind: Any = type(self)  # mypy holds no bare type for hashable
        return _layout(kind).data(self, language)


def to_data(value: object, language: str | None = None) -> Any:
    """Returns a value as JSON data, with its sentences in a language.

    >>> to_data({"on": dt.date(2010, 7, 1), "points": (Fraction(1, 3), Fraction(9, 2))})
    {'on': '2010-07-01', 'points': ['1/3', '4.5']}
    """
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, Mapping):
        return {to_data(key): to_data(each, language) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(each, language) for each in value]
    kind: Any = type(value)  # mypy holds no bare type for hashable
    write = form_of(kind).write
    return value if write is None else write(value, language)


# Schemas


def shape(**keys: Schema) -> Schema:
    """Returns the schema of an object that has these keys, all of them and no others."""
    return {
        "type": "object",
        "properties": keys,
        "required": list(keys),
        "additionalProperties": False,
    }


def ref(name: str) -> Schema:
    """Returns a schema that stands elsewhere under a name."""
    return {"$ref": f"#/components/schemas/{name}"}


def text_like(pattern: str, description: str = "") -> Schema:
    """Returns the schema of a text of a pattern."""
    about = {"description": description} if description else {}
    return {"type": "string", "pattern": pattern} | about


def schemas_of(reports: Iterable[type[JsonForm]]) -> dict[str, Schema]:
    """Returns the schemas of reports and of all that they name, by name."""
    found: dict[str, Schema] = {}
    left = list(reports)
    while left:
        report = left.pop()
        if report.schema_name() not in found:
            kind: Any = report
            layout = _layout(kind)
            found[report.schema_name()] = shape(**layout.schemas)
            left += layout.reports
    return dict(sorted(found.items()))


def columns_of(report: type[JsonForm], rows: str) -> list[str]:
    """Returns the keys of a report's rows; ``rows`` is under which key they are."""
    schemas = schemas_of([report])
    place = schemas[report.schema_name()]["properties"][rows]["items"]["$ref"]
    return list(schemas[place.rpartition("/")[2]]["properties"])


# Types

EXACT: Final = Form(
    text_like(
        "^-?[0-9]+(\\.[0-9]+|/[0-9]+)?$",
        "an exact quantity, as a decimal or as a fraction: 4.5, 8531/6",
    ),
    lambda number, _: exact(number),
)
SHA256: Final = Form(text_like("^[0-9a-f]{64}$"))
ANYTHING: Final = Form({"type": "object"})
"""What is JSON data already, of whatever keys."""
RECORDED: Final = Form({"type": "object"}, lambda data, _: mask_data(data))
"""The payload of an event, as the reader may see it."""
INSTANT: Final = Form({"type": "string", "format": "date-time"})
EXACT_TEXT: Final = Form(EXACT.schema)
"""An exact quantity that is a text already."""
HALVES: Final = Form(EXACT.schema, lambda halves, _: points(halves))
"""Points that are counted in halves."""
SENTENCES: Final = Form(
    {"type": "string"},
    lambda messages, language: "; ".join(_sentence(each, language) for each in messages),
)
"""Several sentences as one text."""
PARAGRAPH: Final = Form(
    {"type": "string"},
    lambda messages, language: " ".join(_sentence(each, language) for each in messages),
)
"""Several sentences that end with a stop, one after the other."""
ISO_DAY: Final = Form({"type": "string", "format": "date"})
"""A day that is a text already."""
BIRTH_DAY: Final = Form(
    text_like("^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$", "an ISO date, or its year alone"),
    lambda day, _: day.isoformat(),
)
"""A day of birth, of which not everybody sees more than the year."""


def _sentence(message: Message, language: str | None) -> str:
    if language is None:
        raise TypeError("a sentence has a JSON form in a language only")
    return message.within(language)


_FORMS: Final[Mapping[Any, Form]] = {
    int: Form({"type": "integer"}),
    str: Form({"type": "string"}),
    bool: Form({"type": "boolean"}),
    NoneType: Form({"type": "null"}),
    Any: Form({}, to_data),
    object: Form({}, to_data),
    Fraction: EXACT,
    dt.date: Form(ISO_DAY.schema, lambda date, _: date.isoformat()),
    Message: Form({"type": "string"}, _sentence),
}


@cache
def form_of(kind: Any) -> Form:
    """Returns the form of values of a type.

    Raises:
        TypeError: it has none.
    """
    if kind in _FORMS:
        return _FORMS[kind]
    if isinstance(kind, NewType):
        return form_of(kind.__supertype__)
    origin, given = get_origin(kind), get_args(kind)
    if origin is Annotated:
        form = next((mark for mark in given if isinstance(mark, Form)), None)
        return form_of(given[0]) if form is None else _maybe(form, given[0])
    if origin in (Union, UnionType):
        return _either(given)
    if origin is Literal:
        return Form({"type": "string", "enum": list(given)})
    if origin is tuple and Ellipsis not in given:
        return _of_several(given)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _by_key(*given)
    if isinstance(origin, type) and issubclass(origin, Sequence | AbstractSet):
        return _many(form_of(given[0]))
    if isinstance(kind, type):
        return _of_class(kind)
    raise TypeError(f"{kind} has no JSON form")


def data_of(kind: Any) -> Form:
    """Returns the form of what is JSON data already, as values of a type are written."""
    form = form_of(kind)
    return Form(form.schema, None, form.reports)


def _of_class(kind: Any) -> Form:
    if issubclass(kind, JsonForm):
        schema = ref(kind.schema_name())
        return Form(schema, lambda report, language: report.data(language), (kind,))
    if issubclass(kind, Enum):
        word = attrgetter("code" if hasattr(kind, "code") else "value")
        return Form({"type": "string", "enum": list(map(word, kind))}, lambda each, _: word(each))
    if hasattr(kind, "code"):
        return Form({"type": "string"}, lambda each, _: each.code)
    for base in (Message, Fraction, dt.date):
        if issubclass(kind, base):
            return _FORMS[base]
    if is_dataclass(kind) or hasattr(kind, "_fields"):  # the latter are those of a named tuple
        layout = _layout(kind)
        return Form(shape(**layout.schemas), layout.data, layout.reports)
    raise TypeError(f"{kind.__name__} has no JSON form")


def _either(kinds: Sequence[Any]) -> Form:
    forms = [form_of(kind) for kind in kinds]
    schemas = []
    for form in forms:
        if form.schema not in schemas:
            schemas.append(form.schema)
    schema = {"anyOf": schemas} if len(schemas) > 1 else schemas[0]
    reports = tuple(report for form in forms for report in form.reports)
    writing = [form.write for form in forms if form.write]
    if not writing:
        return Form(schema)
    if len(writing) == len(forms) - (NoneType in kinds) == 1:
        return Form(schema, _unless_none(writing[0]), reports)
    return Form(schema, to_data, reports)


def _maybe(form: Form, kind: Any) -> Form:
    """Returns a form that was chosen for a type; None stays, where that has it."""
    if NoneType not in get_args(kind):
        return form
    schema = {"anyOf": [form.schema, _FORMS[NoneType].schema]}
    return Form(schema, form.write and _unless_none(form.write), form.reports)


def _unless_none(write: Write) -> Write:
    return lambda value, language: None if value is None else write(value, language)


def _many(each: Form) -> Form:
    schema = {"type": "array", "items": each.schema}
    write = each.write
    if write is None:
        return Form(schema, lambda values, _: list(values), each.reports)
    return Form(schema, lambda values, lang: [write(value, lang) for value in values], each.reports)


def _of_several(kinds: Sequence[Any]) -> Form:
    """Returns the form of a tuple of so many; its parts are of one type."""
    form = _many(form_of(kinds[0]))
    schema = form.schema | {"minItems": len(kinds), "maxItems": len(kinds)}
    return Form(schema, form.write, form.reports)


def _by_key(key: Any, each: Any) -> Form:
    form, write_key = form_of(each), form_of(key).write
    write = form.write or _as_it_is

    def written(values: Mapping[Any, Any], language: str | None) -> dict[str, Any]:
        return {
            str(write_key(name, language) if write_key else name): write(value, language)
            for name, value in values.items()
        }

    return Form({"type": "object", "additionalProperties": form.schema}, written, form.reports)


def _as_it_is(value: Any, _: str | None) -> Any:
    return value


# Reports


class _Part(NamedTuple):
    """A key: where its value is, as ``attrgetter`` takes it, how it is written, and after which."""

    key: str
    path: str
    form: Form
    after: str | None = None


@dataclass(frozen=True, slots=True)
class _Layout:
    """What makes up the form of a class; ``written`` are the keys whose values JSON lacks."""

    keys: Sequence[str]
    values: Callable[[object], tuple[Any, ...]]
    written: Sequence[tuple[str, Write]]
    schemas: Mapping[str, Schema]
    reports: tuple[type[JsonForm], ...]

    def data(self, value: object, language: str | None) -> dict[str, Any]:
        data = dict(zip(self.keys, self.values(value)))  # noqa: B905 - as many; checking costs
        for key, write in self.written:
            data[key] = write(data[key], language)
        return data


@cache
def _layout(kind: Any) -> _Layout:
    parts = _in_order(_parts(kind, ""))
    read: Callable[[object], Any] = attrgetter(*(part.path for part in parts.values()))
    return _Layout(
        keys=list(parts),
        values=read if len(parts) > 1 else lambda value: (read(value),),
        written=[(key, part.form.write) for key, part in parts.items() if part.form.write],
        schemas={key: part.form.schema for key, part in parts.items()},
        reports=tuple(report for part in parts.values() for report in part.form.reports),
    )


def _parts(kind: Any, before: str) -> Iterator[_Part]:
    hints = get_type_hints(kind, include_extras=True)
    names = kind._fields if issubclass(kind, tuple) else [field.name for field in fields(kind)]
    for name, hint in [*((name, hints[name]) for name in names), *_derived_of(kind)]:
        base, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if parts := next((mark for mark in marks if isinstance(mark, InPlace)), None):
            yield from _parts_in_place(parts.kind or base, before + name)
        elif HIDDEN not in marks:
            key = next((mark.name for mark in marks if isinstance(mark, Key)), name)
            after = next((mark.key for mark in marks if isinstance(mark, After)), None)
            form = form_of(hint)
            yield _Part(key, before + name, _private(key, form) if key in FIELDS else form, after)


def _private(key: str, form: Form) -> Form:
    """Return the form of a private field: its value as the reader may see it."""
    write = form.write or _as_it_is
    return Form(form.schema, lambda value, lang: mask(key, write(value, lang)), form.reports)


def _in_order(parts: Iterable[_Part]) -> dict[str, _Part]:
    """Returns parts by their keys, each where it wants to stand; of equal keys the last."""
    ordered: dict[str, _Part] = {}
    waiting = []
    for part in parts:
        if part.after is None or part.key in ordered:
            ordered[part.key] = part
        else:
            waiting.append(part)
    while waiting:
        part = next(each for each in waiting if not each.after or each.after in ordered)
        waiting.remove(part)
        keys = list(ordered)
        keys.insert(keys.index(part.after) + 1 if part.after else 0, part.key)
        ordered = {key: ordered.get(key, part) for key in keys}
    return ordered


def _parts_in_place(kind: Any, path: str) -> Iterator[_Part]:
    if NoneType not in get_args(kind):
        yield from _parts(kind, f"{path}.")
        return
    (kind,) = set(get_args(kind)) - {NoneType}
    for part in _parts(kind, ""):
        yield _Part(part.key, path, _of_part(part))


def _of_part(part: _Part) -> Form:
    """Returns the form of a part of what may be missing."""
    value, form = attrgetter(part.path), part.form
    write = form.write or _as_it_is
    schema = {"anyOf": [form.schema, _FORMS[NoneType].schema]}
    return Form(schema, _unless_none(lambda it, lang: write(value(it), lang)), form.reports)


def _derived_of(kind: type) -> Iterator[tuple[str, Any]]:
    """Yields the derived properties of a class and of its bases, with their types."""
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            getter = (
                value.func if isinstance(value, cached_property) else getattr(value, "fget", None)
            )
            if getattr(getter, _DERIVED, False):
                yield name, get_type_hints(getter, include_extras=True)["return"]
