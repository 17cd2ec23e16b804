"""Blocks: what the events of a range say of pairings, in narrow columns.

The rows of a block stand in the order in which a replay wants them: by the last day of their
tournament, then tournament, white and seq. The directory, which is small and always there, says
where the rows of each tournament are; the rows themselves may be somewhere else until they are
asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ledger.facts.arrays import (
    NOBODY,
    AnyColumn,
    Codes,
    Column,
    ColumnTable,
    Int16,
    Int32,
    column_types,
)

_HALVES_BITS = 2
_HALVES = (1 << _HALVES_BITS) - 1
CODES = np.arange(256, dtype=np.uint8)
"""Every code: white's half points, black's, and how the pairing ended, in one byte."""


def coded(white_halves: Column, black_halves: Column, ending: Column) -> AnyColumn:
    """Returns scores in half points and endings as codes."""
    code = white_halves | black_halves << _HALVES_BITS | ending << 2 * _HALVES_BITS
    return code.astype(np.uint8)


def white_halves_of(code: AnyColumn) -> Column:
    """Returns white's half points."""
    return (code & _HALVES).astype(np.int8)


def black_halves_of(code: AnyColumn) -> Column:
    """Returns black's half points."""
    return (code >> _HALVES_BITS & _HALVES).astype(np.int8)


def ending_of(code: AnyColumn) -> Column:
    """Returns how the pairings ended."""
    return (code >> 2 * _HALVES_BITS).astype(np.int8)


@dataclass(frozen=True, slots=True)
class PairingRows(ColumnTable):
    """What events say of pairings, one row each, sorted by seq; indexes as in the facts."""

    tournament: Int32
    white: Int32
    black: Int32
    round: Int16
    code: Codes


@dataclass(frozen=True, slots=True, weakref_slot=True)
class BlockRows:
    """The rows of a block; ``seq`` counts from its first event."""

    seq: Int32
    white: Int32
    black: Int32
    round: Int16
    code: Codes

    def packed(self) -> bytes:
        """Returns the columns one after the other."""
        types = column_types(BlockRows)
        return b"".join(getattr(self, name).astype(t).tobytes() for name, t in types.items())

    @classmethod
    def unpacked(cls, data: bytes) -> BlockRows:
        """Returns the rows; the columns are those of the bytes themselves."""
        count = len(data) // ROW_BYTES
        columns, at = [], 0
        for type_ in column_types(cls).values():
            columns.append(np.frombuffer(data, dtype=type_, count=count, offset=at))
            at += columns[-1].nbytes
        if at != len(data):
            raise ValueError("rows are whole")
        return cls(*columns)

    def check(self, players: int, events: int) -> None:
        """Raises ``ValueError`` unless all indexes are of so many players, and seqs of events."""
        require_within(self.white, 0, players)
        require_within(self.black, NOBODY, players)
        require_within(self.seq, 0, events)


def require_within(column: Column, first: int, end: int) -> None:
    """Raises ``ValueError`` unless all values of a column lie from ``first`` to before ``end``."""
    if len(column) and not first <= int(column.min()) <= int(column.max()) < end:
        raise ValueError(f"a value of a column is not between {first} and {end}")


ROW_BYTES = sum(np.dtype(type_).itemsize for type_ in column_types(BlockRows).values())


@dataclass(frozen=True, slots=True)
class GameDirectory:
    """Where the rows of each tournament are: from ``start`` to the start of the next one.

    ``seq`` is that of the first event among them.
    """

    tournament: Column
    start: Column
    seq: Column


