"""ENF 2010: the national rating of Chile, as the federation explains it.

Source: Federación Nacional de Ajedrez de Chile, *Cálculo ENF - Elo nacional FENACH*, Santiago,
August 2010 (2nd version, August 2011). Read this module beside it: the sections below are its
chapters, I to IV. Tables 1 and 2 are ``tables/d_of_p.csv`` and ``tables/p_of_d.csv``.

What the document does not say, and what is done here:

* K is printed for each player without a rule: it is assigned by an event, with FIDE's practice of
  that year as the fallback (30 below 30 games; then 10 for ever once 2400 is reached, else 15).
* Its misprints are known: formula III c) and the mean in IV 1 are printed with the opposite sign
  of their own examples; the examples, which follow from exact arithmetic, hold.
* Chapter IV knows one cycle. Where everybody met twice, n is the number of opponents throughout, in
  Ra, Ru, the corrections and Rc; points, percentages and We are those of all games.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column, Mask
from ledger.facts.tables import NO_MERIT, RATES
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets
from ledger.rating.kernel import Performances, by_rating, mean_differences, post
from ledger.rating.newcomer_results import Results
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Calculation, Exclusions, NewcomerResult, Postings, Reason, Sides
from ledger.rating.ratios import Ratios, linear
from ledger.rating.round_robin import GroupRules, MixedRoundRobin, complete_round_robins
from ledger.rating.rounding import half_up, whole_percent
from ledger.regulations.description import Clause
from ledger.regulations.interface import Differences, Events, Past, Regulation
from ledger.regulations.printed_tables import D_OF_P, P_OF_D, WithModel
from ledger.terms import Rate

COVERAGE = (
    Clause("Tabla 1", "D(p), difference by percentage", "D_OF_P"),
    Clause("Tabla 2", "P(D), percentage by difference", "P_OF_D"),
    Clause("I", "one game: K (W - P(D))", "kernel.post"),
    Clause("I", "K of a player", "Enf2010.k"),
    Clause("II b)", "only opponents with a rating above 0 count", "Enf2010.calculate"),
    Clause("II c)", "350-point rule, optional", "Enf2010.differences"),
    Clause("II i)", "by the mean of the opponents", "Enf2010.counted, method=mean"),
    Clause("II ii)", "game by game", "Enf2010.counted, method=per-game"),
    Clause("II obs. a)", "merit coefficient CM", "Enf2010.merits"),
    Clause("III a) b)", "computable result", "Enf2010._results"),
    Clause("III", "performance Ru", "performance"),
    Clause("III", "bucket, weighted first rating, no floor", "Enf2010.bulk_first_ratings"),
    Clause("IV", "all-play-all with unrated players", "RoundRobin"),
    Clause("IV a) b)", "its conditions; II obs. c)", "RoundRobin.of"),
    Clause("IV 1, 2", "mean, newcomers, their correction", "MixedRoundRobin"),
    Clause("IV 3", "rated players and their correction", "RoundRobin.postings"),
    Clause("III", "publication only above 1801 (FIDE)", "not covered: the ENF does not use it"),
)
CLAUSES = {
    Reason.OPPONENT_UNRATED: "ENF 2010 II b)",
    Reason.FORFEIT: "ENF 2010 II",
    Reason.BYE: "ENF 2010 II",
    Reason.SHORT: "ENF 2010 II",
    Reason.NO_MERIT: "ENF 2010 II a)",
    Reason.TOO_FEW_GAMES: "ENF 2010 III a)",
    Reason.NO_POINTS: "ENF 2010 III b)",
}


class EnfParameters(WithModel):
    """What a federation may set; the defaults are the document's."""

    EXPECTED_IN = "Tabla 2"
    ADDED_LATER = frozenset({"expectation", "draw_margin"})

    method: Literal["per-game", "mean"] = Field("per-game", description="II i), ii)")
    difference_rule: int = Field(0, ge=0, le=1000, description="II c); 0: not applied")
    merit_classical: int = Field(100, ge=0, le=1000, description="II a), CM in hundredths")
    merit_rapid: int = Field(50, ge=0, le=1000, description="II a), CM in hundredths")
    merit_blitz: int | None = Field(None, ge=0, le=1000, description="not in the text: unrated")
    k_new: int = Field(30, ge=0, le=200, description="I, K by the practice of 2010")
    k_new_below_games: int = Field(30, ge=0, le=1000, description="I, K")
    k_top: int = Field(10, ge=0, le=200, description="I, K")
    k_top_from_rating: int = Field(2400, ge=1, le=4000, description="I, K")
    k_others: int = Field(15, ge=0, le=200, description="I, K")
    computable_games: int = Field(3, ge=1, le=100, description="III a)")
    computable_halves: int = Field(1, ge=0, le=100, description="III b), half points")
    first_rating_games: int = Field(9, ge=1, le=1000, description="III, bucket")


