"""A replay over many workers: engines, which reach them, and the replay that asks them for sums.

The replay of a list goes on here, the plain games are summed by shards. What grows with the games
is theirs. What is left here grows with the players (K, rounding, seeds, adjustments) or is not
plain: newcomers, mixed all-play-alls, what late facts changed. As a sum of integers is the same in
any order, every figure is that of a replay in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np

from ledger.calendar import Period
from ledger.cluster.shards import Asked, Changed, ShardPlace, Shards, Share
from ledger.facts.columns import Column
from ledger.rating.game_sums import Summed, Sums
from ledger.rating.postings import Games
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline

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
