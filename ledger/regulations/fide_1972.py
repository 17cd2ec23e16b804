"""FIDE 1972: the rating system applied nationally, as Arpad Elo explained it to the federations.

Source: Elo, Annex 1 to FIDE Circular No. 4, 1972-73. Read this module beside it: the sections below
are in the order of its text, which has equations, 16 steps of a worksheet and three rules against
deflation, but no articles; one event, with its worksheet, is in ``fide_1972_events``. Tables I and
II are ``tables/d_of_p.csv`` and ``tables/p_of_d.csv``.

The text means annual lists; a federation that rates after every tournament, as the text allows it,
defines a list with short periods and a higher K. All games of a period are rated from the list in
force at its start.

What the text does not say, and what is done here:

* *The worksheet's arithmetic* is that of its own figures: every column is rounded to the nearest
  as it is written down, and an exact half is dropped (67.5 is 67, 14.25 is 14.2). A percentage is
  read to the thousandth: one that ends in 4, 5 or 6 lies between two rows of Table I, and their
  mean is taken (12.5 of 18 is read as .695). With ``worksheet_rounding=0`` and
  ``percentage=whole`` nothing is rounded but the percentage and the difference that is looked up.
* *All players rated*: Ra is the mean of their ratings, no estimate of it.
* *Other events*: nobody has an Ra, so W_e is the sum of P(D). Who has no rating is rated first
  there too, against the rated, and then counts as an opponent with that performance.
* *0 % and 100 %* have no D(P): such a newcomer has no result, and an all-play-all whose Ra would
  need it is rated as any other event. Where such a performance replaces a rating, the last row of
  Table I is taken: it is at least that, and one point more must not be worth less.
* *80 games*: the text has fewer and more than 80; 80 count as more.
* *Junior*: the text names no age. FIDE's junior age of the time is taken: until the year of the
  20th birthday. A *new* player is one with fewer games than ``new_below_games``, FIDE's practice.
* *Exceptional results* are those above expectation, since they are named as a means against
  deflation. In an event of fewer than 12 rounds proportionally less is asked, and one of fewer
  than ``exceptional_least_rounds`` says too little. The points of the bonus are the federation's.
  Where the old rating is set aside, the player's other events of the period are rated from the new.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Literal

import numpy as np
from pydantic import Field

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.rating.expectation import Expectation
from ledger.rating.kernel import post
from ledger.rating.player_state import UNKNOWN_YEAR, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    FULL_MERIT,
    Calculation,
    Exclusions,
    NewcomerResult,
    Postings,
    Reason,
    Sides,
    Step,
    StepKind,
)
from ledger.rating.rounding import half_away_from_zero, half_up
from ledger.regulations.description import Clause
from ledger.regulations.fide_1972_events import Arithmetic, RatedEntry, RatedEvent, events_of
from ledger.regulations.interface import Past, Regulation
from ledger.regulations.printed_tables import P_OF_D, WithModel

COVERAGE = (
    Clause("(1)", "performance Rp = Rc + D(P)", "performance"),
    Clause("(2)", "Rn = Ro + K (W - We)", "kernel.post"),
    Clause("(2)", "K", "Fide1972.k"),
    Clause("Annual period", "fewer than 80 games: changes, totalled", "Fide1972.calculate"),
    Clause("Annual period", "80 games: the period's own performance", "Fide1972._period"),
    Clause("(3)", "performance in an all-play-all", "AllPlayAll.performance"),
    Clause("(4)", "mean of a group with unrated players", "AllPlayAll.mean"),
    Clause("(4)", "most players rated: Ra by equation (1)", "AllPlayAll._mean_by_performances"),
    Clause("(4)", "three rated players are enough", "AllPlayAll.of, rated_in_group"),
    Clause("We", "sum of P(D)", "RatedEvent.difference"),
    Clause("We", "short form N Pe - 1/2", "AllPlayAll.own_game"),
    Clause("Steps 1-15", "the worksheet", "AllPlayAll"),
    Clause(
        "Step 16",
        "the performance of the unrated is their rating",
        "Fide1972.games_for_first_rating",
    ),
    Clause("Table I", "D(P)", "D_OF_P"),
    Clause("Table II", "percentage by difference", "P_OF_D"),
    Clause("Deflation 1", "unrated players, then juniors, then the others", "Fide1972._event"),
    Clause("Deflation 2", "higher K for new players and juniors", "Fide1972.k, k_new_or_junior"),
    Clause("Deflation 3", "exceptional results", "Fide1972._exceptional"),
    Clause(
        "Control group",
        "watching a chosen group",
        "not covered: a report over the lists, list monitor",
    ),
)
CLAUSES = {Reason.OPPONENT_UNRATED: "FIDE 1972 (1)", Reason.NO_DIFFERENCE: "FIDE 1972 Table I"}
STEP_CLAUSES = {
    StepKind.OWN_GAME: "FIDE 1972 step 12",
    StepKind.WORKSHEET_ROUNDING: "FIDE 1972 step 11",
    StepKind.PERFORMANCE: "FIDE 1972 (1)",
    StepKind.BONUS: "FIDE 1972 deflation 3",
}


class Fide1972Parameters(WithModel):
    """What a federation may set; the defaults are FIDE's own, for its annual list."""

    EXPECTED_IN = "Table II"

    k_established: int = Field(10, ge=0, le=200, description="(2), K; national lists: 15 to 20")
    k_new_or_junior: int = Field(10, ge=0, le=200, description="(2), K; national lists: 25 to 30")
    new_below_games: int = Field(30, ge=0, le=1000, description="K of the new; not in the text")
    junior_until_age: int = Field(20, ge=0, le=100, description="juniors; the text names no age")
    period_performance_games: int = Field(80, ge=0, le=1000, description="annual period; 0: never")
    first_rating_games: int = Field(1, ge=1, le=1000, description="step 16; not in the text")
    rated_in_group: int = Field(3, ge=1, le=100, description="(4), rated players it needs")
    majority_rated: Literal["equation-4", "equation-1"] = Field(
        "equation-4", description="how Ra is estimated where most players are rated"
    )
    worksheet_rounding: int = Field(1, ge=0, le=1, description="steps 3 to 12, column by column")
    percentage: Literal["between-rows", "whole"] = Field(
        "between-rows", description="step 3, how Table I is read"
    )
    exceptional: Literal["off", "bonus", "replace"] = Field("off", description="deflation 3")
    exceptional_points_tenths: int = Field(30, ge=1, le=1000, description="deflation 3, W - We")
    exceptional_rounds: int = Field(12, ge=1, le=100, description="deflation 3, shorter events")
    exceptional_least_rounds: int = Field(
        6, ge=1, le=100, description="deflation 3, the shortest event; not in the text"
    )
    bonus_points: int = Field(25, ge=0, le=400, description="deflation 3; not in the text")

    @property
    def arithmetic(self) -> Arithmetic:
        """How the worksheet is calculated."""
        return Arithmetic(
            rounded=bool(self.worksheet_rounding),
            between_rows=self.percentage == "between-rows",
            rated=self.rated_in_group,
            by_majority=self.majority_rated == "equation-1",
        )


