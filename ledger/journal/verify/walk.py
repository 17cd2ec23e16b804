"""The walk over commits and their events, in order, up to the first fault.

A page of events is accepted at once (``rules.BulkEvents``); one that is not is looked at event by
event (``rules.event_fault``), which names the fault. The walk verifies a history that comes from
elsewhere before a store takes it, an archive, and any range of a journal's events. ``check`` goes
on behind a fault to find the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import msgspec

from ledger.errors import VerificationFailed
from ledger.events.fast import FastEvent
from ledger.journal.envelope import envelope, header_digest, peaks_of
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.records import Commit, StoredEvent, StoredRow
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
from ledger.wording import Message

PROGRESS_EVENTS: Final = 5_000
_HIGHEST: Final = 2**63


def tree_after(commit: Commit) -> CompactRange:
    """Returns the tree a commit says it left; raises ``ValueError`` when there can be none."""
    return CompactRange(commit.last_seq, peaks_of(commit.peaks))


@dataclass(slots=True)
class VerifiedPrefix:
    """The beginning of a journal that was verified.

    Attributes:
        commits: the last commit of which all events are right.
        seq: its last event.
        tree: the tree over the events up to that one.
        within: the tree over more events, of a commit that goes on behind them; else None.
        seen: what the events have said.
    """

    commits: int = 0
    seq: int = 0
    tree: CompactRange = field(default_factory=CompactRange)
    within: CompactRange | None = None
    seen: Seen = field(default_factory=Seen)

    @classmethod
    def behind(cls, commit: Commit | None) -> VerifiedPrefix:
        """Ends with a commit; raises ``ValueError`` when there can be no such tree."""
        if commit is None:
            return cls()
        return cls(commit.commit_id, commit.last_seq, tree_after(commit))

    @property
    def last_seq(self) -> int:
        """The last event that is right, perhaps within a commit."""
        return self.seq if self.within is None else self.within.size

    def add(self, commit: Commit, tree: CompactRange) -> None:
        """Goes on behind a commit; the tree is the one after it."""
        self.commits, self.seq, self.tree, self.within = commit.commit_id, tree.size, tree, None


PageSeen: TypeAlias = Callable[[Sequence[StoredRow], Sequence[FastEvent] | None], None]
"""Is called with a page of right events, and those of them that were read by structs, in order.

