"""Forms of operations: their fields with what was typed, and what is wrong with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.errors import LedgerError
from ledger.operations.commands import OPERATIONS
from ledger.operations.kinds import FieldKind
from ledger.operations.operation import Operation, WordsRefused
from ledger.wording import Message

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
    """A field of a form: what stands in it, and what is wrong with that."""

    name: str
    kind: FieldKind
    is_needed: bool
    value: str
    problem: Message | None


@dataclass(frozen=True, slots=True)
class OperationForm:
    """The form of an operation, before it is sent or as it was refused.

    ``words`` are those that were typed, by field; ``given`` fields are known to the page, and
    nobody is asked for them.
    """

    operation: Operation
    words: Mapping[str, str] = field(default_factory=dict)
    refused: LedgerError | None = None
    given: frozenset[str] = frozenset()

    @property
    def fields(self) -> Sequence[FormField]:
        """Its fields, in the order in which they are declared; what is ticked comes last."""
        wrong = self.refused.fields if isinstance(self.refused, WordsRefused) else {}
        kinds = [each for each in self.operation.kinds.items() if each[0] not in self.given]
        ordered = sorted(kinds, key=lambda each: each[1].is_flag)
        return [
            FormField(
                name=name,
                kind=kind,
                is_needed=self.operation.is_needed(name, kind),
                value=self.words.get(name) or "",
                problem=wrong.get(name),
            )
            for name, kind in ordered
        ]