class Fide1972(Regulation):
    """The rules of FIDE 1972 with the parameters of an adoption."""

    ID = "fide-1972"
    TITLE = "FIDE 1972 (Elo's system applied nationally)"
    SOURCE = "Elo, Annex 1 to FIDE Circular No. 4, 1972-73"
    PARAMETERS = Fide1972Parameters
    TABLES = ("d_of_p.csv", "p_of_d.csv")
    COVERAGE = COVERAGE
    CLAUSES = CLAUSES
    STEP_CLAUSES = STEP_CLAUSES
    WORKED_EXAMPLE = (
        "Brazil 1972, 19 players, K 20. Six are rated, 2317 in the mean; their mean adjusted D(P) "
        "is 102: Ra = 2317 - 102 = 2215. German, 2340, is 125 above it: Pe .67, N(Pe) = 12.7, "
        "We = 12.2. He made 14: 20 * 1.8 = +36, so 2376. Moreira, unrated, made 13.5, that is "
        "75 %: D(P) 193, adjusted 183, so 2398."
    )

    parameters: Fide1972Parameters

    # (1) and (2) The equations, and K

    @property
    def expectation(self) -> Expectation:
        """Table II, or the model that was chosen instead."""
        return self.parameters.model_or(P_OF_D)

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """K as assigned; else higher for the new and for juniors."""
        p = self.parameters
        higher = (states.games < p.new_below_games) | self._juniors(particulars)
        rule = np.where(higher, p.k_new_or_junior, p.k_established)
        return particulars.k_or(rule)

    def pasts(self) -> Sequence[Past]:
        """From the lower K follow the games of a new player; of a junior nothing."""
        return Past(self.parameters.new_below_games), Past(0)

    def _juniors(self, particulars: Particulars) -> Mask:
        """Who is known to be no older than the junior age this year."""
        age = particulars.on.year - particulars.birth_year
        young = age <= self.parameters.junior_until_age
        juniors: Mask = young & (particulars.birth_year != UNKNOWN_YEAR)
        return juniors

    # The annual period

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates a period: event by event from the list in force, totalled for each player."""
        sides = self.weighted(sides)
        sheet = _Sheet(self.expectation)
        not_played = sides.rows(sides.reason != Reason.NONE)
        sheet.exclude(not_played, not_played.reason)
        juniors = self._juniors(particulars)
        entries: dict[int, list[RatedEntry]] = {}
        for event in events_of(sides, states.rating, self.parameters.arithmetic):
            for entry in self._event(event, sheet, juniors, k):
                entries.setdefault(entry.player, []).append(entry)
        for player, his in entries.items():
            self._period(his, int(states.rating[player]), int(k[player]), sheet)
        return sheet.calculation()

    def _period(self, entries: list[RatedEntry], ro: int, k: int, sheet: _Sheet) -> None:
        """Totals a player's events, or sets his old rating aside for his performance in them all.

        The games of the performance are listed, with K 0: the old rating has no weight.
        """
        enough = self.parameters.period_performance_games
        opponents = np.concatenate([entry.opponents for entry in entries])
        halves = np.concatenate([entry.sides.halves for entry in entries])[opponents > UNRATED]
        games = len(halves)
        if enough and games >= enough:
            rc = Fraction(int(opponents.sum()), games)
            made = rc + self.parameters.arithmetic.last_d_of_p(int(halves.sum()), games)
            for entry in entries:
                sheet.list_only(entry, ro)
            sheet.step(entries[0].player, NOBODY, StepKind.PERFORMANCE, half_up(made) - ro)
            return
        self._exceptional(entries, ro, k, sheet)

    # Steps 1 to 16: one event, in the order that deflation 1 asks for

    def _event(
        self, event: RatedEvent, sheet: _Sheet, juniors: Mask, k: Column
    ) -> Iterator[RatedEntry]:
        """Yields the rated players of an event: juniors first, then the others.

        The unrated have been rated with the event itself. A junior who gained counts for the others
        with the rating he has after the event.
        """
        sheet.newcomers_of(event)
        young = [player for player in event.rated if juniors[player]]
        gained = {}
        for player in young:
            entry = event.entry(player)
            after = self._after_event(entry, event.rated[player], int(k[player]))
            if after > event.rated[player]:
                gained[player] = after
            yield entry
        others = event.with_ratings(gained) if gained else event
        for player in event.rated:
            if not juniors[player]:
                yield others.entry(player)

    def _after_event(self, entry: RatedEntry, ro: int, k: int) -> int:
        """A junior's rating after one event."""
        sheet = _Sheet(self.expectation)
        self._exceptional([entry], ro, k, sheet)
        return ro + half_away_from_zero(sheet.points())

    # Deflation 3: exceptional results

    def _exceptional(self, entries: list[RatedEntry], ro: int, k: int, sheet: _Sheet) -> None:
        """Posts a player's events; an exceptional one earns a bonus or replaces the old rating."""
        p = self.parameters
        exceptional = [entry for entry in entries if self._is_exceptional(entry, ro)]
        if p.exceptional == "bonus":
            for entry in exceptional:
                sheet.step(entry.player, entry.tournament, StepKind.BONUS, p.bonus_points)
        replacing = exceptional if p.exceptional == "replace" else []
        if replacing:
            games = sum(len(entry.sides) for entry in replacing)
            made = [entry.event.replacing(entry) * len(entry.sides) for entry in replacing]
            new = half_up(sum(made, Fraction(0)) / games)
            for entry in replacing:
                sheet.post(entry, ro, 0)
            first, *more = replacing
            tournament = NOBODY if more else first.tournament
            sheet.step(first.player, tournament, StepKind.PERFORMANCE, new - ro)
            ro = new
        for entry in entries:
            if not any(entry is replaced for replaced in replacing):
                sheet.post(entry, ro, k)

    def _is_exceptional(self, entry: RatedEntry, ro: int) -> bool:
        """Whether W - We reaches the threshold, which is lower for a shorter event."""
        p = self.parameters
        too_short = entry.rounds < p.exceptional_least_rounds
        if p.exceptional == "off" or too_short or not len(entry.sides):
            return False
        rounds = min(entry.rounds, p.exceptional_rounds)
        threshold = Fraction(p.exceptional_points_tenths * rounds, 10 * p.exceptional_rounds)
        sheet = _Sheet(self.expectation)
        sheet.post(entry, ro, 1, merit=FULL_MERIT)
        return sheet.points() >= threshold

    # Step 16: first ratings

    def games_for_first_rating(self, on: dt.date) -> int:
        """How many games a first rating needs: the performance, or the mean of several events'."""
        return self.parameters.first_rating_games


