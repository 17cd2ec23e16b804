"""Calculates the games of one period: at once, or event by event where the regulation says so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import Column
from ledger.rating.kernel import sums
from ledger.rating.sheet import Calculation, NewcomerResult, Sides
from ledger.rating.standing import (
    UNRATED,
    Bucket,
    Buckets,
    FirstRating,
    FirstRatings,
    Particulars,
    Standing,
)
from ledger.regulations.interface import Regulation
from ledger.replay.in_force import RatingsInForce, filled


@dataclass(frozen=True, slots=True)
class RatedGames:
    """What the games of a period come to; vectors by player index.

    ``units`` are the exact changes (``calculation.units`` make a point), ``change`` the same in
    whole points as the regulation rounds them, ``rated_games`` the games posted. ``first_rated``
    holds the first ratings that were reached, by player. ``lifted`` is what keeps a rating at 1 or
    more from one event to the next. ``standing`` is where everybody stands after the games, before
    anything else of the period.
    """

    calculation: Calculation
    units: Column
    change: Column
    rated_games: Column
    first_rated: FirstRatings
    lifted: Column
    standing: Standing


def rate_games(
    regulation: Regulation,
    sides: Sides,
    opening: Standing,
    particulars: Particulars,
    in_force: RatingsInForce,
    period: Period,
    order: Column,
) -> RatedGames:
    """Rates the games of a period from its opening standing.

    ``order`` is the place of each tournament among those of the same days.
    """
    calculations = []
    standing = opening
    units, change, rated_games, lifted = (
        np.zeros(len(opening.rating), dtype=np.int64) for _ in range(4)
    )
    first_rated: FirstRatings = {}
    for simultaneous in _batches(regulation, sides, order, len(units)):
        if regulation.RATINGS_OF == "tournament":
            ready = in_force.fill(simultaneous)
        else:
            ready = filled(simultaneous, standing.rating)
        k = regulation.k(standing, particulars)
        calculation = regulation.calculate(ready, standing, particulars, k)
        exact = sums(calculation, len(units))
        whole = regulation.change(exact, calculation.units)
        games = np.bincount(calculation.postings.player, minlength=len(units)).astype(np.int64)
        was_rated = standing.rating > UNRATED
        standing, now_rated = _after(regulation, standing, calculation, whole, games, period)
        if regulation.EVENT_BY_EVENT:
            # 0 stands for no rating, and the next event asks for one.
            lift = np.where(was_rated, np.maximum(1 - standing.rating, 0), 0)
            standing = replace(standing, rating=standing.rating + lift)
            lifted = lifted + lift
        calculations.append(calculation)
        units, change, rated_games = units + exact, change + whole, rated_games + games
        first_rated |= now_rated
    calculation = Calculation.joined(calculations)
    return RatedGames(calculation, units, change, rated_games, first_rated, lifted, standing)


def _batches(regulation: Regulation, sides: Sides, order: Column, players: int) -> Iterator[Sides]:
    """Yields simultaneous games: all of them, or event by event, by their last day.

    Events that have no player in common cannot touch each other: they go together, so that there
    are as many batches as one player has events, not as many as there are events.
    """
    if not regulation.EVENT_BY_EVENT or not len(sides):
        yield sides
        return
    place_of = order[sides.tournament]
    ordered = sides.rows(np.lexsort((sides.game, place_of, sides.starts_on, sides.ends_on)))
    new = np.flatnonzero(np.diff(ordered.tournament)) + 1
    bounds = [0, *new.tolist(), len(ordered)]
    events_so_far = np.zeros(players, dtype=np.int64)
    batch = np.zeros(len(ordered), dtype=np.int64)
    for start, end in pairwise(bounds):
        participants = ordered.player[start:end]
        place = int(events_so_far[participants].max())
        batch[start:end] = place
        events_so_far[participants] = place + 1
    for place in range(int(batch.max()) + 1):
        yield ordered.rows(batch == place)


def _after(
    regulation: Regulation,
    before: Standing,
    calculation: Calculation,
    change: Column,
    games: Column,
    period: Period,
) -> tuple[Standing, FirstRatings]:
    """Returns the standing after games, and the new first ratings."""
    rated = before.rating > UNRATED
    rating = np.where(rated, before.rating + change, UNRATED)
    total = before.games + games
    buckets = _filled(before.buckets, calculation.newcomers, period.index)
    first_rated: FirstRatings = {}
    for player, bucket in list(buckets.items()):
        if rated[player]:
            del buckets[player]  # a rating was brought in meanwhile
            continue
        kept, first = counted(regulation, bucket, period.in_force_on)
        if first is None:
            buckets[player] = kept
            continue
        first_rated[player] = FirstRating(first, kept)
        del buckets[player]
        rating[player] = first
        total[player] += first_rated[player].games
    return replace(before, rating=rating, games=total, buckets=buckets), first_rated


def counted(regulation: Regulation, bucket: Bucket, on: dt.date) -> tuple[Bucket, int | None]:
    """Returns what still counts of a bucket for a list on the day, and its first rating."""
    kept = tuple(entry for entry in bucket if regulation.keeps_result(entry[1], on))
    return kept, regulation.first_rating([result for _, result in kept], on) if kept else None


def _filled(buckets: Buckets, results: tuple[NewcomerResult, ...], period: int) -> Buckets:
    """Returns the buckets with the period's computable results put in."""
    filled_ = dict(buckets)
    for result in results:
        if result.computable:
            filled_[result.player] = (*filled_.get(result.player, ()), (period, result))
    return filled_
