"""Who must sign what is recorded, and with which key.

A key is bound to an account by an event. From then on, until it is revoked, a commit of which the
account is an actor is signed with one of its keys: without, it is refused here, and named by
``verify`` where somebody recorded it past this program. Accounts without keys go on as before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from ledger.errors import InputRefused
from ledger.facts.accounts import AccountFacts
from ledger.journal.interface import Journal
from ledger.journal.records import Draft, Head, SignCommit, unsigned
from ledger.trust.two_persons import Accounts, both, people_of, person

if TYPE_CHECKING:
    from ledger.journal.checkpoint import Signer
    from ledger.trust.passkeys import PasskeyOwner, PasskeySignature


def persons(actor: str) -> frozenset[str]:
    """Returns the names of the one or two people who are the actor of a commit, as accounts."""
    return frozenset(person(each) for each in people_of(actor) if each is not None)


def proposer(actor: str) -> str | None:
    """Returns the first of two people who are the actor of a commit; None where it is one."""
    first, second = people_of(actor)
    return None if second is None else person(first)


@dataclass(frozen=True, slots=True)
class SigningMeans:
    """With what a request can be signed: keys in files, a passkey, what a first person signed."""

    signers: Sequence[Signer] = ()
    owner: PasskeyOwner | None = None
    proposed: PasskeySignature | None = None


@dataclass(frozen=True, slots=True)
class Signing:
    """Who signs a commit with what.

    ``sign`` signs with the keys in files. ``owner`` is who is to sign with a passkey, ``proposed``
    what the first of two has signed before.
    """

    accounts: Accounts
    sign: SignCommit = unsigned
    owner: PasskeyOwner | None = None
    proposed: PasskeySignature | None = None

    def signed(
        self, journal: Journal, draft: Draft, head: Head, clock: Callable[[], dt.datetime]
    ) -> tuple[Draft, dt.datetime | None]:
        """Returns a draft with what signs it, and its instant, where that is signed already.

        Raises:
            SignatureAwaited: somebody is to sign it with a passkey first.
            InputRefused: it is not what was signed.
        """
        draft = replace(draft, sign=self.sign)
        if self.owner is None and self.proposed is None:
            return draft, None
        from ledger.trust.passkeys import (  # noqa: PLC0415 - loads cryptography
            passkey_signed,
            with_proposal,
        )

        if self.proposed is not None:
            host = self._host(self.proposed.account, self.proposed.key)
            draft = with_proposal(draft, self.proposed, host)
        if self.owner is None:
            return draft, None
        host_of = partial(self._host, self.owner.account)
        return passkey_signed(journal, draft, head, self.owner, host_of, clock())

    def _host(self, account: str, key: str) -> str | None:
        """Returns for which host a passkey was made that signs for an account now; else None."""
        bound = self.accounts[account].keys.get(key)
        return None if bound is None or bound.revoked is not None else bound.relying_party


def signing_for(accounts: Accounts, actor: str, second: str | None, means: SigningMeans) -> Signing:
    """Returns who signs a commit of one or two people, with what is at hand.

    ``accounts`` is what is recorded of accounts before the commit. ``second`` is who agrees, if
    anybody does.

    Raises:
        InputRefused: a key is none of either, or one of them has keys and none of his is at hand.
    """
    names = persons(both(actor, second))
    found = dict(_owners(accounts, names, means.signers))
    owner, proposed = means.owner, means.proposed
    by_passkey, before = None, None
    for name in sorted(names):
        in_force = accounts[name].keys_in_force if name in accounts else frozenset()
        if not in_force or name in found:
            continue
        if owner is not None and owner.account == name and owner.keys & in_force:
            by_passkey = owner
        elif (
            second is not None
            and proposed is not None
            and proposed.account == name == person(actor)
            and proposed.key in in_force
        ):
            before = proposed
        else:
            raise unsigned_by(accounts[name], owner)
    sign: SignCommit = unsigned
    if found:
        from ledger.journal.signatures import signing  # noqa: PLC0415 - loads cryptography

        sign = signing(sorted(found.items()))
    return Signing(accounts, sign, by_passkey, before)


def unsigned_by(account: AccountFacts, owner: PasskeyOwner | None) -> InputRefused:
    """Returns the refusal of what an account has not signed, with how it is signed.

    ``owner`` is who stands at a browser, if anybody does.
    """
    name = account.account
    sites = {account.keys[key].relying_party for key in account.keys_in_force}
    if None in sites:
        return InputRefused("signing.unsigned", account=name)
    if owner is None:
        return InputRefused(
            "signing.by_passkey", account=name, site=", ".join(sorted(filter(None, sites)))
        )
    key = "signing.passkey_gone" if owner.account == name else "signing.not_proposed"
    return InputRefused(key, account=name)


def _owners(
    accounts: Accounts, names: Iterable[str], signers: Sequence[Signer]
) -> Iterator[tuple[str, Signer]]:
    """Yields each key with the account for which it signs."""
    if not signers:
        return
    from ledger.journal.signatures import public_key  # noqa: PLC0415 - loads cryptography

    in_force = {name: accounts[name].keys_in_force for name in names if name in accounts}
    for signer in signers:
        key = public_key(signer)
        owner = next((name for name, keys in in_force.items() if key in keys), None)
        if owner is None:
            raise InputRefused("signing.not_bound", key=key, actor=", ".join(sorted(names)))
        yield owner, signer


def signers_between(journal: Journal, first: int, last: int) -> dict[int, list[str]]:
    """Returns who signed each of the commits from one number to another; only the signed ones.

    That is what is stored: whether the signatures are good, ``verify`` says.
    """
    found: dict[int, list[str]] = {}
    within = takewhile(lambda each: each.commit_id <= last, journal.signatures(after=first - 1))
    for signature in within:
        found.setdefault(signature.commit_id, []).append(signature.account)
    return found