class Enf2010(Regulation):
    """The rules of ENF 2010 with the parameters of an adoption."""

    ID = "enf-2010"
    TITLE = "ENF 2010 (Federación Nacional de Ajedrez de Chile)"
    SOURCE = (
        "Federación Nacional de Ajedrez de Chile, Cálculo ENF - Elo nacional FENACH, Santiago, "
        "August 2010 (2nd version, August 2011)"
    )
    PARAMETERS = EnfParameters
    TABLES = ("d_of_p.csv", "p_of_d.csv")
    COVERAGE = COVERAGE
    CLAUSES = CLAUSES
    WORKED_EXAMPLE = (
        "Chapter I: 2500 beats 2430, both with K 10. Table 2 gives 0.60 for D = 70, so the winner "
        "gains 10 * (1 - 0.60) = 4.0 points and the loser, 10 * (0 - 0.40), loses as many."
    )

    parameters: EnfParameters

    # I. One game between two rated players

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """K as assigned; else by the games and ratings at the start of the period.

        A player new to the list keeps the higher K also above 2400: FIDE's practice of 2010.
        """
        p = self.parameters
        k = np.full(len(states.rating), p.k_others, dtype=np.int32)
        k[states.peak >= p.k_top_from_rating] = p.k_top
        k[states.games < p.k_new_below_games] = p.k_new
        return particulars.k_or(k)

    def pasts(self) -> Sequence[Past]:
        """K of the others and the highest K come after the games of a new player."""
        p = self.parameters
        games = p.k_new_below_games
        return Past(games), Past(games, p.k_top_from_rating), Past(0)

    # II. Rated players in any tournament

    @property
    def expectation(self) -> Expectation:
        """Table 2, or the model that was chosen instead."""
        return self.parameters.model_or(P_OF_D)

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates a period: every side is posted, excluded, or part of a newcomer's result."""
        sides = self.weighted(sides)
        round_robins = list(_round_robins(sides, states.rating))
        others = sides
        if round_robins:
            of_them = np.isin(sides.tournament, [r.tournament for r in round_robins])
            others = sides.rows(~of_them | (sides.reason != Reason.NONE))
        games = by_rating(others)
        of_newcomers = Performances(games.newcomers)
        newcomers = self._results(of_newcomers)
        return Calculation(
            postings=Postings.joined(
                [
                    self.posted(games.rated, k),
                    *(r.postings(k, self.expectation) for r in round_robins),
                ]
            ),
            exclusions=Exclusions.joined(
                [games.excluded, of_newcomers.excluded(newcomers.achieved.reason)]
            ),
            newcomers=Results.joined(
                [newcomers, *(Results.of(tuple(r.newcomers())) for r in round_robins)]
            ),
            scale=self.expectation.scale,
        )

    def merits(self, of: Events) -> Column:
        """CM: the tournament's own, or by its rate of play (observation a)."""
        p = self.parameters
        by_rate = {
            Rate.CLASSICAL: p.merit_classical,
            Rate.RAPID: p.merit_rapid,
            Rate.BLITZ: NO_MERIT if p.merit_blitz is None else p.merit_blitz,
        }
        table = np.array([by_rate[rate] for rate in RATES], dtype=np.int64)
        return np.where(of.merit == NO_MERIT, table[of.rate], of.merit)

    @property
    def plain(self) -> bool:
        """Game by game, two rated players need nobody else."""
        return self.parameters.method == "per-game"

    def differences(self, starts_on: Column) -> Differences:
        """The 350-point rule, where it is applied (II c)."""
        return Differences(cap=self.parameters.difference_rule or NO_LIMIT)

    def counted(self, sides: Sides) -> Column:
        """D game by game (II ii), or from the mean of the opponents in the tournament (II i)."""
        difference = super().counted(sides)
        if self.parameters.method == "mean":
            return mean_differences(sides, sides.rating, sides.rating - difference)
        return difference

    # III. Players without a rating in any tournament

    def _results(self, events: Performances) -> Results:
        """The results of newcomers against rated opponents, tournament by tournament."""
        p = self.parameters
        few = events.games < p.computable_games
        pointless = events.halves < p.computable_halves
        means = events.opponents_means
        return events.results(
            means=means,
            performances=linear(performance, means, events.halves, events.games),
            reasons=np.select(
                (few, pointless), (Reason.TOO_FEW_GAMES, Reason.NO_POINTS), Reason.NONE
            ),
        )

    def games_for_first_rating(self, on: dt.date) -> int:
        """Nine games in computable results."""
        return self.parameters.first_rating_games

    def bulk_first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """The mean of the computable results weighted by games, rounded half up; no floor.

        It is ``Regulation.first_rating`` for many.
        """
        games = buckets.sums(buckets.results.games)
        enough = games >= self.parameters.first_rating_games
        ready = buckets.of_players(enough)
        total = ready.results.performances.weighted_sums(ready.results.games, ready.starts)
        mean = total.times(Ratios.divided(np.ones_like(games[enough]), games[enough]))
        ratings = np.zeros_like(games)
        ratings[enough] = mean.half_up()
        return enough, ratings


