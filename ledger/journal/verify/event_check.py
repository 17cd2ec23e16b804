"""Checks events that are read one by one, out of their order: by their stream, by what they name.

Whoever reads all events in order holds them against the root of every commit (see ``walk``).
Here every event must have the leaf hash that its columns and its commit's come to; and the events
of a commit that is not long are all hashed, and held against its root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import attrgetter, itemgetter

from ledger.errors import NotFound, VerificationFailed
from ledger.journal.envelope import event_leaf_hashes, header_digest
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.journal.verify.walk import VerifiedPrefix, Walk

MOST_EVENTS = 2_000
"""A longer commit is not hashed for a few of its events."""

_AT_ONCE = 1_000
_stream = itemgetter(StoredEvent.__slots__.index("stream"))
_columns = attrgetter(
    "seq", "event_id", "type", "version", "effective_on", "stream", "payload", "leaf_hash"
)
_ONE_BY_ONE = 50
"""So many commits are looked up; then all of them are read."""


class EventCheck:
    """Checks events of a journal, and knows the commits that were looked at."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._commits: dict[int, Commit] = {}
        self._counts: dict[int, Counter[str]] = {}
        self._all_are_read = False

    def checked(self, events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
        """Yields events, after they were checked.

        Raises:
            VerificationFailed: one is not what was recorded.
        """
        left = iter(events)
        while page := list(islice(left, _AT_ONCE)):
            for commit_id, its in groupby(page, attrgetter("commit_id")):
                self._check(commit_id, list(its))
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
        found = self._found(commit_id)
        if found is None:
            raise VerificationFailed("verify.leaf", seq=seq, commit=commit_id)
        return found

    def _found(self, commit_id: int) -> Commit | None:
        if commit_id not in self._commits:
            is_one = self._all_are_read or len(self._commits) < _ONE_BY_ONE
            self._all_are_read = self._all_are_read or not is_one
            commits = self._journal.commits(after=commit_id - 1 if is_one else 0)
            wanted = islice(commits, 1) if is_one else commits
            self._commits.update((commit.commit_id, commit) for commit in wanted)
        return self._commits.get(commit_id)

    def _check(self, commit_id: int, events: list[StoredEvent]) -> None:
        commit = self.commit(commit_id, events[0].seq)
        try:
            *columns, told = zip(*map(_columns, events), strict=True)
            leaves = map(bytes.hex, event_leaf_hashes(header_digest(commit), *columns))
            compared = zip(events, told, leaves, strict=True)
            wrong = [event.seq for event, stored, leaf in compared if stored != leaf]
        except UNEXPECTED_VALUES as error:
            seq = events[0].seq
            raise VerificationFailed("verify.unreadable", seq=seq, why=str(error)) from error
        if wrong:
            raise VerificationFailed("verify.leaf", seq=wrong[0], commit=commit_id)
        if commit_id not in self._counts and commit.last_seq - commit.first_seq < MOST_EVENTS:
            self._counts[commit_id] = self._check_whole(commit)

    def streams_of(self, commit_id: int) -> Counter[str] | None:
        """Returns how many events of each stream a commit has; None, if it was not hashed whole."""
        return self._counts.get(commit_id)

    def _check_whole(self, commit: Commit) -> Counter[str]:
        """Hashes all events of a commit; returns how many there are of each stream."""
        before = self._found(commit.commit_id - 1) if commit.commit_id > 1 else None
        after = before.last_seq if before else 0
        streams = Counter[str]()
        try:
            Walk(
                [commit],
                self._journal.pages(after=after, upto=commit.last_seq),
                VerifiedPrefix.behind(before),
                upto=commit.last_seq,
                page_seen=lambda rows, _: streams.update(map(_stream, rows)),
            ).to_end()
        except (VerificationFailed, *UNEXPECTED_VALUES) as error:
            first, last = commit.first_seq, commit.last_seq
            values = {"commit": commit.commit_id, "first": first, "last": last}
            raise VerificationFailed("verify.root", **values) from error
        return streams
