"""Ranges of a journal's events, which are verified apart from each other, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ledger.errors import LedgerError
from ledger.events.fast import FastEvent
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, EventColumns, StoredRow, columns_of
from ledger.journal.verify.rules import UNEXPECTED_VALUES, tree_fault
from ledger.journal.verify.walk import VerifiedPrefix, Walk, tree_after

LOWEST: Final = -(2**62)
"""No row hides below the first: this is lower than anybody would count."""


class PageReader(Protocol):
    """Is shown every event of a range that is verified, for what else may be made of it.

    What was made can be written as bytes, so that another process may make it.
    """

    def page(self, columns: EventColumns, fast: Sequence[FastEvent]) -> None:
        """Takes the next events, and those of them that were read by structs, in order."""

    def made(self) -> Any:
        """Returns what was made of them."""

    def packed(self) -> bytes:
        """Returns the same as bytes."""

    @staticmethod
    def unpacked(data: bytes) -> Any:
        """Returns what bytes say that ``packed`` made."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """What is to be made of the events while they are verified.

    Attributes:
        reader: a module's own class, made for every range in whatever process it is read.
        take: gets what was made of each range that is right, in order.
    """

    reader: type[PageReader]
    take: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class EventRange:
    """Events that follow each other: of commits, the last perhaps cut off, or of a part of one.

    ``before`` is the last commit that ended before the first event, ``after`` the seq before it.
    What the commit before says of its tree is believed: who verifies that commit finds out.
    """

    before: Commit | None
    after: int
    last_commit: int
    last_seq: int

    @property
    def is_within(self) -> bool:
        """Whether it begins within a commit."""
        return self.after > (self.before.last_seq if self.before else 0)


@dataclass(slots=True)
class RangeResult:
    """What is right of a range: the commits before a bad one, and whether that is all.

    Of a range that begins within a commit no tree is known: ``leaves`` are the hashes of its
    events, all of them or none, and ``ended`` is the commit, if it ends with them.
    """

    prefix: VerifiedPrefix
    leaves: list[bytes] = field(default_factory=list)
    ended: Commit | None = None
    is_whole: bool = False

    def add_to(self, before: VerifiedPrefix, its: EventRange) -> bool:
        """Adds what is right to the events before the range; returns whether it is all right."""
        before.seen.add(self.prefix.seen)
        if its.is_within:
            return self._add_part(before, its) and self.is_whole
        if its.before is not None and tree_after(its.before).peaks != before.tree.peaks:
            return False  # it began at a tree that is not the one before it
        found = self.prefix
        before.commits, before.seq, before.tree = found.commits, found.seq, found.tree
        before.within = found.within
        return self.is_whole

    def _add_part(self, before: VerifiedPrefix, its: EventRange) -> bool:
        tree = (before.within or before.tree).copy()
        tree.extend(self.leaves)
        if tree.size != its.last_seq:
            return False
        before.within = tree
        if self.ended is None:
            return True
        if tree_fault(self.ended, tree) is not None:
            return False
        before.add(self.ended, tree)
        return True


def event_ranges(
    journal: Journal, start: VerifiedPrefix, upto: int, most: int, cuts: Collection[int] = ()
) -> list[EventRange]:
    """Divides the events behind a start.

    Args:
        journal: the store.
        start: what is verified.
        upto: the last event that is stored; there may be fewer of them than commits say.
        most: ranges end with the first commit that makes them as long; one that is much longer
            is cut.
        cuts: seqs at which a range has to end.
    """
    found: list[EventRange] = []
    after = start.last_seq
    before = last = next(journal.commits(after=start.commits - 1), None) if start.commits else None
    for commit in journal.commits(after=start.commits or LOWEST):
        if commit.last_seq > upto:
            break
        for end in _ends_within(commit, after, most, cuts):
            found.append(EventRange(before, after, commit.commit_id, end))
            before, after = last, end
        is_end = commit.last_seq - after >= most or commit.last_seq in cuts
        if is_end or after >= commit.first_seq:
            found.append(EventRange(before, after, commit.commit_id, commit.last_seq))
            before, after = commit, commit.last_seq
        last = commit
    if last is not None and last.last_seq > after:
        found.append(EventRange(before, after, last.commit_id, last.last_seq))
    return found


def _ends_within(commit: Commit, after: int, most: int, cuts: Collection[int]) -> list[int]:
    """Returns the seqs, before its last one, at which the events of a commit are to be cut."""
    first = max(after, commit.first_seq - 1)
    ends = {cut for cut in cuts if first < cut < commit.last_seq}
    if commit.last_seq - first > 2 * most:
        ends.update(range(first + most, commit.last_seq - most, most))
    return sorted(ends)


def verify_range(
    journal: Journal,
    its: EventRange,
    reader: PageReader | None = None,
    tell: Callable[[int], None] | None = None,
) -> RangeResult:
    """Returns what is right of a range of a journal's events.

    Pages that cannot be accepted at once end it: a reader could make nothing of them. Memory is
    bounded by the number of players and tournaments, by what the reader makes, and, for a part of a
    commit, by its hashes. ``reader`` is shown the events. ``tell`` is called with the seq of the
    last event that was read, now and then.
    """

    def page_seen(rows: Sequence[StoredRow], fast: Sequence[FastEvent] | None) -> None:
        if fast is None:
            raise ValueError("a page that was not accepted at once")
        if reader is not None:
            reader.page(columns_of(rows), fast)

    found = RangeResult(VerifiedPrefix())
    before = its.before.commit_id if its.before else LOWEST
    try:
        found.prefix = VerifiedPrefix.behind(its.before)
        walk = Walk(
            journal.commits(after=before),
            journal.pages(after=its.after or LOWEST, upto=its.last_seq),
            found.prefix, upto=its.last_seq, page_seen=page_seen, tell=tell,
        )  # fmt: skip
        if its.is_within:
            found.leaves, found.ended = walk.part(its.after)
            found.is_whole = True
        else:
            walk.to_end()
            found.is_whole = found.prefix.last_seq == its.last_seq
    except (LedgerError, *UNEXPECTED_VALUES):
        pass  # it comes again when it is looked at closely
    return found
