"""What closed lists owe under the *next-list* policy: entitled less credited, exactly.

A published list stands. When facts about its period become known later, the period is calculated
again from its own opening ratings, with its own Ks; what its games would have been worth, less what
they were taken for, enters the next list that is calculated, *unrounded*: there it is put together
with that list's own games and rounded once. Under a regulation that rounds after every event the
events of the closed period are rounded as they would have been, and whole points are owed. A
newcomer's late result enters his bucket; if he has a rating already, the first rating is recomputed
and the difference credited (when too few games remain for one, the rating he got stands).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column, Mask
from ledger.identifiers import NO_EVENT, PlayerIndex, Seq
from ledger.rating.first_ratings import Bucket, Buckets, FirstRating, FirstRatings
from ledger.rating.newcomer_results import Results
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.rating.postings import Calculation
from ledger.rating.ratios import ExactPoints
from ledger.rating.rounding import half_away_from_zero
from ledger.replay.calculation import RatedGames, counted, rate_games
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_input import PeriodInput
from ledger.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class PeriodWorth:
    """What a period's games are worth to everybody: ``total``, of which ``lifted`` kept him at 1.

    ``lifted`` is in whole points.
    """

    total: ExactPoints
    lifted: Column

    @classmethod
    def of(cls, rated: RatedGames, lifted: Column) -> PeriodWorth:
        """Returns what games are worth: exactly, or rounded where that is done after each event."""
        if rated.inputs.regulation.EVENT_BY_EVENT:
            return cls(ExactPoints.whole(rated.change + lifted), lifted)
        return cls(ExactPoints(rated.units, rated.scale) + ExactPoints.whole(lifted), lifted)

    def moved(self, into: Column, dropped: Mask) -> PeriodWorth:
        """Returns it after merges; the points of a rating that was ``dropped`` are gone with it."""
        lifted = ExactPoints.whole(self.lifted).only(~dropped).moved(into)
        return PeriodWorth(self.total.only(~dropped).moved(into), lifted.units)


@dataclass(frozen=True)
class Entitlement:
    """A closed period calculated again, with what became known of it since.

    ``credited`` is what the lists have paid for it so far, ``entitled`` what is due by now;
    ``known_before`` is the seq up to which that was known when it was last calculated, ``into`` the
    index under which each player counts by now.
    """

    closed: Closed
    timeline: Timeline
    in_force: RatingsInForce
    rated: RatedGames
    entitled: PeriodWorth
    known_before: Seq

    @property
    def period(self) -> Period:
        """The closed period."""
        return self.closed.period

    @property
    def credited(self) -> PeriodWorth:
        """What the lists have paid so far."""
        return self.closed.worth

    @property
    def calculation(self) -> Calculation:
        """The games of the period, side by side."""
        return self.rated.calculation

    @cached_property
    def before(self) -> Calculation:
        """The same as they were known when the period was last calculated, players merged."""
        then = self.timeline.at(self.known_before)
        games = then.games(self.period)
        into = np.append(self.timeline.known.merged_into, np.int32(NOBODY))
        games = games.with_(white=into[games.white], black=into[games.black])
        inputs = PeriodInput.of(then, self.period, self.in_force, games)
        return rate_games(inputs, self.closed.opening).calculation


@dataclass(frozen=True, slots=True)
class Credits:
    """What enters a period from earlier ones: points and games by player, and changed buckets.

    ``points`` are exact. ``first_ratings`` maps a player to (entitled, credited) first rating where
    they differ, ``restored`` a player who had fallen below the floor to the rating with which he
    would not have.
    """

    points: ExactPoints
    games: Column
    buckets: Buckets
    entitlements: tuple[Entitlement, ...] = ()
    first_ratings: dict[int, tuple[int, int]] = field(default_factory=dict)
    restored: dict[int, int] = field(default_factory=dict)

    @classmethod
    def none(cls, opening: PlayerStates) -> Credits:
        """Nothing is owed."""
        points = ExactPoints.none(len(opening.rating))
        return cls(points, points.units, opening.buckets)

    def paid(self, rated: RatedGames) -> Column:
        """Returns the whole points by which they move everybody's rating, beside the list's games.

        Both are rounded together, once; where every event is rounded by itself, so are they.
        """
        regulation, games = rated.inputs.regulation, ExactPoints(rated.units, rated.scale)
        if regulation.EVENT_BY_EVENT:
            return regulation.change(self.points.units, self.points.scale)
        together = games + self.points
        return regulation.change(together.units, together.scale) - rated.change


@dataclass(frozen=True, slots=True)
class Closed:
    """A published period as it has been credited so far: what it was worth, games, newcomers.

    ``credits_`` entered it from earlier ones, ``adjustment`` is its list-wide step.
    """

    period: Period
    opening: PlayerStates
    credits_: ExactPoints
    adjustment: Column
    worth: PeriodWorth
    games: Column
    newcomers: Results

    def worth_of(self, rated: RatedGames) -> PeriodWorth:
        """Returns what other games of the period would have been worth in its list."""
        paid = replace(Credits.none(self.opening), points=self.credits_).paid(rated)
        was_rated = self.opening.rating > UNRATED
        rating = rated.states.rating + np.where(was_rated, paid + self.adjustment, 0)
        low = was_rated & (rating < 1)
        return PeriodWorth.of(rated, rated.lifted + np.where(low, 1 - rating, 0))

    def carried(self, into: Column, dropped: Mask) -> Closed:
        """Returns it after merges; the points of a rating that was ``dropped`` are gone with it."""
        games = np.zeros_like(self.games)
        np.add.at(games, into, np.where(dropped, 0, self.games))
        return replace(
            self,
            opening=self.opening.carried(into),
            credits_=self.credits_.only(~dropped).moved(into),
            adjustment=ExactPoints.whole(self.adjustment).only(~dropped).moved(into).units,
            worth=self.worth.moved(into, dropped),
            games=games,
            newcomers=replace(
                self.newcomers,
                achieved=self.newcomers.achieved.with_(player=into[self.newcomers.player]),
            ),
        )


class ClosedPeriods:
    """The published periods behind a replay, and what was credited for each."""

    def __init__(self) -> None:
        self._basis = NO_EVENT
        self._closed: list[Closed] = []
        self._first_rated: dict[int, tuple[dt.date, FirstRating]] = {}
        self._removed: dict[int, Fraction] = {}

    def close(
        self,
        closed: Closed,
        first_rated: FirstRatings,
        removed: Column,
        closing: PlayerStates,
        basis: Seq,
    ) -> None:
        """Takes a calculated period, its first ratings, and where everybody stands after it.

        Who fell below the floor begins again: his first rating is past. What he had is remembered,
        for a correction may show that he did not fall.
        """
        for player in np.flatnonzero(removed).tolist():
            self._removed[player] = Fraction(-int(removed[player]))
        for player in [p for p in self._removed if closing.rating[p] != UNRATED]:
            del self._removed[player]
        self._closed.append(closed)
        self._basis = basis
        on = closed.period.in_force_on
        for player, first in first_rated.items():
            self._first_rated[player] = (on, first)
        for player in [p for p in self._first_rated if closing.rating[p] == UNRATED]:
            del self._first_rated[player]

    def carry(self, into: Column, dropped: Mask) -> None:
        """Moves what stands under merged ids, but for what belongs to ratings that are dropped."""
        self._closed = [closed.carried(into, dropped) for closed in self._closed]
        self._removed = {int(into[player]): rating for player, rating in self._removed.items()}
        self._first_rated = {
            int(into[player]): first
            for player, first in self._first_rated.items()
            if not dropped[player]
        }

    def credits(
        self, timeline: Timeline, opening: PlayerStates, in_force: RatingsInForce
    ) -> Credits:
        """Returns what the knowledge of the timeline adds to that of the last closed period.

        What it returns counts as credited from then on.
        """
        if not self._closed or timeline.known.seq == self._basis:
            return Credits.none(opening)
        facts = timeline.known.facts
        first_effect = facts.first_effect_between(self._basis, timeline.known.seq)
        points = ExactPoints.none(len(opening.rating))
        games = np.zeros(len(opening.rating), dtype=np.int64)
        buckets = dict(opening.buckets.items())
        entitlements = []
        exchanged: set[int] = set()
        for place, closed in enumerate(self._closed):
            if closed.period.closes_on.toordinal() < first_effect:
                continue
            rated = _recalculated(timeline, closed, in_force)
            entitled = closed.worth_of(rated)
            newcomers = rated.newcomers
            entitlements.append(
                Entitlement(closed, timeline, in_force.copy(), rated, entitled, self._basis)
            )
            points += entitled.total - closed.worth.total
            games += np.where(opening.rating > UNRATED, rated.rated_games - closed.games, 0)
            for player, more in self._exchange(place, rated, opening, buckets).items():
                exchanged.add(player)
                games[player] += more
            self._closed[place] = replace(
                closed, worth=entitled, games=rated.rated_games, newcomers=newcomers
            )
        first_ratings = self._first_ratings(timeline, exchanged)
        for player, (due, credited) in first_ratings.items():
            points.units[player] += (due - credited) * points.scale
        restored = self._restored(points, opening, timeline)
        for player in restored:
            buckets.pop(player, None)
        return Credits(
            points, games, Buckets.of(buckets), tuple(entitlements), first_ratings, restored
        )

    def _restored(
        self, points: ExactPoints, opening: PlayerStates, timeline: Timeline
    ) -> dict[int, int]:
        """Returns the ratings that come back, and takes their points out of what is owed."""
        restored = {}
        on = self._closed[-1].period.in_force_on
        floor = timeline.regulation(self._closed[-1].period).floor(on)
        for player in [p for p in self._removed if opening.rating[p] == UNRATED]:
            self._removed[player] += points.of(player)
            points.units[player] = 0
            rating = half_away_from_zero(self._removed[player])
            if rating >= floor:
                restored[player] = rating
                del self._removed[player]
        return restored

    def _exchange(
        self,
        place: int,
        rated: RatedGames,
        opening: PlayerStates,
        buckets: dict[int, Bucket],
    ) -> dict[int, int]:
        """Exchanges the newcomers' results of a closed period in buckets and first ratings.

        Returns who has others than he had, and how many more rated games they are to him: none
        while they wait for a first rating, for they will count with it.
        """
        closed = self._closed[place]
        index = closed.period.index
        before = Buckets.empty().filled(closed.newcomers, index)
        after = Buckets.empty().filled(rated.newcomers, index)
        exchanged = dict.fromkeys(before.unlike(after).tolist(), 0)
        for player in exchanged:
            now = after.get(player)
            if player in self._first_rated:
                on, first = self._first_rated[player]
                if opening.rating[player] != UNRATED:
                    since = rated.inputs.regulation.results_since(on).toordinal()
                    was = _games_since(before.get(player), since)
                    exchanged[player] = _games_since(now, since) - was
                made_of = (
                    _until_rated(rated, player, now) if on == closed.period.in_force_on else now
                )
                if closed.period.in_force_on <= on:
                    bucket = _replaced(first.bucket, index, made_of)
                    self._first_rated[player] = (on, FirstRating(first.rating, bucket))
            if opening.rating[player] == UNRATED or player in buckets:
                buckets[player] = _replaced(buckets.get(player, ()), index, now)
        players = np.array([*exchanged], dtype=np.int64)
        self._exchange_in_openings(place + 1, index, after, players)
        return exchanged

    def _exchange_in_openings(
        self, place: int, index: int, after: Buckets, exchanged: Column
    ) -> None:
        """Exchanges a period's results where later closed periods calculate first games anew."""
        for later, closed in enumerate(self._closed[place:], start=place):
            opening = closed.opening
            theirs = opening.buckets.of_those(exchanged)
            anew = theirs.rows(opening.rating[theirs.results.player] != UNRATED)
            if len(anew):
                changed = {
                    player: _replaced(bucket, index, after.get(player))
                    for player, bucket in anew.items()
                }
                buckets = opening.buckets.without(anew.players).with_those_of(Buckets.of(changed))
                self._closed[later] = replace(closed, opening=replace(opening, buckets=buckets))

    def _first_ratings(self, timeline: Timeline, exchanged: set[int]) -> dict[int, tuple[int, int]]:
        """Returns (entitled, credited) of the first ratings that are not what they should be.

        ``exchanged`` are the players with other results than they had.
        """
        regulation = timeline.regulation(self._closed[-1].period)
        found = {}
        for player in sorted(exchanged & self._first_rated.keys()):
            on, first = self._first_rated[player]
            _, made = counted(regulation, Buckets.of({player: first.bucket}), on)
            entitled = made[player].rating if player in made else None
            if entitled is not None and entitled != first.rating:
                found[player] = (entitled, first.rating)
                self._first_rated[player] = (on, FirstRating(entitled, first.bucket))
        return found


def _recalculated(timeline: Timeline, closed: Closed, in_force: RatingsInForce) -> RatedGames:
    """Rates a closed period again, from its own opening."""
    games = timeline.games(closed.period)
    return rate_games(PeriodInput.of(timeline, closed.period, in_force, games), closed.opening)


def _until_rated(rated: RatedGames, player: PlayerIndex, now: Bucket) -> Bucket:
    """Returns of a period's results those with which the player reached his first rating in it."""
    first = rated.first_rated.get(player)
    return now if first is None else tuple(entry for entry in now if entry in first.bucket)


def _games_since(bucket: Bucket, since: int) -> int:
    """Returns the games of the results that are not older than a day (ordinal)."""
    return sum(result.games for _, result in bucket if result.ends_on >= since)


def _replaced(bucket: Bucket, period: int, now: Bucket) -> Bucket:
    """Returns a bucket with one period's results exchanged, in order of period."""
    kept = [entry for entry in bucket if entry[0] != period]
    return tuple(sorted([*kept, *now], key=lambda entry: (entry[0], entry[1].tournament)))
