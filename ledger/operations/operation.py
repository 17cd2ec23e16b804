"""What people ask the ledger to record, and how it is declared for each face under a name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ledger.errors import InputRefused, NotFound, Problem
from ledger.identifiers import Seq
from ledger.operations.kinds import PROGRAMS, FieldKind, Given, values_of
from ledger.terms import Role
from ledger.typed_values import YEARS
from ledger.wording import Message, Wording, places_of

if TYPE_CHECKING:
    from ledger.events.model import Event
    from ledger.facts.ids import Stays
    from ledger.journal.records import PersonalDocument

E = TypeVar("E", bound="Event")
_UNIONS: Final = (Union, UnionType)
_STREAMS: Final = ("tournament", "list", "ladder", "account")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What somebody asks for, of which commands are calculated first: boards, numbers, a list."""

    NEEDS_REASON: ClassVar[bool] = False
    """Whether it always changes what was recorded, so that its reason must be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Input):
    """What somebody asks the ledger to record; its name and fields tell two requests apart.

    ``on`` is a chess date wherever a command has it; the registrar has no clock of its own.
    ``as_correction``: it may change what is published.
    """

    NAMES: ClassVar[tuple[str, ...]] = ()
    """The fields that name what must be known to decide it; other names than kinds are players."""

    @property
    def streams(self) -> tuple[str, ...]:
        """What must be known to decide it; ``list:*`` stands for all of that kind."""
        kinds = (name if name in _STREAMS else "player" for name in self.NAMES)
        ids = (getattr(self, name) for name in self.NAMES)
        return tuple(f"{kind}:{id_}" for kind, id_ in zip(kinds, ids, strict=True))

    @property
    def needs_reason(self) -> bool:
        """Whether its reason must be said: where it changes what was recorded."""
        return self.NEEDS_REASON or bool(getattr(self, "as_correction", False))

    def event(self, model: type[E], **others: object) -> E:
        """Returns an event with what the command says under the same names, and other fields."""
        own = {name: getattr(self, name) for name in model.model_fields if hasattr(self, name)}
        return model.model_validate(own | others)

    def refused(self, key: str, **others: object) -> InputRefused:
        """Returns a refusal; its sentence quotes what the command says, and other values."""
        return InputRefused(key, **self._quoted(key) | others)

    def not_found(self, key: str) -> NotFound:
        """Returns that nothing is called as the command says; its sentence quotes that."""
        return NotFound(key, **self._quoted(key))

    def _quoted(self, key: str) -> dict[str, object]:
        return {name: getattr(self, name) for name in places_of(key) if hasattr(self, name)}

    def of_survivors(self, _stays: Stays) -> Self:
        """Returns the command with the ids that stay, where players of a tournament are named."""
        return self

    def personal(self) -> PersonalDocument | None:
        """Returns the identity document to be stored with it."""
        return None

    def names_head(self, _head_seq: Seq) -> bool:
        """Whether it holds at this head only; raises ``Conflict`` if it was made for another."""
        return False


Asked = TypeVar("Asked", bound=Input)


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may use an operation, and which scope a token of theirs needs.

    An arbiter may at the own tournaments; ``everywhere`` only one who is limited to none.
    """

    roles: frozenset[Role]
    scope: str
    everywhere: bool = False


ARBITERS: Final = Permission(frozenset({Role.ARBITER, Role.OFFICER}), "tournaments")


def officers(scope: str) -> Permission:
    """Returns that only officers may."""
    return Permission(frozenset({Role.OFFICER}), scope)


@dataclass(frozen=True, slots=True)
class CommandFace:
    """An operation on the command line.

    Attributes:
        words: as they are typed.
        order: the first arguments, where they are not in the order of the fields.
        kinds: of fields that are narrower, or called otherwise, in this operation: for all faces.
        reasoned: whether a reason is required, where that differs from the command.
        results: whether it takes results of games, of which ``-/+`` begins as an option does.
        destroys: whether it takes away what cannot be given back, or somebody's standing or right.
    """

    words: str
    order: tuple[str, ...] = ()
    kinds: Mapping[str, FieldKind] = field(default_factory=dict)
    reasoned: bool | None = None
    results: bool = False
    destroys: bool = False


