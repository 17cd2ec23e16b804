"""Accounts of the web face: their roles, as events. Passwords, keys and sessions are elsewhere."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from ledger.errors import Conflict, InputRefused, NotFound
from ledger.events.accounts import ACCOUNT_NAME, LONGEST_NAME
from ledger.events.model import value_refused
from ledger.facts.accounts import AccountFacts, Grant, holders
from ledger.identifiers import Seq
from ledger.json_form import JsonForm
from ledger.letters import skeleton
from ledger.operations.commands import BindKey, EntrustAccount, GrantRole, RevokeKey, RevokeRole
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Role
from ledger.trust.two_persons import lists_in_force, needs_two_to_revoke
from ledger.views.view import LedgerView
from ledger.wording import Message

_NOBODY = AccountFacts("")


@dataclass(frozen=True, slots=True)
class GrantInForce(JsonForm):
    """A role that an account has, since a seq."""

    role: Role
    tournament: str | None
    since_seq: Seq
    since_on: dt.date


@dataclass(frozen=True, slots=True)
class AccountReport(JsonForm):
    """An account with the roles that it has; none: all were revoked."""

    account: str
    grants: tuple[GrantInForce, ...]


def accounts(view: LedgerView) -> list[AccountReport]:
    """Returns the accounts that ever had a role, by name."""
    return [_report(facts_) for _, facts_ in sorted(view.facts().accounts.items())]


def require_account(view: LedgerView, account: str) -> AccountReport:
    """Returns an account; raises ``NotFound`` where it never had a role."""
    facts_ = view.facts().accounts.get(account)
    if facts_ is None:
        raise NotFound("account.unknown", account=account)
    return _report(facts_)


def has_or_had_role(view: LedgerView, account: str) -> bool:
    """Whether an event ever gave an account a role: that of a player may have none."""
    return account in view.facts().accounts


def rights_of(view: LedgerView, account: str) -> AccountFacts:
    """Returns what an account may do; one that is not known may do nothing."""
    return view.facts().accounts.get(account, _NOBODY)


def create_account(
    ledger: Ledger, account: str, *roles: Role, tournament: str | None = None, request: Request
) -> Receipt:
    """Gives roles to an account that is to be handed over by a link; raises as ``grant_role``.

    The tournament is that of an arbiter, where several are given.

    Raises:
        Conflict: there is such an account.
    """
    if account in ledger.facts().accounts:
        raise Conflict("account.exists", account=account)
    grants = [
        GrantRole(
            account=account,
            role=role,
            tournament=tournament if role is Role.ARBITER or Role.ARBITER not in roles else None,
        )
        for role in dict.fromkeys(roles)
    ]
    return ledger.execute([*grants, EntrustAccount(account=account, way="link")], request)


def check_new_name(view: LedgerView, account: str, others: Collection[str]) -> None:
    """Refuses a name for an account without a role, which no event makes.

    Args:
        view: the ledger.
        account: the name.
        others: the accounts of which no event tells either.

    Raises:
        InputRefused: it is no name, or looks like that of another account.
        Conflict: that account has, or had, a role.
    """
    known = view.facts().accounts
    if account in known:
        raise Conflict("account.exists", account=account)
    if not re.fullmatch(ACCOUNT_NAME, account) or len(account) > LONGEST_NAME:
        raise value_refused("account", account, Message.of("account.name"))
    looks = skeleton(account)
    for other in (*known, *others):
        if other != account and skeleton(other) == looks:
            raise InputRefused("account.alike", account=account, other=other)


def entrust_account(
    ledger: Ledger, account: str, way: Literal["identity", "link"], request: Request
) -> Receipt:
    """Records that somebody is given the way into an account.

    Raises:
        InputRefused: it never had a role, or no reason is given.
    """
    return ledger.execute([EntrustAccount(account=account, way=way)], request)


def grant_role(
    ledger: Ledger, account: str, role: Role, *, tournament: str | None = None, request: Request
) -> Receipt:
    """Gives an account a role, an arbiter's everywhere or at one tournament.

    Raises:
        InputRefused: it has it already, the tournament is not known, or no reason is given.
    """
    command = GrantRole(account=account, role=role, tournament=tournament)
    return ledger.execute([command], request)


def revoke_role(
    ledger: Ledger, account: str, role: Role, *, tournament: str | None = None,
    able: frozenset[str] | None = None, request: Request,
) -> Receipt:  # fmt: skip
    """Takes a role from an account, as it was granted.

    Args:
        ledger: where it is recorded.
        account: whose role.
        role: which.
        tournament: where, as it was granted.
        able: the accounts that can sign in; others do not count as administrators or officers who
            are left. None: all count, as for who can make accounts past the site.
        request: what accompanies it.

    Raises:
        InputRefused: it has it not, it is the last administrator, it takes two people, or no reason
            is given.
    """
    if able is not None and ledger.repeated(request) is None:
        _check_left(ledger, account, role, able, request.actor)
    command = RevokeRole(account=account, role=role, tournament=tournament)
    return ledger.execute([command], request)


def _check_left(
    view: LedgerView, account: str, role: Role, able: frozenset[str], actor: str
) -> None:
    """Refuses to take a role after which too few have it who can sign in; see ``revoke_role``."""
    facts = view.facts()
    others = holders(facts.accounts.values(), role) - {account}
    if role is Role.ADMINISTRATOR and others and not others & able:  # without any: see RevokeRole
        raise InputRefused("account.last_able", account=account)
    if role is Role.OFFICER and needs_two_to_revoke(facts, account, able):
        why = Message.of("two.one_able", list=min(lists_in_force(facts)))
        raise InputRefused("two.needed", why=why, actor=actor)


def revoke_all(ledger: Ledger, account: str, request: Request) -> Receipt:
    """Takes all its roles from an account, in one commit.

    Raises:
        NotFound: it has none.
        InputRefused: it is the last administrator, or no reason is given.
    """
    grants: Sequence[Grant] = sorted(rights_of(ledger, account).grants, key=str)
    if not grants:
        raise NotFound("account.unknown", account=account)
    return ledger.execute(
        [RevokeRole(account=account, **each._asdict()) for each in grants], request
    )


@dataclass(frozen=True, slots=True)
class Accounts(JsonForm):
    """The accounts that ever had a role, by name."""

    accounts: Sequence[AccountReport]


@dataclass(frozen=True, slots=True)
class AccountKey(JsonForm):
    """A key of an account: since which seq it signs, and at which it was revoked, if it was.

    ``relying_party`` is the host for which it was made, where it is a passkey.
    """

    account: str
    key: str
    relying_party: str | None
    since_seq: Seq
    revoked_seq: Seq | None


def account_keys(view: LedgerView) -> list[AccountKey]:
    """Returns the keys that were ever bound, by account, in the order in which they were."""
    return [
        AccountKey(name, key, bound.relying_party, bound.since, bound.revoked)
        for name, facts_ in sorted(view.facts().accounts.items())
        for key, bound in facts_.keys.items()
    ]


def bind_key(
    ledger: Ledger, account: str, key: str, request: Request, *, relying_party: str | None = None
) -> Receipt:
    """Binds a key to an account: from the next commit on it signs what it records.

    The first one is bound by anybody. Later ones by the account, which signs with one that it has,
    or by others; where the rule of two is in force, by two of them. ``key`` is the public key, in
    base64. ``relying_party`` is the host for which it was made, where it is a passkey.

    Raises:
        InputRefused: the account never had a role, the key was bound before, it is none that signs
            commits, it needs two people or a signature, or no reason is given.
    """
    from ledger.journal.signatures import can_sign  # noqa: PLC0415 - loads cryptography

    if not can_sign(key, relying_party):
        raise InputRefused("signing.no_key" if relying_party is None else "signing.no_algorithm")
    command = BindKey(account=account, key=key, relying_party=relying_party)
    return ledger.execute([command], request)


def revoke_key(ledger: Ledger, account: str, key: str, request: Request) -> Receipt:
    """Lets a key sign no more; by the account, or by others as in ``bind_key``.

    Raises:
        InputRefused: it does not sign for the account, it needs two people or a signature, or no
            reason is given.
    """
    return ledger.execute([RevokeKey(account=account, key=key)], request)


def _report(facts_: AccountFacts) -> AccountReport:
    grants = (
        GrantInForce(grant.role, grant.tournament, seq, on)
        for grant, (seq, on) in facts_.grants.items()
    )
    return AccountReport(facts_.account, tuple(grants))
