"""The tree over a journal's events, asked for proofs without reading every leaf.

The hashes of every 256 leaves are kept in the user's store: 125 kB for a million events. A path
needs them and the leaves of two such blocks. Nobody believes them: whoever makes a proof holds it
against a recorded root, and what does not fit is made anew of the leaves.
"""

from __future__ import annotations

from contextlib import suppress
from threading import RLock
from typing import Final

from ledger.derived.store import DerivedStore, EntryKey, EntryKind, NotWritten
from ledger.errors import VerificationFailed
from ledger.journal.interface import Journal
from ledger.journal.merkle import (
    HASH_BYTES,
    CompactRange,
    consistency_path,
    includes,
    inclusion_path,
    root_of,
)

BLOCK: Final = 256
"""Leaves under a kept hash."""

_LEVEL_BITS: Final = 8  # of a tile: one has the hashes of a block
_MOST_READ: Final = 16  # blocks of leaves in memory
_LEAF: Final = 8  # the place of a leaf's hash in a stored row


class TreeHashes:
    """Hashes of ranges of a journal's leaves, as they are stored; one thread at a time is answered.

    ``store`` keeps them for the next one.
    """

    def __init__(self, journal: Journal, store: DerivedStore) -> None:
        self._journal = journal
        self._store = store
        self._lock = RLock()
        self._blocks = b""
        self._in_file = 0
        self._held = 0
        self._leaves: dict[int, list[bytes]] = {}

    def root(self, size: int) -> bytes:
        """Returns the root of the tree over the first events."""
        with self._lock:
            self._read(size)
            return self._range(0, size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Returns the path of a leaf (from 0) in the tree over the first events."""
        with self._lock:
            self._read(size)
            return inclusion_path(index, size, self._range)

    def consistency(self, earlier: int, size: int) -> list[bytes]:
        """Returns the proof that the tree over some first events continues an earlier one."""
        with self._lock:
            self._read(size)
            return consistency_path(earlier, size, self._range)

    def proved(self, index: int, size: int, root: bytes, leaf: bytes) -> list[bytes] | None:
        """Returns the path of a leaf to a root; None, if the leaves as they are stored have none.

        What was kept for it is thrown away if it leads elsewhere.
        """
        for _ in range(2):
            path = self.inclusion(index, size)
            if includes(root, size, index, leaf, path):
                return path
            self.forget()
        return None

    def tile(self, level: int, index: int, width: int) -> list[bytes]:
        """Returns hashes of a level that stand side by side, as C2SP *tlog-tiles* cuts them.

        Args:
            level: each hash is the root over 256 to the power of it leaves.
            index: of the tile, from 0.
            width: how many hashes, at most 256; the tree has them.

        Raises:
            VerificationFailed: the leaves as they are stored do not make up a recorded root.
        """
        first, shift = index * BLOCK, _LEVEL_BITS * level
        with self._lock:
            if level == 0:
                return self._held_leaves(index)[:width]
            self._hold((first + width) << shift)
            places = range(first, first + width)
            return [self._range(at << shift, (at + 1) << shift) for at in places]

    def _held_leaves(self, index: int) -> list[bytes]:
        """Returns the leaves of a block, as far as there are, that make up a recorded root."""
        head = self._journal.head()
        first = index * BLOCK
        last = min(first + BLOCK, head.seq)
        self._hold(last)
        leaves = self._block(first, last - first)
        if len(leaves) == BLOCK:
            fits = root_of(leaves) == self._kept(index)
        else:  # the end of the tree: it has no hash of its own to be held against
            fits = self.root(head.seq).hex() == head.root
        if not fits:
            self._leaves.clear()  # not kept: what is stored may be mended
            raise VerificationFailed("verify.rewritten", size=last)
        return leaves

    def _hold(self, size: int) -> None:
        """Sees to it that what is kept of the first leaves fits a recorded root."""
        if size // BLOCK <= self._held:
            return
        head = self._journal.head()
        for _ in range(2):
            if self.root(head.seq).hex() == head.root:
                self._held = head.seq // BLOCK
                return
            self.forget()
        raise VerificationFailed("verify.rewritten", size=head.seq)

    def forget(self) -> None:
        """Throws away what was kept: the next question reads every leaf."""
        with self._lock:
            self._blocks, self._in_file, self._held = b"", 0, 0
            self._leaves.clear()
            if (key := self._key()) is not None:
                self._store.forget(key)

    def _range(self, start: int, end: int) -> bytes:
        """Returns the root over a range that begins where one of its size can."""
        if end - start < BLOCK:
            first = start // BLOCK * BLOCK
            return root_of(self._block(first, end - first)[start - first :])
        first, last = start // BLOCK, end // BLOCK
        tree, rest = CompactRange(), CompactRange()
        tree.extend([self._kept(block) for block in range(first, last)])
        rest.extend(self._block(last * BLOCK, end - last * BLOCK))
        return CompactRange(end - start, [*tree.peaks, *rest.peaks]).root()

    def _kept(self, block: int) -> bytes:
        return self._blocks[block * HASH_BYTES : (block + 1) * HASH_BYTES]

    def _block(self, first: int, count: int) -> list[bytes]:
        """Returns the first leaves of a block, by the index of its first."""
        if len(self._leaves.get(first, ())) < count:
            if len(self._leaves) >= _MOST_READ:
                self._leaves.clear()
            pages = self._journal.pages(after=first, upto=first + BLOCK)
            self._leaves[first] = [bytes.fromhex(row[_LEAF]) for page in pages for row in page]
        return self._leaves.get(first, [])[:count]

    def _read(self, size: int) -> None:
        """Sees to it that the hashes of all blocks within a size are there."""
        if len(self._blocks) // HASH_BYTES < size // BLOCK:
            self._load()
        known = len(self._blocks) // HASH_BYTES
        if known >= size // BLOCK:
            return
        hashes, leaves = [self._blocks], list[bytes]()
        last = self._journal.head().seq // BLOCK * BLOCK
        for page in self._journal.pages(after=known * BLOCK, upto=last):
            leaves += [bytes.fromhex(row[_LEAF]) for row in page]
            whole = len(leaves) // BLOCK * BLOCK
            hashes += [root_of(leaves[at : at + BLOCK]) for at in range(0, whole, BLOCK)]
            del leaves[:whole]
        self._blocks = b"".join(hashes)
        if len(self._blocks) - self._in_file > self._in_file // 64:
            self._keep()

    def _load(self) -> None:
        found = self._store.read(key) if (key := self._key()) is not None else None
        self._in_file = len(found or b"") // HASH_BYTES * HASH_BYTES
        if found is not None and self._in_file > len(self._blocks):
            self._blocks, self._held = found[: self._in_file], 0

    def _keep(self) -> None:
        if (key := self._key()) is not None:
            with suppress(NotWritten):
                self._store.keep(key, lambda path: path.write_bytes(self._blocks))
                self._in_file = len(self._blocks)

    def _key(self) -> EntryKey | None:
        """Returns the key of this journal's hashes; copies of one that went on apart share it."""
        first = next(iter(self._journal.commits()), None)
        return None if first is None else EntryKey(EntryKind.TREE, first.root)
