"""Blocks hold what was said, whatever their order, and rows are where the directory says."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts import blocks as blocks_module
from ledger.facts.arrays import NOBODY, column_types
from ledger.facts.blocks import (
    CODES,
    ROW_BYTES,
    Block,
    BlockRows,
    GrowingBlocks,
    PairingRows,
    black_halves_of,
    coded,
    ending_of,
    white_halves_of,
)
from ledger.facts.columns import Directory, Ending

LAST_DAYS = np.array([30, 10, 20, 10], dtype=np.int32)
ROWS = st.tuples(
    st.integers(0, 3),  # tournament
    st.integers(0, 5),  # white
    st.integers(NOBODY, 5),
    st.integers(1, 999),
    st.integers(0, 255),
)


def pairings_of(rows: list[tuple[int, ...]], first_seq: int = 11) -> PairingRows:
    return PairingRows.of([(first_seq + 2 * place, *row) for place, row in enumerate(rows)])


def rows_of(pairings: PairingRows) -> list[tuple[int, ...]]:
    columns = column_types(PairingRows)
    return list(zip(*(getattr(pairings, name).tolist() for name in columns), strict=True))


def test_a_byte_holds_a_score_and_how_it_came_about() -> None:
    for ending in Ending:
        for white in range(3):
            for black in range(3):
                code = coded(*(np.array([x]) for x in (white, black, int(ending))))
                found = (white_halves_of(code), black_halves_of(code), ending_of(code))
                assert [int(column[0]) for column in found] == [white, black, ending]
    assert len(set(CODES.tolist())) == 256


@given(st.lists(ROWS))
def test_a_block_says_what_it_was_made_of(rows: list[tuple[int, ...]]) -> None:
    pairings = pairings_of(rows)
    block = Block.of(11, 200, pairings, LAST_DAYS)
    assert rows_of(block.pairings()) == rows_of(pairings)
    packed = block.fetch().packed()
    assert len(packed) == len(rows) * ROW_BYTES
    again = BlockRows.unpacked(packed)
    for name in column_types(BlockRows):
        assert np.array_equal(getattr(again, name), getattr(block.fetch(), name))


@given(st.lists(ROWS))
def test_rows_stand_by_last_day_tournament_white_and_seq(rows: list[tuple[int, ...]]) -> None:
    pairings = pairings_of(rows)
    block = Block.of(11, 200, pairings, LAST_DAYS)
    expected = sorted(rows_of(pairings), key=lambda r: (LAST_DAYS[r[1]], r[1], r[2], r[0]))
    fetched, directory = block.fetch(), Directory.of([block])
    assert (fetched.seq + 11).tolist() == [row[0] for row in expected]
    found = zip(
        *(getattr(directory, name).tolist() for name in ("tournament", "start", "end", "seq")),
        strict=True,
    )
    for tournament, start, end, seq in found:
        assert {row[1] for row in expected[start:end]} == {tournament}
        assert min(row[0] for row in expected[start:end]) == seq
    assert sum((directory.end - directory.start).tolist()) == len(rows)


@given(st.lists(st.lists(ROWS, min_size=1, max_size=9), max_size=40), st.data())
def test_what_grows_stays_the_same_and_in_few_blocks(
    pages: list[list[tuple[int, ...]]], data: st.DataObject
) -> None:
    with patch.object(blocks_module, "_LARGE", data.draw(st.sampled_from((10, 1_000)))):
        grow(pages, data)


def grow(pages: list[list[tuple[int, ...]]], data: st.DataObject) -> None:
    growing, sealed = GrowingBlocks(), 0
    all_: list[tuple[int, ...]] = []
    for page in pages:
        first_seq = 11 if not all_ else all_[-1][0] + 1
        pairings = pairings_of(page, first_seq)
        growing.append(pairings, lambda: LAST_DAYS)
        all_ += rows_of(pairings)
        last_seq = all_[-1][0]
        what = data.draw(st.sampled_from(("nothing", "blocks", "seal")))
        if what == "blocks":
            blocks = growing.blocks(LAST_DAYS)
            counts = [block.count for block in blocks if not block.sealed]
            large = blocks_module._LARGE
            assert all(one >= min(2 * next_, large) for one, next_ in pairwise(counts))
            assert max(counts, default=0) <= large
        if what == "seal":
            upto = data.draw(st.integers(sealed + 1, last_seq))
            block = Block.of(sealed + 1, upto, growing.between(sealed + 1, upto), LAST_DAYS)
            parts = (block.count, block.directory, block.fetch)
            growing.replace(Block(sealed + 1, upto, *parts, sealed=True), last_seq)
            found = growing.sealed()
            assert found is not None
            assert (found.first_seq, found.last_seq) == (sealed + 1, upto)
            sealed = upto
    blocks = growing.fork().blocks(LAST_DAYS)
    assert [row for block in blocks for row in rows_of(block.pairings())] == all_
    first, last = sorted(data.draw(st.tuples(*[st.integers(1, 200)] * 2)))
    between = [row for row in all_ if first <= row[0] <= last]
    assert rows_of(growing.between(first, last)) == between
