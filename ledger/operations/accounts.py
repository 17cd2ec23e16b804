"""What can be recorded of an account of the site: its roles, its keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ledger.errors import InputRefused
from ledger.operations.operation import Command
from ledger.terms import Role
from ledger.wording import Message, places_of

_EVERY_ACCOUNT: Final = "account:*"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfAccount(Command):
    """About a role of an account; an arbiter's may be that at one tournament."""

    NAMES = ("account",)
    NEEDS_REASON = True

    account: str
    role: Role
    tournament: str | None = None

    def refused(self, key: str, **others: object) -> InputRefused:
        """Returns a refusal that calls the role as people do."""
        if "role" in places_of(key):
            others = {"role": Message.of(f"role.{self.role.value}")} | others
        return Command.refused(self, key, **others)

    @property
    def streams(self) -> tuple[str, ...]:
        """All accounts, and the tournament."""
        own = () if self.tournament is None else (f"tournament:{self.tournament}",)
        return (_EVERY_ACCOUNT, *own)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRole(_OfAccount):
    """Give an account a role; the first one makes it known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrustAccount(Command):
    """Give somebody the way into an account: a link, or the word of another site."""

    NAMES = ("account",)
    NEEDS_REASON = True

    account: str
    way: Literal["identity", "link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeRole(_OfAccount):
    """Take a role from an account, as it was granted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfKey(Command):
    """About a public key of an account, in base64."""

    NAMES = ("account",)
    NEEDS_REASON = True

    account: str
    key: str

    @property
    def streams(self) -> tuple[str, ...]:
        """All accounts: a key is bound to one of them only."""
        return (_EVERY_ACCOUNT,)


@dataclass(frozen=True, slots=True, kw_only=True)
class BindKey(_OfKey):
    """Bind a key to an account, or a passkey; from then on what it records is signed."""

    relying_party: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKey(_OfKey):
    """Let a key sign no more; what it signed before stays signed."""
