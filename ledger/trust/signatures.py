"""Holds the signatures of commits against the keys that were bound when they were recorded.

Holds changes of keys against the rules: who may bind and revoke them, and which.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from ledger.events.accounts import AccountGranted, AccountRevoked, KeyBound, KeyRevoked
from ledger.events.catalogue import CATALOGUE, AnyEvent
from ledger.events.lists import ListDefined, TwoPersonsSet
from ledger.facts.accounts import AccountFacts, key_owner
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, CommitSignature
from ledger.journal.signatures import commit_digest, is_good, proposed_text
from ledger.journal.verify.check import Finding
from ledger.trust.signers import persons, proposer
from ledger.trust.two_persons import Accounts, KeyChange, keys_lack_a_second
from ledger.wording import Message

_MATTER: Final = {
    each.TYPE
    for each in (AccountGranted, AccountRevoked, KeyBound, KeyRevoked, ListDefined, TwoPersonsSet)
}
_ANY_DAY: Final = dt.date.min  # since when a role is held, nobody asks here


class KeyChanges:
    """Goes through the commits once, with the events of accounts and lists; they are right already.

    Args:
        journal: what is stored.
    """

    def __init__(self, journal: Journal) -> None:
        names = [*journal.stream_names("account:"), *journal.stream_names("list:")]
        self._events = journal.streams(names)
        self._next = next(self._events, None)
        self._accounts: dict[str, AccountFacts] = {}
        self._lists: dict[str, bool] = {}

    def faults(self, commit: Commit) -> Iterator[Message]:
        """Yields what is wrong with what the next commit does about keys."""
        events = list(self._events_of(commit))
        changes = [event for _, event in events if isinstance(event, KeyChange)]
        lists = self._lists.values()
        account = keys_lack_a_second(self._accounts, lists, changes, commit.actor)
        if account is not None:
            yield _about_keys("signing.keys_of_others", commit, account)
        for seq, event in events:
            if isinstance(event, KeyChange) and not self._is_new(event):
                yield _about_keys("signing.key_again", commit, event.account)
            self._take(seq, event)

    def _events_of(self, commit: Commit) -> Iterator[tuple[Seq, AnyEvent]]:
        """Yields the events of a commit that matter here; those before it were asked for."""
        while self._next is not None and self._next.seq <= commit.last_seq:
            events = self._next
            if events.type in _MATTER:
                yield events.seq, CATALOGUE.decode(events.type, events.version, events.payload)
            self._next = next(self._events, None)

    def _is_new(self, change: KeyChange) -> bool:
        """Whether a key is bound for the first time, or one that signs is revoked."""
        if isinstance(change, KeyBound):
            return key_owner(self._accounts, change.key) is None
        keys = self._accounts.get(change.account)
        return keys is not None and change.key in keys.keys_in_force

    def _take(self, seq: Seq, event: AnyEvent) -> None:
        match event:
            case ListDefined():
                self._lists[event.list] = True
            case TwoPersonsSet():
                self._lists[event.list] = event.required
            case AccountGranted() | AccountRevoked() | KeyBound() | KeyRevoked():
                keys = self._accounts.setdefault(event.account, AccountFacts(event.account))
                keys.take(seq, event, _ANY_DAY)
            case _:
                raise AssertionError("it was not asked for")


def _about_keys(key: str, commit: Commit, account: str) -> Message:
    return Message.of(key, commit=commit.commit_id, account=account)


class SignatureCheck:
    """Goes through the commits and their signatures once; the events are right already.

    ``signed`` counts the commits that bear signatures, all of which are good. ``accounts`` are the
    accounts as the events make them, with all keys that they ever had.
    """

    def __init__(self, journal: Journal, accounts: Accounts) -> None:
        self._journal = journal
        self._accounts = {name: changes_ for name, changes_ in accounts.items() if changes_.keys}
        self.signed = 0

    def wrong(self) -> Iterator[Finding]:
        """Yields what is wrong: signatures, those that are missing, and who changed keys."""
        signatures = self._journal.signatures()
        waiting = next(signatures, None)
        if waiting is None and not self._accounts:
            return
        changes = KeyChanges(self._journal)
        for commit in self._journal.commits():
            keys: list[CommitSignature] = []
            while waiting is not None and waiting.commit_id <= commit.commit_id:
                keys.append(waiting)
                waiting = next(signatures, None)
            faults = list(self._faults(commit, keys))
            self.signed += bool(keys) and not faults
            faults += changes.faults(commit)
            yield from (Finding(commit.first_seq, fault) for fault in faults)
        while waiting is not None:
            yield Finding(0, _told("signing.stray", waiting))
            waiting = next(signatures, None)

    def _faults(self, commit: Commit, signatures: list[CommitSignature]) -> Iterator[Message]:
        names = persons(commit.actor)
        for signature in signatures:
            if signature.commit_id != commit.commit_id:
                yield _told("signing.stray", signature)
            elif signature.account not in names:
                yield _told("signing.no_actor", signature)
            elif signature.key not in self._keys(signature.account, commit):
                yield _told("signing.other_key", signature)
            elif not self._is_good(signature, commit):
                yield _told("signing.wrong", signature)
        signed = {signature.account for signature in signatures}
        for name in sorted(names - signed):
            if self._keys(name, commit):
                yield Message.of("signing.missing", commit=commit.commit_id, account=name)

    def _is_good(self, signature: CommitSignature, commit: Commit) -> bool:
        """Whether a signature is of the commit, or that of the first of two of what they record."""
        host = self._accounts[signature.account].keys[signature.key].relying_party
        if is_good(signature, commit, host):
            return True
        if host is None or proposer(commit.actor) != signature.account:
            return False
        events = self._journal.events(after=commit.first_seq - 1, upto=commit.last_seq)
        text = proposed_text(signature.account, commit_digest(commit, events))
        return is_good(signature, commit, host, text)

    def _keys(self, account: str, commit: Commit) -> frozenset[str]:
        """Returns the keys with which an account was to sign a commit."""
        keys = self._accounts.get(account)
        return keys.keys_at(commit.first_seq) if keys is not None else frozenset()


def _told(key: str, signature: CommitSignature) -> Message:
    return Message.of(key, commit=signature.commit_id, account=signature.account)
