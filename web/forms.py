"""The forms of pages: what was typed into one, and what came of it.

Templates draw them by the macros of ``fields.html``. Each is filled with what was sent by it
before: because it was refused, or had to wait for a sign-in (see ``web.kept_forms``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar

from ledger.errors import InputRefused, LedgerError
from ledger.operations.commands import OPERATIONS
from ledger.operations.kinds import PARAMETERS, FieldKind
from ledger.operations.operation import Operation, WordsRefused
from ledger.service.ledger import Receipt
from ledger.typed_values import integer_in
from ledger.wording import Message

_MOST: Final = 9_999
_LABELS: Final = {
    "after": Message.of("arbiter.after_round"),
    "cycles": Message.of("arbiter.cycles"),
    "days": Message.of("access.days"),
    "from_round": Message.of("arbiter.from_round"),
    "name": Message.of("arbiter.name"),
    "pairing_rating": Message.of("arbiter.pairing_rating"),
    "result": Message.of("column.result"),
    "round": Message.of("arbiter.round"),
    "rounds": Message.of("arbiter.rounds"),
    "start": Message.of("arbiter.start"),
    "team": Message.of("arbiter.team_id"),
    "team_boards": Message.of("arbiter.team_boards"),
    "team_reserves": Message.of("arbiter.team_reserves"),
}
"""What pages call the fields that must be filled in, or hold numbers."""
Word = TypeVar("Word", bound=StrEnum)
Meant: TypeAlias = str | int | Sequence[str]
"""What a form says under a name: a word, or one of several."""


# What was typed


@dataclass(frozen=True, slots=True)
class TypedForm:
    """The fields of a form by name, each with all that was said.

    ``path`` is where it was sent, ``files`` are the names of those that were chosen. One that had
    to wait for a sign-in, of which nothing was done, is ``kept_at`` an address.
    """

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    path: str = ""
    files: Sequence[str] = ()
    kept_at: str = ""

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, object]], path: str) -> TypedForm:
        """Returns a form from names and values, of which files are left out."""
        fields: dict[str, list[str]] = {}
        for name, value in pairs:
            if isinstance(value, str):
                fields.setdefault(name, []).append(value)
        return cls(fields, path)

    @property
    def is_sent(self) -> bool:
        """Whether it was sent: then nothing stands in it but what was typed."""
        return bool(self.path)

    @property
    def is_kept(self) -> bool:
        """Whether it waits to be sent."""
        return bool(self.kept_at)

    @property
    def key(self) -> str:
        """The key under which it is done once, where it waited; else it has a new one."""
        return self.value("key") if self.is_kept else ""

    def is_of(self, paths: Collection[str], says: Mapping[str, Meant]) -> bool:
        """Whether a form that goes to one of some paths was sent.

        ``says`` tells it from others that go there: by what stands in a hidden field, or by words
        of which its buttons send one.
        """
        return self.path in paths and all(
            self.value(name) in ([str(meant)] if isinstance(meant, str | int) else meant)
            for name, meant in says.items()
        )

    def value(self, name: str, usual: object = "") -> str:
        """Returns what stands in a field, to be shown again; before it was sent, what is usual."""
        words = self.fields.get(name)
        if words:
            return words[0]
        return "" if self.fields or usual is None else str(usual)

    @property
    def texts(self) -> dict[str, str]:
        """What was typed into each field; of one that comes twice the first."""
        return {name: words[0] for name, words in self.fields.items() if words}

    @property
    def pairs(self) -> Sequence[tuple[str, str]]:
        """All that was said, each with its name."""
        return [(name, word) for name, words in self.fields.items() for word in words]

    def all(self, name: str) -> Sequence[str]:
        """Returns all that was said under a name."""
        return self.fields.get(name, ())

    def text(self, name: str) -> str | None:
        """Returns a text without blanks around it; None where nothing is said."""
        return self.value(name).strip() or None

    def required(self, name: str) -> str:
        """Returns a text; raises ``InputRefused`` where nothing is said."""
        text = self.text(name)
        if text is None:
            raise InputRefused("arbiter.missing", field=_LABELS.get(name, name))
        return text

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return bool(self.fields.get(name))

    def confirmation(self, name: str, shown: str) -> str:
        """Returns what was typed, or ticked, to confirm what a page shows (``digest_shown``).

        Nothing, where the page showed something else when it was sent: that nobody has confirmed.
        """
        return self.value(name) if self.value("shown") == shown else ""

    def number(self, name: str, *, least: int = 0, most: int = _MOST) -> int | None:
        """Returns a whole number; None where nothing is said. Raises ``InputRefused``."""
        text = self.text(name)
        if text is None:
            return None
        number = integer_in(text, least=least, most=most)
        if number is None:
            raise InputRefused(
                "arbiter.no_number_in", field=_LABELS.get(name, name), value=text, least=least,
                most=most,
            )  # fmt: skip
        return number

    def round(self, name: str) -> int:
        """Returns a round; raises ``InputRefused`` where none is said."""
        self.required(name)
        return self.number(name, least=1, most=999) or 1

    def word(self, name: str, words: type[Word]) -> Word | None:
        """Returns one of a list of words; None where none is said. Raises ``InputRefused``."""
        text = self.text(name)
        if text is None:
            return None
        try:
            return words(text)
        except ValueError as error:
            raise InputRefused("arbiter.no_word", value=text) from error

    def lines(self, name: str) -> list[str]:
        """Returns the lines of a text that are not empty."""
        return [line.strip() for line in self.value(name).splitlines() if line.strip()]


NOTHING: Final = TypedForm()


def digest_shown(*shown: object) -> str:
    """Returns a digest of what a page shows to be confirmed; its form says it under ``shown``."""
    text = "\n".join(map(str, shown))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """What came of a form: it was refused, or recorded with something to be told.

    ``to`` is the page to go on to then.
    """

    typed: TypedForm = NOTHING
    problem: LedgerError | None = None
    receipt: Receipt | None = None
    to: str | None = None

    def words(self, act: str) -> TypedForm:
        """Returns what was typed into the form of an act; nothing, where another one was sent."""
        return self.typed if self.typed.value("act") == act else NOTHING


@dataclass(slots=True)
class PageForms:
    """The forms of a page while it is drawn: what was ``sent`` stands in the first that sent it."""

    sent: TypedForm
    _is_shown: bool = False

    def words(self, action: str, says: Mapping[str, Meant], also: Sequence[str] = ()) -> TypedForm:
        """Returns what stands in a form that goes to ``action``, or to others by its buttons.

        See ``TypedForm.is_of`` for what it ``says``.
        """
        if self._is_shown or not self.sent.is_sent or not self.sent.is_of((action, *also), says):
            return NOTHING
        self._is_shown = True
        return self.sent

    def missing(self) -> str:
        """Returns where a kept form is that stands on the page no more; nothing without one."""
        return "" if self._is_shown else self.sent.kept_at


# Operations


OTHERWISE: Final[Mapping[str, str]] = {
    "publish": "it takes long: a job does it, and nobody waits",
    "erase-player": "its page says what is destroyed, and its reason must name nobody",
}
"""Operations that are handed in by forms of their own, with the reason."""
FORMER_NAMES: Final[Mapping[str, str]] = {"result": "correct-result"}
"""Names of operations in submissions before 0.2."""
HANDED_IN: Final[Mapping[str, Operation]] = {
    name: operation
    for name, operation in OPERATIONS.items()
    if not operation.unfilled and name not in OTHERWISE
}
"""What may be handed in, by name."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form of an operation, and what is wrong with what stands in it."""

    name: str
    kind: FieldKind
    is_needed: bool
    problem: Message | None


