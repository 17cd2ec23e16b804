"""What every command has: the streams it is about, whether it needs a reason, what it decides."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from ledger.events.model import Dated
from ledger.facts.merged_players import Survivors
from ledger.journal.records import PersonalDocument
from ledger.registrar.register import Register

_KINDS: Final = ("tournament", "list", "ladder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(ABC):
    """What somebody asks the ledger to record; its name and fields tell two requests apart.

    ``on`` is a chess date wherever a command has it; the registrar has no clock of its own.
    ``as_correction``: it may change what is published.
    """

    NAMES: ClassVar[tuple[str, ...]] = ()
    """The fields that name what must be known to decide it; other names than kinds are players."""
    CHANGES: ClassVar[bool] = False
    """Whether it always changes what was recorded."""

    @property
    def streams(self) -> tuple[str, ...]:
        """What must be known to decide it; ``list:*`` stands for all of that kind."""
        kinds = (name if name in _KINDS else "player" for name in self.NAMES)
        ids = (getattr(self, name) for name in self.NAMES)
        return tuple(f"{kind}:{id_}" for kind, id_ in zip(kinds, ids, strict=True))

    @property
    def needs_reason(self) -> bool:
        """Whether it changes what was recorded, so that its reason must be said."""
        return self.CHANGES or bool(getattr(self, "as_correction", False))

    @abstractmethod
    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Returns the events that it comes to.

        Args:
            register: knows its streams.
            today: the day on which it is decided.

        Raises:
            InputRefused: it cannot be recorded.
            Conflict: it was recorded before, differently.
        """

    def of_survivors(self, _survivors: Survivors) -> Self:
        """Returns the command with the ids that stay, where players of a tournament are named."""
        return self

    def personal(self) -> PersonalDocument | None:
        """Returns the identity document to be stored with it."""
        return None

    def names_head(self, _head_seq: int) -> bool:
        """Whether it holds at this head only; raises ``Conflict`` if it was made for another."""
        return False
