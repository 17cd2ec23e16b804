"""Tiles: a tree's hashes and entries as files that anybody can copy, keep and hand on.

Source: https://c2sp.org/tlog-tiles. A tile has up to 256 hashes of one level; above a leaf, each is
the root over a whole tile of the level below. A bundle has the entries of a tile of leaves, each
behind its length. An entry here is the envelope of an event: it names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 256
"""Hashes or entries of a whole tile."""

LEVEL_BITS: Final = 8
LONGEST_ENTRY: Final = (1 << 16) - 1
"""Bytes of an entry at most: a bundle has no room for the length of a longer one."""

_ENTRIES: Final = "entries"
_LENGTH_BYTES: Final = 2
_HIGHEST: Final = 7  # of a tree of 2 ** 63 leaves
_PATH: Final = re.compile(
    r"(?P<level>[0-7]|entries)/(?P<index>(?:x[0-9]{3}/){0,5}[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class Tile:
    """Which hashes, or which entries.

    Args:
        level: 0 has the leaves; None is a bundle of entries.
        index: of the tile in its level, from 0.
        width: how many hashes or entries it has, 1 to 256.
    """

    level: int | None
    index: int
    width: int = WIDTH

    @property
    def is_whole(self) -> bool:
        """Whether nothing can be added to it."""
        return self.width == WIDTH

    @property
    def whole_path(self) -> str:
        """Its path once it is whole: the index stands in groups of three digits."""
        groups = f"{self.index:,}".split(",")
        *first, last = (group.zfill(3) for group in groups)
        level = _ENTRIES if self.level is None else self.level
        return "/".join([f"tile/{level}", *(f"x{group}" for group in first), last])

    @property
    def path(self) -> str:
        """Its path, without a slash at its beginning."""
        return self.whole_path if self.is_whole else f"{self.whole_path}.p/{self.width}"

    @property
    def leaves(self) -> int:
        """The size of the smallest tree that has it."""
        return (self.index * WIDTH + self.width) << LEVEL_BITS * (self.level or 0)


def tile_named(path: str) -> Tile | None:
    """Returns the tile with a path, as ``Tile.path`` writes it without ``tile/``; None: no such.

    >>> tile_named("0/x001/x234/067.p/8")
    Tile(level=0, index=1234067, width=8)
    """
    found = _PATH.fullmatch(path)
    if found is None:
        return None
    level = None if found["level"] == _ENTRIES else int(found["level"])
    index = int(found["index"].replace("x", "").replace("/", ""))
    tile = Tile(level, index, int(found["width"] or WIDTH))
    return tile if tile.path == f"tile/{path}" else None


def tiles_since(earlier: int, size: int) -> Iterator[Tile]:
    """Yields the tiles of a tree that an earlier one did not have, the lowest first."""
    for level in (None, *range(_HIGHEST + 1)):
        shift = LEVEL_BITS * (level or 0)
        before, count = earlier >> shift, size >> shift
        if before == count:
            return
        for index in range(before // WIDTH, -(-count // WIDTH)):
            yield Tile(level, index, min(WIDTH, count - index * WIDTH))


def bundle(entries: Iterable[bytes]) -> bytes | None:
    """Returns the bytes of a bundle; None, if one of the entries is too long for any."""
    parts = list[bytes]()
    for entry in entries:
        if len(entry) > LONGEST_ENTRY:
            return None
        parts += [len(entry).to_bytes(_LENGTH_BYTES, "big"), entry]
    return b"".join(parts)