@dataclass(frozen=True)
class Operation:
    """A command under a name, with what is fixed in it, as all faces see it.

    Attributes:
        name: in addresses of the API and of pages, and in submissions that are kept.
        command: the class of its fields.
        by: who may use it.
        says: what it does, in a sentence that every face says.
        fixed: values of fields that nobody is asked for.
        typed: how it is typed; None where the command line has a function of its own for it.
    """

    name: str
    command: type[Input]
    by: Permission
    says: Wording
    fixed: Mapping[str, Any]
    typed: CommandFace | None

    @property
    def headline(self) -> Wording:
        """The first line of what it does; what follows tells more."""
        return Wording(self.says.en.partition("\n")[0], self.says.es.partition("\n")[0])

    @cached_property
    def kinds(self) -> Mapping[str, FieldKind]:
        """The kinds of what is asked for, by field; of a field with parts those of its parts."""
        found: dict[str, FieldKind] = {}
        own = self.typed.kinds if self.typed else {}
        for name, kind in {**kinds_of(self.command), **own}.items():
            if isinstance(kind, FieldKind) and kind is not PROGRAMS and name not in self.fixed:
                found |= kind.parts or {name: kind}
        return found

    @property
    def unfilled(self) -> Sequence[str]:
        """The needed fields of which no kind is declared: only programs can say them."""
        kinds = kinds_of(self.command)
        return [
            each.name
            for each in fields(self.command)
            if each.default is MISSING
            and each.name not in self.fixed
            and kinds.get(each.name, PROGRAMS) is PROGRAMS
        ]

    @property
    def needs_reason(self) -> bool:
        """Whether its reason must always be said."""
        return self.command.NEEDS_REASON

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The fields without a default that may not be None."""
        hints = get_type_hints(self.command)
        return frozenset(
            each.name
            for each in fields(self.command)
            if each.default is MISSING and type(None) not in get_args(hints[each.name])
        )

    def is_needed(self, name: str, kind: FieldKind) -> bool:
        """Whether a field must be typed: it has no default, and may not be None."""
        if kind.needed is not None:
            return kind.needed
        return name in self._needed and not (kind.is_flag or kind.given)

    def read(self, words: Mapping[str, str], **given: Any) -> Input:
        """Returns the command of typed words; what is empty is not said.

        Args:
            words: by field, as they were typed; several of one field a line each.
            given: what the program gives: ``today``, a ``salt``.

        Raises:
            WordsRefused: with what is wrong with each field.
        """
        values: dict[str, Any] = {}
        wrong: dict[str, Message] = {}
        for name, kind in self.kinds.items():
            text = words.get(name, "").strip()
            try:
                if kind.several:
                    values[name] = tuple(map(kind.read, text.splitlines()))
                elif text or kind.is_flag:
                    values[name] = kind.read(text)
                elif self.is_needed(name, kind):
                    wrong[name] = Message.of("submission.lacks", field=kind.called)
            except InputRefused as error:
                wrong[name] = error.message
        if wrong:
            raise WordsRefused(wrong)
        return self.made(values, **given)

    def made(self, values: Mapping[str, Any], **given: Any) -> Input:
        """Returns the command of values by field, with parts put together; None where unsaid.

        ``given`` is what the program gives: ``today``, a ``salt``.

        Raises:
            WordsRefused: with the days whose year is not plausible.
        """
        wrong = {
            name: Message.of("value.no_such_year", on=value)
            for name, value in values.items()
            if isinstance(value, dt.date) and value.year not in YEARS
        }
        if wrong:
            raise WordsRefused(wrong)
        whole = dict(self.fixed) | {
            name: value for name, value in values.items() if name not in self.fixed
        }
        for name, kind in kinds_of(self.command).items():
            what = kind.what if isinstance(kind, Given) else kind.given
            if what:
                whole[name] = given[what] if whole.get(name) is None else whole[name]
            elif isinstance(kind, FieldKind) and kind.parts and name not in whole:
                parts = {part: whole.pop(part, None) for part in kind.parts}
                whole[name] = kind.built(**parts)
        unsaid = {each.name: None for each in fields(self.command) if each.default is MISSING}
        several = {name: () for name, kind in self.kinds.items() if kind.several and name in unsaid}
        return self.command(**unsaid | several | whole)


class WordsRefused(InputRefused):
    """Typed words that cannot be read; ``fields`` says of each what is wrong with it."""

    def __init__(self, fields: Mapping[str, Message]) -> None:
        super().__init__("submission.bad_form", *map(Problem, fields.values()))
        self.fields = fields


OPERATIONS: Final = dict[str, Operation]()
"""The operations by name, in the order in which they are declared."""


def operation(
    name: str, by: Permission, says: Wording, typed: CommandFace | None = None, **fixed: Any
) -> Callable[[type[Asked]], type[Asked]]:
    """Declares a command as an operation; a command may be several, with other values fixed."""

    def declared(command: type[Asked]) -> type[Asked]:
        assert name not in OPERATIONS, name
        OPERATIONS[name] = Operation(name, command, by, says, fixed, typed)
        return command

    return declared


_KINDS: Final = dict[type[Any], dict[str, FieldKind | Given]]()


def kinds_of(command: type[Any]) -> dict[str, FieldKind | Given]:
    """Return the kind of each field of a command; none of one that is no operation.

    A field whose type is a closed set (a ``Literal``, an enumeration) is a choice of its words,
    whatever its declaration says: no face can take another word for it.
    """
    if command not in _KINDS:
        hints = get_type_hints(command, include_extras=True)
        _KINDS[command] = {
            each.name: narrow_kind(kind, get_args(hints[each.name])[0])
            for each in fields(command)
            for kind in getattr(hints[each.name], "__metadata__", ())[-1:]
        }
    return _KINDS[command]


def narrow_kind(kind: FieldKind | Given, type_: Any) -> FieldKind | Given:
    """Return the kind of a field, narrowed to the type that its command declares.

    Raises:
        TypeError: the kind takes any text, and the type is none.
    """
    types = [*get_args(type_)] if get_origin(type_) in _UNIONS else [type_]
    words = closed_set(types[0])
    is_text = isinstance(kind, FieldKind) and kind.read is str and kind is not PROGRAMS
    if not isinstance(kind, FieldKind) or not is_text or kind.parts or kind.names == "period":
        return kind  # it reads words itself, or what is there decides
    if words:
        return kind.one_of(words)
    if _element(types[0]) is not str:
        raise TypeError(f"{type_}: its kind takes any text")
    return kind


def closed_set(type_: Any) -> Mapping[str, Any]:
    """Return the values of a ``Literal`` or an enumeration by word; none of any other type.

    Of a tuple, those of its elements.
    """
    element = _element(type_)
    if get_origin(element) is Literal:
        return {str(value): value for value in get_args(element)}
    return values_of(element) if isinstance(element, type) and issubclass(element, StrEnum) else {}


def _element(type_: Any) -> Any:
    return get_args(type_)[0] if get_origin(type_) in (tuple, Sequence) else type_
