"""Checks events that are read one by one, out of their order: by their stream, by what they name.

Whoever reads all events in order holds them against the root of every commit (see ``walk``).
Here every event must have the leaf hash that its columns and its commit's come to; and the events
of a commit that is not long are all hashed, and held against its root.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from threading import Lock

from ledger.errors import NotFound, VerificationFailed
from ledger.journal.envelope import event_leaf_hashes, header_digest
from ledger.journal.interface import Journal
from ledger.journal.merkle import HASH_BYTES
from ledger.journal.records import Commit, StoredEvent, StoredRow
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.journal.verify.walk import VerifiedPrefix, Walk

MOST_EVENTS = 2_000
"""A longer commit is not hashed for a few of its events."""

_AT_ONCE = 1_000
_MOST_COMMITS = 4_000  # that are remembered, with
_MOST_LEAVES = 250_000  # so many events: a dozen megabytes at most
_stream = itemgetter(StoredEvent.__slots__.index("stream"))
_leaf = itemgetter(StoredEvent.__slots__.index("leaf_hash"))
_columns = attrgetter(
    "seq", "event_id", "type", "version", "effective_on", "stream", "payload", "leaf_hash"
)


@dataclass(frozen=True, slots=True)
class CheckedCommit:
    """A commit that was looked at; its events, where they were hashed whole.

    ``leaves`` are the leaf hashes that its root is made of, one after the other, ``streams`` says
    how many events of each stream there are; of a long commit there are none.
    """

    commit: Commit
    leaves: bytes = b""
    streams: Counter[str] | None = None

    def has(self, seq: int, leaf: bytes) -> bool:
        """Whether its root was made of a leaf; of a commit that was not hashed whole: yes."""
        if self.streams is None:
            return True
        at = (seq - self.commit.first_seq) * HASH_BYTES
        return at >= 0 and self.leaves[at : at + HASH_BYTES] == leaf


class CheckedCommits:
    """Remembers commits of a journal that were looked at, those that were looked at last.

    Several threads may share it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, CheckedCommit] = OrderedDict()
        self._leaves = 0

    def find(self, commits: Iterable[int]) -> dict[int, CheckedCommit]:
        """Returns those of the commits, by id, that are remembered."""
        with self._lock:
            found = {each: self._kept[each] for each in commits if each in self._kept}
            for each in found:
                self._kept.move_to_end(each)
            return found

    def keep(self, found: Mapping[int, CheckedCommit]) -> None:
        """Remembers commits."""
        with self._lock:
            for number, checked in found.items():
                self._forget(number)
                self._kept[number] = checked
                self._leaves += len(checked.leaves)
            while len(self._kept) > _MOST_COMMITS or self._leaves > _MOST_LEAVES * HASH_BYTES:
                self._forget(next(iter(self._kept)))

    def clear(self) -> None:
        """Remembers none."""
        with self._lock:
            self._kept.clear()
            self._leaves = 0

    def _forget(self, number: int) -> None:
        gone = self._kept.pop(number, None)
        self._leaves -= 0 if gone is None else len(gone.leaves)


