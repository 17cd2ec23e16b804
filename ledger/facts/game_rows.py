"""Gathers the rows of some tournaments from the blocks, as they were known at a seq.

Rows that stand together are taken together: a period of a history that was recorded in order is
one piece of one block, or two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ledger.facts.arrays import AnyColumn, Column, Mask, column_types
from ledger.facts.blocks import Block, BlockRows, PairingRows
from ledger.facts.columns import Facts
from ledger.identifiers import Seq

# Above this share of rows to leave out it is cheaper to choose the others one by one.
_FEW = 1 / 32


@dataclass(frozen=True, slots=True)
class GameRows:
    """The last row of each pairing; ``game`` is its seq, ``code`` as in blocks."""

    game: Column
    tournament: Column
    white: Column
    black: Column
    round: Column
    code: AnyColumn

    def __len__(self) -> int:
        return len(self.game)

    def rows(self, chosen: Mask | slice) -> GameRows:
        """Returns the chosen rows."""
        return GameRows(*(getattr(self, name)[chosen] for name in GameRows.__slots__))

    def merged(self, into: Column) -> GameRows:
        """Returns the same with players under the index that counts; ``into[-1]`` is nobody."""
        white, black = into[self.white], into[self.black]
        return GameRows(self.game, self.tournament, white, black, self.round, self.code)


def gathered(
    facts: Facts, basis: Seq, places: Column, fetch: Callable[[int], BlockRows], superseded: Column
) -> GameRows:
    """Returns the rows of some places that hold at a basis.

    Args:
        facts: whose places they are.
        basis: the seq up to which events are known.
        places: positions in the facts' directory, in order.
        fetch: brings the rows of a block, by its position.
        superseded: the seqs of the rows that do not hold any more, sorted.
    """
    directory = facts.directory
    pieces = [_NOTHING]
    gone: dict[int, Mask | None] = {}
    for its in _runs(facts, places):
        position = int(directory.block[its[0]])
        block, rows = facts.blocks[position], fetch(position)
        if position not in gone:
            gone[position] = _gone(block, basis, superseded)
        start, end = int(directory.start[its[0]]), int(directory.end[its[-1]])
        game = rows.seq[start:end] + np.int64(block.first_seq)
        counts = directory.end[its] - directory.start[its]
        tournament = np.repeat(directory.tournament[its], counts)
        columns = (rows.white, rows.black, rows.round, rows.code)
        made = GameRows(game, tournament, *(column[start:end] for column in columns))
        pieces += _remaining(made, rows.seq[start:end], gone[position])
    if len(pieces) == 2:  # noqa: PLR2004 - one, beside nothing: it need not be copied
        return pieces[1]
    names = GameRows.__slots__
    return GameRows(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in names))


_NOTHING = GameRows(*(np.zeros(0, dtype=type_) for type_ in column_types(PairingRows).values()))


def _runs(facts: Facts, places: Column) -> list[Column]:
    """Returns the places in runs whose rows stand together in one block."""
    directory = facts.directory
    block, start, end = directory.block[places], directory.start[places], directory.end[places]
    apart = (block[1:] != block[:-1]) | (start[1:] != end[:-1])
    return [run for run in np.split(places, np.flatnonzero(apart) + 1) if len(run)]


def _gone(block: Block, basis: Seq, superseded: Column) -> Mask | None:
    """Returns, by seq in the block, which rows do not hold or are not known; None: all do."""
    bounds = np.searchsorted(superseded, (block.first_seq, block.last_seq + 1))
    its = superseded[slice(*bounds.tolist())]
    if not len(its) and block.last_seq <= basis:
        return None
    gone = np.zeros(block.last_seq - block.first_seq + 1, dtype=np.bool_)
    gone[its - block.first_seq] = True
    gone[max(0, basis + 1 - block.first_seq) :] = True
    return gone


def _remaining(made: GameRows, seq: Column, gone: Mask | None) -> list[GameRows]:
    """Returns the rows that are not gone: whole pieces, if it is few that are left out."""
    if gone is None:
        return [made]
    out = gone[seq]
    places = np.flatnonzero(out)
    if len(places) > _FEW * len(seq):
        return [made.rows(~out)]
    starts, ends = [0, *(places + 1).tolist()], [*places.tolist(), len(seq)]
    return [made.rows(slice(*each)) for each in zip(starts, ends, strict=True) if each[0] < each[1]]