# The calculation that is handed back


class _Sheet:
    """Collects what becomes the calculation; units are those of a contribution."""

    def __init__(self, expectation: Expectation) -> None:
        self._expectation = expectation
        self._units = FULL_MERIT * expectation.scale
        self._postings: list[Postings] = []
        self._exclusions: list[Exclusions] = []
        self._newcomers: list[NewcomerResult] = []
        self._steps: list[Step] = []

    def exclude(self, sides: Sides, reason: Column | int) -> None:
        """Sets sides aside, for reasons or all for the same."""
        self._exclusions.append(Exclusions.of(sides, reason))

    def newcomers_of(self, event: RatedEvent) -> None:
        """Takes the results of an event's unrated players, and its sides that do not count."""
        for result in event.results:
            self._newcomers.append(result)
            if not result.computable:
                games = event.sides.rows(
                    (event.sides.player == result.player)
                    & np.isin(event.sides.game, [each.game for each in result.opponents])
                )
                self.exclude(games, result.reason)
        self.exclude(event.not_counted(), Reason.OPPONENT_UNRATED)

    def post(self, entry: RatedEntry, ro: int, k: int, merit: int | None = None) -> None:
        """Posts a player's games of one event, and what the short form of W_e does to them."""
        sides = entry.sides
        if not len(sides):
            return
        if merit is not None:
            sides = sides.with_(merit=np.full(len(sides), merit, dtype=np.int64))
        counted, difference = entry.event.difference(entry, ro)
        self._post(sides, counted, difference, k)
        own, rounding = entry.event.own_game(ro, self._expectation)
        weight = k * int(sides.merit[0])
        for kind, units in (
            (StepKind.OWN_GAME, -weight * own),
            (StepKind.WORKSHEET_ROUNDING, weight * rounding),
        ):
            if units:
                self._steps.append(Step(entry.player, entry.tournament, kind, units))

    def list_only(self, entry: RatedEntry, ro: int) -> None:
        """Lists the games of the period's performance, each with its opponent, at K 0."""
        rated = entry.opponents > UNRATED
        self._post(entry.sides.rows(rated), entry.opponents[rated], ro - entry.opponents[rated], 0)
        self.exclude(entry.sides.rows(~rated), Reason.OPPONENT_UNRATED)

    def _post(self, sides: Sides, counted: Column, difference: Column, k: int) -> None:
        posted = post(
            sides,
            opponent_rating=counted,
            difference=difference,
            k=np.full(len(sides), k, dtype=np.int64),
            expectation=self._expectation,
        )
        self._postings.append(posted)

    def step(self, player: int, tournament: int, kind: StepKind, points: int) -> None:
        """Gives or takes whole points."""
        self._steps.append(Step(player, tournament, kind, points * self._units))

    def points(self) -> Fraction:
        """Returns everything posted, in points."""
        units = sum(int(part.contribution.sum()) for part in self._postings)
        return Fraction(units + sum(step.units for step in self._steps), self._units)

    def calculation(self) -> Calculation:
        """Returns the calculation."""
        none = np.zeros(0, dtype=np.int64)
        self._post(Sides(*(none for _ in fields(Sides))), none, none, 0)
        return Calculation(
            postings=Postings.joined(self._postings),
            exclusions=Exclusions.joined(self._exclusions),
            newcomers=tuple(self._newcomers),
            scale=self._expectation.scale,
            steps=tuple(self._steps),
        )
