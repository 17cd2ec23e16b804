"""Who must sign what is recorded, and with which key.

A key is bound to an account by an event. From then on, until it is revoked, a commit of which the
account is an actor is signed with one of its keys: without, it is refused here, and named by
``verify`` where somebody recorded it past this program. Accounts without keys go on as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from ledger.application.two_persons import AND, both, person
from ledger.errors import InputRefused
from ledger.facts.accounts import AccountFacts
from ledger.journal.records import Journal, SignCommit, unsigned

if TYPE_CHECKING:
    from ledger.journal.checkpoint import Signer

Accounts: TypeAlias = Mapping[str, AccountFacts]


def persons(actor: str) -> frozenset[str]:
    """Returns the names of the one or two people who are the actor of a commit, as accounts."""
    return frozenset(map(person, actor.split(AND)))


def signing_for(
    accounts: Accounts, actor: str, second: str | None, signers: Sequence[Signer]
) -> SignCommit:
    """Returns what signs a commit of one or two people with the keys at hand.

    Args:
        accounts: what is recorded of accounts before the commit.
        actor: who asks for it.
        second: who agrees, if anybody does.
        signers: the keys at hand.

    Raises:
        InputRefused: one is no key of either, or one of them has keys and none of his is at hand.
    """
    names = persons(both(actor, second))
    found = dict(_owners(accounts, names, signers))
    for name in sorted(names):
        if name in accounts and accounts[name].keys_in_force and name not in found:
            raise InputRefused("signing.unsigned", account=name)
    if not found:
        return unsigned
    from ledger.journal.signatures import signing  # noqa: PLC0415 - loads cryptography

    return signing(sorted(found.items()))


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