class EventCheck:
    """Checks the events of one question, and knows the commits that were looked at for it.

    ``remembered`` has those of other questions: what was hashed once is not hashed again.
    """

    def __init__(self, journal: Journal, remembered: CheckedCommits | None = None) -> None:
        self._journal = journal
        self._remembered = remembered or CheckedCommits()
        self._known: dict[int, CheckedCommit] = {}

    def checked(self, events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
        """Yields events, after they were checked.

        Raises:
            VerificationFailed: one is not what was recorded.
        """
        left = iter(events)
        while page := list(islice(left, _AT_ONCE)):
            self._look_up({event.commit_id for event in page})
            leaves: dict[int, bytes] = {}
            for commit_id, group in groupby(page, attrgetter("commit_id")):
                leaves |= self._checked_leaves(commit_id, list(group))
            self._hash_whole({event.commit_id for event in page})
            for event in page:
                if not self._known[event.commit_id].has(event.seq, leaves[event.seq]):
                    raise _other_root(self._known[event.commit_id].commit)
            yield from page

    def read(self, seq: int) -> tuple[StoredEvent, Commit]:
        """Returns an event, checked, with its commit.

        Raises:
            NotFound: there is no such seq.
            VerificationFailed: it is not what was recorded.
        """
        event = next(self.checked(self._journal.events(after=seq - 1, upto=seq)), None)
        if event is None:
            raise NotFound("database.no_such_seq", seq=seq, last=self._journal.head().seq)
        return event, self.commit(event.commit_id, seq)

    def commit(self, commit_id: int, seq: int) -> Commit:
        """Returns a commit; ``seq`` is that of an event which names it.

        Raises:
            VerificationFailed: there is none.
        """
        self._look_up([commit_id])
        if commit_id not in self._known:
            raise VerificationFailed("verify.leaf", seq=seq, commit=commit_id)
        return self._known[commit_id].commit

    def streams_of(self, commit_id: int) -> Counter[str] | None:
        """Returns how many events of each stream a commit has; None, if it was not hashed whole."""
        known = self._known.get(commit_id)
        return None if known is None else known.streams

    def _look_up(self, commits: Collection[int]) -> None:
        """Sees to it that commits are known, those of them that there are."""
        new = [each for each in commits if each not in self._known]
        if not new:
            return
        found = self._remembered.find(new)
        left = [each for each in new if each not in found]
        if left:
            read = {each.commit_id: CheckedCommit(each) for each in self._journal.commits_at(left)}
            self._remembered.keep(read)
            found |= read
        self._known |= found

    def _checked_leaves(self, commit_id: int, events: list[StoredEvent]) -> dict[int, bytes]:
        """Returns the leaf hashes of events of a commit by seq; they must be those stored."""
        commit = self.commit(commit_id, events[0].seq)
        try:
            seqs, *columns, stored = zip(*map(_columns, events), strict=True)
            leaves = event_leaf_hashes(header_digest(commit), seqs, *columns)
            made = dict(zip(seqs, leaves, strict=True))
            wrong = [seq for seq, leaf in zip(seqs, stored, strict=True) if made[seq].hex() != leaf]
        except UNEXPECTED_VALUES as error:
            seq = events[0].seq
            raise VerificationFailed("verify.unreadable", seq=seq, why=str(error)) from error
        if wrong:
            raise VerificationFailed("verify.leaf", seq=wrong[0], commit=commit_id)
        return made

    def _hash_whole(self, commits: Iterable[int]) -> None:
        """Hashes all events of those of the commits that were not and are not long."""
        found = (self._known[each] for each in sorted(commits))
        new = [
            each.commit
            for each in found
            if each.streams is None and _later(each.commit) < MOST_EVENTS
        ]
        self._look_up([commit.commit_id - 1 for commit in new if commit.commit_id > 1])
        left = iter(new)
        while some := _together(left):
            seqs = [seq for each in some for seq in range(each.first_seq, each.last_seq + 1)]
            rows: dict[int, StoredRow] = {row[0]: row for row in self._journal.rows_at(seqs)}
            checked = {each.commit_id: self._checked_whole(each, rows) for each in some}
            self._known |= checked
            self._remembered.keep(checked)

    def _checked_whole(self, commit: Commit, rows: Mapping[int, StoredRow]) -> CheckedCommit:
        """Hashes a commit; ``rows`` are its events by seq, and others."""
        own = [rows[seq] for seq in range(commit.first_seq, commit.last_seq + 1) if seq in rows]
        before = self._known.get(commit.commit_id - 1)
        try:
            start = VerifiedPrefix.behind(before.commit if before else None)
            Walk([commit], [own], start, upto=commit.last_seq).to_end()
        except (VerificationFailed, *UNEXPECTED_VALUES) as error:
            raise _other_root(commit) from error
        leaves = b"".join(map(bytes.fromhex, map(_leaf, own)))
        return CheckedCommit(commit, leaves, Counter(map(_stream, own)))


def _later(commit: Commit) -> int:
    """Returns how many events a commit has behind its first."""
    return commit.last_seq - commit.first_seq


def _together(commits: Iterator[Commit]) -> Sequence[Commit]:
    """Returns the next commits whose events are read at once; none at the end."""
    some, events = [], 0
    for commit in commits:
        some.append(commit)
        events += max(0, _later(commit)) + 1
        if events >= _AT_ONCE:
            break
    return some


def _other_root(commit: Commit) -> VerificationFailed:
    """Returns the failure of a commit whose events are not those that its root is made of."""
    first, last = commit.first_seq, commit.last_seq
    return VerificationFailed("verify.root", commit=commit.commit_id, first=first, last=last)
