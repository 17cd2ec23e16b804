"""Runs of events: one row for events that follow each other and say the same.

A tournament is recorded as a whole, more often than not, so there are few runs: eight bytes for a
hundred events. A range of events has the same runs however they were made, joined or cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ledger.facts.arrays import NEVER, Column, ColumnTable, Int32


@dataclass(frozen=True)
class Effects:
    """How far back events reach: the earliest chess date (ordinal) that each can affect.

    The date is ``NEVER`` for an event that affects none.

    Run ``i`` has the events from ``first[i]`` to before ``first[i + 1]``, the last one ``last``.
    """

    first: Column
    day: Column
    last: int

    @classmethod
    def of(cls, first_seq: int, days: Column) -> Effects:
        """Returns the effects of events from ``first_seq`` on, given the day of each."""
        seqs = np.arange(first_seq, first_seq + len(days), dtype=np.int64)
        return _effects(seqs, days.astype(np.int32), first_seq + len(days) - 1)

    @classmethod
    def joined(cls, parts: Sequence[Effects]) -> Effects:
        """Returns the effects of ranges that follow each other."""
        if not parts:
            return cls(np.zeros(0, np.int64), np.zeros(0, np.int32), 0)
        if len(parts) == 1:
            return parts[0]
        first, day = (np.concatenate([getattr(p, n) for p in parts]) for n in ("first", "day"))
        return cls(first, day, parts[-1].last)

    def between(self, first_seq: int, last_seq: int) -> Effects:
        """Returns the effects of a range of events; the same runs however they were made."""
        start, end = self._runs(first_seq, last_seq)
        first = np.maximum(self.first[start:end], first_seq)
        return _effects(first, self.day[start:end], last_seq)

    def earliest(self, after: int, upto: int) -> int:
        """Returns the earliest day (ordinal) that an event with ``after < seq <= upto`` affects."""
        if upto <= after:
            return NEVER
        if upto >= self.last:
            start, _ = self._runs(after + 1, self.last)
            return int(self._from_here_on[start])
        start, end = self._runs(after + 1, upto)
        return int(self.day[start:end].min(initial=NEVER))

    def latest(self, upto_day: int) -> int:
        """Returns the last seq of an event that affects a day up to one (ordinal); 0: none does."""
        reaching = np.flatnonzero(self.day <= upto_day)
        if not len(reaching):
            return 0
        following = self.first[int(reaching[-1]) + 1 :]
        return int(following[0]) - 1 if len(following) else self.last

    @cached_property
    def _from_here_on(self) -> Column:
        days = np.append(self.day, np.int32(NEVER))
        return np.minimum.accumulate(days[::-1])[::-1]

    def _runs(self, first_seq: int, last_seq: int) -> tuple[int, int]:
        """Returns the runs that have events of a range."""
        if first_seq > self.last:
            return len(self.first), len(self.first)
        start = int(np.searchsorted(self.first, first_seq, side="right")) - 1
        return start, int(np.searchsorted(self.first, last_seq, side="right"))


def _effects(first: Column, day: Column, last: int) -> Effects:
    starts = np.ones(len(day), dtype=np.bool_)
    starts[1:] = day[1:] != day[:-1]
    return Effects(first[starts], day[starts], last)


@dataclass(frozen=True, slots=True)
class EntryRuns(ColumnTable):
    """Runs of events that follow each other, each of which enters a player in one tournament.

    ``seq`` is that of the first, ``count`` says how many there are.
    """

    tournament: Int32
    count: Int32

    @classmethod
    def one_by_one(cls, seq: Column, tournament: Column) -> EntryRuns:
        """Returns the runs of events, given the tournament of each."""
        return _entries(seq, tournament, np.ones(len(seq), dtype=np.int32))

    def between(self, first_seq: int, last_seq: int) -> EntryRuns:
        """Returns the runs of a range of events; the same however they were made."""
        first = np.maximum(self.seq, first_seq)
        behind = np.minimum(self.seq + self.count, last_seq + 1)
        within = np.flatnonzero(first < behind)
        count = (behind - first)[within].astype(np.int32)
        return _entries(first[within], self.tournament[within], count)


def _entries(seq: Column, tournament: Column, count: Column) -> EntryRuns:
    """Joins the runs that follow each other."""
    starts = np.ones(len(seq), dtype=np.bool_)
    starts[1:] = (seq[1:] != seq[:-1] + count[:-1]) | (tournament[1:] != tournament[:-1])
    first = np.flatnonzero(starts)
    together = np.add.reduceat(count, first) if len(first) else count
    return EntryRuns(seq[first], tournament[first], together.astype(np.int32))
