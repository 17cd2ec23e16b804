"""An account folded from its events: which roles it has, and since when.

The registrar and who checks a right fold alike.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, assert_never

from ledger.events import accounts as ac
from ledger.identifiers import NO_EVENT, Seq
from ledger.terms import Role

_ED25519: Final = "MCowBQYDK2VwAyEA"  # 12 bytes of a SubjectPublicKeyInfo, in base64 (RFC 8410)


class Grant(NamedTuple):
    """A role: everywhere, or (an arbiter's) at one tournament."""

    role: Role
    tournament: str | None = None


@dataclass(frozen=True, slots=True)
class BoundKey:
    """Since which seq a key signs for an account, and up to which it did (None: it still does).

    ``relying_party`` is the host for which it was made, where it is a passkey.
    """

    since: Seq
    revoked: Seq | None = None
    relying_party: str | None = None

    def holds(self, first_seq: Seq) -> bool:
        """Whether it signs a commit that begins at a seq: bound before, revoked not before."""
        return self.since < first_seq and (self.revoked is None or first_seq <= self.revoked)


@dataclass(slots=True)
class AccountFacts:
    """What an account may do.

    ``grants`` are those in force, with the seq and the day since when. ``granted`` and ``revoked``
    are the seqs of the last grant of a role everywhere, and of the last time that a role, or every
    way in, was taken; 0: never. ``keys`` are those that were ever bound to it.
    """

    account: str
    grants: dict[Grant, tuple[Seq, dt.date]] = field(default_factory=dict)
    granted: Seq = NO_EVENT
    revoked: Seq = NO_EVENT
    keys: dict[str, BoundKey] = field(default_factory=dict)

    def copy(self) -> AccountFacts:
        """Returns what was taken so far; later events do not change it."""
        return AccountFacts(
            self.account, dict(self.grants), self.granted, self.revoked, dict(self.keys)
        )

    def take(self, seq: Seq, event: ac.AnyAccountEvent, on: dt.date) -> None:
        """Takes the next event of the account."""
        match event:
            case ac.AccountGranted():
                self.grants[Grant(event.role, event.tournament)] = seq, on
                if event.tournament is None:
                    self.granted = seq
            case ac.AccountRevoked():
                self.grants.pop(Grant(event.role, event.tournament), None)
                self.revoked = seq
            case ac.AccountEntrusted():
                if event.way == "link":
                    self.revoked = seq
            case ac.KeyBound():
                # Of what was ever bound, what was said first holds: no event past the program lets
                # a key sign again that was revoked.
                self.keys.setdefault(event.key, BoundKey(seq, relying_party=event.relying_party))
            case ac.KeyRevoked():
                if event.key in self.keys_in_force:
                    self.keys[event.key] = replace(self.keys[event.key], revoked=seq)
            case _:
                assert_never(event)

    @property
    def roles(self) -> frozenset[Role]:
        """Its roles; an arbiter's also where it is limited."""
        return frozenset(grant.role for grant in self.grants)

    @property
    def tournaments(self) -> frozenset[str] | None:
        """The tournaments to which it is limited as an arbiter; None: it is not limited."""
        if Grant(Role.ARBITER) in self.grants:
            return None
        return frozenset(grant.tournament for grant in self.grants if grant.tournament is not None)

    def keys_at(self, first_seq: Seq) -> frozenset[str]:
        """Returns the keys with which it signs a commit that begins at a seq."""
        return frozenset(key for key, bound in self.keys.items() if bound.holds(first_seq))

    @property
    def keys_in_force(self) -> frozenset[str]:
        """The keys with which it signs what is recorded next."""
        return frozenset(key for key, bound in self.keys.items() if bound.revoked is None)


def key_owner(accounts: Mapping[str, AccountFacts], key: str) -> str | None:
    """Returns the account to which a key was ever bound, as a file or as a passkey."""
    bare = _bare(key)
    found = (
        name for name, its in accounts.items() if any(_bare(each) == bare for each in its.keys)
    )
    return next(found, None)


def _bare(key: str) -> str:
    """Returns a key of Ed25519 without what says so, as a passkey's begins: it is the same one."""
    return key.removeprefix(_ED25519)


def holders(accounts: Iterable[AccountFacts], role: Role) -> frozenset[str]:
    """Returns the names of the accounts that have a role."""
    return frozenset(each.account for each in accounts if role in each.roles)
