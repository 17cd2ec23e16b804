"""The rules of a rating system: what a regulation decides, and what it need not write itself.

A simple regulation names an expected score, K and, where the text has one, how a first rating comes
about: ``expectation``, ``k``, ``performance`` and ``games_for_first_rating``. All else has a
default. What it says of itself is in ``description``.
"""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Protocol

import numpy as np

from ledger.events.players import MOST_GAMES
from ledger.facts.columns import Column, Mask
from ledger.facts.tables import NO_MERIT
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets
from ledger.rating.game_sums import counted_difference
from ledger.rating.kernel import Performances, by_rating, mean_performance, newcomer_results, post
from ledger.rating.player_state import NO_K, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    FULL_MERIT,
    Calculation,
    Exclusions,
    NewcomerResult,
    Postings,
    Reason,
    Sides,
)
from ledger.rating.rounding import column_half_away_from_zero, half_up
from ledger.regulations.description import Clause, Contradiction, Description, Parameters
from ledger.terms import Rate

__all__ = ["NO_K", "Clause", "Contradiction", "Parameters", "Regulation"]


class Events(Protocol):
    """What decides how much a tournament's games count: columns by side or by tournament."""

    @property
    def merit(self) -> Column:
        """Hundredths (``NO_MERIT``: none is given)."""

    @property
    def rate(self) -> Column:
        """The position in ``tables.RATES``."""


@dataclass(frozen=True, slots=True)
class Differences:
    """How differences count, in points: for each of some tournaments, or the same for all.

    More than ``cap`` counts as that for whoever has less than ``capped_below``. Games with more
    than ``apart_beyond`` are not plain: another rule may look at them, and they are calculated side
    by side.
    """

    cap: Column | int = NO_LIMIT
    capped_below: Column | int = NO_LIMIT
    apart_beyond: Column | int = NO_LIMIT


@dataclass(frozen=True, slots=True)
class Past:
    """What may lie behind a rating that is brought in: so many rated games, and so high a peak.

    Without figures it is that of an established player: more games than any rule calls few.
    """

    games: int = MOST_GAMES
    peak: int = UNRATED


