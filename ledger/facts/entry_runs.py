"""Who was entered in tournaments, as far as it is a number, in runs; and which are closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ledger.facts.arrays import Column, ColumnTable, Narrow


@dataclass(frozen=True, slots=True)
class EntryRuns(ColumnTable):
    """Runs of events that follow each other, each of which enters a player in one tournament.

    ``seq`` is that of the first, ``count`` says how many there are.
    """

    TYPES: ClassVar[Mapping[str, str]] = {"tournament": "<i4", "count": "<i4"}

    tournament: Narrow
    count: Narrow

    @classmethod
    def one_by_one(cls, seq: Column, tournament: Narrow) -> EntryRuns:
        """Returns the runs of events, given the tournament of each."""
        return _in_runs(seq, tournament, np.ones(len(seq), dtype=np.int32))

    def between(self, first_seq: int, last_seq: int) -> EntryRuns:
        """Returns the runs of a range of events; the same however they were made."""
        first = np.maximum(self.seq, first_seq)
        behind = np.minimum(self.seq + self.count, last_seq + 1)
        within = np.flatnonzero(first < behind)
        count = (behind - first)[within].astype(np.int32)
        return _in_runs(first[within], self.tournament[within], count)


def _in_runs(seq: Column, tournament: Narrow, count: Narrow) -> EntryRuns:
    """Joins the runs that follow each other."""
    starts = np.ones(len(seq), dtype=np.bool_)
    starts[1:] = (seq[1:] != seq[:-1] + count[:-1]) | (tournament[1:] != tournament[:-1])
    first = np.flatnonzero(starts)
    together = np.add.reduceat(count, first) if len(first) else count
    return EntryRuns(seq[first], tournament[first], together.astype(np.int32))


@dataclass(frozen=True, slots=True)
class ClosedReports(ColumnTable):
    """Tournaments whose report was said to be complete."""

    TYPES: ClassVar[Mapping[str, str]] = {"tournament": "<i4"}

    tournament: Narrow
