"""What was typed into a form of the desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Request

from ledger.errors import InputRefused
from ledger.typed_values import integer_in
from ledger.wording import Message

_LABELS: Final = {
    "from_round": Message.of("arbiter.from_round"),
    "name": Message.of("arbiter.name"),
    "result": Message.of("column.result"),
    "round": Message.of("arbiter.round"),
    "start": Message.of("arbiter.start"),
    "team": Message.of("arbiter.team_id"),
}
"""What pages call the fields that must be filled in."""
Word = TypeVar("Word", bound=StrEnum)
MOST_FIELDS: Final = 2_000
_MOST: Final = 9_999


@dataclass(frozen=True, slots=True)
class TypedForm:
    """The fields of a form by name, each with all that was said."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

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

    def number(self, name: str, *, least: int = 0, most: int = _MOST) -> int | None:
        """Returns a whole number; None where nothing is said. Raises ``InputRefused``."""
        text = self.text(name)
        if text is None:
            return None
        number = integer_in(text, least=least, most=most)
        if number is None:
            raise InputRefused("arbiter.no_number", value=text, least=least, most=most)
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


async def _typed(request: Request) -> TypedForm:
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    value_: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            # No command line can say a NUL, and no PostgreSQL keeps one.
            value_.setdefault(name, []).append(value.replace("\0", ""))
    return TypedForm(value_)


Filled = Annotated[TypedForm, Depends(_typed)]
"""The form that was sent."""
