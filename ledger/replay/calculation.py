"""Calculates the games of one period: at once, or event by event where the regulation says so.

Plain games are only summed (see ``rating.game_sums``); all others are calculated side by side. The
calculation of the whole period is made from the same games when somebody asks for it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Self

import numpy as np

from ledger.facts.arrays import among, is_among, scattered
from ledger.facts.columns import Column
from ledger.identifiers import PlayerIndex
from ledger.rating.first_ratings import Buckets, FirstRatings
from ledger.rating.game_sums import Summed, Sums, plain_sides, summed
from ledger.rating.kernel import contributions, post, units_of
from ledger.rating.newcomer_results import Results
from ledger.rating.player_state import UNRATED, Particulars, PlayerStates, nothing
from ledger.rating.postings import Calculation, Games, Postings, Sides
from ledger.regulations.interface import Regulation
from ledger.replay.period_games import sides_of
from ledger.replay.period_input import PeriodInput


def with_limited_k(calculation: Calculation, k: Column, allowed: Column) -> Calculation:
    """Returns a calculation with the K that is allowed instead of everybody's; both by player."""
    postings = calculation.postings
    changed = (allowed != k)[postings.player]
    if not changed.any():
        return calculation
    its = allowed[postings.player]
    with_its = contributions(its, postings.merit, postings.score, postings.expected)
    contribution = np.where(changed, with_its, postings.contribution)
    k_now = np.where(changed, its, postings.k)
    return replace(calculation, postings=postings.with_(k=k_now, contribution=contribution))


@dataclass(frozen=True, slots=True)
class Changes:
    """What games do to those who play them: a row for each of ``players`` (ascending).

    ``units`` are the exact changes, ``points`` the same as the regulation rounds them, ``games``
    those that were posted.
    """

    players: Column
    units: Column
    points: Column
    games: Column

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Returns what several groups of games do together."""
        together = np.concatenate([part.players for part in parts])
        players, place = np.unique(together, return_inverse=True)

        def total(name: str) -> Column:
            made = np.zeros(len(players), dtype=getattr(parts[0], name).dtype)
            np.add.at(made, place, np.concatenate([getattr(part, name) for part in parts]))
            return made

        return cls(players, total("units"), total("points"), total("games"))


@dataclass(frozen=True)
class RatedGames:
    """What the games of a period come to.

    ``changes`` are those of the players in them; the same for everybody, by player index, are
    ``units`` (``scale`` make a point), ``change`` and ``rated_games``. ``newcomers`` are the
    results of players without a rating, ``first_rated`` the first ratings that were reached.
    ``apart`` is the calculation of the games that are not plain, ``plain_games`` says how many are.
    ``lifted`` is what keeps a rating at 1 or more from one event to the next. ``states`` is where
    everybody stands after the games, before anything else of the period.
    """

    inputs: PeriodInput
    opening: PlayerStates
    changes: Changes
    newcomers: Results
    first_rated: FirstRatings
    apart: Calculation
    plain_games: int
    lifted: Column
    states: PlayerStates

    @property
    def scale(self) -> int:
        """How many units make a point."""
        return self.apart.units

    @cached_property
    def units(self) -> Column:
        """Everybody's exact change."""
        return scattered(len(self.opening.rating), self.changes.players, self.changes.units)

    @cached_property
    def change(self) -> Column:
        """Everybody's change in whole points."""
        return scattered(len(self.opening.rating), self.changes.players, self.changes.points)

    @cached_property
    def rated_games(self) -> Column:
        """Everybody's games that were posted."""
        return scattered(len(self.opening.rating), self.changes.players, self.changes.games)

    @property
    def count(self) -> int:
        """How many games were rated, or counted for somebody without a rating."""
        apart = np.union1d(self.apart.postings.game, self.newcomers.opponents.game)
        return self.plain_games + len(apart)

    @cached_property
    def postings(self) -> Postings:
        """The postings of ``calculation``, in no order that means anything.

        Those of plain games are made of the columns that are summed, without looking at any rule
        again: for who asks about all games of many periods.
        """
        if not self.plain_games:
            return self.apart.postings
        return Postings.joined([self._plain_postings(), self.apart.postings])

    def _plain_postings(self) -> Postings:
        inputs, plain_games = self.inputs, self.inputs.plain_games
        assert plain_games is not None, "there are plain games"
        assert inputs.whole, "of games that were summed elsewhere there are no postings"
        plain = plain_sides(inputs.games, plain_games, inputs.game_ratings(self.opening.rating))
        return post(
            plain.sides,
            opponent_rating=plain.sides.opponent_rating,
            difference=plain.differences,
            k=self._k[plain.sides.player],
            expectation=plain_games.expectation,
        )

    @property
    def _k(self) -> Column:
        """The K with which everybody's simultaneous games of the period count."""
        players = self.changes.players
        k = _k_of(self.inputs, self.opening, players)
        return _allowed_k(self.inputs, k, players, self.changes.games)

    @cached_property
    def calculation(self) -> Calculation:
        """All games of the period as the regulation calculates them, side by side."""
        if self.inputs.plain_games is None:
            return self.apart
        made = self._calculated(self.inputs.games)
        exact = units_of(made, len(self.units))
        assert (exact == self.units).all(), "the postings come to what is published"
        return made

    def calculation_of(self, player: PlayerIndex) -> Calculation:
        """Returns the games of a player's tournaments, side by side: all that is said of *him*.

        Of the others in it some games may be missing; none are where ``calculation`` was made.
        """
        if self.inputs.plain_games is None or "calculation" in vars(self):
            return self.calculation
        games = self.inputs.games
        his = np.flatnonzero((games.white == player) | (games.black == player))
        if not len(his):
            return _of_no_games(self.inputs.regulation, self.inputs.particulars.on.year)
        its = np.unique(games.tournament[his])
        made = self._calculated(games.rows(is_among(games.tournament, its)))
        exact = units_of(made, len(self.units))
        assert exact[player] == self.units[player], "his postings come to what is published"
        return made

    def _calculated(self, games: Games) -> Calculation:
        inputs = self.inputs
        assert inputs.whole, "of games that were summed elsewhere there are no postings"
        sides = sides_of(inputs.tournaments, games)
        players = among(len(self.opening.rating), sides.player)
        k = _k_of(inputs, self.opening, players)
        made = inputs.calculation(sides, self.opening, k)
        allowed = _allowed_k(inputs, k, players, self.rated_games[players])
        return with_limited_k(made, k, allowed)


