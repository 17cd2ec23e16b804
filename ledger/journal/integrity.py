"""Checks everything that is stored, over the stored bytes, and names the first bad position.

What it cannot see is a journal whose last commits were cut off cleanly, or one that was hashed
anew from some point on: that only a checkpoint kept elsewhere can tell (``checkpoint``).
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.errors import LedgerError
from ledger.events.catalogue import CATALOGUE
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered
from ledger.journal.entries import Commit, Journal, StoredEvent
from ledger.journal.envelope import envelope, event_id, header_digest
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was stored, at a seq (0: at no event in particular)."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class Integrity:
    """What a check saw: how much, the root at the end, who is erased, and what is wrong.

    ``findings`` are in order of position; the first is the one that counts.
    """

    commits: int
    events: int
    root: str
    erased: int
    findings: tuple[Finding, ...]


def check(journal: Journal, progress: Callable[[str, int, int], None]) -> Integrity:
    """Checks triggers, density, envelopes, leaves, roots, payloads and personal documents."""
    findings = [
        Finding(0, Message.of("verify.trigger", trigger=name))
        for name in journal.missing_triggers()
    ]
    checker = _Checker(journal, progress)
    found = checker.first_bad()
    if found is not None:
        findings.append(found)
    findings += checker.personal()
    return Integrity(
        checker.commits, checker.tree.size, checker.tree.root().hex(), checker.erased,
        tuple(findings),
    )  # fmt: skip


class _Checker:
    """Walks commits and events side by side, once."""

    def __init__(self, journal: Journal, progress: Callable[[str, int, int], None]) -> None:
        self._journal = journal
        self._progress = progress
        self._identities: dict[str, int] = {}
        self.tree = CompactRange()
        self.commits = 0
        self.erased = 0

    def first_bad(self) -> Finding | None:
        """Returns the first thing that is wrong with the journal, or None."""
        events = self._journal.events()
        total = self._journal.head().seq
        for commit in self._journal.commits():
            found = self._commit(commit)
            if found is None:
                header = header_digest(commit)
                for position, event in enumerate(_some(events, commit), start=1):
                    if event.seq % 1000 == 0 or event.seq == total:
                        self._progress("verify", event.seq, total)
                    found = self._event(event, commit, header, position)
                    if found is not None:
                        return found
                found = self._after(commit)
            if found is not None:
                return found
        left = next(iter(events), None)
        return None if left is None else _at(left.seq, "verify.orphan", event=left.event_id)

    def _commit(self, commit: Commit) -> Finding | None:
        expected = self.commits + 1
        first = self.tree.size + 1
        if commit.commit_id != expected:
            return _at(first, "verify.commit_missing", expected=expected, found=commit.commit_id)
        if commit.first_seq != first or commit.last_seq < first:
            return _at(
                first,
                "verify.commit_range",
                commit=commit.commit_id,
                range=f"{commit.first_seq}-{commit.last_seq}",
                expected=first,
            )
        self.commits = expected
        return None

    def _event(
        self, event: StoredEvent, commit: Commit, header: str, position: int
    ) -> Finding | None:
        expected = self.tree.size + 1
        if event.seq != expected:
            return _at(expected, "verify.seq_missing", expected=expected, found=event.seq)
        if event.commit_id != commit.commit_id:
            return _at(event.seq, "verify.column", seq=event.seq, column="commit_id")
        leaf = leaf_hash(envelope(event, header))
        if leaf.hex() != event.leaf_hash:
            return _at(event.seq, "verify.leaf", seq=event.seq, commit=commit.commit_id)
        if event.event_id != event_id(commit.idempotency_key, position):
            return _at(event.seq, "verify.column", seq=event.seq, column="event_id")
        self.tree.append(leaf)
        return self._content(event)

    def _content(self, event: StoredEvent) -> Finding | None:
        """Checks that the payload is the canonical text of an event of that stream and day."""
        try:
            read = CATALOGUE.decode(event.type, event.version, event.payload)
            dt.date.fromisoformat(event.effective_on)
        except (LedgerError, ValueError) as error:
            return _at(event.seq, "verify.unreadable", seq=event.seq, why=error)
        if event.version == read.VERSION and event.payload != read.canonical():
            return _at(event.seq, "verify.column", seq=event.seq, column="payload")
        if read.stream != event.stream:
            return _at(event.seq, "verify.column", seq=event.seq, column="stream")
        if isinstance(read, PlayerRegistered | PlayerIdentityCorrected):
            self._identities[read.identity] = event.seq
        return None

    def _after(self, commit: Commit) -> Finding | None:
        if self.tree.size != commit.last_seq:
            return _at(
                self.tree.size + 1,
                "verify.seq_missing",
                expected=self.tree.size + 1,
                found="-",
            )
        peaks = " ".join(peak.hex() for peak in self.tree.peaks)
        if commit.peaks != peaks:
            return _at(commit.last_seq, "verify.peaks", commit=commit.commit_id)
        if commit.root != self.tree.root().hex():
            return _at(commit.last_seq, "verify.root", commit=commit.commit_id)
        return None

    def personal(self) -> Iterator[Finding]:
        """Checks the documents that are there; those that are not were erased."""
        documents = self._journal.personal_documents()
        for digest, seq in self._identities.items():
            document = documents.get(digest)
            if document is None:
                self.erased += 1
            elif hashlib.sha256(document.encode()).hexdigest() != digest:
                yield _at(seq, "verify.personal", seq=seq)


def _some(events: Iterator[StoredEvent], commit: Commit) -> Iterator[StoredEvent]:
    """Yields as many events as the commit says it has."""
    for _ in range(commit.last_seq - commit.first_seq + 1):
        event = next(events, None)
        if event is None:
            return
        yield event


def _at(at: int, key: str, /, **values: object) -> Finding:
    return Finding(at, Message.of(key, **values))
