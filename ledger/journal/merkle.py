"""The Merkle tree of RFC 9162, section 2.1: roots, compact ranges, and the two kinds of proof.

Hashes are bytes (SHA-256). A *compact range* is the list of the hashes of the perfect subtrees that
make up a tree, largest first (its *peaks*): enough to append and to know the root, in O(log n).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

EMPTY_ROOT = sha256(b"").digest()
HASH_BYTES = 32

RangeRoot: TypeAlias = Callable[[int, int], bytes]
"""Returns the root over the leaves from an index up to another, which is not among them."""


def leaf_hash(data: bytes) -> bytes:
    """Returns the hash of a leaf: SHA-256(0x00 || data)."""
    return sha256(b"\x00" + data).digest()


def leaf_hashes(data: Iterable[bytes]) -> list[bytes]:
    """Returns the hashes of many leaves."""
    return [sha256(b"\x00" + each).digest() for each in data]


def node_hash(left: bytes, right: bytes) -> bytes:
    """Returns the hash of an inner node: SHA-256(0x01 || left || right)."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(slots=True)
class CompactRange:
    """A growing tree, by its peaks; raises ``ValueError`` for another number of them."""

    size: int = 0
    peaks: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        if len(self.peaks) != self.size.bit_count():
            raise ValueError(f"a tree of {self.size} leaves has {self.size.bit_count()} peaks")

    def append(self, leaf: bytes) -> None:
        """Appends a leaf by its hash."""
        peaks = self.peaks
        peaks.append(leaf)
        size = self.size
        while size & 1:
            right = peaks.pop()
            peaks[-1] = node_hash(peaks[-1], right)
            size >>= 1
        self.size += 1

    def extend(self, leaves: Sequence[bytes]) -> None:
        """Appends many leaves, level by level: two thirds of the time of one by one."""
        nodes, height, low = leaves, self.size, list[bytes]()
        self.size += len(leaves)
        while nodes:
            if height & 1:
                nodes = [self.peaks.pop(), *nodes]
            if len(nodes) & 1:
                low.append(nodes[-1])
            pairs = zip(nodes[::2], nodes[1::2], strict=False)
            nodes = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
            height >>= 1
        self.peaks += reversed(low)

    def copy(self) -> CompactRange:
        """Returns a tree that grows by itself."""
        return CompactRange(self.size, [*self.peaks])

    def root(self) -> bytes:
        """Returns the root of the tree as it is now."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Returns the root over leaf hashes."""
    tree = CompactRange()
    tree.extend(leaves)
    return tree.root()


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Returns the proof that leaf ``index`` (from 0) is in the tree over the leaf hashes."""
    return inclusion_path(index, len(leaves), lambda start, end: root_of(leaves[start:end]))


def inclusion_path(index: int, size: int, root: RangeRoot) -> list[bytes]:
    """Returns the same for a tree of so many leaves, of which only roots of ranges are asked."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    path, start, end = list[bytes](), 0, size
    while end - start > 1:
        split = start + _split(end - start)
        if index < split:
            path.append(root(split, end))
            end = split
        else:
            path.append(root(start, split))
            start = split
    return path[::-1]


def path_length(index: int, size: int) -> int:
    """Returns how many hashes the path of a leaf has: its height, less the levels it skips."""
    shared = (index ^ (size - 1)).bit_length()
    return shared + (index >> shared).bit_count()


def includes(root: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows the leaf hash at ``index`` in the tree (RFC 9162, 2.1.3.2)."""
    return proven_root(size, index, leaf, proof) == root


def proven_root(size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bytes | None:
    """Returns the root to which a proof leads; None for one that is too long or too short."""
    if not 0 <= index < size:
        return None
    at, last, found = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            found = node_hash(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    return found if last == 0 else None


def consistency_proof(leaves: Sequence[bytes], earlier: int) -> list[bytes]:
    """Returns the proof that the tree's first ``earlier`` leaves are an earlier tree."""
    return consistency_path(earlier, len(leaves), lambda start, end: root_of(leaves[start:end]))


def consistency_path(earlier: int, size: int, root: RangeRoot) -> list[bytes]:
    """Returns the same for a tree of so many leaves, of which only roots of ranges are asked."""
    if not 0 < earlier <= size:
        raise ValueError(f"no tree of {earlier} leaves came before one of {size}")
    path, start, end = list[bytes](), 0, size
    while end != earlier:
        split = start + _split(end - start)
        if earlier <= split:
            path.append(root(split, end))
            end = split
        else:
            path.append(root(start, split))
            start = split
    if start:  # else it is the earlier tree itself, whose root is known
        path.append(root(start, end))
    return path[::-1]


def consistent(
    earlier_root: bytes, earlier: int, root: bytes, size: int, proof: Sequence[bytes]
) -> bool:
    """Whether the proof shows that the later tree continues the earlier one (RFC 9162 2.1.4.2)."""
    if not 0 < earlier <= size:
        return False
    if earlier == size:
        return not proof and earlier_root == root
    path = [earlier_root, *proof] if earlier.bit_count() == 1 else list(proof)
    if not path:
        return False
    at, last = earlier - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, step)
        at, last = at >> 1, last >> 1
    return last == 0 and old == earlier_root and new == root


def _split(size: int) -> int:
    """Returns the largest power of two below a size of at least two."""
    return 1 << (size - 1).bit_length() - 1
