"""The events of a commit as rows, hashed once: written, and held against what was stored.

What an import has hashed need not be hashed again when it is read back. A row that the store gives
back, and that is in every column the row that was hashed, has the same hash. So the hashes stay at
hand until the commit was read back, in a private file: 64 bytes for an event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import cast

from ledger.identifiers import Seq
from ledger.journal.batch import Batch, EventRow
from ledger.journal.merkle import HASH_BYTES, CompactRange
from ledger.journal.records import EventColumns, StoredRow, fields_between, rows_of
from ledger.journal.spool import Spool

ID_DIGITS = 32
"""Hexadecimal digits of an event's id."""

_PAGE_ROWS = 2_000
_HELD_PAGES = 5  # of ids and hashes in memory


class HashedEvents:
    """The events of a commit that was hashed; they can be read again and again.

    ``header`` is the digest of the commit's header, which every hash covers; ``before`` the tree
    up to the commit. What the batch has is read from it again.
    """

    def __init__(self, commit_id: int, header: str, before: CompactRange, batch: Batch) -> None:
        self.header = header
        self.before = before
        self._commit_id = commit_id
        self._batch = batch
        self._hashes = Spool(_HELD_PAGES)

    def unhashed(self) -> Iterator[list[EventRow]]:
        """Yields the events as the batch has them, a page at a time; ``add`` hashes for each."""
        for page in self._batch.pages():
            for start in range(0, len(page), _PAGE_ROWS):
                yield page[start : start + _PAGE_ROWS]

    def add(self, ids: Sequence[str], leaves: Sequence[bytes], tree: CompactRange) -> None:
        """Adds the ids and the leaf hashes of the next page, and the tree with them."""
        self._hashes.put((" ".join(ids), b"".join(leaves), b"".join(tree.peaks)))

    def pages(self) -> Iterator[list[StoredRow]]:
        """Yields the rows in order of seq, a page at a time."""
        return (rows_of(columns) for columns, _, _ in self._pages())

    def parts(self, cuts: Collection[int]) -> Iterator[tuple[EventColumns, CompactRange]]:
        """Yields the same by fields, each page with the tree up to its end; cuts end pages, too."""
        tree = self.before
        for columns, leaves, after in self._pages():
            start = 0
            for end in [cut - tree.size for cut in sorted(cuts) if tree.size < cut < after.size]:
                tree = tree.copy()
                tree.extend(_divided(leaves)[start:end])
                yield fields_between(columns, start, end), tree
                start = end
            yield fields_between(columns, start, len(columns[0])), after
            tree = after

    def _pages(self) -> Iterator[tuple[EventColumns, bytes, CompactRange]]:
        """Yields each page by fields, its leaf hashes, joined, and the tree up to its end."""
        seq = self.before.size + 1
        for page, hashed in zip(self.unhashed(), self._hashes.rows(), strict=True):
            ids, leaves, peaks = hashed
            types, versions, days, streams, payloads = zip(*page, strict=True)
            seqs = cast(Sequence[Seq], range(seq, seq + len(page)))
            commits = [self._commit_id] * len(page)
            columns = (
                seqs, ids.split(), commits, types, versions, days, streams, payloads,
                leaves.hex(" ", HASH_BYTES).split(),
            )  # fmt: skip
            seq += len(page)
            tree = CompactRange(seq - 1, _divided(peaks))
            yield columns, leaves, tree


def _divided(hashes: bytes) -> list[bytes]:
    """Returns the hashes that were joined."""
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
