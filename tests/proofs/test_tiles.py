"""Where tiles stand, and which a tree has: by the words of c2sp.org/tlog-tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.proofs.tiles import LONGEST_ENTRY, Tile, bundle, tile_named, tiles_since


def test_a_tree_of_70000_leaves_has_the_tiles_of_the_specification() -> None:
    tiles = [tile for tile in tiles_since(0, 70_000) if tile.level is not None]
    whole = [tile for tile in tiles if tile.is_whole]
    partial = [(tile.level, tile.width) for tile in tiles if not tile.is_whole]
    assert [sum(tile.level == level for tile in whole) for level in (0, 1)] == [273, 1]
    assert partial == [(0, 112), (1, 17), (2, 1)]


def test_a_tree_of_256_leaves_has_a_whole_tile_and_one_hash_above() -> None:
    assert [tile.path for tile in tiles_since(0, 256)] == [
        "tile/entries/000",
        "tile/0/000",
        "tile/1/000.p/1",
    ]


def test_nothing_is_new_in_the_same_tree() -> None:
    assert list(tiles_since(700, 700)) == []
    assert list(tiles_since(0, 0)) == []


@given(st.integers(0, 200_000), st.integers(0, 3_000))
def test_what_is_new_and_what_was_there_make_up_the_tree(earlier: int, more: int) -> None:
    def whole(size: int) -> set[Tile]:
        return {tile for tile in tiles_since(0, size) if tile.is_whole}

    new = list(tiles_since(earlier, earlier + more))
    assert whole(earlier) | {tile for tile in new if tile.is_whole} == whole(earlier + more)
    assert not whole(earlier) & {*new}
    assert all(earlier < tile.leaves <= earlier + more for tile in new)


@given(st.sampled_from([None, 0, 1, 5]), st.integers(0, 10**12), st.integers(1, 256))
def test_a_path_names_one_tile(level: int | None, index: int, width: int) -> None:
    tile = Tile(level, index, width)
    assert tile_named(tile.path.removeprefix("tile/")) == tile


@pytest.mark.parametrize(
    "path",
    [
        "", "0", "0/1", "0/0001", "00/001", "8/001", "-1/001", "0/x001", "0/001/002", "0/x000/001",
        "0/001.p/0", "0/001.p/256", "0/001.p/08", "0/001.p/", "0/001.p/1/2", "0/001/", "data/001",
        "0/../001", "0/x001/x001/x001/x001/x001/x001/001", "0/٠٠١", "0/001\n",
    ],
)  # fmt: skip
def test_other_paths_name_none(path: str) -> None:
    assert tile_named(path) is None


def test_a_bundle_has_each_entry_behind_its_length() -> None:
    assert bundle([b"ab", b""]) == b"\x00\x02ab\x00\x00"
    assert bundle([b"x" * LONGEST_ENTRY]) == b"\xff\xff" + b"x" * LONGEST_ENTRY
    assert bundle([b"ab", b"x" * (LONGEST_ENTRY + 1)]) is None