# III. Ru gains 12.5 points for each half point above one half of the games.
POINTS_PER_HALF_ABOVE = Fraction(25, 2)


def performance(mean: Fraction, halves: int, games: int, opponents: int = 0) -> Fraction:
    """Ru, a newcomer's performance against opponents of the mean rating; exact.

    a) 50 %: the mean; b) above: 12.5 more for each half point; c) below: D(p) n/(n+1) less, with
    the percentage rounded half up, and 1 where that gives 0 (Table 1 has no 0). n are the games; in
    an all-play-all it is given, as the number of opponents (see ``MixedRoundRobin``).

    >>> performance(Fraction(1546), 7, 5), performance(Fraction(1546), 3, 5)
    (Fraction(1571, 1), Fraction(8531, 6))
    """
    if halves >= games:
        return mean + POINTS_PER_HALF_ABOVE * (halves - games)
    n = opponents or games
    percent = max(1, whole_percent(halves, games))
    return mean + Fraction(D_OF_P[percent] * n, n + 1)


# IV. All-play-all with unrated players (IRT): 1. Ra, 2. the newcomers, 3. the rated players

DIFFERENCE_IN_ROUND_ROBINS = 350
_IN_ROUND_ROBINS = GroupRules(D_OF_P, performance, DIFFERENCE_IN_ROUND_ROBINS)


class RoundRobin(MixedRoundRobin):
    """One all-play-all to which chapter IV applies."""

    @classmethod
    def of(cls, sides: Sides, rating: Column) -> RoundRobin | None:
        """Returns the tournament where chapter IV applies, else None: then II and III do.

        Args:
            sides: those of a complete all-play-all.
            rating: everybody's, by player index.
        """
        players = np.unique(sides.player).tolist()
        table = cls(sides, {player: int(rating[player]) for player in players}, _IN_ROUND_ROBINS)
        return table if table._eligible() else None

    def _eligible(self) -> bool:
        """Conditions a) and b), and the scores for which Table 1 is defined."""
        everything = 2 * self.games
        return (
            bool(self.unrated)
            and self.enough_rated
            and all(self.halves.values())
            and all(self.d_of_p(p) is not None for p in self.rated)
            and all(self.halves[p] < everything for p in self.rated)
        )

    def newcomers(self) -> Iterator[NewcomerResult]:
        """The newcomers' computable results: Ru over all their games."""
        means, final = self.corrected_means, self.ru
        ratings = {player: half_up(rating) for player, rating in (self.rated | final).items()}
        of_newcomers = self.sides.rows(np.isin(self.sides.player, self.unrated))
        for achieved in Performances(of_newcomers):
            opponents = achieved.sides.opponent.tolist()
            yield achieved.result(
                opponents_mean=means[achieved.player],
                performance=final[achieved.player],
                reason=Reason.NONE,
                ratings=np.array([ratings[o] for o in opponents], dtype=np.int64),
            )

    def postings(self, k: Column, expectation: Expectation) -> Postings:
        """3. The rated players' games, each at the one expectation of the corrected mean."""
        sides = self.sides.rows(np.isin(self.sides.player, list(self.rated)))
        ratings = {p: half_up(r) for p, r in (self.rated | self.ru).items()}
        return post(
            sides,
            opponent_rating=np.array([ratings[o] for o in sides.opponent.tolist()], np.int64),
            difference=self.differences(sides),
            k=k[sides.player],
            expectation=expectation,
        )


def _round_robins(sides: Sides, rating: Column) -> Iterator[RoundRobin]:
    """Finds the tournaments of the period to which chapter IV applies.

    A game that was not played out sets it aside, but for byes and annulled pairings.
    """
    tables = (RoundRobin.of(games, rating) for games in complete_round_robins(sides))
    yield from filter(None, tables)
