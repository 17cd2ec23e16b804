"""FIDE 1972: the rating system applied nationally, as Arpad Elo explained it to the federations.

Source: Elo, Annex 1 to FIDE Circular No. 4, 1972-73. Read this module beside it: the sections below
are in the order of its text, which has equations, 16 steps of a worksheet and three rules against
deflation, but no articles. Tables I and II are ``tables/d_of_p.csv`` and ``tables/p_of_d.csv``.

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.facts.known import NO_MERIT
from ledger.rating.expectation import Expectation, from_bands, printed_table
from ledger.rating.kernel import post
from ledger.rating.models import LARGEST_MARGIN, MODELS
from ledger.rating.round_robin import complete_round_robins
from ledger.rating.rounding import half_away_from_zero, half_towards_zero, half_up, whole_percent
from ledger.rating.sheet import (
    Calculation,
    Exclusions,
    NewcomerResult,
    OpponentMet,
    Postings,
    Reason,
    Sides,
    Step,
    StepKind,
)
from ledger.rating.standing import NO_K, UNKNOWN_YEAR, UNRATED, Particulars, Standing
from ledger.regulations import interface
from ledger.regulations.interface import Clause, Regulation

# Table I, D(P): whole per cent to difference; undefined at 0 and 100.
D_OF_P = {
    int(row["p"]): int(row["d"])
    for row in printed_table("ledger.regulations", "d_of_p.csv")
    if row["d"]
}
# Table II: difference to the higher rated player's share, in hundredths.
P_OF_D = from_bands(printed_table("ledger.regulations", "p_of_d.csv"))

_MERIT = 100  # the text weighs all events equally


class Parameters(interface.Parameters):
    """What a federation may set; the defaults are FIDE's own, for its annual list."""

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
    expectation: Literal["table", "logistic", "normal", "normal-draw"] = Field(
        "table", description="Table II, the model of the expected score"
    )
    draw_margin: int = Field(0, ge=0, le=LARGEST_MARGIN, description="Table II, normal-draw only")

    @model_validator(mode="after")
    def _margin_has_a_model(self) -> Parameters:
        if self.draw_margin and self.expectation != "normal-draw":
            raise ValueError("Table II: draw_margin goes with expectation=normal-draw only")
        return self

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
    PARAMETERS = Parameters
    TABLES = ("d_of_p.csv", "p_of_d.csv")
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
        Clause("We", "sum of P(D)", "Event.difference"),
        Clause("We", "short form N Pe - 1/2", "AllPlayAll.own_game"),
        Clause("Steps 1-15", "the worksheet", "AllPlayAll"),
        Clause(
            "Step 16", "the performance of the unrated is their rating", "Fide1972.first_rating"
        ),
        Clause("Table I", "D(P)", "D_OF_P"),
        Clause("Table II", "percentage by difference", "P_OF_D"),
        Clause("Deflation 1", "unrated players, then juniors, then the others", "Fide1972._event"),
        Clause(
            "Deflation 2", "higher K for new players and juniors", "Fide1972.k, k_new_or_junior"
        ),
        Clause("Deflation 3", "exceptional results", "Fide1972._exceptional"),
        Clause("Control group", "watching a chosen group", "not covered: a question to the lists"),
    )

    WORKED_EXAMPLE = (
        "Brazil 1972, 19 players, K 20. Six are rated, 2317 in the mean, with a mean adjusted D(P) of "
        "102: Ra = 2317 - 102 = 2215. German, 2340, is 125 above it: Pe .67, N(Pe) = 12.7, We = 12.2. "
        "He made 14: 20 * 1.8 = +36, so 2376. Moreira, unrated, made 13.5, that is 75 %: D(P) 193, "
        "adjusted 183, so 2398."
    )

    parameters: Parameters  # narrows the type

    # (1) and (2) The equations, and K

    @property
    def _expectation(self) -> Expectation:
        p = self.parameters
        return P_OF_D if p.expectation == "table" else MODELS[p.expectation](p.draw_margin)

    def k(self, standing: Standing, particulars: Particulars) -> Column:
        """K as assigned; else higher for the new and for juniors."""
        p = self.parameters
        higher = (standing.games < p.new_below_games) | self._juniors(particulars)
        rule = np.where(higher, p.k_new_or_junior, p.k_established)
        return np.where(particulars.assigned_k != NO_K, particulars.assigned_k, rule)

    def _juniors(self, particulars: Particulars) -> Mask:
        """Who is known to be no older than the junior age this year."""
        age = particulars.on.year - particulars.birth_year
        young = age <= self.parameters.junior_until_age
        juniors: Mask = young & (particulars.birth_year != UNKNOWN_YEAR)
        return juniors

    # The annual period

    def calculate(
        self, sides: Sides, standing: Standing, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates a period: event by event from the list in force, totalled for each player."""
        sides = sides.with_(merit=np.where(sides.merit == NO_MERIT, _MERIT, sides.merit))
        sheet = _Sheet(self._expectation)
        not_played = sides.rows(sides.reason != Reason.NONE)
        sheet.exclude(not_played, not_played.reason)
        juniors = self._juniors(particulars)
        entries: dict[int, list[Entry]] = {}
        for event in _events(sides, standing.rating, self.parameters.arithmetic):
            for entry in self._event(event, sheet, juniors, k):
                entries.setdefault(entry.player, []).append(entry)
        for player, his in entries.items():
            self._period(his, int(standing.rating[player]), int(k[player]), sheet)
        return sheet.calculation()

    def _period(self, entries: list[Entry], ro: int, k: int, sheet: _Sheet) -> None:
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

    def _event(self, event: Event, sheet: _Sheet, juniors: Mask, k: Column) -> Iterator[Entry]:
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

    def _after_event(self, entry: Entry, ro: int, k: int) -> int:
        """A junior's rating after one event."""
        sheet = _Sheet(self._expectation)
        self._exceptional([entry], ro, k, sheet)
        return ro + half_away_from_zero(sheet.points())

    # Deflation 3: exceptional results

    def _exceptional(self, entries: list[Entry], ro: int, k: int, sheet: _Sheet) -> None:
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

    def _is_exceptional(self, entry: Entry, ro: int) -> bool:
        """Whether W - We reaches the threshold, which is lower for a shorter event."""
        p = self.parameters
        too_short = entry.rounds < p.exceptional_least_rounds
        if p.exceptional == "off" or too_short or not len(entry.sides):
            return False
        rounds = min(entry.rounds, p.exceptional_rounds)
        threshold = Fraction(p.exceptional_points_tenths * rounds, 10 * p.exceptional_rounds)
        sheet = _Sheet(self._expectation)
        sheet.post(entry, ro, 1, merit=100)
        return sheet.points() >= threshold

    # Step 16: first ratings

    @property
    def games_for_first_rating(self) -> int:
        """How many games a first rating needs."""
        return self.parameters.first_rating_games

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """The performance; of several events the mean weighted by games, rounded half up."""
        del on
        games = sum(result.games for result in results)
        if games < self.parameters.first_rating_games:
            return None
        weighted = sum(
            (r.performance * r.games for r in results if r.performance is not None), Fraction(0)
        )
        return half_up(weighted / games)

    def clause_of(self, reason: Reason) -> str:
        """The place in the text behind an exclusion."""
        return _CLAUSES.get(reason, "ledger")

    def clause_of_step(self, kind: StepKind) -> str:
        """The place in the text behind a step."""
        return _CLAUSES_OF_STEPS[kind]


_CLAUSES = {
    Reason.OPPONENT_UNRATED: "FIDE 1972 (1)",
    Reason.NO_DIFFERENCE: "FIDE 1972 Table I",
}
_CLAUSES_OF_STEPS = {
    StepKind.OWN_GAME: "FIDE 1972 step 12",
    StepKind.WORKSHEET_ROUNDING: "FIDE 1972 step 11",
    StepKind.PERFORMANCE: "FIDE 1972 (1)",
    StepKind.BONUS: "FIDE 1972 deflation 3",
}


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


@dataclass(frozen=True)
class Entry:
    """A rated player in an event: his games, and the opponents' ratings as they count for him.

    ``opponents`` is 0 for one who has none. ``group`` is the all-play-all, where it is one.
    """

    event: Event
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


class Event:
    """A tournament that is no complete all-play-all; ``rated`` are the ratings before it.

    The unrated are rated first, by equation (1) against the rated; ``counted`` holds everybody's
    rating as an opponent.
    """

    def __init__(
        self, sides: Sides, rated: Mapping[int, int], arithmetic: Arithmetic, first: Event | None
    ) -> None:
        self.sides = sides
        self.rated = dict(rated)
        self.arithmetic = arithmetic
        self.tournament = int(sides.tournament[0])
        # Who was unrated has been rated before anybody's rating is raised.
        self.unrated_first = first or self

    def with_ratings(self, raised: Mapping[int, int]) -> Event:
        """Returns the event as it is when some enter with a higher rating."""
        return type(self)(
            self.sides, self.rated | dict(raised), self.arithmetic, self.unrated_first
        )

    @cached_property
    def rounds(self) -> int:
        """How many rounds it had: the most games anybody played."""
        return int(np.bincount(self.sides.player).max())

    @cached_property
    def unrated(self) -> list[int]:
        """Who had no rating before it."""
        return [p for p in np.unique(self.sides.player).tolist() if p not in self.rated]

    def games_of(self, player: int) -> Sides:
        """Returns a player's games, in order."""
        mine = self.sides.rows(self.sides.player == player)
        return mine.rows(np.lexsort((mine.game, mine.round)))

    @cached_property
    def counted(self) -> dict[int, int]:
        """Everybody's rating as an opponent; who has no result has none."""
        made = {r.player: r.performance for r in self.unrated_first.results()}
        return self.rated | {p: half_up(rp) for p, rp in made.items() if rp is not None}

    def _ratings(self, players: Column, ratings: Mapping[int, int]) -> Column:
        return np.array([ratings.get(p, UNRATED) for p in players.tolist()], dtype=np.int64)

    def against_rated(self, player: int) -> tuple[Sides, Column]:
        """Returns his games against players who were rated before, and their ratings."""
        games = self.games_of(player)
        ratings = self._ratings(games.opponent, self.rated)
        return games.rows(ratings > UNRATED), ratings[ratings > UNRATED]

    def results(self) -> Iterator[NewcomerResult]:
        """Yields what the unrated achieved against the rated, equation (1)."""
        for player in self.unrated:
            games, ratings = self.against_rated(player)
            if len(games):
                mean = Fraction(int(ratings.sum()), len(games))
                halves = int(games.halves.sum())
                made = performance(mean, halves, len(games), self.arithmetic)
                yield _result(games, mean, made, ratings)

    def replacing(self, entry: Entry) -> Fraction:
        """Returns the performance that may replace a rated player's rating, equation (1)."""
        return Fraction(int(entry.opponents.sum()), len(entry.sides)) + entry.last_d_of_p

    def entry(self, player: int) -> Entry:
        """Returns a rated player's games that count for him: against opponents with a rating."""
        games = self.games_of(player)
        ratings = self._ratings(games.opponent, self.counted)
        return Entry(self, player, games.rows(ratings > UNRATED), ratings[ratings > UNRATED])

    def not_counted(self) -> Sides:
        """Returns the sides that count for nothing: against opponents without a rating."""
        of_rated = self._ratings(self.sides.player, self.rated) > UNRATED
        known = np.where(
            of_rated,
            self._ratings(self.sides.opponent, self.counted),
            self._ratings(self.sides.opponent, self.rated),
        )
        return self.sides.rows(known == UNRATED)

    def difference(self, entry: Entry, ro: int) -> tuple[Column, Column]:
        """Returns the opponents' ratings as counted, and D: game by game."""
        return entry.opponents, ro - entry.opponents

    def own_game(self, expected: int, scale: int) -> tuple[int, int]:
        """Returns what the short form takes off W_e, and what its rounding does: nothing here."""
        del expected, scale
        return 0, 0


def _result(games: Sides, mean: Fraction, made: Fraction | None, ratings: Column) -> NewcomerResult:
    return NewcomerResult(
        player=int(games.player[0]),
        tournament=int(games.tournament[0]),
        starts_on=int(games.starts_on[0]),
        ends_on=int(games.ends_on[0]),
        games=len(games),
        halves=int(games.halves.sum()),
        opponents_mean=mean,
        performance=made,
        reason=Reason.NO_DIFFERENCE if made is None else Reason.NONE,
        opponents=tuple(
            OpponentMet(int(g), int(r), int(o), int(rating), int(h))
            for g, r, o, rating, h in zip(
                games.game, games.round, games.opponent, ratings, games.halves, strict=True
            )
        ),
    )


# (3), (4) and the short form of W_e: the all-play-all of the worksheet


class AllPlayAll(Event):
    """A tournament in which everybody played everybody; the columns of its worksheet."""

    @classmethod
    def of(
        cls, sides: Sides, rated: Mapping[int, int], arithmetic: Arithmetic
    ) -> AllPlayAll | None:
        """Returns the tournament if its Ra can be told, else None: it is rated as any other."""
        made = cls(sides, rated, arithmetic, None)
        enough = not made.unrated or len(made.rated) >= arithmetic.rated
        return made if enough and made.rated and made.estimate is not None else None

    @cached_property
    def players(self) -> int:
        """N."""
        return len(self.rated) + len(self.unrated)

    @cached_property
    def halves(self) -> dict[int, int]:
        """Column 3: everybody's score, in half points."""
        everybody = [*self.rated, *self.unrated]
        return {p: int(self.sides.halves[self.sides.player == p].sum()) for p in everybody}

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
        made = [result.performance for result in super().results()]
        known = [rp for rp in made if rp is not None]
        if len(known) < len(self.unrated):
            return None
        total = sum(known, Fraction(sum(self.rated.values())))
        return self.arithmetic.written(total / self.players)

    def performance(self, player: int) -> Fraction | None:
        """Column 7: Rp = Ra + D(P) (N - 1) / N, equation (3)."""
        adjusted = self.adjusted(player)
        return None if adjusted is None else self.mean + adjusted

    def replacing(self, entry: Entry) -> Fraction:
        """Returns the performance that may replace a rated player's rating, equation (3)."""
        return self.mean + self._adjusted(entry.last_d_of_p)

    def results(self) -> Iterator[NewcomerResult]:
        """Yields step 8: what the unrated achieved, all their games included."""
        for player in self.unrated:
            games = self.games_of(player)
            ra = np.full(len(games), half_up(self.mean), dtype=np.int64)
            yield _result(games, self.mean, self.performance(player), ra)

    def entry(self, player: int) -> Entry:
        """Returns all games of a rated player: he is rated against the whole group."""
        games = self.games_of(player)
        return Entry(self, player, games, self._ratings(games.opponent, self.counted))

    def not_counted(self) -> Sides:
        """Returns no side: all games count."""
        return self.sides.rows(np.zeros(0, dtype=np.int64))

    def difference(self, entry: Entry, ro: int) -> tuple[Column, Column]:
        """Returns Ra and column 8, Ro - Ra, for every game."""
        d = self.difference_from_mean(ro)
        difference = np.full(len(entry.sides), d, dtype=np.int64)
        return ro - difference, difference

    def difference_from_mean(self, ro: int) -> int:
        """Column 8: Ro - Ra."""
        return half_away_from_zero(ro - self.mean)

    def own_game(self, expected: int, scale: int) -> tuple[int, int]:
        """Steps 11 and 12: returns P_e - 1/2, and N P_e less what is written of it (one decimal).

        The games alone would sum to (N - 1) P_e; nobody plays against himself. Both are in units of
        ``1 / scale``, as ``expected`` is.
        """
        product = self.cycles * self.players * expected
        written = self.written_product(product, scale)
        return self.cycles * (expected - scale // 2), product - written

    def written_product(self, product: int, scale: int) -> int:
        """Column 10: N P_e with one decimal, in units of ``1 / scale``."""
        tenth = scale // 10
        return (
            half_towards_zero(Fraction(product, tenth)) * tenth
            if self.arithmetic.rounded
            else product
        )


def _events(sides: Sides, rating: Column, arithmetic: Arithmetic) -> Iterator[Event]:
    """Yields the events of the period, each with the ratings of the list in force."""
    groups = {int(games.tournament[0]): games for games in complete_round_robins(sides)}
    played = sides.rows(sides.reason == Reason.NONE)
    for tournament in np.unique(played.tournament).tolist():
        games = groups.get(tournament)
        if games is None:
            games = played.rows(played.tournament == tournament)
        players = np.unique(games.player).tolist()
        rated = {p: int(rating[p]) for p in players if rating[p] > UNRATED}
        group = AllPlayAll.of(games, rated, arithmetic) if tournament in groups else None
        yield group or Event(games, rated, arithmetic, None)


# The calculation that is handed back


class _Sheet:
    """Collects what becomes the calculation; units are those of a contribution."""

    def __init__(self, expectation: Expectation) -> None:
        self._expectation = expectation
        self._units = 100 * expectation.scale
        self._postings: list[Postings] = []
        self._exclusions: list[Exclusions] = []
        self._newcomers: list[NewcomerResult] = []
        self._steps: list[Step] = []

    def exclude(self, sides: Sides, reasons: Column) -> None:
        """Sets sides aside."""
        self._exclusions.append(Exclusions.of(sides, reasons))

    def newcomers_of(self, event: Event) -> None:
        """Takes the results of an event's unrated players, and its sides that do not count."""
        for result in event.results():
            self._newcomers.append(result)
            if not result.computable:
                games = event.sides.rows(
                    (event.sides.player == result.player)
                    & np.isin(event.sides.game, [met.game for met in result.opponents])
                )
                self.exclude(games, np.full(len(games), result.reason, dtype=np.int64))
        rest = event.not_counted()
        self.exclude(rest, np.full(len(rest), Reason.OPPONENT_UNRATED, dtype=np.int64))

    def post(self, entry: Entry, ro: int, k: int, merit: int | None = None) -> None:
        """Posts a player's games of one event, and what the short form of W_e does to them."""
        sides = entry.sides
        if not len(sides):
            return
        if merit is not None:
            sides = sides.with_(merit=np.full(len(sides), merit, dtype=np.int64))
        counted, difference = entry.event.difference(entry, ro)
        self._post(sides, counted, difference, k)
        expected = self._expectation.one(int(difference[0]))
        own, rounding = entry.event.own_game(expected, self._expectation.scale)
        weight = k * int(sides.merit[0])
        for kind, units in (
            (StepKind.OWN_GAME, -weight * own),
            (StepKind.WORKSHEET_ROUNDING, weight * rounding),
        ):
            if units:
                self._steps.append(Step(entry.player, entry.tournament, kind, units))

    def list_only(self, entry: Entry, ro: int) -> None:
        """Lists the games of the period's performance, each with its opponent, at K 0."""
        met = entry.opponents > UNRATED
        self._post(entry.sides.rows(met), entry.opponents[met], ro - entry.opponents[met], 0)
        rest = entry.sides.rows(~met)
        self.exclude(rest, np.full(len(rest), Reason.OPPONENT_UNRATED, dtype=np.int64))

    def _post(self, sides: Sides, counted: Column, difference: Column, k: int) -> None:
        ks = np.full(len(sides), k, dtype=np.int64)
        posted = post(
            sides,
            opponent_rating=counted,
            difference=difference,
            k=ks,
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
            units=self._units,
            scale=self._expectation.scale,
            steps=tuple(self._steps),
        )
