"""The provisional buckets in which newcomers' results wait, and the first ratings they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.rating.newcomer_results import OpponentColumns, Results
from ledger.rating.postings import NewcomerResult
from ledger.rating.ratios import groups

Bucket: TypeAlias = tuple[tuple[int, NewcomerResult], ...]


@dataclass(frozen=True, slots=True)
class Buckets:
    """The provisional buckets: computable results of players without a rating.

    ``results`` stand by player and then in the order in which they came; ``periods`` has the index
    of the period of each.
    """

    results: Results
    periods: Column

    @classmethod
    def empty(cls) -> Buckets:
        """Nobody waits."""
        return cls(Results.none(), np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, buckets: Mapping[int, Bucket]) -> Buckets:
        """Makes columns of single buckets; whose they are, their keys say."""
        entries = [
            (period, replace(result, player=player))
            for player in sorted(buckets)
            for period, result in buckets[player]
        ]
        return cls(
            Results.of([result for _, result in entries]),
            np.array([period for period, _ in entries], dtype=np.int64),
        )

    def items(self) -> Iterator[tuple[int, Bucket]]:
        """Yields everybody's bucket as objects, by player."""
        for start, count in zip(self.starts.tolist(), self.counts.tolist(), strict=True):
            made = self._bucket(start, start + count)
            yield made[0][1].player, made

    def get(self, player: int) -> Bucket:
        """Returns one player's bucket; empty, where he has none."""
        start, end = np.searchsorted(self.results.player, (player, player + 1)).tolist()
        return self._bucket(start, end)

    def _bucket(self, start: int, end: int) -> Bucket:
        chosen = self.results.rows(slice(start, end))
        return tuple(zip(self.periods[start:end].tolist(), chosen, strict=True))

    @property
    def starts(self) -> Column:
        """The first row of each player."""
        return groups(self.results.player)

    @property
    def counts(self) -> Column:
        """How many results each player has."""
        return np.diff(np.append(self.starts, len(self)))

    @property
    def players(self) -> Column:
        """Who has a bucket, in ascending order."""
        return self.results.player[self.starts]

    def sums(self, column: Column) -> Column:
        """Returns the sum of a column over each player's results."""
        return np.add.reduceat(column, self.starts) if len(self) else column[:0]

    def __len__(self) -> int:
        """How many results there are."""
        return len(self.periods)

    def __contains__(self, player: object) -> bool:
        """Whether the player has a bucket."""
        return bool((self.results.player == player).any())

    def rows(self, chosen: Mask) -> Buckets:
        """Returns the chosen results."""
        if chosen.all():
            return self
        return Buckets(self.results.rows(chosen), self.periods[chosen])

    def cut(self) -> Buckets:
        """Returns the same with every column made, for what is kept and chosen from again."""
        return replace(self, results=self.results.cut())

    def filled(self, results: Results, period: int) -> Buckets:
        """Returns them with a period's results put in, computable ones only."""
        new = results.rows(results.computable)
        if not len(new):
            return self
        joined = Results.joined([self.results, new])
        periods = np.append(self.periods, np.full(len(new), period, dtype=np.int64))
        order = np.argsort(joined.player, kind="stable")
        return Buckets(joined.rows(order), periods[order])

    def of_players(self, chosen: Mask) -> Buckets:
        """Returns those of some players, a mask over ``players``."""
        return self.rows(np.repeat(chosen, self.counts))

    def of_those(self, players: Column) -> Buckets:
        """Returns those of some players, by index."""
        if not len(self):
            return self
        return self.rows(np.isin(self.results.player, players))

    def with_those_of(self, others: Buckets) -> Buckets:
        """Returns them together with those of other players."""
        if not len(others):
            return self
        joined = Results.joined([self.results, others.results])
        order = np.argsort(joined.player, kind="stable")
        return Buckets(joined.rows(order), np.append(self.periods, others.periods)[order]).cut()

    def unlike(self, other: Buckets) -> Column:
        """Returns whose buckets are not the same in the other."""
        if not (len(self) and len(other)):
            return np.union1d(self.players, other.players)
        common, here, there = np.intersect1d(
            self.players, other.players, assume_unique=True, return_indices=True
        )
        # Of all others as many results stand in the same order.
        alike = common[self.counts[here] == other.counts[there]]
        unlike = np.setdiff1d(np.union1d(self.players, other.players), alike)
        one, two = self.of_those(alike), other.of_those(alike)
        differs = one.periods != two.periods
        for a, b in zip(one.results.columns(), two.results.columns(), strict=True):
            differs |= a != b
        rows = np.flatnonzero(~differs)
        first, second = one.results.rows(rows), two.results.rows(rows)
        of_row = np.repeat(rows, first.met_counts)
        met, met_by_others = first.opponents, second.opponents
        for name in OpponentColumns.__slots__:
            differs[of_row[getattr(met, name) != getattr(met_by_others, name)]] = True
        return np.union1d(unlike, one.results.player[differs])

    def revalued(
        self, rating: Column, performance: Callable[[Fraction, int, int], Fraction | None]
    ) -> Buckets:
        """Returns the results with the ratings that their opponents have by now.

        Args:
            rating: everybody's, by player index; who has none by now counts as before.
            performance: gives it from the opponents' mean, the half points and the games.
        """

        def anew(result: NewcomerResult) -> NewcomerResult:
            opponents = [
                replace(met, rating=int(rating[met.opponent]) or met.rating)
                for met in result.opponents
            ]
            mean = Fraction(sum(met.rating for met in opponents), len(opponents))
            worth = performance(mean, result.halves, result.games)
            return replace(result, opponents=opponents, opponents_mean=mean, performance=worth)

        return Buckets.of(
            {
                player: tuple((period, anew(result)) for period, result in bucket)
                for player, bucket in self.items()
            }
        )

    def without(self, players: Column | Sequence[int]) -> Buckets:
        """Returns them without those of some players."""
        if not len(self):
            return self
        gone = np.isin(self.results.player, players)
        return self.rows(~gone)


