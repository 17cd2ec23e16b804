"""Two cores for one replay: the next period while this one is calculated, or looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from ledger.calendar import Period
from ledger.facts.columns import Column
from ledger.rating.game_sums import Summed
from ledger.rating.postings import Games
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.timeline import Timeline

_Made = TypeVar("_Made")

# Brings the games of a period, given its opening ratings: all of them, or, where the plain ones are
# summed somewhere else, their sums and the others.
Source: TypeAlias = Callable[
    [Timeline, Period, Column, RatingsInForce], tuple[Games, Summed | None]
]


def at_once(
    timeline: Timeline, period: Period, rating: Column, in_force: RatingsInForce
) -> tuple[Games, None]:
    """Brings the games of a period when they are asked for."""
    del rating, in_force
    return timeline.games(period), None


class Prefetch:
    """A source that is asked for one period after the other; to be used in a ``with``.

    Nobody else may ask the timeline for games meanwhile.
    """

    def __init__(self, timeline: Timeline, periods: Sequence[Period]) -> None:
        self._timeline = timeline
        self._left = list(reversed(periods))
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._next: Future[Games] | None = None

    def __enter__(self) -> Self:
        """Begins with the first period."""
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends reading."""
        self._pool.shutdown(cancel_futures=True)

    def _begin(self) -> None:
        self._next = None
        if self._left:
            self._next = self._pool.submit(self._timeline.games, self._left.pop())

    def __call__(
        self, timeline: Timeline, period: Period, rating: Column, in_force: RatingsInForce
    ) -> tuple[Games, None]:
        """Brings the games of the next period, once they are read."""
        del timeline, period, rating, in_force
        assert self._next is not None, "there are no more periods than were named"
        made = self._next.result()
        self._begin()
        return made, None


def one_ahead(outcomes: Iterator[_Made]) -> Iterator[_Made]:
    """Yields what an iterator does; the next one is made in a thread while this one is looked at.

    Who looks must not ask the replay's timeline for games meanwhile.
    """
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="replay") as beside:
        following = beside.submit(next, outcomes, None)
        while (made := following.result()) is not None:
            following = beside.submit(next, outcomes, None)
            yield made
