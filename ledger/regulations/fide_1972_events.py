"""FIDE 1972: one event, as the worksheet's columns have it.

Source: Elo, Annex 1 to FIDE Circular No. 4, 1972-73, equations (1), (3) and (4), the short form of
W_e and the worksheet's steps 1 to 12. What the text leaves open is said in ``fide_1972``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.kernel import Achieved, Performances
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import NewcomerResult, Reason, Sides, each_tournament
from ledger.rating.round_robin import complete_round_robins
from ledger.rating.rounding import half_away_from_zero, half_towards_zero, half_up, whole_percent
from ledger.regulations.printed_tables import D_OF_P

# (1) The performance


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How figures are written down and tables read.

    ``rounded``: column by column, as on the worksheet; ``between_rows``: Table I between two rows;
    ``rated``: the rated players that equation (4) needs; ``by_majority``: equation (1) instead of
    (4) where most players are rated.
    """

    rounded: bool = True
    between_rows: bool = True
    rated: int = 3
    by_majority: bool = False

    def written(self, value: Fraction) -> Fraction:
        """Returns a figure as it is written down in a column of whole points."""
        return Fraction(half_towards_zero(value)) if self.rounded else value

    def percent(self, halves: int, games: int) -> Fraction:
        """Returns a percentage as it is read: a row of Table I, or the middle between two.

        >>> Arithmetic().percent(25, 18), Arithmetic().percent(21, 18)
        (Fraction(139, 2), Fraction(58, 1))
        """
        percent = Fraction(100 * halves, 2 * games)
        row = percent.__floor__()
        if self.between_rows and abs(percent - row - _HALF) < _NEAR_THE_MIDDLE:
            return row + _HALF
        return Fraction(whole_percent(halves, games))

    def d_of_p(self, halves: int, games: int) -> int | None:
        """Reads D(P) from Table I; None where it is undetermined.

        >>> Arithmetic().d_of_p(25, 18), Arithmetic(between_rows=False).d_of_p(25, 18)
        (145, 141)
        """
        return None if halves in (0, 2 * games) else self.last_d_of_p(halves, games)

    def last_d_of_p(self, halves: int, games: int) -> int:
        """Reads D(P) from Table I; beyond its last rows these hold."""
        percent = min(max(self.percent(halves, games), _FIRST_ROW), _LAST_ROW)
        below, above = percent.__floor__(), percent.__ceil__()
        return half_towards_zero(Fraction(D_OF_P[below] + D_OF_P[above], 2))


_FIRST_ROW, _LAST_ROW = Fraction(min(D_OF_P)), Fraction(max(D_OF_P))
_HALF = Fraction(1, 2)
_NEAR_THE_MIDDLE = Fraction(3, 20)  # to the tenth of a per cent it ends in .4, .5 or .6


def performance(rc: Fraction, halves: int, games: int, arithmetic: Arithmetic) -> Fraction | None:
    """Rp = Rc + D(P), equation (1); None for 0 % and 100 %.

    >>> performance(Fraction(2350), 18, 15, Arithmetic())
    Fraction(2422, 1)
    """
    d = arithmetic.d_of_p(halves, games)
    return None if d is None else rc + d


# (2) One event: everybody's rating in it, and W_e as the sum of P(D)


class CrossTable:
    """The sides of one event, each player's in order, with the places of both among its players.

    ``own`` and ``opponent`` are these places, ``games`` how many games each player has, and
    ``halves`` how many half points.
    """

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.players, self.own = np.unique(sides.player, return_inverse=True)
        self.opponent = self.places(sides.opponent)
        self.games = np.bincount(self.own)
        self.halves = np.zeros(len(self.players), dtype=np.int64)
        np.add.at(self.halves, self.own, sides.halves)
        self._order = np.lexsort((sides.game, sides.round, self.own))
        self._ends = np.cumsum(self.games)

    def places(self, players: Column | int) -> Column:
        """Returns the places of players among those of the event."""
        places: Column = np.searchsorted(self.players, players)
        return places

    def games_of(self, player: int) -> Column:
        """Returns the rows of a player's games, in order."""
        place = int(self.places(player))
        end = int(self._ends[place])
        return self._order[end - int(self.games[place]) : end]