The latter are None for a page that was looked at event by event.
"""


def ignore_page(_rows: Sequence[StoredRow], _light: Sequence[FastEvent] | None) -> None:
    """Makes nothing of a page of events."""


class Walk:
    """Goes through commits and their events once, side by side; ends with the first fault.

    Args:
        commits: those behind the start, in order.
        pages: their events, in order.
        start: what is verified already, by default nothing; it grows.
        upto: the last event wanted; by default nothing may come after the last commit's.
        cuts: seqs at which a page is to end, and the tree is to be kept in ``trees``.
        page_seen: is called with every page that is right.
        hashes_only: whether the hashes of pairings' payloads are enough: somebody else reads them.
        tell: is called with the seq of the last event of a page, now and then.
    """

    def __init__(
        self,
        commits: Iterable[Commit],
        pages: Iterable[Sequence[StoredRow]],
        start: VerifiedPrefix | None = None,
        *,
        upto: int | None = None,
        cuts: Collection[int] = (),
        page_seen: PageSeen = ignore_page,
        hashes_only: bool = False,
        tell: Callable[[int], None] | None = None,
    ) -> None:
        self.prefix = start or VerifiedPrefix()
        self.trees: dict[int, CompactRange] = {}
        self._commits = iter(commits)
        self._pages = iter(pages)
        self._tree = self.prefix.tree
        self._page: Sequence[StoredRow] = ()
        self._at = 0
        self._upto = upto
        self._cuts = deque(sorted(cuts))
        self._page_seen = page_seen
        self._bulk = BulkEvents(self.prefix.seen, hashes_only=hashes_only)
        self._tell = tell

    def __iter__(self) -> Iterator[tuple[Commit, Iterator[Sequence[StoredRow]]]]:
        """Yields every commit with the pages of its events, to be read before the next one.

        Raises:
            VerificationFailed: with the first fault.
        """
        prefix, upto = self.prefix, _HIGHEST if self._upto is None else self._upto
        while prefix.seq < upto and (commit := next(self._commits, None)):
            _refuse(place_fault(commit, prefix.commits, prefix.seq))
            tree, last = prefix.tree.copy(), min(commit.last_seq, upto)
            self._tree = tree
            yield commit, self._events(commit, tree.size, last, tree)
            assert tree.size == last, "every page of a commit is read"
            if last < commit.last_seq:
                prefix.within = tree
                return
            _refuse(tree_fault(commit, tree))
            prefix.add(commit, tree)
        if self._upto is None and (rows := self._next(1)):
            _refuse(Message.of("verify.orphan", seq=rows[0][0], commit=prefix.commits))
        if self._tell:
            self._tell(prefix.seq)

    @property
    def tree(self) -> CompactRange:
        """The tree over the events that were read; it grows."""
        return self._tree

    def to_end(self) -> None:
        """Reads everything; raises as iterating does."""
        for _, pages in self:
            for _ in pages:
                pass

    def part(self, after: int) -> tuple[list[bytes], Commit | None]:
        """Reads the events of the next commit behind one within it, up to ``upto``.

        The tree before them is not known.

        Returns:
            Their leaf hashes, and the commit, if it ends with them.

        Raises:
            VerificationFailed: with the first fault.
        """
        last = self._upto
        commit = next(self._commits, None)
        assert last is not None
        if commit is None or commit.last_seq < last:
            raise VerificationFailed("verify.orphan", seq=last, commit=self.prefix.commits)
        _refuse(place_fault(commit, self.prefix.commits, self.prefix.seq))
        leaves: list[bytes] = []
        for _ in self._events(commit, after, last, leaves):
            pass
        return leaves, commit if commit.last_seq == last else None

    def _events(
        self, commit: Commit, after: int, last: int, into: CompactRange | list[bytes]
    ) -> Iterator[Sequence[StoredRow]]:
        """Yields the pages of a commit's events, after their leaves were put somewhere."""
        header = header_digest(commit)
        while after < last:
            while self._cuts and self._cuts[0] <= after:
                self._cuts.popleft()
            rows = self._next((min(last, self._cuts[0]) if self._cuts else last) - after)
            if not rows:
                _refuse(missing_events(commit, after + 1, commit.last_seq))
            into.extend(self._leaves(commit, header, after, rows))
            before, after = after, after + len(rows)
            if self._cuts and self._cuts[0] == after:
                assert isinstance(into, CompactRange), "a part of a commit is not cut"
                self.trees[after] = into.copy()
            if self._tell and after // PROGRESS_EVENTS > before // PROGRESS_EVENTS:
                self._tell(after)
            yield rows

    def _leaves(
        self, commit: Commit, header: str, after: int, rows: Sequence[StoredRow]
    ) -> list[bytes]:
        """Returns the hashes of the events of a page, if all are right."""
        try:
            read = self._bulk.read(commit, header, after, rows)
        except (msgspec.DecodeError, *UNEXPECTED_VALUES):
            read = None
        leaves, fast = read or (self._leaves_one_by_one(commit, header, after, rows), None)
        self._page_seen(rows, fast)
        return leaves

    def _leaves_one_by_one(
        self, commit: Commit, header: str, after: int, rows: Sequence[StoredRow]
    ) -> list[bytes]:
        leaves: list[bytes] = []
        for seq, row in enumerate(rows, start=after + 1):
            event = StoredEvent(*row)
            if event.seq > seq:
                _refuse(missing_events(commit, seq, event.seq - 1))
            try:
                leaves.append(leaf_hash(envelope(event, header)))
                fault = event_fault(event, leaves[-1], commit, self.prefix.seen)
            except UNEXPECTED_VALUES as error:
                fault = unreadable(seq, str(error))
            if fault is None and event.seq != seq:
                fault = column_fault(seq, "seq")
            _refuse(fault)
        return leaves

    def _next(self, most: int) -> Sequence[StoredRow]:
        """Returns the next events, at most so many; none at the end."""
        if self._at == len(self._page):
            self._page, self._at = next(self._pages, ()), 0
        rows = self._page[self._at : self._at + most]
        self._at += len(rows)
        return rows


def _refuse(fault: Message | None) -> None:
    if fault is not None:
        raise VerificationFailed(fault.key, **dict(fault.values))
