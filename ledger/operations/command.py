"""What every operation's fields are a class of, and what commands to the registrar have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeVar

from ledger.errors import InputRefused
from ledger.wording import places_of

if TYPE_CHECKING:
    from ledger.events.model import Event
    from ledger.facts.ids import Stays
    from ledger.journal.records import PersonalDocument

E = TypeVar("E", bound="Event")
_KINDS: Final = ("tournament", "list", "ladder", "account")


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
        kinds = (name if name in _KINDS else "player" for name in self.NAMES)
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
        own = {name: getattr(self, name) for name in places_of(key) if hasattr(self, name)}
        return InputRefused(key, **own | others)

    def of_survivors(self, _stays: Stays) -> Self:
        """Returns the command with the ids that stay, where players of a tournament are named."""
        return self

    def personal(self) -> PersonalDocument | None:
        """Returns the identity document to be stored with it."""
        return None

    def names_head(self, _head_seq: int) -> bool:
        """Whether it holds at this head only; raises ``Conflict`` if it was made for another."""
        return False