@dataclass(frozen=True)
class RatedEntry:
    """A rated player in an event: his games, and the opponents' ratings as they count for him.

    ``opponents`` is 0 for one who has none. ``group`` is the all-play-all, where it is one.
    """

    event: RatedEvent
    player: int
    sides: Sides
    opponents: Column

    @property
    def tournament(self) -> int:
        """The event."""
        return self.event.tournament

    @property
    def rounds(self) -> int:
        """How many rounds the event had: the most games anybody played."""
        return self.event.rounds

    @property
    def last_d_of_p(self) -> int:
        """D(P) of his games, by the last rows of Table I at 0 and 100 %."""
        halves = int(self.sides.halves.sum())
        return self.event.arithmetic.last_d_of_p(halves, len(self.sides))


class RatedEvent:
    """A tournament that is no complete all-play-all; ``before`` are the ratings before it.

    They are by the players of its table, as all its vectors are. The unrated are rated first, by
    equation (1) against the rated; ``counted`` holds everybody's rating as an opponent.
    """

    def __init__(
        self, table: CrossTable, before: Column, arithmetic: Arithmetic, first: RatedEvent | None
    ) -> None:
        self.table = table
        self.sides = table.sides
        self.before = before
        self.arithmetic = arithmetic
        self.tournament = int(table.sides.tournament[0])
        # Who was unrated has been rated before anybody's rating is raised.
        self.unrated_first = first or self

    def with_ratings(self, raised: Mapping[int, int]) -> RatedEvent:
        """Returns the event as it is when some enter with a higher rating."""
        before = self.before.copy()
        before[self.table.places(np.array([*raised], dtype=np.int64))] = [*raised.values()]
        return type(self)(self.table, before, self.arithmetic, self.unrated_first)

    @cached_property
    def rounds(self) -> int:
        """How many rounds it had: the most games anybody played."""
        return int(self.table.games.max())

    @cached_property
    def rated(self) -> dict[int, int]:
        """Who had a rating before it, and which."""
        ratings = zip(self.table.players.tolist(), self.before.tolist(), strict=True)
        return {player: rating for player, rating in ratings if rating > UNRATED}

    @cached_property
    def unrated(self) -> list[int]:
        """Who had no rating before it."""
        unrated: list[int] = self.table.players[self.before == UNRATED].tolist()
        return unrated

    @cached_property
    def counted(self) -> Column:
        """Everybody's rating as an opponent; who has no result has none."""
        counted = self.before.copy()
        for result in self.unrated_first.results:
            if result.performance is not None:
                counted[self.table.places(result.player)] = half_up(result.performance)
        return counted

    @cached_property
    def results(self) -> tuple[NewcomerResult, ...]:
        """What the unrated achieved."""
        return tuple(self._against_rated())

    def _against_rated(self) -> Iterator[NewcomerResult]:
        """Yields what the unrated achieved against the rated, equation (1)."""
        ratings = self.before[self.table.opponent]
        chosen = (self.before[self.table.own] == UNRATED) & (ratings > UNRATED)
        games = self.sides.with_(opponent_rating=ratings).rows(chosen)
        for made in Performances(games):
            mean = made.opponents_mean
            yield _result(made, mean, performance(mean, made.halves, made.games, self.arithmetic))

    def replacing(self, entry: RatedEntry) -> Fraction:
        """Returns the performance that may replace a rated player's rating, equation (1)."""
        return Fraction(int(entry.opponents.sum()), len(entry.sides)) + entry.last_d_of_p

    def entry(self, player: int) -> RatedEntry:
        """Returns a rated player's games that count for him: against opponents with a rating."""
        games = self.table.games_of(player)
        ratings = self.counted[self.table.opponent[games]]
        counts = ratings > UNRATED
        return RatedEntry(self, player, self.sides.rows(games[counts]), ratings[counts])

    def not_counted(self) -> Sides:
        """Returns the sides that count for nothing: against opponents without a rating."""
        of_rated = self.before[self.table.own] > UNRATED
        opponent = self.table.opponent
        known = np.where(of_rated, self.counted[opponent], self.before[opponent])
        return self.sides.rows(known == UNRATED)

    def difference(self, entry: RatedEntry, ro: int) -> tuple[Column, Column]:
        """Returns the opponents' ratings as counted, and D: game by game."""
        return entry.opponents, ro - entry.opponents

    def own_game(self, ro: int, expectation: Expectation) -> tuple[int, int]:
        """Returns what the short form takes off W_e, and what its rounding does: nothing here."""
        return 0, 0