class Regulation(Description, ABC):
    """A rating system as adopted: its rules with the parameters of the adoption.

    A released regulation never changes its behaviour; a repaired rule is a new one, with a new id.

    The games a regulation is asked to calculate are simultaneous: those of a period, or, where
    ``EVENT_BY_EVENT``, those of one tournament after the other (by its last day). The sides carry
    the ratings they are to be rated with: those at the start of the period, or of the list in force
    when the tournament started (``RATINGS_OF``); event by event, those after the event before.
    ``RATE`` is the only rate of play it rates, if there is one. ``FIRST_RATING_GAMES`` are the
    games for a first rating, where the text has one number (see ``games_for_first_rating``).
    ``FLAGS`` are the flags of tournaments that the text asks for.
    """

    RATE: ClassVar[Rate | None] = None
    EVENT_BY_EVENT: ClassVar[bool] = False
    RATINGS_OF: ClassVar[Literal["period", "tournament"]] = "period"
    FIRST_RATING_GAMES: ClassVar[int] = 0
    FLAGS: ClassVar[tuple[str, ...]] = ()

    # What every regulation writes

    @property
    @abstractmethod
    def expectation(self) -> Expectation:
        """The model that turns a difference D into an expected score."""

    @abstractmethod
    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """Returns everybody's K by where he stands on a day."""

    # First ratings: none, unless the text says how many games give one, and of what worth

    def games_for_first_rating(self, on: dt.date) -> int:
        """How many games a provisional bucket needs for a list in force from the day; 0: none do.

        Where none do, ratings have to be brought in.
        """
        return self.FIRST_RATING_GAMES

    def performance(self, mean: Fraction, halves: int, games: int) -> Fraction | None:
        """Returns what a newcomer's result in a tournament is worth; None: nothing.

        Args:
            mean: the mean rating of his rated opponents, exactly.
            halves: his score against them, in half points.
            games: how many games that were.
        """
        return None

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """Returns the first rating that computable results give, or None while they do not.

        The mean of the performances weighted by games, halves up, once there are enough games.
        ``on`` is the day from which the list with it would be in force.
        """
        if sum(result.games for result in results) < self.games_for_first_rating(on):
            return None
        return half_up(mean_performance(results))

    def bulk_first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """Returns who of those with a bucket gets a first rating, and which.

        It is ``first_rating`` for many: both columns have a row for each player of the buckets, in
        their order. There is one bucket at least.
        """
        found = [
            self.first_rating([result for _, result in bucket], on) for _, bucket in buckets.items()
        ]
        reached = np.array([rating is not None for rating in found], dtype=np.bool_)
        return reached, np.array([rating or 0 for rating in found], dtype=np.int64)

    @property
    def first_games(self) -> int:
        """Over how many games a first rating is calculated anew; 0: it is calculated once.

        Until then the results stay in the bucket of a player who has a rating. ``calculate`` gives
        his games as a newcomer's result, and what they move as a step.
        """
        return 0

    def results_since(self, on: dt.date) -> dt.date:
        """From which day an event must have ended to count for a list in force from a day."""
        return dt.date.min

    # What games count

    def merits(self, of: Events) -> Column:
        """Returns CM in hundredths, full where none is given; ``NO_MERIT``: they do not count."""
        return np.where(of.merit == NO_MERIT, FULL_MERIT, of.merit)

    def differences(self, starts_on: Column) -> Differences:
        """Returns how D counts in tournaments that started on the days (ordinals): uncapped."""
        return Differences()

    def limited(self, k: Column, games: Column, on: dt.date) -> Column:
        """Returns players' K by how many games of the period count; as it is, without a limit."""
        return k

    def change(self, units: Column, scale: int) -> Column:
        """Rounds exact changes to whole points, once; ``scale`` units are a point."""
        return column_half_away_from_zero(units, scale)

    # The calculation

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates simultaneous games; by default each against a rated opponent.

        Every side ends up in the result: posted, excluded, or part of a newcomer's result.

        Args:
            sides: the games, from both sides, with the ratings to be used.
            states: where everybody stands before them.
            particulars: what else is known of the players at the start of the period.
            k: everybody's K before them, who plays in them; that of others is not told.
        """
        games = by_rating(self.weighted(sides))
        newcomers, left_out = self._newcomers(games.newcomers, particulars.on)
        return Calculation(
            postings=self.posted(games.rated, k),
            exclusions=Exclusions.joined([games.excluded, left_out]),
            newcomers=newcomers,
            scale=self.expectation.scale,
        )

    def weighted(self, sides: Sides) -> Sides:
        """Returns the sides with CM; excluded where their games do not count."""
        merit = self.merits(sides)
        reason = Reason.OTHER_RATE_OF_PLAY if self.RATE else Reason.NO_MERIT
        out = (merit == NO_MERIT) & (sides.reason == Reason.NONE)
        return sides.with_(merit=merit, reason=np.where(out, reason, sides.reason))

    def counted(self, sides: Sides) -> Column:
        """Returns D of games between two rated players, as it counts: one for each side."""
        rule = self.differences(sides.starts_on)
        own, opponents = sides.rating, sides.opponent_rating
        return counted_difference(own, opponents, rule.cap, rule.capped_below)

    def posted(self, sides: Sides, k: Column) -> Postings:
        """Posts games between two rated players; ``k`` is everybody's."""
        return post(
            sides,
            opponent_rating=sides.opponent_rating,
            difference=self.counted(sides),
            k=k[sides.player],
            expectation=self.expectation,
        )

    def _newcomers(self, sides: Sides, on: dt.date) -> tuple[Sequence[NewcomerResult], Exclusions]:
        """Returns the results of newcomers against rated opponents, and the sides that give none.

        A tournament without a performance gives none.
        """
        if not self.games_for_first_rating(on):
            return (), Exclusions.of(sides, Reason.NO_FIRST_RATING)
        results = newcomer_results(sides, self.performance, otherwise=Reason.NO_DIFFERENCE)
        reasons = np.array([result.reason for result in results], dtype=np.int64)
        return results, Performances(sides).excluded(reasons)

    @property
    def plain(self) -> bool:
        """Whether games between two rated players are rated one by one, and concern nobody else.

        Then they are summed at great speed: K * CM * (W - P(D)) for each of the two, by
        ``expectation``, ``merits`` and ``differences``. For such games ``calculate`` must come to
        the same, and of no games at all it makes the same in every period of a year.
        """
        return False

    # What few texts need

    def fixed(self, states: PlayerStates, particulars: Particulars) -> Mask | None:
        """Who plays with a fixed rating: a rated opponent who is not rated himself; None: nobody.

        A regulation with such a rule has no plain games.
        """
        return None

    @property
    def fixes_ratings(self) -> bool:
        """Whether it has a rule for fixed ratings."""
        return type(self).fixed is not Regulation.fixed

    def renewed(self, buckets: Buckets, rating: Column) -> Buckets:
        """Returns the buckets as a period begins, calculated anew where the text says so.

        ``rating`` is everybody's at the start of the period; see ``Buckets.revalued``.
        """
        return buckets

    def unrated_again(
        self, rating: Column, states: PlayerStates, particulars: Particulars, on: dt.date
    ) -> Mask | None:
        """Who is unrated from the list of the day on and starts anew; None: nobody.

        Nothing of him remains: no games, no highest rating, no bucket. Who falls below ``floor`` is
        unrated too, and keeps his games. Nobody else falls below 1.

        Args:
            rating: what everybody's rating has come to, results below 1 included.
            states: where everybody stands after the games of the period.
            particulars: what else is known at its start.
            on: the day from which the list is in force.
        """
        return None

    # The list

    def floor(self, on: dt.date) -> int:
        """The lowest rating a list in force from the day shows; below it a player is unrated."""
        return 1

    def active(self, states: PlayerStates, on: dt.date) -> Mask:
        """Who is active in the list in force from the day; everybody where the rules are silent."""
        return np.ones(len(states.rating), dtype=np.bool_)

    def pasts(self) -> Sequence[Past]:
        """What may lie behind a rating that is brought in, as far as K depends on it.

        The likeliest comes first. From a K that was published with the rating follows the first
        past under which ``k`` gives that K, and from any other K nothing.
        """
        return (Past(),)

    @property
    def enters_from(self) -> str | None:
        """The list whose rating a player brings who has none here; None: no list's."""
        return None

    @property
    def report_within_lists(self) -> int | None:
        """By which list after its end a tournament must be known to be rated; None: no limit."""
        return None
