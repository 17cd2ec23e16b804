"""The rows that a replay has at hand: those of the blocks that this period or later ones need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ledger.facts.blocks import Block, BlockRows
from ledger.facts.columns import Column


class RowCache:
    """Fetches the rows of blocks, and lets go of them when no later period needs them.

    Args:
        blocks: all of them.
        block: for each entry of a directory the position of its block, in order.
        period: for each entry the index of the period that rates it (negative: none).
    """

    def __init__(self, blocks: Sequence[Block], block: Column, period: Column) -> None:
        self.period = period
        self._blocks = blocks
        # Of the type of the periods: ``at`` is many times slower where it must convert.
        self._needed_until = np.full(len(blocks), -1, dtype=period.dtype)
        np.maximum.at(self._needed_until, block, period)
        self._rows: dict[int, BlockRows] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def fetch(self, block: int) -> BlockRows:
        """Returns the rows of a block, by its position."""
        if block not in self._rows:
            self._rows[block] = self._blocks[block].fetch()
        return self._rows[block]

    def let_go(self, period: int) -> None:
        """Forgets what no period after this one needs."""
        for block in [b for b in self._rows if self._needed_until[b] <= period]:
            del self._rows[block]
