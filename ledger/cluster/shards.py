"""A replay over many workers: shards sum the plain games of their own players, by periods.

Every n-th player has the same shard. A shard reads the games of a period itself and keeps those of
its players, so a game between players of two shards is read and summed by both, each for its own.
It sums these with the arithmetic of one process (``rating.game_sums``) and returns the sums, and
the games that are not plain (of a game it is white's shard that returns it). What it is told are
the ratings that changed. While the replay goes on elsewhere, it reads the next period.

A shard is a plain object: nothing in it knows of an engine, which reaches the workers. The replay
of a list goes on where the coordinator is. What grows with the games is the shards'. What is left
there grows with the players (K, rounding, seeds, adjustments) or is not plain: newcomers, mixed
all-play-alls, what late facts changed. As a sum of integers is the same in any order, every figure
is that of a replay in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np

from ledger.calendar import Period
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts, Mask
from ledger.identifiers import Seq
from ledger.rating.bounds import MOST_PLAYERS
from ledger.rating.game_sums import Summed, Sums, summed
from ledger.rating.plain_games import GameRatings, PlainGames, admit_games
from ledger.rating.postings import Games
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Share:
    """What a shard answers: its players' sums, and the columns of games that are not plain."""

    sums: Sums
    others: tuple[Column, ...]


class ShardGames:
    """The games of one shard's players in a period; what can be is chosen before ratings are known.

    ``games`` are all games of the period, ``starts_on`` the first days (ordinals) of tournaments;
    ``number`` and ``shards`` are those of the ``Shard``.

    Raises:
        VerificationFailed: the games hold what they cannot (see ``rating.bounds``).
    """

    def __init__(
        self, games: Games, plain: PlainGames, starts_on: Column, number: int, shards: int
    ) -> None:
        admit_games(games, MOST_PLAYERS, len(plain.merit))
        self._plain, self._starts_on = plain, starts_on
        self._number, self._shards = number, shards
        concerned = self._are_mine(games.white) | self._are_mine(games.black)
        # Of all-play-alls all games are looked at: who else plays in them decides.
        played = np.zeros(len(plain.together), dtype=np.bool_)
        played[games.tournament[concerned]] = True
        concerned |= (played & plain.together)[games.tournament]
        self._games = games.rows(concerned).cut()

    def summed(self, rating: Column, in_force: RatingsInForce | None) -> Share:
        """Sums the plain games, rated with the ratings in force; None: those of the period's start.

        Raises:
            VerificationFailed: a column holds what it cannot (see ``rating.bounds``).
        """
        games, starts_on = self._games, self._starts_on
        if in_force is None:
            ratings = GameRatings.at_start(rating, len(starts_on))
        else:
            ratings = in_force.of_games(rating, starts_on, games.tournament)
        made = summed(games, self._plain, ratings)
        others = games.rows(made.others)
        # Of a game it is white's shard that returns it.
        others = others.rows(self._are_mine(others.white))
        mine = self._are_mine(made.sums.players)
        sums = (made.sums.players, made.sums.per_k, made.sums.games)
        return Share(
            Sums(*(column[mine].astype(t) for column, t in zip(sums, _TYPES, strict=True))),
            tuple(getattr(others, name) for name in Games.__slots__),
        )

    def _are_mine(self, players: Column) -> Mask:
        """Which players are the shard's; ``%`` would take ten times as long as ``//``."""
        mine: Mask = players - players // self._shards * self._shards == self._number
        return mine


_TYPES = (np.int32, np.int64, np.int32)


