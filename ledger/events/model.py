"""What all events share: strict frozen values whose JSON form is canonical.

Fields are declared in alphabetical order, because Pydantic writes them in the order of declaration
and RFC 8785 sorts keys; the class refuses any other order when it is defined.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from ledger import identifiers
from ledger.errors import InputRefused, Problem
from ledger.wording import Message, Wording, has_sentence
from ledger.wording.values import wrong_value

_SHOWN = 60  # characters of a value that is refused
_FORMS = {
    "birth_date": "value.birth_date_form",
    "federation": "value.federation_form",
    "list": "value.list_form",
}
"""What a text must look like, by the name of its field."""
PRINTABLE = r"^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$"

PlayerId = Annotated[identifiers.PlayerId, StringConstraints(max_length=130, pattern=PRINTABLE)]
TournamentId = Annotated[
    identifiers.TournamentId, StringConstraints(max_length=120, pattern=PRINTABLE)
]
ListName = Annotated[
    str, StringConstraints(max_length=40, pattern=r"^[\p{L}\p{N}][\p{L}\p{N}._-]*$")
]
Line = Annotated[str, StringConstraints(max_length=300, pattern=PRINTABLE)]
Federation = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Round = Annotated[int, Field(ge=1, le=999)]
Seq = Annotated[identifiers.Seq, Field(ge=1)]
BoardResult = Annotated[str, StringConstraints(pattern=r"^(0-0|1-0|0-1|1/2-1/2|1/2-0|0-1/2)s?$")]
ForfeitResult = Annotated[str, StringConstraints(pattern=r"^(\+/-|-/\+|-/-)$")]
AdjudicatedResult = Annotated[
    str, StringConstraints(pattern=r"^(0-0|1-0|0-1|1/2-1/2|1/2-0|0-1/2|1-1|1-1/2|1/2-1)a$")
]
EventType = Annotated[str, StringConstraints(max_length=60, pattern=r"^[a-z]+\.[a-z]+(-[a-z]+)*$")]
AnyResult = Annotated[
    str, StringConstraints(pattern=r"^(?:(?:0-0|1-0|0-1|1/2-1/2|1/2-0|0-1/2)[sa]?|\+/-|-/\+|-/-)$")
]


CANONICAL = ConfigDict(frozen=True, strict=True, extra="forbid", regex_engine="rust-regex")
"""What values are whose JSON is canonical."""


class Event(BaseModel):
    """One thing that happened. ``TYPE`` and ``VERSION`` name its schema for ever.

    ``STREAM`` is the kind of stream it continues, and the field that names which one.
    """

    model_config = CANONICAL

    TYPE: ClassVar[str]
    VERSION: ClassVar[int] = 1
    STREAM: ClassVar[str]

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Refuses a class whose JSON would not be canonical."""
        names = list(cls.model_fields)
        assert names == sorted(names), f"{cls.__name__}: declare the fields in alphabetical order"

    @property
    def stream(self) -> str:
        """Whose story the event continues, as ``tournament:ymca-2010``."""
        return f"{self.STREAM}:{getattr(self, self.STREAM)}"

    @property
    def named_seqs(self) -> tuple[Seq, ...]:
        """The seqs of earlier events that the event names: what it supersedes or is about."""
        values = (getattr(self, name) for name in _seq_fields(type(self)))
        return tuple(seq for seq in values if seq is not None)

    def canonical(self) -> str:
        """Returns the payload text that is stored and hashed."""
        return self.model_dump_json(exclude_none=True)


@cache
def _seq_fields(model: type[Event]) -> tuple[str, ...]:
    """Returns the fields of an event type that are a ``Seq`` or None."""
    hints = get_type_hints(model, include_extras=True)
    seqs = (name for name in model.model_fields if Seq in (hints[name], *get_args(hints[name])))
    return tuple(seqs)


class PlayerEvent(Event):
    """Continues a player's stream."""

    STREAM = "player"


class TournamentEvent(Event):
    """Continues a tournament's stream."""

    STREAM = "tournament"


class ListEvent(Event):
    """Continues a rating list's stream."""

    STREAM = "list"


class LadderEvent(Event):
    """Continues a club ladder's stream."""

    STREAM = "ladder"


class AccountEvent(Event):
    """Continues the stream of an account of the web face."""

    STREAM = "account"


@dataclass(frozen=True, slots=True)
class Dated:
    """An event with the chess date from which it holds; what the registrar produces."""

    effective_on: dt.date
    event: Event


def bad_value(error: ValidationError, labels: Mapping[str, Wording]) -> InputRefused:
    """Returns the refusal of a value that cannot be recorded: which, and what it may be.

    ``labels`` is what people call fields, by name; others are called as events have them.
    """
    first = error.errors()[0]
    name = next((part for part in first["loc"][::-1] if isinstance(part, str)), "")
    return value_refused(name, str(first["input"])[:_SHOWN], allowed(first), labels.get(name))


def value_refused(
    name: str, value: str, why: Message, label: Wording | None = None
) -> InputRefused:
    """Returns the refusal of a value of a field, which programs know as its ``code``."""
    field = label or (Message.of(f"field.{name}") if has_sentence(f"field.{name}") else name)
    return InputRefused("registrar.bad_value", field=field, code=name, value=value, why=why)


def allowed(error: ErrorDetails) -> Message:
    """Returns what a value may be, from what Pydantic found wrong with it."""
    field = str(error["loc"][-1]) if error["loc"] else ""
    if field in _FORMS and error["type"] in ("string_pattern_mismatch", "value_error"):
        return Message.of(_FORMS[field])
    if error["type"] == "string_pattern_mismatch":
        return Message.of("value.pattern")
    return wrong_value(error)


def wrong_fields(
    errors: Iterable[Mapping[str, Any]], labels: Mapping[str, Message] | None = None
) -> tuple[Problem, ...]:
    """Returns what is wrong with the fields of a request, from what Pydantic found.

    Args:
        errors: as ``pydantic.ValidationError.errors()`` has them.
        labels: what people call the fields; the others are quoted as programs write them.
    """
    return tuple(
        Problem.of("web.bad_value", name=_called(each["loc"], labels or {}), why=_wrong(each))
        for each in errors
    )


def _wrong(error: Mapping[str, Any]) -> Message:
    """Return what is wrong with a value, and quote it; a text may be a secret, and is not."""
    value, why = error.get("input"), wrong_value(error)
    if error["type"].startswith("string_") or not isinstance(value, str | int | float):
        return why
    return Message.of("value.quoted", value=str(value)[:_SHOWN], why=why)


def _called(where: tuple[int | str, ...], labels: Mapping[str, Message]) -> Message | str:
    if where in ((), ("body",)):
        return Message.of("value.lone_body")
    name = next((part for part in where[::-1] if isinstance(part, str)), str(where[-1]))
    return labels.get(name, f"'{name}'")
