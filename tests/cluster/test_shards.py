"""One list by shards of its players is the list, bit for bit, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ledger.calendar import Period
from ledger.cluster.dask import OnDask
from ledger.cluster.shards import Asked, Coordinator, ShardPlace, Shards, ShardsHere, Share
from ledger.facts.columns import Column, Facts
from ledger.rating.game_sums import Summed, Sums, summed
from ledger.rating.plain_games import GameRatings
from ledger.rating.postings import Games
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import Source, replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.replays import facts_at
from tests.archive.club import filled
from tests.cluster.federation import LISTS
from tests.ledgers import define


def outcomes(facts: Facts, name: str, summing: Source | None = None) -> list[PeriodOutcome]:
    until = last_period(facts, name)
    return list(replay(Timeline.at_head(facts, name), until, summing=summing))


def assert_same(some: Sequence[PeriodOutcome], others: Sequence[PeriodOutcome]) -> None:
    for one, other in zip(some, others, strict=True):
        assert one.period == other.period
        for name in (
            "units",
            "change",
            "rated_games",
            "counted_games",
            "paid",
            "adjustment",
            "removed",
        ):
            assert np.array_equal(getattr(one, name), getattr(other, name)), (one.period, name)
        assert one.credits.points.scale == other.credits.points.scale
        assert np.array_equal(one.credits.points.units, other.credits.points.units), one.period
        assert np.array_equal(one.credits.games, other.credits.games), one.period
        for name in ("rating", "games", "peak", "listed", "seeded_on"):
            mine, its = getattr(one.closing, name), getattr(other.closing, name)
            assert np.array_equal(mine, its), (one.period, name)
            assert mine.dtype == its.dtype, name
        assert list(one.closing.buckets.items()) == list(other.closing.buckets.items())


@pytest.fixture(scope="module")
def place_of(archived: Path) -> partial[Facts]:
    seq = facts_at(str(archived), 0).seq
    return partial(facts_at, f"archive:{archived}", seq)


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
@pytest.mark.parametrize("name", LISTS)
def test_in_this_process(place_of: partial[Facts], name: str, shards: int) -> None:
    facts = place_of()
    shared = Coordinator(ShardsHere(ShardPlace(place_of, name), shards))
    assert_same(outcomes(facts, name, shared), outcomes(facts, name))


@pytest.mark.parametrize("name", LISTS)
def test_on_a_cluster(dask: OnDask, place_of: partial[Facts], name: str) -> None:
    facts = place_of()
    shards = dask.shards(ShardPlace(place_of, name))
    assert_same(outcomes(facts, name, Coordinator(shards)), outcomes(facts, name))


@pytest.mark.parametrize("name", LISTS)
def test_the_same_games_are_plain(place_of: partial[Facts], name: str) -> None:
    facts = place_of()
    shared = Coordinator(ShardsHere(ShardPlace(place_of, name), 3))

    def compared(
        timeline: Timeline, period: Period, opening: Column, in_force: RatingsInForce
    ) -> tuple[Games, Summed | None]:
        others, made = shared(timeline, period, opening, in_force)
        games, regulation = timeline.games(period), timeline.regulation(period)
        starts_on, plain = timeline.known.tournaments.starts_on, timeline.plain_games(period)
        assert made is not None
        assert plain is not None
        if regulation.RATINGS_OF == "tournament":
            ratings = in_force.of_games(opening, starts_on, games.tournament)
        else:
            ratings = GameRatings.at_start(opening, len(starts_on))
        right = summed(games, plain, ratings)
        assert sorted(others.game) == sorted(games.game[right.others]), period
        orders = [np.argsort(each.sums.players) for each in (made, right)]
        for column in Sums.__slots__:
            one, other = (
                getattr(each.sums, column)[order]
                for each, order in zip((made, right), orders, strict=True)
            )
            assert np.array_equal(one, other), (period, column)
        return others, made

    removed = sum(outcome.removed.any() for outcome in outcomes(facts, name, compared))
    assert removed == 0 or name == "FIDE"
    assert removed > 0 or name != "FIDE", "somebody falls below the floor"


def test_a_list_that_has_no_plain_games_is_calculated_here() -> None:
    """Event by event there is nothing that shards could sum, and none is asked."""
    ledger = filled()
    define(ledger, "OLD", regulation="fenamac-1973")
    facts = ledger.facts()

    class Nobody:
        def sums(self, *_: object) -> list[object]:
            raise AssertionError("nobody is asked")

    nobody: Shards = Nobody()  # type: ignore[assignment]
    assert_same(outcomes(facts, "OLD", Coordinator(nobody)), outcomes(facts, "OLD"))


def test_what_is_told_are_changes(place_of: partial[Facts]) -> None:
    """From the second period on a shard is told the ratings that changed, not all of them."""
    facts = place_of()
    told: list[tuple[Asked, Asked]] = []

    class Listening(ShardsHere):
        def sums(self, asked: Asked, again: Callable[[], Asked]) -> list[Share]:
            told.append((asked, again()))
            return super().sums(asked, again)

    list(outcomes(facts, "ENF", Coordinator(Listening(ShardPlace(place_of, "ENF"), 2))))
    assert all(each.base is not None for asked, _ in told[1:] for each in asked.changed)
    assert all(each.base is None for _, again in told for each in again.changed)
    assert all(len(each.places) < each.size for asked, _ in told[1:] for each in asked.changed)
