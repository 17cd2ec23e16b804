"""Operations as programs give them: fields that are checked, and made into commands.

They are made of the operations that are declared, and are the same over the API and in Python.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, reduce
from operator import or_
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    WithJsonSchema,
    create_model,
)
from pydantic_core import PydanticCustomError

from ledger.events.personal import Identity
from ledger.events.tournaments import ReportDetails
from ledger.operations.commands import OPERATIONS
from ledger.operations.kinds import FieldKind, Given
from ledger.operations.operation import Operation, kinds_of
from ledger.results import Result

MOST_REASON: Final = 2_000
_MOST_SIGNS: Final = 300
_MOST_ENTRIES: Final = 1_000
_LARGEST: Final = 10**9
_MODELS: Final[Mapping[str, Any]] = {"identity": Identity, "report": ReportDetails | None}
"""Fields whose types take time to load: declarations name them, and no more."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _result(text: object) -> Result:
    if not isinstance(text, str):
        raise PydanticCustomError("value.no_text", "no text")
    try:
        return Result.parse(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_result", "no result") from error


def _day(text: object) -> dt.date:
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        raise PydanticCustomError("value.no_day", "no day")
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_day", "no day") from error


_WORDS: Final = {
    dt.date: Annotated[dt.date, BeforeValidator(_day)],
    str: Annotated[str, Field(max_length=_MOST_SIGNS, strict=True)],
    int: Annotated[int, Field(ge=-_LARGEST, le=_LARGEST, strict=True)],
    bool: StrictBool,
    Result: Annotated[
        Result,
        BeforeValidator(_result),
        WithJsonSchema({"type": "string", "examples": ["1-0"], "maxLength": 20}),
    ],
}
"""How what commands are made of is read from JSON: nothing is taken for something else."""


@dataclass(frozen=True)
class ProgramCommand:
    """An operation as programs give it."""

    operation: Operation

    @cached_property
    def body(self) -> type[BaseModel]:
        """What a request says: the fields of the operation, and why.

        What holds from a day holds from today where nobody says from which.
        """
        hints = get_type_hints(self.operation.command, localns={"ReportDetails": ReportDetails})
        kinds = kinds_of(self.operation.command)
        body: dict[str, Any] = {}
        for each in fields(self.operation.command):
            kind = kinds.get(each.name)
            if each.name in self.operation.fixed or kind == Given("salt"):
                continue
            type_ = _typed(_MODELS.get(each.name, hints[each.name]))
            is_given = kind == Given("today") or (isinstance(kind, FieldKind) and kind.given)
            body[each.name] = (type_ | None, None) if is_given else (type_, _default(each))
        body["reason"] = (Annotated[str, Field(max_length=MOST_REASON, strict=True)], "")
        return create_model(
            "".join(word.capitalize() for word in self.operation.name.split("-")),
            __config__=ConfigDict(extra="forbid"),
            **body,
        )

    def made(self, body: BaseModel, today: dt.date) -> Any:
        """Returns the command; what holds from a day that nobody says holds from today.

        Raises:
            InputRefused: a text is none that can be typed in its place.
        """
        kinds = self.operation.kinds
        values = {name: getattr(body, name) for name in type(body).model_fields}
        del values["reason"]
        values = {name: _as_typed(kinds.get(name), value) for name, value in values.items()}
        return self.operation.made(values, today=today, salt=secrets.token_hex(16))


def _as_typed(kind: FieldKind | None, value: Any) -> Any:
    """Returns a text or a result as the kind of its field reads it; any other value as it is."""
    if kind is None or kind.is_flag:
        return value
    if isinstance(value, tuple):
        return tuple(kind.read(each) if isinstance(each, str) else each for each in value)
    return kind.read(str(value)) if type(value) in (str, Result) else value


def _default(field: Any) -> Any:
    return ... if field.default is MISSING else field.default


def _typed(value: Any) -> Any:
    """Returns a type with the limits of ``_WORDS`` in it."""
    if value in _WORDS:
        return _WORDS[value]
    origin, given = get_origin(value), get_args(value)
    if origin is tuple:
        inside = tuple(each if each is Ellipsis else _typed(each) for each in given)
        values: Any = tuple[inside]  # type: ignore[valid-type]
        return Annotated[values, Field(max_length=_MOST_ENTRIES)] if Ellipsis in given else values
    if origin is Sequence:
        return Annotated[tuple[_typed(given[0]), ...], Field(max_length=_MOST_ENTRIES)]  # type: ignore[misc]
    if origin is dict:
        return Annotated[dict[_typed(given[0]), _typed(given[1])], Field(max_length=100)]  # type: ignore[misc]
    if type(None) in given:
        return reduce(or_, map(_typed, given))
    return value


COMMANDS: Final[Sequence[ProgramCommand]] = [*map(ProgramCommand, OPERATIONS.values())]
"""The commands that programs may give."""
