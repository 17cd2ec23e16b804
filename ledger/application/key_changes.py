"""Holds changes of keys against the rules: who may bind and revoke them, and which."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from ledger.application.two_persons import KeyChange, keys_lack_a_second
from ledger.events.accounts import AccountGranted, AccountRevoked, KeyBound, KeyRevoked
from ledger.events.catalogue import CATALOGUE, AnyEvent
from ledger.events.lists import ListDefined, TwoPersonsSet
from ledger.facts.accounts import AccountFacts, key_owner
from ledger.journal.interface import Journal
from ledger.journal.records import Commit
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

    def _events_of(self, commit: Commit) -> Iterator[tuple[int, AnyEvent]]:
        """Yields the events of a commit that matter here; those before it were asked for."""
        while self._next is not None and self._next.seq <= commit.last_seq:
            its = self._next
            if its.type in _MATTER:
                yield its.seq, CATALOGUE.decode(its.type, its.version, its.payload)
            self._next = next(self._events, None)

    def _is_new(self, change: KeyChange) -> bool:
        """Whether a key is bound for the first time, or one that signs is revoked."""
        if isinstance(change, KeyBound):
            return key_owner(self._accounts, change.key) is None
        its = self._accounts.get(change.account)
        return its is not None and change.key in its.keys_in_force

    def _take(self, seq: int, event: AnyEvent) -> None:
        match event:
            case ListDefined():
                self._lists[event.list] = True
            case TwoPersonsSet():
                self._lists[event.list] = event.required
            case AccountGranted() | AccountRevoked() | KeyBound() | KeyRevoked():
                its = self._accounts.setdefault(event.account, AccountFacts(event.account))
                its.take(seq, event, _ANY_DAY)
            case _:
                raise AssertionError("it was not asked for")


def _about_keys(key: str, commit: Commit, account: str) -> Message:
    return Message.of(key, commit=commit.commit_id, account=account)
