"""Commands about accounts, and what they come to."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from ledger.events.accounts import (
    ACCOUNT_NAME,
    LONGEST_NAME,
    AccountEntrusted,
    AccountGranted,
    AccountRevoked,
    KeyBound,
    KeyRevoked,
)
from ledger.events.model import Dated, value_refused
from ledger.facts.accounts import AccountFacts, Grant, holders, key_owner
from ledger.letters import skeleton
from ledger.operations.accounts import BindKey, EntrustAccount, GrantRole, RevokeKey, RevokeRole
from ledger.registrar.deciders import decides
from ledger.registrar.register import Register
from ledger.terms import Role
from ledger.wording import Message


@decides(GrantRole)
def grant_role(command: GrantRole, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a role that the account has, and any but an arbiter's at one tournament."""
    if command.tournament is not None:
        if command.role is not Role.ARBITER:
            raise command.refused("account.not_limited")
        register.known_tournament(command.tournament)
    if not re.fullmatch(ACCOUNT_NAME, command.account) or len(command.account) > LONGEST_NAME:
        raise value_refused("account", command.account, Message.of("account.name"))
    record = register.accounts.get(command.account)
    if record is None:
        _check_looks(command, register)
    elif _grant(command) in record.grants:
        raise command.refused("account.granted_already")
    return [Dated(today, command.event(AccountGranted))]


def _check_looks(command: GrantRole, register: Register) -> None:
    """Refuses a new account whose name can be taken for another one's, as ``1uis`` for ``luis``."""
    looks = skeleton(command.account)
    other = next((name for name in register.accounts if skeleton(name) == looks), None)
    if other is not None:
        raise command.refused("account.alike", other=other)


def _known(
    command: EntrustAccount | RevokeRole | BindKey | RevokeKey, register: Register
) -> AccountFacts:
    """Returns the account; raises ``NotFound`` where it never had a role."""
    record = register.accounts.get(command.account)
    if record is None:
        raise command.not_found("account.unknown")
    return record


def _grant(command: GrantRole | RevokeRole) -> Grant:
    """Returns the role as it is granted."""
    return Grant(command.role, command.tournament)


@decides(EntrustAccount)
def entrust_account(command: EntrustAccount, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses an account that never had a role."""
    _known(command, register)
    return [Dated(today, command.event(AccountEntrusted))]


@decides(RevokeRole)
def revoke_role(command: RevokeRole, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a role that the account has not, and that of the last administrator."""
    if _grant(command) not in _known(command, register).grants:
        raise command.refused("account.not_granted")
    others = holders(register.accounts.values(), Role.ADMINISTRATOR) - {command.account}
    if command.role is Role.ADMINISTRATOR and not others:
        raise command.refused("account.last_administrator")
    return [Dated(today, command.event(AccountRevoked))]


@decides(BindKey)
def bind_key(command: BindKey, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a key that was ever bound, and an account that never had a role."""
    _known(command, register)
    if (owner := key_owner(register.accounts, command.key)) is not None:
        raise command.refused("signing.bound_already", owner=owner)
    algorithm = "ed25519" if command.relying_party is None else "webauthn"
    return [Dated(today, command.event(KeyBound, algorithm=algorithm))]


@decides(RevokeKey)
def revoke_key(command: RevokeKey, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a key that does not sign for the account."""
    if command.key not in _known(command, register).keys_in_force:
        raise command.not_found("signing.no_such_key")
    return [Dated(today, command.event(KeyRevoked))]
