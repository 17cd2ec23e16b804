"""Commands about accounts, and what they come to."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.errors import InputRefused
from ledger.events.accounts import (
    ACCOUNT_NAME,
    LONGEST_NAME,
    AccountEntrusted,
    AccountGranted,
    AccountRevoked,
    KeyBound,
    KeyRevoked,
)
from ledger.events.model import Dated
from ledger.facts.accounts import Grant, holders, key_owner
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.terms import Role
from ledger.wording import Message, places_of

_EVERY_ACCOUNT = "account:*"


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
    def grant(self) -> Grant:
        """The role as it is granted."""
        return Grant(self.role, self.tournament)

    @property
    def streams(self) -> tuple[str, ...]:
        """All accounts, and the tournament."""
        its = () if self.tournament is None else (f"tournament:{self.tournament}",)
        return (_EVERY_ACCOUNT, *its)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRole(_OfAccount):
    """Give an account a role; the first one makes it known."""

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a role that the account has, and any but an arbiter's at one tournament."""
        if self.tournament is not None:
            if self.role is not Role.ARBITER:
                raise self.refused("account.not_limited")
            register.known_tournament(self.tournament)
        if not re.fullmatch(ACCOUNT_NAME, self.account) or len(self.account) > LONGEST_NAME:
            why = Message.of("account.name")
            raise self.refused("registrar.bad_value", field="account", value=self.account, why=why)
        record = register.accounts.get(self.account)
        if record is not None and self.grant in record.grants:
            raise self.refused("account.granted_already")
        return [Dated(today, self.said(AccountGranted))]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrustAccount(Command):
    """Give somebody the way into an account: a link, or the word of another site."""

    NAMES = ("account",)
    NEEDS_REASON = True

    account: str
    way: Literal["identity", "link"]

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses an account that never had a role."""
        if self.account not in register.accounts:
            raise self.refused("account.unknown")
        return [Dated(today, self.said(AccountEntrusted))]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeRole(_OfAccount):
    """Take a role from an account, as it was granted."""

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a role that the account has not, and that of the last administrator."""
        record = register.accounts.get(self.account)
        if record is None or self.grant not in record.grants:
            raise self.refused("account.not_granted")
        others = holders(register.accounts.values(), Role.ADMINISTRATOR) - {self.account}
        if self.role is Role.ADMINISTRATOR and not others:
            raise self.refused("account.last_administrator")
        return [Dated(today, self.said(AccountRevoked))]


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

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a key that was ever bound, and an account that never had a role."""
        if self.account not in register.accounts:
            raise self.refused("account.unknown")
        if (owner := key_owner(register.accounts, self.key)) is not None:
            raise self.refused("signing.bound_already", owner=owner)
        algorithm = "ed25519" if self.relying_party is None else "webauthn"
        return [Dated(today, self.said(KeyBound, algorithm=algorithm))]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKey(_OfKey):
    """Let a key sign no more; what it signed before stays signed."""

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a key that does not sign for the account."""
        record = register.accounts.get(self.account)
        if record is None or self.key not in record.keys_in_force:
            raise self.refused("signing.no_such_key")
        return [Dated(today, self.said(KeyRevoked))]
