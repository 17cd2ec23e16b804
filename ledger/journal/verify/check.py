"""Checks everything that is stored, over the stored bytes, and names the first bad position.

What it cannot see is a journal whose last commits were cut off cleanly, or one that was hashed
anew from some point on: that only a checkpoint kept elsewhere can tell (``checkpoint``).

A commit that this process hashed and wrote, held against its rows as they are read back.

A row that is in every column the row that was hashed has its hash, and the tree over such rows is
the one that was made of them. So neither is calculated again. The first row that is another ends
this: ``parallel.verify_prefix`` goes on from there, hashes, and finds out what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import msgspec

from ledger.errors import DatabaseError, LedgerError, Unreachable, VerificationFailed
from ledger.identifiers import Seq
from ledger.journal.envelope import envelope, header_digest
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.records import (
    Commit,
    Head,
    PersonalDocument,
    Progress,
    StoredEvent,
    no_progress,
)
from ledger.journal.verify.parallel import verify_prefix
from ledger.journal.verify.ranges import LOWEST, PageReading
from ledger.journal.verify.rules import (
    UNEXPECTED_VALUES,
    BulkEvents,
    Seen,
    column_fault,
    event_fault,
    missing_events,
    place_fault,
    tree_fault,
    unreadable,
)
from ledger.journal.verify.walk import PROGRESS_EVENTS, VerifiedPrefix, tree_after
from ledger.wording import Message

_RANGE_EVENTS = 5_000
"""After so many events what was made of them is taken: longer ranges take more memory."""


def verify_written(
    journal: Journal,
    written: HashedEvents,
    reading: PageReading,
    progress: Progress,
    *,
    start: VerifiedPrefix,
    cuts: Collection[int] = (),
) -> dict[int, CompactRange]:
    """Returns the trees at the cuts in what is stored of a commit as it was written.

    Args:
        journal: the store.
        written: the commit's events.
        reading: what is to be made of them.
        progress: is told "verify", the last event that was compared, and the commit's last.
        start: what is verified already; it grows, if it ends before the commit.
        cuts: seqs at which the tree is wanted.
    """
    trees: dict[int, CompactRange] = {}
    commit = _stored_commit(journal, written, start)
    if commit is None:
        return trees
    for tree, made in _ranges(journal, written, commit, reading, start.seen, cuts):
        start.within = tree
        if tree.size == commit.last_seq:
            start.add(commit, tree)
        reading.take(made)
        if tree.size in cuts:
            trees[tree.size] = tree.copy()
        progress("verify", tree.size, commit.last_seq)
    return trees


def _stored_commit(journal: Journal, written: HashedEvents, start: VerifiedPrefix) -> Commit | None:
    """Returns the commit, if it is stored behind the start with the header that was hashed."""
    if (start.last_seq, start.tree.peaks) != (written.before.size, written.before.peaks):
        return None
    with suppress(LedgerError, *UNEXPECTED_VALUES):
        commit = next(journal.commits(after=start.commits or LOWEST), None)
        if commit is None or place_fault(commit, start.commits, start.seq) is not None:
            return None
        return commit if header_digest(commit) == written.header else None
    return None


def _ranges(
    journal: Journal,
    written: HashedEvents,
    commit: Commit,
    reading: PageReading,
    seen: Seen,
    cuts: Collection[int],
) -> Iterator[tuple[CompactRange, Any]]:
    """Yields the tree up to the end of each range that is right, and what was made of the range."""
    bulk, reader, after = BulkEvents(seen), reading.reader(), written.before.size
    with suppress(LedgerError, msgspec.DecodeError, *UNEXPECTED_VALUES):
        for columns, tree in written.parts(cuts):
            if not journal.holds(columns) or (fast := bulk.contents(columns)) is None:
                return
            reader.page(columns, fast)
            is_end = tree.size == commit.last_seq
            if is_end and tree_fault(commit, tree) is not None:
                return
            if is_end or tree.size in cuts or tree.size - after >= _RANGE_EVENTS:
                yield tree, reader.made()
                reader, after = reading.reader(), tree.size


_FINDINGS = 100
_UNREADABLE = 1_000
"""So many events, more than a page, are read one by one where a page cannot be read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was stored.

    ``seq`` is the first event concerned, ``commit_id`` its commit; 0 is none in particular.
    """

    seq: int
    message: Message
    commit_id: int = 0


@dataclass(frozen=True, slots=True)
class Integrity:
    """What a check saw: how much, the root at the end, which documents are gone, what is wrong.

    ``findings`` are in order of position, those without one last. The first is the one that
    counts, others may follow from it; there are at most 100. ``erased`` counts the identity
    documents that are gone because an event erased their person, ``lost`` the others that are gone.
    ``trees`` are those at the cuts that were asked for, and at the end. ``without`` are the players
    whose documents are lost.
    """

    commits: int
    events: int
    root: str
    erased: int
    lost: int
    findings: tuple[Finding, ...]
    trees: dict[int, CompactRange] = field(default_factory=dict, compare=False)
    without: tuple[str, ...] = ()


def check(
    journal: Journal,
    progress: Progress = no_progress,
    reading: PageReading | None = None,
    cuts: Collection[int] = (),
) -> Integrity:
    """Checks density, envelopes, leaves, roots, payloads, personal documents and the store itself.

    Of the store: its triggers, what is not the ledger's, and what it finds damaged in itself.

    Memory is bounded by the number of identity documents, not of events.

    Args:
        journal: the store; what is appended meanwhile is not checked.
        progress: is told "verify", the events done and their total.
        reading: what else is to be made of the events, while they are read and are right.
        cuts: seqs at which the tree is wanted.

    Raises:
        DatabaseError: the database cannot be read at all.
    """
    head = journal.head()
    damage = _in_background(journal.damage)
    prefix, trees = verify_prefix(journal, head, reading, progress, cuts=cuts)
    if prefix.seq == head.seq:
        trees[head.seq] = prefix.tree
    walk = _WalkPastFaults(journal, progress, head.seq, prefix)
    walk.to(head)
    erased, lost, losers = walk.personal(journal.personal())
    for name in journal.missing_triggers():
        walk.add(0, Message.of("verify.trigger", trigger=name))
    for name in journal.foreign_objects():
        walk.add(0, Message.of("verify.foreign", object=name))
    for message in damage.result():
        walk.add(0, message)
    return Integrity(
        walk.commits, walk.events, head.root, erased, lost, walk.in_order(), trees, losers
    )


def require_verified(
    journal: Journal,
    head: Head,
    reading: PageReading,
    progress: Progress,
    *,
    start: VerifiedPrefix,
    cuts: Collection[int] = (),
    written: HashedEvents | None = None,
) -> tuple[VerifiedPrefix, dict[int, CompactRange]]:
    """Checks the events between a start and a head, as ``check`` does.

    Args:
        journal: the store.
        head: where to end.
        reading: what is to be made of the events.
        progress: is told "verify", the last event that was verified, and the total.
        start: what is verified already.
        cuts: seqs at which the tree is wanted.
        written: a commit that was hashed and written just now; it is compared, not hashed again.

    Returns:
        The end, which is the head, and the trees at the cuts.

    Raises:
        VerificationFailed: the first thing that is not as it was recorded.
        DatabaseError: the database cannot be read.
    """
    known: dict[int, CompactRange] = {}
    if written is not None:
        before = replace(head, seq=Seq(min(written.before.size, head.seq)))
        start, known = verify_prefix(journal, before, reading, progress, start=start, cuts=cuts)
        known |= verify_written(journal, written, reading, progress, start=start, cuts=cuts)
    prefix, trees = verify_prefix(journal, head, reading, progress, start=start, cuts=cuts)
    trees |= known
    if (prefix.seq, prefix.tree.root().hex()) != (head.seq, head.root):
        walk = _WalkPastFaults(journal, progress, head.seq, prefix)
        walk.to(head)
        if isinstance(walk.unreadable, Message) and walk.unreadable.key.startswith("database."):
            raise DatabaseError(walk.unreadable.key, **dict(walk.unreadable.values))
        for finding in walk.in_order():
            raise VerificationFailed(finding.message.key, **dict(finding.message.values))
        raise VerificationFailed("verify.head", seq=head.seq, root=head.root)
    return prefix, trees


def _in_background(look: Callable[[], list[Message]]) -> Future[list[Message]]:
    """Lets the database look at itself while events are hashed: it does so without Python."""
    pool = ThreadPoolExecutor(1)
    looking = pool.submit(look)
    pool.shutdown(wait=False)
    return looking


class _WalkPastFaults:
    """Goes through the commits and events behind a verified prefix, one by one, past every fault.

    Behind a fault it goes on from what the commit says of itself, so that one bad row is one
    finding wherever that is possible.
    """

    def __init__(
        self, journal: Journal, progress: Progress, total: int, prefix: VerifiedPrefix
    ) -> None:
        self._journal = journal
        self._stored = _one_by_one_at_last(journal, prefix.seq or LOWEST, total)
        self._next: StoredEvent | None = None
        self._progress = progress
        self._total = total
        # None after a place from which the tree cannot be known.
        self._tree: CompactRange | None = prefix.tree
        self._seen = prefix.seen
        self.seq = self.events = prefix.seq
        self.commits = prefix.commits
        self.findings: list[Finding] = []
        # Why nothing more can be read.
        self.unreadable: Message | str | None = None
        self._advance()

    def to(self, head: Head) -> None:
        """Checks the commits up to a head, and that there is nothing behind it."""
        try:
            for commit in self._journal.commits(after=self.commits or LOWEST):
                if commit.commit_id > head.commit_id or self.unreadable:
                    break
                self.commit(commit)
        except Unreachable:
            raise
        except (DatabaseError, *UNEXPECTED_VALUES) as error:
            self.unreadable = error.message if isinstance(error, LedgerError) else str(error)
        self.end(self._journal.head().seq)

    def add(self, seq: int, fault: Message, commit_id: int = 0) -> None:
        """Adds a finding, unless there are enough."""
        if len(self.findings) < _FINDINGS:
            self.findings.append(Finding(seq, fault, commit_id))

    def in_order(self) -> tuple[Finding, ...]:
        """Returns the findings by position, those without one last."""
        return tuple(sorted(self.findings, key=lambda each: (each.seq == 0, each.seq)))

    def commit(self, commit: Commit) -> None:
        """Checks a commit and its events."""
        before = len(self.findings)
        self._place(commit)
        events = self._events(commit)
        if not self.unreadable and self.seq < commit.last_seq:
            self._gap(commit, commit.last_seq + 1)
        self.findings = (self.findings + events)[:_FINDINGS]
        if self.unreadable:
            return
        if len(self.findings) == before < _FINDINGS:
            self._after(commit)
        else:
            self._resume(commit)
        self.commits = commit.commit_id
        self.seq = commit.last_seq

    def _place(self, commit: Commit) -> None:
        """Checks that the commit continues the one before it."""
        fault = place_fault(commit, self.commits, self.seq)
        if fault is not None:
            self.add(self.seq + 1, fault, self.commits + 1)
        if commit.commit_id != self.commits + 1:
            # What a missing commit said of itself is covered by its events' hashes.
            for _ in self._taken(commit.first_seq - 1):
                pass
            self._tree = None
            self.seq = commit.first_seq - 1

    def _events(self, commit: Commit) -> list[Finding]:
        """Returns what is wrong with the events up to the commit's last."""
        first, header = self.seq + 1, header_digest(commit)
        findings: list[Finding] = []
        taken = other_hashes = 0
        for event in self._taken(commit.last_seq):
            if event.seq <= self.seq:
                at = max(1, event.seq)
                findings.append(Finding(at, column_fault(event.seq, "seq"), commit.commit_id))
                continue
            if event.seq > self.seq + 1:
                self._gap(commit, event.seq)
            self.seq = event.seq
            taken += 1
            message = self._event(event, commit, header)
            if message is not None:
                other_hashes += message.key == "verify.leaf"
                if len(findings) < _FINDINGS:
                    findings.append(Finding(event.seq, message, commit.commit_id))
        if other_hashes == taken > 1:
            # Every leaf covers the commit's own columns: those were changed, not all the events.
            values = {"commit": commit.commit_id, "first": first, "last": self.seq}
            return [Finding(first, Message.of("verify.commit", **values), commit.commit_id)]
        return findings

    def _event(self, event: StoredEvent, commit: Commit, header: str) -> Message | None:
        """Returns what is wrong with an event."""
        try:
            leaf = leaf_hash(envelope(event, header))
            if self._tree is not None:
                self._tree.append(leaf)
            return event_fault(event, leaf, commit, self._seen)
        except UNEXPECTED_VALUES as error:
            self._tree = None
            return unreadable(event.seq, str(error))

    def _after(self, commit: Commit) -> None:
        """Compares the tree after a commit in which nothing was found."""
        fault = tree_fault(commit, self._tree) if self._tree is not None else None
        if fault is not None:
            self.add(commit.first_seq, fault, commit.commit_id)
        if fault is not None or self._tree is None:
            self._resume(commit)

    def _resume(self, commit: Commit) -> None:
        """Goes on from the tree a commit says is after it, if that is one."""
        try:
            stored = tree_after(commit)
        except ValueError:
            stored = None
        if stored is not None and stored.root().hex() == commit.root:
            self._tree = stored
        elif self._tree is not None and self._tree.size != commit.last_seq:
            self._tree = None

    def _gap(self, commit: Commit, end: int) -> None:
        """Notes that the events before ``end`` are missing."""
        first = self.seq + 1
        self.add(first, missing_events(commit, first, end - 1), commit.commit_id)
        self._tree = None

    def _taken(self, last: int) -> Iterator[StoredEvent]:
        """Takes the stored events up to a seq."""
        while self._next is not None and self._next.seq <= last:
            event = self._next
            self.events += 1
            if event.seq % PROGRESS_EVENTS == 0 or event.seq == self._total:
                self._progress("verify", event.seq, self._total)
            yield event
            self._advance()

    def _advance(self) -> None:
        try:
            self._next = next(self._stored, None)
        except Unreachable:
            raise
        except DatabaseError as error:
            self._next, self.unreadable = None, error.message

    def end(self, head_seq: int) -> None:
        """Notes what comes after the last commit; up to the head as it is now it was appended."""
        if self.unreadable:
            seq = self.seq + 1
            self.add(seq, unreadable(seq, self.unreadable))
        elif self._next is not None and self._next.seq > head_seq:
            seq = self._next.seq
            self.add(seq, Message.of("verify.orphan", seq=seq, commit=self.commits))

    def personal(self, documents: Iterable[PersonalDocument]) -> tuple[int, int, tuple[str, ...]]:
        """Checks the documents that are there; returns how many are not: erased, lost, of whom."""
        missing, erased = dict(self._seen.identities), self._seen.erased()
        unknown = []
        for person in documents:
            reference = missing.pop(person.digest, None)
            if reference is None:
                unknown.append(person.digest)
                continue
            seq, commit_id, player = reference
            if person.digest in erased:
                fault = Message.of("verify.personal_back", player=player, digest=person.digest)
                self.add(0, fault)
            is_text = isinstance(person.document, str)  # a table made anew may hold anything
            if not is_text or sha256(person.document.encode()).hexdigest() != person.digest:
                fault = Message.of("verify.personal", seq=seq, digest=person.digest)
                self.add(seq, fault, commit_id)
            elif person.player != player:
                values = {"digest": person.digest, "player": player, "found": person.player}
                self.add(seq, Message.of("verify.personal_player", seq=seq, **values), commit_id)
        if not self.findings:
            # Where every event was read, every document has one that refers to it.
            for digest in sorted(unknown):
                self.add(0, Message.of("verify.personal_unknown", digest=digest))
        lost = [player for digest, (_, _, player) in missing.items() if digest not in erased]
        return len(missing) - len(lost), len(lost), tuple(sorted({*lost}))


def _one_by_one_at_last(journal: Journal, after: int, upto: int) -> Iterator[StoredEvent]:
    """Yields the events; where a page cannot be read, one by one up to the very event."""
    try:
        for event in journal.events(after=after):
            yield event
            after = event.seq
    except Unreachable:
        raise
    except DatabaseError:
        first = max(after, 0) + 1
        for seq in range(first, min(upto, first + _UNREADABLE) + 1):
            yield from journal.events(after=seq - 1, upto=seq)
        raise
