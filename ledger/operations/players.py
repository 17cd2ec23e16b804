"""What can be recorded of a player."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.operations.command import Command

if TYPE_CHECKING:
    from ledger.events.personal import Identity
    from ledger.journal.records import PersonalDocument
else:
    Identity = Any  # it takes time to load


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPlayer(Command):
    """Who a player is. ``salt``: 32 random hexadecimal digits for the identity document."""

    NAMES = ("player",)

    player: str
    identity: Identity
    salt: str
    federation: str | None
    on: dt.date

    @property
    def birth_year(self) -> int | None:
        """The year of birth, where it is known."""
        born = self.identity.birth_date
        return int(born[:4]) if born else None

    def personal(self) -> PersonalDocument:
        """Returns the identity document."""
        from ledger.journal.records import PersonalDocument  # noqa: PLC0415 - it takes time to load

        sealed = self.identity.sealed(self.salt)
        return PersonalDocument(sealed.digest(), self.player, sealed.document())


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(AboutPlayer):
    """Give a person an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectIdentity(AboutPlayer):
    """Replace what is known of a person."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer(Command):
    """Destroy what is known of a person: every identity document, under all ids of the person."""

    NEEDS_REASON = True
    NAMES = ("player",)

    player: str
    on: dt.date

    def names_head(self, _head_seq: int) -> bool:
        """Whether it holds at this head only: later others may be known to be the same person."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlayers(Command):
    """Say that two ids are one person; ``player`` is given up for ``into``."""

    NEEDS_REASON = True

    player: str
    into: str
    on: dt.date

    @property
    def streams(self) -> tuple[str, ...]:
        """Both ids; ``tournament:*`` stands for all tournaments, where they may have met."""
        return (f"player:{self.player}", f"player:{self.into}", "tournament:*", "ladder:*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignK(Command):
    """Give a player a K from a day on; in one list or (``list`` None) in all."""

    player: str
    k: int
    list: str | None
    on: dt.date
    as_correction: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list; ``list:*`` stands for all lists."""
        return (f"player:{self.player}", f"list:{self.list or '*'}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRating(Command):
    """Moves a player's rating in a list, from a day on."""

    NAMES = ("player", "list")

    player: str
    list: str
    on: dt.date
    as_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRating(_OfRating):
    """Bring in a rating from outside, in force on a day.

    ``games`` rated before it and the ``k`` published with it are None where nobody told.
    """

    rating: int
    games: int | None
    source: str | None
    k: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustRating(_OfRating):
    """Move one player's rating by a step that no game explains, from a day on."""

    NEEDS_REASON = True

    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardTitle(Command):
    """Record a title."""

    NAMES = ("player",)

    player: str
    title: str
    on: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribePlayer(Command):
    """Record for good what a list's rules ask of a player: days of birth and of joining, sex.

    It replaces all that was recorded so before; ``sex`` is m or w.
    """

    NEEDS_REASON = True  # also where nothing was said before: it cannot be erased
    NAMES = ("player",)

    player: str
    born_on: dt.date | None
    joined_on: dt.date | None
    sex: str | None
    on: dt.date