def rate_games(
    inputs: PeriodInput, opening: PlayerStates, plain: Summed | None = None
) -> RatedGames:
    """Rates the games of a period from its opening states.

    ``plain`` are sums of plain games that were made elsewhere: those games are left out then.
    """
    regulation = inputs.regulation
    opening = _with_first_games(regulation, opening)
    if plain is None:
        plain = _plain(inputs, opening)
    games = inputs.games if plain is None else inputs.games.rows(plain.others)
    sides = sides_of(inputs.tournaments, games)
    players = len(opening.rating)
    states, parts = opening, []
    for simultaneous in _batches(regulation, sides, inputs.tournament_order, players):
        part = _rated(inputs, simultaneous, plain, states)
        states = part.states
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    changes = Changes.joined([part.changes for part in parts])
    lifted = np.sum([part.lifted for part in parts], axis=0)
    apart = Calculation.joined([part.apart for part in parts])
    first_rated = FirstRatings.joined([part.first_rated for part in parts])
    return RatedGames(
        inputs, opening, changes, Results.of(apart.newcomers), first_rated, apart,
        sum(part.plain_games for part in parts), lifted, states,
    )  # fmt: skip


def _rated(
    inputs: PeriodInput, sides: Sides, plain: Summed | None, opening: PlayerStates
) -> RatedGames:
    """Rates simultaneous games: sides, and plain games that are summed already."""
    regulation, on = inputs.regulation, inputs.particulars.on
    everybody = len(opening.rating)
    k = _k_of(inputs, opening, among(everybody, sides.player))
    if len(sides) or plain is None:
        calculation = inputs.calculation(sides, opening, k)
    else:
        calculation = _of_no_games(regulation, on.year)
    # Not before: they may have been made meanwhile, beside the calculation of the others.
    of_plain = _NO_SUMS if plain is None else plain.sums
    stepped = np.array([step.player for step in calculation.steps], dtype=np.int64)
    players = among(everybody, sides.player, of_plain.players, stepped)
    k = _k_of(inputs, opening, players)
    posted = np.zeros(everybody, dtype=np.int32)
    np.add.at(posted, calculation.postings.player, np.int32(1))
    posted[of_plain.players] += of_plain.games.astype(np.int32)
    allowed = _allowed_k(inputs, k, players, posted[players])
    calculation = with_limited_k(calculation, k, allowed)
    units = units_of(calculation, everybody, allowed, of_plain)
    changes = _changes(regulation, players, units[players], posted[players], calculation.units)
    newcomers = Results.of(calculation.newcomers)
    states, first_rated = _after(inputs, opening, newcomers, changes)
    lifted = nothing(everybody)
    if regulation.EVENT_BY_EVENT:
        # 0 stands for no rating, and the next event asks for one.
        low = np.flatnonzero((opening.rating > UNRATED) & (states.rating < 1))
        lifted = lifted.copy()
        lifted[low] = 1 - states.rating[low]
        states = replace(states, rating=states.rating + lifted)
    plain_games = int(of_plain.games.sum()) // 2  # for two players each
    return RatedGames(
        inputs, opening, changes, newcomers, first_rated, calculation, plain_games, lifted, states
    )


