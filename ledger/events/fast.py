"""Events read and written fast: structs and texts that are derived from the models.

A model of Pydantic takes nine times as long to read as a struct of msgspec, and ten times as long
to write as its text. The models are the specification: ``CATALOGUE.decode`` reads what a struct
reads, ``Event.canonical`` writes what a template writes, and tests hold the two against each other.

What a struct accepts, and writes again as it was, is the canonical text of an event of its type,
but for the form of its texts: ids and results are any text here. That is enough for a reader of
stored events, which were validated when they were appended, and half of the work for a check of
them (``verify.rules``). Whoever writes by a template has made sure that the model would accept
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import reduce
from json.encoder import encode_basestring as quoted
from operator import or_
from types import GenericAlias, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import DecodeError, Meta, Struct, defstruct, field
from msgspec.json import Decoder
from pydantic import BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from ledger.errors import VerificationFailed
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Event
from ledger.identifiers import Seq
from ledger.results import Bye, Result

__all__ = [
    "DECODERS", "PAIRING_TYPES", "FastEntry", "FastEvent", "FastPairing", "Key", "Outcome",
    "entry", "of", "outcome", "quoted", "read", "reader",
]  # fmt: skip

Key: TypeAlias = tuple[str, int]
"""Type and version of an event."""

M = TypeVar("M", bound=Event)
T = TypeVar("T")


# Structs


class _Base(Struct, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """Holds nothing that could lead back to itself: the collector need not look."""


class FastEvent(_Base):
    """An event of a tournament's rounds, of any of their types.

    All have the same attributes, None where the model has no such field: ``white`` is the one
    player of a bye or an entry, ``result`` the kind of a bye.
    """

    MODEL: ClassVar[type[Event]]

    if TYPE_CHECKING:
        tournament: str
        white: str
        black: str | None
        result: str | None
        ruling: str | None


class FastPairing(FastEvent):
    """What an event says of a pairing or a bye: a ``PairingEvent``."""

    if TYPE_CHECKING:
        round: int
        supersedes: Seq | None


class FastEntry(FastEvent):
    """A ``PlayerEntered``."""

    if TYPE_CHECKING:
        starting_number: int


_SHARED = ("white", "black", "result", "ruling", "supersedes")
_RENAMED = {"player": "white", "kind": "result"}


def _struct(
    model: type[BaseModel],
    base: type[Struct] = _Base,
    names: Mapping[str, str] | None = None,
    **attributes: Any,
) -> type[Struct]:
    """Returns a struct with the fields of a model, in their order.

    Args:
        model: whose fields; it has no validators of its own.
        base: the struct's base class.
        names: what fields are called in the struct, where that is not as in the model.
        attributes: of the class.
    """
    hints = get_type_hints(model, include_extras=True)
    fields: list[tuple[str, Any, Any]] = []
    for name, about in model.model_fields.items():
        default = {} if about.is_required() else {"default": about.default}
        called = (names or {}).get(name, name)
        fields.append((called, _type(hints[name]), field(name=name, **default)))
    return defstruct(
        model.__name__, fields, bases=(base,), namespace=attributes | {"__doc__": model.__doc__},
        gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True,
    )  # fmt: skip


def _type(hint: Any, constraints: Iterable[Any] = ()) -> Any:
    """Returns the type of msgspec for one of Pydantic: with its bounds, but texts of any form."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(args[0], (*constraints, *args[1:]))
    if origin in {Union, UnionType}:
        return reduce(or_, (_type(one, constraints) for one in args))
    if origin is tuple:
        hint = GenericAlias(tuple, (_type(args[0]), ...))
    elif isinstance(hint, type) and issubclass(hint, BaseModel):
        return _struct(hint)
    bounds = {} if hint is NoneType else _bounds(constraints)
    return Annotated[hint, Meta(**bounds)] if bounds else hint


def _bounds(constraints: Iterable[Any]) -> dict[str, Any]:
    """Returns bounds and lengths; an unknown kind of constraint is refused by ``Meta``."""
    found: dict[str, Any] = {}
    for one in constraints:
        if isinstance(one, FieldInfo):
            found |= _bounds(one.metadata)
        elif not isinstance(one, StringConstraints):
            found |= asdict(one)
    return found


def _decoder(model: type[Event]) -> Callable[[str], FastEvent]:
    base = FastPairing if issubclass(model, to.PairingEvent) else FastEntry
    called = {_RENAMED.get(name, name) for name in model.model_fields}
    missing = dict.fromkeys({*_SHARED} - called)
    struct = _struct(model, base, _RENAMED, MODEL=model, **missing)
    return Decoder(cast(type[FastEvent], struct)).decode