@dataclass(frozen=True, slots=True)
class Block:
    """The pairings of a range of events, ``count`` rows; ``fetch`` brings them."""

    first_seq: int
    last_seq: int
    count: int
    directory: GameDirectory
    fetch: Callable[[], BlockRows]
    sealed: bool = False

    @classmethod
    def of(cls, first_seq: int, last_seq: int, pairings: PairingRows, last_days: Column) -> Block:
        """Returns a block in memory; ``last_days`` are the tournaments' (ordinals)."""
        order, directory = _arranged(pairings, last_days)
        rows = BlockRows(
            (pairings.seq[order] - first_seq).astype(np.int32),
            pairings.white[order],
            pairings.black[order],
            pairings.round[order],
            pairings.code[order],
        )
        return cls(first_seq, last_seq, len(pairings), directory, partial(_itself, rows))

    def pairings(self) -> PairingRows:
        """Returns the rows by seq."""
        rows, directory = self.fetch(), self.directory
        counts = np.diff(directory.start, append=np.int32(self.count))
        order = np.argsort(rows.seq)
        return PairingRows(
            rows.seq[order].astype(np.int64) + self.first_seq,
            np.repeat(directory.tournament, counts)[order],
            rows.white[order],
            rows.black[order],
            rows.round[order],
            rows.code[order],
        )


def _itself(rows: BlockRows) -> BlockRows:
    return rows


def _arranged(pairings: PairingRows, last_days: Column) -> tuple[Column, GameDirectory]:
    """Returns the order of the rows, and where the tournaments are in it."""
    named, which = np.unique(pairings.tournament, return_inverse=True)
    by_day = np.argsort(last_days[named], kind="stable")  # of the same day by index
    rank = np.empty(len(named), dtype=np.int64)
    rank[by_day] = np.arange(len(named))
    place = rank[which]
    order = np.argsort(place << 32 | pairings.white, kind="stable")  # the rest is by seq already
    start = np.searchsorted(place[order], np.arange(len(named))).astype(np.int32)
    earliest = np.minimum.reduceat(pairings.seq[order], start) if len(named) else pairings.seq
    return order, GameDirectory(named[by_day].astype(np.int32), start, earliest)


_LARGE = 1 << 18


class GrowingBlocks:
    """Blocks and, behind them, pairings that are not arranged yet."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._loose: list[PairingRows] = []

    def append(self, pairings: PairingRows, last_days: Callable[[], Column]) -> None:
        """Adds the pairings of the next events; many are arranged, when they take less room."""
        self._loose.append(pairings)
        if sum(map(len, self._loose)) >= _LARGE:
            self.blocks(last_days())

    def append_sealed(self, block: Block) -> None:
        """Adds the block of the next events; there are no others behind it."""
        assert not self._loose, "what is sealed comes first"
        self._blocks.append(block)

    def sealed(self) -> Block | None:
        """Returns the last sealed block."""
        return next((block for block in reversed(self._blocks) if block.sealed), None)

    def between(self, first_seq: int, last_seq: int) -> PairingRows:
        """Returns what the events of a range say."""
        its = (
            block.pairings()
            for block in self._blocks
            if block.first_seq <= last_seq and first_seq <= block.last_seq
        )
        parts = (PairingRows.of(()), *its, *self._loose)
        return PairingRows.joined([p.rows(p.places(first_seq, last_seq)) for p in parts])

    def blocks(self, last_days: Column) -> list[Block]:
        """Returns everything in blocks.

        Each is at least twice as large as the next one, or large: there are few, and none is so
        large that a part of it is dear.
        """
        pairings = PairingRows.joined(self._loose) if self._loose else PairingRows.of(())
        self._loose = []
        if len(pairings):
            while self._blocks and _small(self._blocks[-1], 2 * len(pairings)):
                pairings = PairingRows.joined([self._blocks.pop().pairings(), pairings])
        for start in range(0, len(pairings), _LARGE):
            part = pairings.rows(slice(start, start + _LARGE))
            first, last = int(part.seq[0]), int(part.seq[-1])
            self._blocks.append(Block.of(first, last, part, last_days))
        return list(self._blocks)

    def replace(self, sealed: Block, last_seq: int) -> None:
        """Puts a sealed block where its events were; ``last_seq`` is that of all events."""
        behind = self.between(sealed.last_seq + 1, last_seq)
        self._blocks = [block for block in self._blocks if block.last_seq < sealed.first_seq]
        self._blocks.append(sealed)
        self._loose = [behind] if len(behind) else []

    def fork(self) -> GrowingBlocks:
        """Returns one that grows on its own."""
        made = GrowingBlocks()
        made._blocks, made._loose = list(self._blocks), list(self._loose)
        return made


def _small(block: Block, rows: int) -> bool:
    return not block.sealed and block.count < min(rows, _LARGE)