@dataclass(frozen=True, slots=True)
class OperationForm:
    """The form of an operation, before it is sent or as it was refused.

    ``typed`` is what stands in it; ``given`` fields are known to the page, and nobody is asked for
    them. ``parameters`` are the fields of the regulation that is chosen, where one can be.
    """

    operation: Operation
    typed: TypedForm = NOTHING
    refused: LedgerError | None = None
    given: frozenset[str] = frozenset()
    parameters: Sequence[FormField] = ()

    @property
    def has_regulation(self) -> bool:
        """Whether a regulation is chosen in it, with parameters of its own."""
        return PARAMETERS in self.operation.kinds.values()

    @property
    def sets_parameters(self) -> bool:
        """Whether a parameter is set, or must be, or is wrong."""
        return any(
            each.is_needed or each.problem or self.typed.value(each.name)
            for each in self.parameters
        )

    @property
    def fields(self) -> Sequence[FormField]:
        """Its fields, in the order in which they are declared; what is ticked comes last."""
        wrong = self.refused.fields if isinstance(self.refused, WordsRefused) else {}
        kinds = [
            (name, kind)
            for name, kind in self.operation.kinds.items()
            if name not in self.given and kind != PARAMETERS
        ]
        ordered = sorted(kinds, key=lambda each: each[1].is_flag)
        return [
            FormField(
                name=name,
                kind=kind,
                is_needed=self.operation.is_needed(name, kind),
                problem=wrong.get(name),
            )
            for name, kind in ordered
        ]
