"""FIDE's rating regulations (B.02) by their dates: standard chess, and what all rates share.

Source: FIDE Handbook B.02, FIDE Rating Regulations in force from 1 July 2017, 1 January 2022 and
1 March 2024 (with the change of 8.3.1 of 1 October 2025), and FIDE Rapid and Blitz Rating
Regulations. Read this module beside it: the sections follow the text of 2024, article by article.
Article 8.2 is in ``fide_first_ratings``, what rapid and blitz chess have of their own in
``fide_rapid``, and what changed over the years in ``fide_figures``, each value with its date.

The rules of a tournament are those in force when it **started**, and so are the ratings used, of
both players. K, the limit of K * n, the floor and inactivity belong to the list.

What the texts leave open, and what is done here:

* *8.3.1, 2022*: "a player may benefit from only one upgrade" in a tournament. Taken, as FIDE's
  Qualification Commission explained it, as: one game of each player, that with the greatest
  difference, is capped; in all others the real difference counts. With ``one_upgrade =
  higher-rated`` only the higher rated player is restricted, as the words can also be read.
* *The annual lists, until 1980*, were made by Elo's rules of 1972: ``fide-1972``. A list under this
  regulation that begins earlier is rated by what is known of later years, and says so when it is
  defined; it may adopt ``fide-1972`` first, and this one from 1 January 1981 on.
* *8.3.3*: between 2014 and 2017 the higher K of the young ended with the 18th birthday; only the
  year of birth is known here, so the end of that year is taken throughout.
* *Before 2008* changes were calculated from the mean of the opponents; here game by game, but in
  the all-play-alls with unrated players of before July 2009, of which the whole calculation is
  known: the means are corrected, so that nobody counts as more than 350 points away.
* *All-play-alls with unrated players, July 2009 to June 2017*: the rated count over all games, one
  by one, newcomers at their Ru. Which texts say so, and what is inferred, see ``fide_figures``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column, Mask
from ledger.facts.tables import NO_MERIT, RATES
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets
from ledger.rating.kernel import Performances, post
from ledger.rating.player_state import UNKNOWN_YEAR, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    FULL_MERIT,
    Calculation,
    Exclusions,
    NewcomerResult,
    Postings,
    Reason,
    Sides,
    each_tournament,
)
from ledger.regulations import fide_figures as figures
from ledger.regulations.description import Clause, DatedFigure, Parameters
from ledger.regulations.fide_first_ratings import (
    FideRoundRobin,
    among,
    mixed_round_robins,
    newcomers_results,
    pooled_ratings,
)
from ledger.regulations.interface import Differences, Events, Past, Regulation
from ledger.regulations.printed_tables import P_OF_D, WithModel
from ledger.terms import Rate

COVERAGE = (
    Clause("0.2, 1-4, 6", "which events FIDE registers", "not covered: accept or reject them"),
    Clause("5.1", "unplayed games are not rated; a game in which both moved is", "Fide.calculate"),
    Clause("7.1.3", "closing date of a list", "not covered: it belongs to the list's calendar"),
    Clause("7.1.4", "games for a first rating, 26 months", "Fide.bulk_first_ratings"),
    Clause("7.2.1", "floor: below it unrated", "Fide.floor"),
    Clause("7.2.1, 2004-2009", "floors of 1600, 1400", "not covered: dates unknown (parameter)"),
    Clause("7.2.1 until 2000", "lists in steps of five", "not covered: until when is unknown"),
    Clause("7.2.2", "inactivity", "Fide.active"),
    Clause("8.1.1", "table of dp", "fide_first_ratings.DP"),
    Clause("8.1.2", "table of PD", "Fide.expectation"),
    Clause("8.2.1", "a zero score in the first event is disregarded", "newcomers_results"),
    Clause("8.2.2", "Ra, with two imagined opponents since 2024", "fide_first_ratings.performance"),
    Clause("8.2.2 until 2021", "newcomers of an all-play-all", "FideRoundRobin, MixedRoundRobin"),
    Clause("6.33 of 2003", "national championships with 3 rated players", "not covered"),
    Clause("8.2.3", "Ru and its maximum", "pooled_ratings"),
    Clause("8.2.4", "rated meanwhile: for himself only", "Fide._change"),
    Clause("8.3 until 2017", "the rated of an all-play-all over all games", "_changes_over_all"),
    Clause("8.3.1", "cap of the difference, for whom", "Fide.differences"),
    Clause("8.3.1", "how often it is capped", "Fide.counted"),
    Clause("8.3.2", "change of a game", "Regulation.posted"),
    Clause("8.3.3", "K and the limit of K * n", "Fide.k, limited"),
    Clause("8.3.4", "the change of a period is rounded once, 0.5 away from 0", "Regulation.change"),
    Clause("9.1", "reports in time for the third list", "Fide.report_within_lists"),
)
CLAUSES = {
    Reason.SHORT: "FIDE B.02 5.1",
    Reason.FORFEIT: "FIDE B.02 5.1",
    Reason.BYE: "FIDE B.02 5.1",
    Reason.OTHER_RATE_OF_PLAY: "FIDE B.02 1, rate of play",
    Reason.OPPONENT_UNRATED: "FIDE B.02 8.3",
    Reason.TOO_FEW_GAMES: "FIDE B.02 8.2.1",
    Reason.NO_POINTS: "FIDE B.02 8.2.1",
    Reason.LATE_REPORT: "FIDE B.02 9.1",
}


class FideParameters(WithModel):
    """What a federation may set; 0 stands for the value of the date."""

    EXPECTED_IN = "8.1.2"

    one_upgrade: Literal["each-player", "higher-rated"] = Field(
        "each-player", description="8.3.1 of 2022, whom it restricts"
    )
    floor: int = Field(0, ge=0, le=4000, description="7.2.1; 0: by date")
    first_rating_games: int = Field(0, ge=0, le=1000, description="7.1.4; 0: by date")
    report_within_lists: int = Field(3, ge=0, le=120, description="9.1; 0: no limit")


class Fide(Regulation):
    """The articles that all rates of play have in common."""

    SOURCE = (
        "FIDE Handbook B.02: FIDE Rating Regulations of 1 July 2017, 1 January 2022 and "
        "1 March 2024 with the change of 1 October 2025, and milestones before them"
    )
    TABLES = ("d_of_p.csv", "p_of_d.csv")
    PARAMETERS: ClassVar[type[Parameters]] = FideParameters
    CLAUSES = CLAUSES
    RATINGS_OF = "tournament"
    RATE: ClassVar[Rate]  # each has one
    CAP: ClassVar[DatedFigure] = figures.CAP
    UNCAPPED_FROM: ClassVar[DatedFigure] = figures.UNCAPPED_FROM

    parameters: FideParameters

    # 1, 5. Which games are rated

    def merits(self, of: Events) -> Column:
        """All games of a list weigh equally; other rates of play have lists of their own."""
        return np.where(of.rate == RATES.index(self.RATE), FULL_MERIT, NO_MERIT)

    # 7.1 First ratings

    def games_for_first_rating(self, on: dt.date) -> int:
        """7.1.4: the number of the day, unless the federation set one."""
        return self.parameters.first_rating_games or figures.GAMES.on(on)

    def results_since(self, on: dt.date) -> dt.date:
        """7.1.4: results are pooled over consecutive periods of at most 26 months."""
        return _months_before(on, figures.MONTHS.on(on))

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """7.1.4, 8.2: a player's first rating; see ``bulk_first_ratings``."""
        bucket = tuple((0, result) for result in results)
        reached, ratings = self.bulk_first_ratings(Buckets.of({0: bucket}), on)
        return int(ratings[0]) if reached[0] else None

    def bulk_first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """7.1.4, 8.2: over all results of a player as if they were one event."""
        days = np.maximum.reduceat(buckets.results.achieved.starts_on, buckets.starts)
        games = buckets.sums(buckets.results.games)
        enough = games >= (self.parameters.first_rating_games or figures.GAMES.at(days))
        first = np.zeros_like(games)
        first[enough] = pooled_ratings(buckets.of_players(enough), days[enough])
        return enough & (first >= self.floor(on)), first

    # 7.2 The list

    def floor(self, on: dt.date) -> int:
        """7.2.1: who falls below is shown as unrated, and treated like any other unrated player."""
        return self.parameters.floor or figures.FLOOR.on(on)

    def active(self, states: PlayerStates, on: dt.date) -> Mask:
        """7.2.2: active is who played a rated game within a year; before, four."""
        enough = states.games_within_a_year(on) >= figures.ACTIVE_GAMES.on(on)
        active: Mask = enough | states.seeded_within_a_year(on)
        return active

    # 8.1 Expectation

    @property
    def expectation(self) -> Expectation:
        """8.1.2: the table PD, or the model that was chosen instead."""
        return self.parameters.model_or(P_OF_D)

    # 8.2, 8.3 A period: players without a rating, and rated players

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates a period; the sides bring the ratings in force when their tournament started."""
        sides = self.weighted(sides)
        played = sides.rows(sides.reason == Reason.NONE)
        rated = states.rating[played.player] > UNRATED
        against_rated = played.opponent_rating > UNRATED
        round_robins = mixed_round_robins(sides)
        for_first = ~rated & (against_rated | among(round_robins, played.tournament))
        whole = {t: table for t, table in round_robins.items() if table.whole}
        over_all = rated & (played.rating > UNRATED) & among(whole, played.tournament)
        of_newcomers = Performances(played.rows(for_first))
        newcomers = newcomers_results(of_newcomers, round_robins, states.buckets.players)
        against_unrated = played.rows(~against_rated & ~for_first & ~over_all)
        not_played = sides.rows(sides.reason != Reason.NONE)
        exclusions = [
            Exclusions.of(not_played, not_played.reason),
            Exclusions.of(against_unrated, Reason.OPPONENT_UNRATED),
            of_newcomers.excluded(newcomers.achieved.reason),
        ]
        return Calculation(
            postings=Postings.joined(
                [
                    self._change(played.rows(rated & against_rated & ~over_all), states, k),
                    *self._changes_over_all(played.rows(over_all), whole, k),
                ]
            ),
            exclusions=Exclusions.joined(exclusions),
            newcomers=newcomers,
            scale=self.expectation.scale,
        )

    @property
    def plain(self) -> bool:
        """Two rated players need nobody else."""
        return True

    # 8.3.1, 8.3.2 The change of a game

    def differences(self, starts_on: Column) -> Differences:
        """8.3.1: the cap, and for whom. Where only one game is capped, those that may be, apart."""
        cap = self.CAP.at(starts_on)
        return Differences(
            cap,
            capped_below=self.UNCAPPED_FROM.at(starts_on),
            apart_beyond=np.where(figures.ONE_GAME_ONLY.at(starts_on) == 1, cap, NO_LIMIT),
        )

    def counted(self, sides: Sides) -> Column:
        """8.3.1: D with the cap; in 2022 and 2023 only one game of each player was capped."""
        counts = super().counted(sides)
        difference = sides.rating - sides.opponent_rating
        once = figures.ONE_GAME_ONLY.at(sides.starts_on) == 1
        once &= np.abs(difference) > self.CAP.at(sides.starts_on)
        capped = _greatest(sides.rows(once), difference[once])
        if self.parameters.one_upgrade == "higher-rated":
            capped |= difference[once] < 0
        counts[once] = np.where(capped, counts[once], difference[once])
        return counts

    def _change(self, sides: Sides, states: PlayerStates, k: Column) -> Postings:
        """8.3.2: K * (W - PD) of every game.

        8.2.4: who was unrated when the tournament started and is rated by now counts with the
        rating of now, for himself only.
        """
        own = np.where(sides.rating > UNRATED, sides.rating, states.rating[sides.player])
        return self.posted(sides.with_(rating=own), k)

    def _changes_over_all(
        self, sides: Sides, round_robins: Mapping[int, FideRoundRobin], k: Column
    ) -> Iterator[Postings]:
        """8.3 until 2017: the rated of all-play-alls over all games, newcomers at their Ru."""
        for of_one in each_tournament(sides):
            table = round_robins[int(of_one.tournament[0])]
            games = of_one.with_(opponent_rating=table.counted(of_one))
            yield post(
                games,
                opponent_rating=games.opponent_rating,
                difference=table.differences(games) if table.corrected else super().counted(games),
                k=k[games.player],
                expectation=self.expectation,
            )

    # 8.3.3 K

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """8.3.3: K as assigned; else 10 for ever once 2400 was published, 40, 40, 20."""
        on = particulars.on
        new = states.games < figures.K_NEW_BELOW_GAMES
        top = states.peak >= figures.K_TOP_FROM
        until_age = figures.K_YOUNG_UNTIL_AGE.on(on)
        young = (
            (particulars.birth_year != UNKNOWN_YEAR)
            & (on.year - particulars.birth_year <= until_age)
            & (states.peak < figures.K_YOUNG_BELOW)
        )
        rule: Column = np.where(new | young, figures.K_NEW.on(on), figures.K_OTHERS.on(on))
        # Until 2014 a new player kept the higher K also above 2400.
        rule = np.where(top & ~(new & (until_age == 0)), figures.K_TOP.on(on), rule)
        return particulars.k_or(rule)

    def pasts(self) -> Sequence[Past]:
        """8.3.3: from K 20 follow 30 games (and 2300 of the young), from K 10 also 2400."""
        games = figures.K_NEW_BELOW_GAMES
        peaks = UNRATED, figures.K_YOUNG_BELOW, figures.K_TOP_FROM
        return *(Past(games, peak) for peak in peaks), Past(0)

    def limited(self, k: Column, games: Column, on: dt.date) -> Column:
        """8.3.3: K * n is at most 700."""
        least: Column = np.minimum(k, figures.K_TIMES_GAMES.on(on) // np.maximum(games, 1))
        return least

    # 9. Reports

    @property
    def report_within_lists(self) -> int | None:
        """9.1: a report that misses the third list after the end of the event is not rated."""
        return self.parameters.report_within_lists or None


class FideStandard(Fide):
    """Standard chess."""

    ID = "fide-standard"
    TITLE = "FIDE standard ratings, by date"
    RATE = Rate.CLASSICAL
    BEFORE = (dt.date(1981, 1, 1), "fide-1972")
    COVERAGE = (
        *COVERAGE,
        Clause("until 1980", "the annual lists", "not covered: they are those of fide-1972"),
    )
    DATED = figures.STANDARD


def _greatest(sides: Sides, difference: Column) -> Mask:
    """The one game of each player in each tournament with the greatest difference."""
    order = np.lexsort(
        (sides.game, sides.round, -np.abs(difference), sides.tournament, sides.player)
    )
    player, tournament = sides.player[order], sides.tournament[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(player) != 0) | (np.diff(tournament) != 0)
    greatest = np.zeros(len(order), dtype=np.bool_)
    greatest[order[first]] = True
    return greatest


def _months_before(day: dt.date, months: int) -> dt.date:
    """The first day of the month so many months before."""
    total = day.year * 12 + day.month - 1 - months
    return dt.date(total // 12, total % 12 + 1, 1)
