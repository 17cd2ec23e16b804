"""Tells on what conditions the games of each tournament are plain, and sums those of a period."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ledger.facts.columns import AnyColumn, Column
from ledger.facts.known import ALL_PLAY_ALL, TournamentColumns
from ledger.rating.expectation import Expectation
from ledger.rating.plain import Conditions, Summed, summed
from ledger.rating.sheet import Games
from ledger.regulations.interface import PlainGames
from ledger.replay.in_force import RatingsInForce


def conditions_of(rules: PlainGames, tournaments: TournamentColumns) -> Conditions:
    """Returns the conditions of all tournaments under a regulation's rule for plain games.

    An all-play-all with somebody unrated is calculated as a whole, and so none of its games is
    plain.
    """
    count = len(tournaments.system)
    counted = rules.differences(tournaments.starts_on)

    def column(values: AnyColumn | int, type_: str) -> AnyColumn:
        return np.ascontiguousarray(np.broadcast_to(values, count), dtype=type_)

    return Conditions(
        merit=column(rules.merits(tournaments), "i8"),
        cap=column(counted.cap, "i4"),
        capped_below=column(counted.capped_below, "i4"),
        apart_beyond=column(counted.apart_beyond, "i4"),
        together=column(tournaments.system == ALL_PLAY_ALL, "?"),
        list=np.zeros(count, dtype=np.int32),
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
    if in_force is None:
        return summed(games, conditions, rating, [rating], expectation)
    ratings, which = in_force.of_tournaments(starts_on, games.tournament)
    return summed(games, replace(conditions, list=which), rating, ratings, expectation)
