"""The events of a commit as rows, hashed once: written, and held against what was stored.

What an import has hashed need not be hashed again when it is read back. A row that the store gives
back, and that is in every column the row that was hashed, has the same hash. So the hashes stay at
hand until the commit was read back, in a private file: 64 bytes for an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import AnyStr

from ledger.journal.batch import Batch, EventRow
from ledger.journal.merkle import HASH_BYTES
from ledger.journal.records import StoredRow
from ledger.journal.spool import Spool

ID_DIGITS = 32
"""Hexadecimal digits of an event's id."""

_HASH_DIGITS = 2 * HASH_BYTES
_PAGE_ROWS = 500  # rows are turned into columns faster when they are few
_HELD_PAGES = 20  # of ids and hashes in memory


class HashedEvents:
    """The events of a commit that was hashed; they can be read again and again.

    ``header`` is the digest of the commit's header, which every hash covers. What the batch has is
    read from it again.
    """

    def __init__(self, commit_id: int, header: str, first_seq: int, batch: Batch) -> None:
        self.header = header
        self.first_seq = first_seq
        self._commit_id = commit_id
        self._batch = batch
        self._hashes = Spool(_HELD_PAGES)

    def unhashed(self) -> Iterator[list[EventRow]]:
        """Yields the events as the batch has them, a page at a time; ``add`` hashes for each."""
        for page in self._batch.pages():
            for start in range(0, len(page), _PAGE_ROWS):
                yield page[start : start + _PAGE_ROWS]

    def add(self, ids: Sequence[str], leaves: Sequence[bytes]) -> None:
        """Adds the ids and the leaf hashes of the next page."""
        self._hashes.put(("".join(ids), b"".join(leaves)))

    def pages(self) -> Iterator[list[StoredRow]]:
        """Yields the rows in order of seq, a page at a time."""
        return (rows for rows, _ in self._pages())

    def read_back(self) -> ReadBack:
        """Returns what holds the events, as they are read back, against what was written."""
        return ReadBack(self.header, self.first_seq, self._pages())

    def _pages(self) -> Iterator[tuple[list[StoredRow], bytes]]:
        """Yields the rows of each page, and their leaf hashes, one after the other."""
        seq = self.first_seq
        for page, (ids, leaves) in zip(self.unhashed(), self._hashes.rows(), strict=True):
            columns = (
                range(seq, seq + len(page)),
                _divided(ids, ID_DIGITS),
                repeat(self._commit_id, len(page)),
                *zip(*page, strict=True),
                _divided(leaves.hex(), _HASH_DIGITS),
            )
            yield list(zip(*columns, strict=True)), leaves
            seq += len(page)


class ReadBack:
    """Goes along the events of a commit as they are read back, beside what was written of them.

    ``first_seq`` is that of the commit.
    """

    def __init__(
        self, header: str, first_seq: int, written: Iterator[tuple[list[StoredRow], bytes]]
    ) -> None:
        self.first_seq = first_seq
        self._header = header
        self._next_seq = first_seq
        self._written = written
        self._rows: list[StoredRow] = []
        self._leaves = b""

    def leaves(self, header: str, after: int, rows: Sequence[StoredRow]) -> list[bytes] | None:
        """Returns the hashes of the next rows, if they are the very rows that were written.

        None for any others, and for what comes out of turn: they are to be hashed.
        """
        if header != self._header or after + 1 != self._next_seq:
            return None
        while len(self._rows) < len(rows):
            page, leaves = next(self._written, ([], b""))
            if not page:
                return None
            self._rows, self._leaves = self._rows + page, self._leaves + leaves
        count, size = len(rows), len(rows) * HASH_BYTES
        known, leaves = self._rows[:count], self._leaves[:size]
        self._rows, self._leaves = self._rows[count:], self._leaves[size:]
        self._next_seq += count
        return _divided(leaves, HASH_BYTES) if list(rows) == known else None


def _divided(joined: AnyStr, size: int) -> list[AnyStr]:
    """Returns the parts of what was joined, each of the same size."""
    return [joined[at : at + size] for at in range(0, len(joined), size)]