@dataclass(frozen=True, slots=True)
class ShardPlace:
    """Which list is replayed, and what reads the facts wherever a shard is; it can be pickled.

    Logs show it without ``facts``, which may hold the URL of a database with its password.
    """

    facts: Callable[[], Facts] = field(repr=False)
    list: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A vector by player: ``base`` (None: nothing but zeros) but for ``values`` at ``places``.

    Vectors have numbers, under which a shard remembers them.
    """

    vector: int
    base: int | None
    size: int
    places: Column
    values: Column


@dataclass(frozen=True, slots=True)
class Asked:
    """The sums of a period are wanted.

    ``basis`` is the seq up to which events are known, ``opening`` the vector with everybody's
    rating at the period's start, ``in_force`` the days (ordinals) with the vectors in force from
    them on; None where a regulation does not ask. Vectors not named again are forgotten.
    """

    period: Period
    basis: Seq
    changed: tuple[Changed, ...]
    opening: int
    in_force: tuple[tuple[int, int], ...] | None


class Shard:
    """Owns every n-th player, n the number of ``shards``, from the one with index ``number`` on."""

    def __init__(self, place: ShardPlace, number: int, shards: int) -> None:
        self._facts = place.facts()
        self._list = place.list
        self._number, self._shards = number, shards
        self._timeline: Timeline | None = None
        self._vectors: dict[int, Column] = {}
        self._reading = ThreadPoolExecutor(1, "reading")
        self._next: tuple[tuple[int, int], Future[ShardGames]] | None = None

    def sums(self, asked: Asked) -> Share:
        """Returns what a period comes to, and begins to read the next one."""
        self._learn(asked)
        timeline = self._timeline_at(asked.basis)
        sides = self._games_of(timeline, asked.period)
        in_force = None
        if asked.in_force is not None:
            days = [day for day, _ in asked.in_force]
            vectors = [self._vectors[vector] for _, vector in asked.in_force]
            in_force = RatingsInForce.of(days, vectors, complete=True)
        return sides.summed(self._vectors[asked.opening], in_force)

    def _learn(self, asked: Asked) -> None:
        """Takes the vectors that changed, and forgets those that are out of use."""
        for each in asked.changed:
            base = None if each.base is None else self._vectors[each.base]
            vector = np.zeros(each.size, dtype=np.int32) if base is None else base.copy()
            vector[each.places] = each.values
            self._vectors[each.vector] = vector
        used = {asked.opening, *(vector for _, vector in asked.in_force or ())}
        self._vectors = {number: self._vectors[number] for number in used}

    def _timeline_at(self, basis: Seq) -> Timeline:
        if self._timeline is None or self._timeline.known.seq != basis:
            self._timeline = Timeline(AsOf(self._facts, basis), self._list)
        return self._timeline

    def _games_of(self, timeline: Timeline, period: Period) -> ShardGames:
        """Returns the games of a period that concern this shard; most often they are read."""
        games = None
        if self._next is not None:
            ready, future = self._next
            read = future.result()  # nothing else may read at the same time
            games = read if ready == (timeline.known.seq, period.index) else None
        if games is None:
            games = self._read(timeline, period)
        later = timeline.periods(timeline.last_day)[period.index + 1 :]
        self._next = None
        if later and timeline.plain_games(later[0]) is not None:
            future = self._reading.submit(self._read, timeline, later[0])
            self._next = (timeline.known.seq, later[0].index), future
        return games

    def _read(self, timeline: Timeline, period: Period) -> ShardGames:
        plain = timeline.plain_games(period)
        assert plain is not None, "only plain games are summed by shards"
        starts_on = timeline.known.tournaments.starts_on
        return ShardGames(timeline.games(period), plain, starts_on, self._number, self._shards)


class Shards(Protocol):
    """All shards of a list, wherever they are."""

    def sums(self, asked: Asked, again: Callable[[], Asked]) -> list[Share]:
        """Asks every shard.

        Args:
            asked: the question, to those who know the vectors of the one before.
            again: makes the same question for one who knows none.
        """


class ShardsHere:
    """Shards in this process, one after the other: for engines that can ask none by itself."""

    def __init__(self, place: ShardPlace, shards: int) -> None:
        self._shards = [Shard(place, number, shards) for number in range(shards)]

    def sums(self, asked: Asked, again: Callable[[], Asked]) -> list[Share]:
        """Asks every shard; none is ever lost."""
        del again
        return [shard.sums(asked) for shard in self._shards]


Part = TypeVar("Part")
Result = TypeVar("Result")


class Engine(Protocol):
    """Calls functions on its workers.

    A function is a module's own, its parts and results can be pickled: so it is the same in this
    process, under Dask or under Spark. A part whose worker was lost is done again by another, so a
    function may run twice; it only reads.
    """

    def map(self, function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """Yields the result for each part, in their order; what a function raises is raised."""

    def shards(self, place: ShardPlace) -> Shards:
        """Puts a shard of players on every worker."""


class Coordinator:
    """Lets shards sum the plain games of a replay; pass it as ``replay(…, summing=…)``."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self._known: dict[int, Column] = {}
        self._last: int | None = None
        self._count = 0

    def __call__(
        self, timeline: Timeline, period: Period, opening: Column, in_force: RatingsInForce
    ) -> tuple[Games, Summed | None]:
        """Returns the games of a period that are not plain, and the sums of the others."""
        if timeline.plain_games(period) is None:
            return timeline.games(period), None
        days: list[int] = []
        vectors: list[Column] = []
        by_tournament = timeline.regulation(period).RATINGS_OF == "tournament"
        if by_tournament:
            days, vectors = in_force.content()
        changed: list[Changed] = []
        numbers = [self._number(vector, changed) for vector in (*vectors, opening)]
        asked = Asked(
            period,
            timeline.known.seq,
            tuple(changed),
            numbers[-1],
            tuple(zip(days, numbers[:-1], strict=True)) if by_tournament else None,
        )
        self._known = {number: self._known[number] for number in numbers}
        self._last = numbers[-1]
        return _joined(self._shards.sums(asked, lambda: self._whole(asked)))

    def _number(self, vector: Column, changed: list[Changed]) -> int:
        """Returns the number of a vector; a new one is told by what differs from the last."""
        for number, known in self._known.items():
            if known is vector:
                return number
        self._count += 1
        base = None if self._last is None else self._known[self._last]
        changed.append(_difference(self._count, vector, self._last, base))
        self._known[self._count] = vector
        return self._count

    def _whole(self, asked: Asked) -> Asked:
        """Returns a question for one who knows nothing yet."""
        changed = [_difference(number, known, None, None) for number, known in self._known.items()]
        return Asked(asked.period, asked.basis, tuple(changed), asked.opening, asked.in_force)


def _difference(number: int, vector: Column, base: int | None, before: Column | None) -> Changed:
    places = np.flatnonzero(vector if before is None else vector != before)
    values = vector[places].astype(np.int32)
    return Changed(number, base, len(vector), places.astype(np.int32), values)


def _joined(shares: list[Share]) -> tuple[Games, Summed]:
    """Puts the answers together: no player is in two of them, and no game."""
    sums = Sums(
        *(np.concatenate([getattr(s.sums, name) for s in shares]) for name in Sums.__slots__)
    )
    columns = [np.concatenate(pieces) for pieces in zip(*(s.others for s in shares), strict=True)]
    others = Games(*columns)
    return others, Summed(np.arange(len(others)), lambda: sums)
