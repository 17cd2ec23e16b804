"""A commit that this process hashed and wrote, held against its rows as they are read back.

A row that is in every column the row that was hashed has its hash, and the tree over such rows is
the one that was made of them. So neither is calculated again. The first row that is another ends
this: ``parallel.verify_prefix`` goes on from there, hashes, and finds out what is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

import msgspec

from ledger.errors import LedgerError
from ledger.journal.envelope import header_digest
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import Commit, Progress
from ledger.journal.verify.ranges import LOWEST, PageReading
from ledger.journal.verify.rules import UNEXPECTED_VALUES, BulkEvents, Seen, place_fault, tree_fault
from ledger.journal.verify.walk import VerifiedPrefix

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