@dataclass(frozen=True, slots=True)
class FirstRating:
    """A newcomer's first rating, in points, and the results it is made of."""

    rating: int
    bucket: Bucket

    @property
    def games(self) -> int:
        """The games of its results."""
        return sum(result.games for _, result in self.bucket)


@dataclass(frozen=True, slots=True)
class FirstRatings(Mapping[int, FirstRating]):
    """First ratings by player: in points, with the results that each is made of."""

    buckets: Buckets
    ratings: Column

    @classmethod
    def none(cls) -> FirstRatings:
        """Nobody reached one."""
        return cls(Buckets.empty(), np.zeros(0, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[FirstRatings]) -> FirstRatings:
        """Returns those of several groups of games together; nobody reaches two."""
        parts = [part for part in parts if len(part)]
        if len(parts) <= 1:
            return parts[0] if parts else cls.none()
        results = Results.joined([part.buckets.results for part in parts])
        periods = np.concatenate([part.buckets.periods for part in parts])
        players = np.concatenate([part.players for part in parts])
        order = np.argsort(results.player, kind="stable")
        return cls(
            Buckets(results.rows(order), periods[order]),
            np.concatenate([part.ratings for part in parts])[np.argsort(players)],
        )

    @property
    def players(self) -> Column:
        """Who reached one, in ascending order."""
        return self.buckets.players

    @property
    def games(self) -> Column:
        """The games of each one's results."""
        return self.buckets.sums(self.buckets.results.games)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ratings)

    def __iter__(self) -> Iterator[int]:
        """Yields the players."""
        return iter(self.players.tolist())

    def __getitem__(self, player: int) -> FirstRating:
        """Returns one player's first rating."""
        place = int(np.searchsorted(self.players, player))
        if place >= len(self) or self.players[place] != player:
            raise KeyError(player)
        return FirstRating(int(self.ratings[place]), self.buckets.get(player))
