"""What an engine has to do: call a function for every part, somewhere, and bring the results.

A function is a module's own, its parts and results can be pickled: so it is the same in this
process, under Dask or under Spark. A part whose worker was lost is done again by another, so a
function may run twice; it only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from ledger.cluster.shards import ShardPlace, Shards, ShardsHere

Part = TypeVar("Part")
Result = TypeVar("Result")


class Engine(Protocol):
    """Calls functions on its workers."""

    def map(self, function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """Yields the result for each part, in their order; what a function raises is raised."""

    def owners(self, place: ShardPlace) -> Shards:
        """Puts an owner of players on every worker."""


class Here:
    """One part after the other, in this process.

    Args:
        shares: among how many owners players are divided.
    """

    def __init__(self, shares: int = 1) -> None:
        self._shares = shares

    def map(self, function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """Yields the result for each part."""
        yield from map(function, parts)

    def owners(self, place: ShardPlace) -> Shards:
        """Makes the owners."""
        return ShardsHere(place, self._shares)