def _result(
    made: Achieved, mean: Fraction, rp: Fraction | None, ratings: Column | None = None
) -> NewcomerResult:
    reason = Reason.NO_DIFFERENCE if rp is None else Reason.NONE
    return made.result(opponents_mean=mean, performance=rp, reason=reason, ratings=ratings)


# (3), (4) and the short form of W_e: the all-play-all of the worksheet


@dataclass(frozen=True, slots=True)
class WorksheetColumns:
    """Columns 8 to 11 of a rated player: Ro - Ra in points, the others in units of expected scores.

    ``product`` is N P_e exactly, ``written`` as it is written down, ``expected_score`` W_e.
    """

    difference: int
    expected: int
    product: int
    written: int
    expected_score: int


class AllPlayAll(RatedEvent):
    """A tournament in which everybody played everybody; the columns of its worksheet."""

    @classmethod
    def of(cls, sides: Sides, rating: Column, arithmetic: Arithmetic) -> AllPlayAll | None:
        """Returns the tournament if its Ra can be told, else None: it is rated as any other.

        ``rating`` is everybody's, by player index.
        """
        table = CrossTable(sides)
        made = cls(table, rating[table.players], arithmetic, None)
        enough = not made.unrated or len(made.rated) >= arithmetic.rated
        return made if enough and made.rated and made.estimate is not None else None

    @cached_property
    def players(self) -> int:
        """N."""
        return len(self.table.players)

    @cached_property
    def halves(self) -> dict[int, int]:
        """Column 3: everybody's score, in half points."""
        return dict(zip(self.table.players.tolist(), self.table.halves.tolist(), strict=True))

    @cached_property
    def games(self) -> int:
        """The games that everybody played."""
        return len(self.sides) // self.players

    @property
    def cycles(self) -> int:
        """How often everybody met everybody."""
        return self.games // (self.players - 1)

    def d_of_p(self, player: int) -> int | None:
        """Columns 4 and 5: D(P) of the player's percentage."""
        return self.arithmetic.d_of_p(self.halves[player], self.games)

    def adjusted(self, player: int) -> Fraction | None:
        """Column 6: D(P) (N - 1) / N."""
        d = self.d_of_p(player)
        return None if d is None else self._adjusted(d)

    def _adjusted(self, d: int) -> Fraction:
        return self.arithmetic.written(Fraction(d * (self.players - 1), self.players))

    @cached_property
    def rated_mean(self) -> Fraction:
        """Step 5: R+, the mean of the rated."""
        return self.arithmetic.written(Fraction(sum(self.rated.values()), len(self.rated)))

    @cached_property
    def mean_adjusted(self) -> Fraction | None:
        """Step 6: the mean adjusted D(P) of the rated."""
        differences = [self.adjusted(player) for player in self.rated]
        known = [d for d in differences if d is not None]
        if len(known) < len(differences):
            return None
        return self.arithmetic.written(sum(known, Fraction(0)) / len(known))

    @cached_property
    def estimate(self) -> Fraction | None:
        """Step 7: Ra, the mean of all players; None where a D(P) that it needs is undetermined."""
        if not self.unrated:
            return self.rated_mean
        by_majority = None
        if self.arithmetic.by_majority and 2 * len(self.rated) > self.players:
            by_majority = self._mean_by_performances()
        if by_majority is not None:
            return by_majority
        return None if self.mean_adjusted is None else self.rated_mean - self.mean_adjusted

    @property
    def mean(self) -> Fraction:
        """Ra, where it can be told."""
        assert self.estimate is not None, "an all-play-all is made where Ra can be told"
        return self.estimate

    def _mean_by_performances(self) -> Fraction | None:
        """Ra with the unrated at what they achieved against the rated only, equation (1)."""
        made = [result.performance for result in self._against_rated()]
        known = [rp for rp in made if rp is not None]
        if len(known) < len(self.unrated):
            return None
        total = sum(known, Fraction(sum(self.rated.values())))
        return self.arithmetic.written(total / self.players)

    def performance(self, player: int) -> Fraction | None:
        """Column 7: Rp = Ra + D(P) (N - 1) / N, equation (3)."""
        adjusted = self.adjusted(player)
        return None if adjusted is None else self.mean + adjusted

    def replacing(self, entry: RatedEntry) -> Fraction:
        """Returns the performance that may replace a rated player's rating, equation (3)."""
        return self.mean + self._adjusted(entry.last_d_of_p)

    @cached_property
    def results(self) -> tuple[NewcomerResult, ...]:
        """Step 8: what the unrated achieved, all their games included."""
        unrated = self.before[self.table.own] == UNRATED
        return tuple(
            _result(
                made,
                self.mean,
                self.performance(made.player),
                np.full(made.games, half_up(self.mean), dtype=np.int64),
            )
            for made in Performances(self.sides.rows(unrated))
        )

    def entry(self, player: int) -> RatedEntry:
        """Returns all games of a rated player: he is rated against the whole group."""
        games = self.table.games_of(player)
        opponents = self.counted[self.table.opponent[games]]
        return RatedEntry(self, player, self.sides.rows(games), opponents)

    def not_counted(self) -> Sides:
        """Returns no side: all games count."""
        return self.sides.rows(np.zeros(0, dtype=np.int64))

    def difference(self, entry: RatedEntry, ro: int) -> tuple[Column, Column]:
        """Returns Ra and column 8, Ro - Ra, for every game."""
        d = self.difference_from_mean(ro)
        difference = np.full(len(entry.sides), d, dtype=np.int64)
        return ro - difference, difference

    def difference_from_mean(self, ro: int) -> int:
        """Column 8: Ro - Ra."""
        return half_away_from_zero(ro - self.mean)

    def columns(self, ro: int, expectation: Expectation) -> WorksheetColumns:
        """Returns columns 8 to 11 of a rated player, steps 9 to 12.

        The games alone would sum to (N - 1) P_e; nobody plays against himself.
        """
        difference = self.difference_from_mean(ro)
        expected = expectation.one(difference)
        product = self.cycles * self.players * expected
        written = self.written_product(product, expectation.scale)
        half = self.cycles * (expectation.scale // 2)
        return WorksheetColumns(difference, expected, product, written, written - half)

    def own_game(self, ro: int, expectation: Expectation) -> tuple[int, int]:
        """Returns what W_e is less than the sum over the games: P_e - 1/2, and the rounding.

        Both are in the units of the expected scores; the rounding is N P_e less what is written.
        """
        columns = self.columns(ro, expectation)
        own = self.cycles * (columns.expected - expectation.scale // 2)
        return own, columns.product - columns.written

    def written_product(self, product: int, scale: int) -> int:
        """Column 10: N P_e with one decimal, in units of ``1 / scale``."""
        tenth = scale // 10
        return (
            half_towards_zero(Fraction(product, tenth)) * tenth
            if self.arithmetic.rounded
            else product
        )


def events_of(sides: Sides, rating: Column, arithmetic: Arithmetic) -> Iterator[RatedEvent]:
    """Yields the events of the period, each with the ratings of the list in force."""
    groups = {int(games.tournament[0]): games for games in complete_round_robins(sides)}
    for games in each_tournament(sides.rows(sides.reason == Reason.NONE)):
        complete = groups.get(int(games.tournament[0]))
        group = None if complete is None else AllPlayAll.of(complete, rating, arithmetic)
        table = CrossTable(games)
        yield group or RatedEvent(table, rating[table.players], arithmetic, None)
