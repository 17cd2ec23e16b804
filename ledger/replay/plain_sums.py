"""Tells on what conditions the games of each tournament are plain, and sums those of a period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ledger.facts.as_of import ALL_PLAY_ALL, TournamentColumns
from ledger.facts.columns import AnyColumn, Column
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import Conditions, PlainRows, Summed, plain_rows, summed
from ledger.rating.postings import Games
from ledger.regulations.interface import PlainGames
from ledger.replay.opening_ratings import RatingsInForce


def conditions_of(rules: PlainGames, tournaments: TournamentColumns) -> Conditions:
    """Returns the conditions of all tournaments under a regulation's rule for plain games.

    An all-play-all with somebody unrated is calculated as a whole, and so none of its games is
    plain.
    """
    count = len(tournaments.system)
    # Wide, as those of the sides that are calculated one by one: both must come to the same.
    wide = replace(
        tournaments,
        **{name: getattr(tournaments, name).astype(np.int64) for name in ("merit", "rate")},
    )
    counted = rules.differences(tournaments.starts_on.astype(np.int64))

    def points(values: AnyColumn | int) -> AnyColumn:
        """Differences as the kernel takes them; what is beyond its numbers is no limit at all."""
        within = np.clip(values, 0, np.iinfo(np.int32).max)
        return np.ascontiguousarray(np.broadcast_to(within, count), dtype=np.int32)

    return Conditions(
        merit=np.ascontiguousarray(rules.merits(wide), dtype=np.int64),
        cap=points(counted.cap),
        capped_below=points(counted.capped_below),
        apart_beyond=points(counted.apart_beyond),
        together=tournaments.system == ALL_PLAY_ALL,
        ratings_of=np.zeros(count, dtype=np.int32),
    )


def summed_with(
    expectation: Expectation,
    games: Games,
    conditions: Conditions,
    rating: Column,
    in_force: RatingsInForce | None,
    starts_on: Column,
) -> Summed:
    """Sums the plain games of a period.

    Args:
        expectation: the model that turns D into an expected score.
        games: all games of the period.
        conditions: by tournament.
        rating: everybody's rating at the start of the period.
        in_force: the ratings the games are rated with; None: those of the period's start.
        starts_on: the first day (ordinal) of each tournament, by index.
    """
    ratings, on = _rated_with(games, conditions, rating, in_force, starts_on)
    return summed(games, on, rating, ratings, expectation)


def rows_with(
    games: Games,
    conditions: Conditions,
    rating: Column,
    in_force: RatingsInForce | None,
    starts_on: Column,
) -> PlainRows:
    """Returns the plain games of a period one by one; arguments as in ``summed_with``."""
    ratings, on = _rated_with(games, conditions, rating, in_force, starts_on)
    return plain_rows(games, on, rating, ratings)


def _rated_with(
    games: Games,
    conditions: Conditions,
    rating: Column,
    in_force: RatingsInForce | None,
    starts_on: Column,
) -> tuple[Sequence[Column], Conditions]:
    """Returns the ratings that the games are rated with, and the conditions that tell which."""
    if in_force is None:
        return [rating], conditions
    ratings, which = in_force.of_tournaments(starts_on, games.tournament)
    return ratings, conditions.rated_with(which)
