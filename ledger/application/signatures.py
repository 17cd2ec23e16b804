"""Holds the signatures of commits against the keys that were bound when they were recorded."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.application.key_changes import KeyChanges
from ledger.application.signers import persons, proposer
from ledger.application.two_persons import Accounts
from ledger.journal.interface import Journal
from ledger.journal.proposals import commit_digest, proposed_text
from ledger.journal.records import Commit, CommitSignature
from ledger.journal.signatures import is_good
from ledger.journal.verify.check import Finding
from ledger.wording import Message


class SignatureCheck:
    """Goes through the commits and their signatures once; the events are right already.

    ``signed`` counts the commits that bear signatures, all of which are good. ``accounts`` are the
    accounts as the events make them, with all keys that they ever had.
    """

    def __init__(self, journal: Journal, accounts: Accounts) -> None:
        self._journal = journal
        self._accounts = {name: its for name, its in accounts.items() if its.keys}
        self.signed = 0

    def wrong(self) -> Iterator[Finding]:
        """Yields what is wrong: signatures, those that are missing, and who changed keys."""
        signatures = self._journal.signatures()
        waiting = next(signatures, None)
        if waiting is None and not self._accounts:
            return
        changes = KeyChanges(self._journal)
        for commit in self._journal.commits():
            its: list[CommitSignature] = []
            while waiting is not None and waiting.commit_id <= commit.commit_id:
                its.append(waiting)
                waiting = next(signatures, None)
            faults = list(self._faults(commit, its))
            self.signed += bool(its) and not faults
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
        its = self._accounts.get(account)
        return its.keys_at(commit.first_seq) if its is not None else frozenset()


def _told(key: str, signature: CommitSignature) -> Message:
    return Message.of(key, commit=signature.commit_id, account=signature.account)