DECODERS: dict[Key, Callable[[str], FastEvent]] = {
    (model.TYPE, model.VERSION): _decoder(model)
    for model in CATALOGUE.models()
    if issubclass(model, (to.PairingEvent, to.PlayerEntered))
}
"""The events that a large ledger is full of, in every version: read one payload each."""

PAIRING_TYPES = frozenset(
    model.TYPE for model in CATALOGUE.models() if issubclass(model, to.PairingEvent)
)
"""The types of all events that say something of a pairing or a bye."""


def read(type_: str, version: int, payload: str) -> FastEvent | None:
    """Returns a stored event; None where its type is none of ``DECODERS``.

    Raises:
        VerificationFailed: the payload is no event of its type.
    """
    decode = DECODERS.get((type_, version))
    return None if decode is None else _read(decode, type_, version, payload)


def of(event: to.PairingEvent | to.PlayerEntered) -> FastEvent:
    """Returns an event as a struct."""
    return DECODERS[event.TYPE, event.VERSION](event.canonical())


def reader(model: type[M]) -> Callable[[str], M]:
    """Returns what reads stored payloads of a model into structs.

    A struct has the model's fields, which is what its type promises here, and none of its methods.
    Reading raises ``VerificationFailed`` for a payload that is no event of the type.
    """
    decode = Decoder(cast(type[M], _struct(model))).decode
    return lambda payload: _read(decode, model.TYPE, model.VERSION, payload)


def _read(decode: Callable[[str], T], type_: str, version: int, payload: str) -> T:
    try:
        return decode(payload)
    except DecodeError as error:
        CATALOGUE.decode(type_, version, payload)  # says what is wrong with it
        raise VerificationFailed(
            "verify.payload", type=type_, payload=payload[:200], why=str(error)
        ) from error


# Texts


def _around(model: type[Event], *varying: str, **fixed: str) -> tuple[str, ...]:
    """Returns the canonical text of a model's events around what differs between them.

    ``varying`` are the fields that differ, in the order of the model's fields, ``fixed`` the values
    of others; those of the rest are absent.
    """
    names = [name for name in model.model_fields if name in {*varying, *fixed}]
    assert [name for name in names if name in varying] == [*varying], "fields in the model's order"
    assert all(name in names or not f.is_required() for name, f in model.model_fields.items())
    values = {name: quoted(text) for name, text in fixed.items()}
    # No end of line stands in a canonical text: it marks the places.
    text = ",".join(f"{quoted(name)}:{values.get(name, _PLACE)}" for name in names)
    return tuple(f"{{{text}}}".split(_PLACE))


_PLACE = "\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game or a bye is written: the event's type, and its text around what differs.

    ``halves`` is what it gives each player, in half points; ``is_forfeit`` whether a game was not
    played.
    """

    type: str
    around: tuple[str, ...]
    halves: tuple[int, ...]
    is_forfeit: bool = False

    def game(self, round_: int, tournament: str, white: str, black: str) -> str:
        """Returns the payload of a game; ids are in quotes (see ``quoted``)."""
        a, b, c, d, e = self.around
        return f"{a}{black}{b}{round_}{c}{tournament}{d}{white}{e}"

    def bye(self, round_: int, tournament: str, player: str) -> str:
        """Returns the payload of a bye; ids are in quotes."""
        a, b, c, d = self.around
        return f"{a}{player}{b}{round_}{c}{tournament}{d}"


def outcome(result: Result | Bye) -> Outcome:
    """Returns how the result is written."""
    if isinstance(result, Bye):
        around = _around(to.ByeGiven, "player", "round", "tournament", kind=result.value)
        return Outcome(to.ByeGiven.TYPE, around, (result.halves,))
    model = to.GAME_MODELS[result.termination]
    fixed = {"result": str(result)}
    if model is to.GameAdjudicated:
        fixed["ruling"] = "definitive"
    around = _around(model, "black", "round", "tournament", "white", **fixed)
    return Outcome(model.TYPE, around, result.halves, model is to.ForfeitRecorded)


_ENTRY = _around(to.PlayerEntered, "player", "starting_number", "tournament")


def entry(player: str, starting_number: int, tournament: str) -> str:
    """Returns the payload of a player's entry; ids are in quotes."""
    a, b, c, d = _ENTRY
    return f"{a}{player}{b}{starting_number}{c}{tournament}{d}"