@lru_cache(maxsize=16)
def _of_no_games(regulation: Regulation, year: int) -> Calculation:
    """Returns what a regulation makes of no games, which is asked for often."""
    none = np.zeros(0, dtype=np.int64)
    sides = Sides.made(lambda _: none)
    nobody = Particulars.of_ages(dt.date(year, 1, 1), none, none)
    return regulation.calculate(sides, PlayerStates.empty(0), nobody, none)


def _k_of(inputs: PeriodInput, opening: PlayerStates, players: Column) -> Column:
    """Returns the K of some players, in a vector of everybody's."""
    k = inputs.regulation.k(opening.of(players), inputs.particulars.of(players))
    return scattered(len(opening.rating), players, k)


def _allowed_k(inputs: PeriodInput, k: Column, players: Column, games: Column) -> Column:
    """Returns everybody's K with that of some players limited by their games of the period."""
    allowed = k.copy()
    allowed[players] = inputs.regulation.limited(k[players], games, inputs.particulars.on)
    return allowed


_NO_SUMS = Sums(*(np.zeros(0, dtype=np.int64) for _ in Sums.__slots__))


def _changes(
    regulation: Regulation, players: Column, units: Column, games: Column, scale: int
) -> Changes:
    """Rounds the exact changes of players."""
    points = np.zeros(len(players), dtype=np.int32)
    moved = np.flatnonzero(units != 0)
    points[moved] = regulation.change(units[moved], scale)
    return Changes(players, units, points, games)


def _plain(inputs: PeriodInput, opening: PlayerStates) -> Summed | None:
    """Sums the plain games, where the regulation has any."""
    if inputs.plain_games is None:
        return None
    assert not inputs.regulation.EVENT_BY_EVENT, "plain games are simultaneous"
    return summed(inputs.games, inputs.plain_games, inputs.game_ratings(opening.rating))


def _batches(regulation: Regulation, sides: Sides, order: Column, players: int) -> Iterator[Sides]:
    """Yields simultaneous games: all of them, or event by event, by their last day.

    ``order`` is the place of each tournament among those of the same days. Events that have no
    player in common cannot touch each other: they go together, so that there are as many batches as
    one player has events, not as many as there are events.
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
    inputs: PeriodInput, before: PlayerStates, newcomers: Results, changes: Changes
) -> tuple[PlayerStates, FirstRatings]:
    """Returns the states after games, and the new first ratings."""
    rating, games = before.rating.copy(), before.games.copy()
    rating[changes.players] += changes.points
    games[changes.players] += changes.games
    if not len(newcomers) and not len(before.buckets):
        return replace(before, rating=rating, games=games), FirstRatings.none()
    buckets = before.buckets.filled(newcomers, inputs.period.index)
    rated = before.rating[buckets.results.player] != UNRATED
    waiting, first = counted(inputs.regulation, buckets.rows(~rated), inputs.period.in_force_on)
    rating[first.players] = first.ratings
    games[first.players] += first.games
    anew = newcomers.rows(newcomers.computable & (before.rating[newcomers.player] != UNRATED))
    np.add.at(games, anew.player, anew.games.astype(np.int32))
    first_games = buckets.rows(rated).with_those_of(first.buckets)
    buckets = waiting.with_those_of(_unfinished(inputs.regulation, first_games))
    if buckets is not before.buckets:
        buckets = buckets.cut()
    return replace(before, rating=rating, games=games, buckets=buckets), first


def _with_first_games(regulation: Regulation, opening: PlayerStates) -> PlayerStates:
    """Returns states without the buckets of rated players whose first games are over.

    After games there are none; but late results of a closed period may have filled one since.
    """
    buckets = opening.buckets
    rated = opening.rating[buckets.results.player] != UNRATED
    if not rated.any():
        return opening
    first_games = _unfinished(regulation, buckets.rows(rated))
    return replace(opening, buckets=buckets.rows(~rated).with_those_of(first_games))


def _unfinished(regulation: Regulation, first_games: Buckets) -> Buckets:
    """Returns the buckets of those rated players who have fewer first games than there are."""
    games = first_games.sums(first_games.results.games)
    return first_games.of_players(games < regulation.first_games)


def counted(regulation: Regulation, buckets: Buckets, on: dt.date) -> tuple[Buckets, FirstRatings]:
    """Returns what still waits in the buckets for a list on the day, and the first ratings."""
    since = regulation.results_since(on).toordinal()
    buckets = buckets.rows(buckets.results.achieved.ends_on >= since)
    if not len(buckets):
        return buckets, FirstRatings.none()
    reached, ratings = regulation.bulk_first_ratings(buckets, on)
    first = FirstRatings(buckets.of_players(reached), ratings[reached])
    return buckets.of_players(~reached), first
