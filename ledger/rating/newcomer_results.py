"""Newcomers' results in columns: what players without a rating achieved, and whom they met.

A long history has a hundred thousand of them: they are kept as columns, and become objects
(``NewcomerResult``) when somebody looks at one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import overload

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.rating.postings import (
    NewcomerResult,
    OpponentMet,
    PostingColumns,
    Reason,
    known_reason,
)
from ledger.rating.ratios import Ratios, ranges

_SPARE = 1000  # opponents


@dataclass(frozen=True, slots=True)
class OpponentColumns(PostingColumns):
    """Opponents whose ratings entered results (see ``OpponentMet``), result by result."""

    game: Column
    round: Column
    opponent: Column
    rating: Column
    halves: Column

    def each(self) -> tuple[OpponentMet, ...]:
        """Returns them one by one."""
        columns = (getattr(self, name).tolist() for name in self.__slots__)
        return tuple(OpponentMet(*row) for row in zip(*columns, strict=True))


@dataclass(frozen=True, slots=True)
class Achievements(PostingColumns):
    """The whole numbers of results, a row each: as in ``NewcomerResult``."""

    player: Column
    tournament: Column
    starts_on: Column
    ends_on: Column
    games: Column
    halves: Column
    reason: Column
    group: Column


_NOBODY_MET = OpponentColumns(*(np.zeros(0, dtype=np.int64) for _ in OpponentColumns.__slots__))


@dataclass(frozen=True)
class Pool:
    """Opponents met in many results: they stay where they are, whatever becomes of the results."""

    parts: tuple[OpponentColumns, ...]

    def __len__(self) -> int:
        """How many there are."""
        return sum(map(len, self.parts))

    def rows(self, chosen: Column) -> OpponentColumns:
        """Returns some of them, by row number over all parts."""
        return self._whole.rows(chosen)

    @cached_property
    def _whole(self) -> OpponentColumns:
        return OpponentColumns.joined(self.parts or (_NOBODY_MET,))


@dataclass(frozen=True, slots=True)
class Results(Sequence[NewcomerResult]):
    """Newcomers' results. Each met ``met_counts`` opponents, from ``met_starts`` on in the pool.

    Opponents are many and seldom looked at: what is done with results leaves them alone.
    """

    achieved: Achievements
    means: Ratios
    performances: Ratios
    met_counts: Column
    met_starts: Column
    pool: Pool

    @classmethod
    def in_order(
        cls,
        achieved: Achievements,
        means: Ratios,
        performances: Ratios,
        met_counts: Column,
        opponents: OpponentColumns,
    ) -> Results:
        """Returns results with their opponents one after the other, in the order of the results."""
        starts = np.cumsum(met_counts) - met_counts
        return cls(achieved, means, performances, met_counts, starts, Pool((opponents,)))

    @classmethod
    def of(cls, results: Sequence[NewcomerResult]) -> Results:
        """Returns results as columns; what is in columns already as it is."""
        if isinstance(results, Results):
            return results
        rows = [
            (r.player, r.tournament, r.starts_on, r.ends_on, r.games, r.halves, r.reason, r.group)
            for r in results
        ]
        met = [
            (m.game, m.round, m.opponent, m.rating, m.halves) for r in results for m in r.opponents
        ]
        return cls.in_order(
            Achievements(*np.array(rows, dtype=np.int64).reshape(-1, 8).T),
            Ratios.of(r.opponents_mean for r in results),
            Ratios.of(r.performance for r in results),
            np.array([len(r.opponents) for r in results], dtype=np.int64),
            OpponentColumns(*np.array(met, dtype=np.int64).reshape(-1, 5).T),
        )

    @classmethod
    def none(cls) -> Results:
        """No results."""
        return cls.of(())

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """Returns the parts one after the other."""
        if not parts:
            return cls.none()
        *starts, _ = accumulate((len(part.pool) for part in parts), initial=0)
        return cls(
            Achievements.joined([part.achieved for part in parts]),
            Ratios.joined(part.means for part in parts),
            Ratios.joined(part.performances for part in parts),
            np.concatenate([part.met_counts for part in parts]),
            np.concatenate(
                [part.met_starts + start for part, start in zip(parts, starts, strict=True)]
            ),
            Pool(tuple(met for part in parts for met in part.pool.parts if len(met))),
        )

    @property
    def opponents(self) -> OpponentColumns:
        """The opponents, ``met_counts`` for each result, in their order."""
        return self.pool.rows(ranges(self.met_starts, self.met_counts))

    @property
    def player(self) -> Column:
        """Whose they are."""
        return self.achieved.player

    @property
    def games(self) -> Column:
        """How many games each is made of."""
        return self.achieved.games

    @property
    def computable(self) -> Mask:
        """Which of them count towards a first rating."""
        computable: Mask = self.achieved.reason == Reason.NONE
        return computable

    def rows(self, chosen: Column | Mask | slice) -> Results:
        """Returns the chosen ones: a mask, row numbers in the wanted order, or a range."""
        if not isinstance(chosen, slice) and chosen.dtype == np.bool_:
            chosen = np.flatnonzero(chosen)
        return Results(
            self.achieved.rows(chosen),
            self.means.rows(chosen),
            self.performances.rows(chosen),
            self.met_counts[chosen],
            self.met_starts[chosen],
            self.pool,
        )

    def columns(self) -> Iterator[Column]:
        """Yields all columns with a row for each result."""
        yield from (getattr(self.achieved, name) for name in Achievements.__slots__)
        for ratios in (self.means, self.performances):
            yield from (ratios.numerators, ratios.denominators)
        yield self.met_counts

    def cut(self) -> Results:
        """Returns the same with every column made, for what is kept and chosen from again.

        Of the pool no more is kept than twice what is needed.
        """
        achieved = self.achieved.cut()
        if len(self.pool) <= 2 * int(self.met_counts.sum()) + _SPARE:
            return replace(self, achieved=achieved)
        return self.in_order(
            achieved, self.means, self.performances, self.met_counts, self.opponents.cut()
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.achieved)

    @overload
    def __getitem__(self, place: int) -> NewcomerResult: ...
    @overload
    def __getitem__(self, place: slice) -> Results: ...
    def __getitem__(self, place: int | slice) -> NewcomerResult | Results:
        """Returns the result at a place, or a range of them."""
        if isinstance(place, slice):
            return self.rows(place)
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._made(place % len(self))

    def __iter__(self) -> Iterator[NewcomerResult]:
        """Yields them one by one."""
        return (self._made(place) for place in range(len(self)))

    def _made(self, place: int) -> NewcomerResult:
        """Returns one of them as an object."""
        of = self.achieved
        mean = self.means[place]
        assert mean is not None, "every result has opponents"
        return NewcomerResult(
            player=int(of.player[place]),
            tournament=int(of.tournament[place]),
            starts_on=int(of.starts_on[place]),
            ends_on=int(of.ends_on[place]),
            games=int(of.games[place]),
            halves=int(of.halves[place]),
            opponents_mean=mean,
            performance=self.performances[place],
            reason=known_reason(int(of.reason[place])),
            opponents=self.rows(slice(place, place + 1)).opponents.each(),
            group=int(of.group[place]),
        )
