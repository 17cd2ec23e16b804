"""FENAMAC 1973: the national rating of Mexico; and UANL, the same with a K by rating.

Source: Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION, after
FENAMAC, Estatutos, Reglamentos, 1973. Read this module beside it: the sections below follow the
chapter. Tables 1 and 2 are ``tables/d_of_p.csv`` and ``tables/p_of_d.csv``, that of the challenge
match is ``tables/match_fenamac_1973.csv``. The university's tournaments (Universidad Autónoma de
Nuevo León) differ in K only, so that they are a class of this module.

A rating is new after each event ("the rating with which he entered the tournament"): inside a
period event follows event, and the change of each is rounded to a whole point, as printed (21.60
are 22 points, 20.25 are 20), halves away from zero.

What the text does not say, and what is done here:

* *The first 16 games*: R is the player's rating from his first event on (5 of 8 against 1800 give
  a new rating of 1887), and is calculated anew after each event, over all games against rated
  opponents so far, until there are 16. Events are not split: the one in which the 16th is reached
  still counts by formula 3. Where all games together were lost or won there is no D(P), and hence
  no rating yet. R is rounded to a whole point, and is 1 at least. What moves a rating beside its
  games, an order or a match, stays when R is calculated anew. A rating brought in from outside is
  not of these games: formula 2 goes on from it.
* *Who began without a rating* is calculated first, says the chapter on pairing cards, and then the
  others with these ratings. Who has one of the first 16 games is of the others: he is met with the
  rating with which he entered, and meets newcomers at the ratings that they have just got. A game
  between two who began without one counts for neither.
* *The three ways to We* give almost the same, says the text; ``method`` chooses. FENAMAC's own
  example is ``mean-by-table-1``. Between two entries of Table 1 equally near, the one nearer to
  50 % is taken; beyond the last entry, 99 %. A mean difference is rounded to a whole point first.
* *K* goes by the games and the rating before each event; an assigned K holds instead. "If his
  rating passes 2400, K = 20" is taken as written: by the rating he has, not the highest he had.
* *Forfeits* are not rated and leave the opponent out of the mean, as the pairing cards show.
* *Games with a player who has no rating after the event either* move no rating.
* *Merit coefficients*: there are none; a tournament that was given one is rated with it.
* *The challenge match*: the table has columns for K = 45 and K = 20 only. Each of the two takes
  the column of his own K: the first with 45, else the second. Of two with the same rating neither
  is the higher: the points of both games decide, and the winner takes those of a higher rated.
  While a match is not over nothing moves. Its games are no rated games: K does not count them.
* *Forfeits in a challenge match*: round 1 is game 1, round 2 is game 2. Forfeits are not rated, so
  a match that needs a game which was not played out moves no rating, though it may be over on the
  ladder, for which a forfeit counts. An annulled game is as good as not played yet.
* The band *300-348* of the printed table goes to 349: the next one begins at 350.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ledger import challenge
from ledger.challenge import MatchOutcome, Score
from ledger.facts.arrays import is_among
from ledger.facts.columns import NOBODY, Column
from ledger.facts.tables import SYSTEMS
from ledger.rating.expectation import Expectation, printed_table
from ledger.rating.kernel import by_rating, mean_differences, newcomer_results
from ledger.rating.player_state import UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    FULL_MERIT,
    Calculation,
    Exclusions,
    NewcomerResult,
    Reason,
    Sides,
    Step,
    StepKind,
    each_tournament,
)
from ledger.rating.rounding import half_away_from_zero, truncated_percent
from ledger.regulations.description import Clause, Contradiction, goes_with
from ledger.regulations.interface import Past, Regulation
from ledger.regulations.printed_tables import D_OF_P, P_OF_D, WithModel
from ledger.regulations.translations import quoted_text
from ledger.terms import System
from ledger.wording import Message

# The table of the challenge match: each band by the difference with which it begins.
MATCH_BANDS = {
    int(row["from"]): row for row in printed_table("ledger.regulations", "match_fenamac_1973.csv")
}

TEXT = "Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION"

COVERAGE = (
    Clause("Table 1", "D(P), difference by percentage", "D_OF_P"),
    Clause("Table 2", "percentage by difference", "P_OF_D"),
    Clause("formula 3", "R = Rc + D(P), from the first event on", "_Chapter.first_rating"),
    Clause("formula 3", "anew over all games until there are 16", "_steps_anew"),
    Clause("formula 2", "Rn = Ro + K (W - We), game by game", "_Chapter.counted"),
    Clause("K", "45, 30, 20 by games; 30 above 2200, 20 above 2400", "Fenamac1973.k"),
    Clause("formula 2", "We by the mean of the opponents", "_Chapter.counted, method=mean"),
    Clause("formula 2", "We by the mean and Table 1", "SHARE_BY_TABLE_1"),
    Clause("pairing cards", "forfeits are left out", "_Chapter.calculate"),
    Clause("pairing cards", "first who began without a rating, then the others", "_meeting"),
    Clause("challenge match", "two games between club players", "_challenges"),
    Clause("challenge match", "its table", "match_points"),
    Clause("challenge match", "who may challenge whom, rematch", "not covered: the ladder's"),
)


def _clauses(text: str) -> dict[Reason, str]:
    """Returns the parts of the chapter behind exclusions."""
    return {
        Reason.OPPONENT_UNRATED: f"{text}, formula 2",
        Reason.FORFEIT: f"{text}, pairing cards",
        Reason.BYE: f"{text}, formula 2",
        Reason.SHORT: f"{text}, formula 2",
        Reason.BY_MATCH_TABLE: f"{text}, challenge match",
    }


def _step_clauses(text: str) -> dict[StepKind, str]:
    """Returns the parts of the chapter behind steps."""
    return {
        StepKind.FIRST_GAMES: f"{text}, formula 3",
        StepKind.MATCH_TABLE: f"{text}, challenge match",
    }


def _not_below(clause: str, lower: str, upper: str) -> Contradiction:
    return Contradiction(
        Message.of("regulation.lies_below", clause=quoted_text(clause), lower=lower, upper=upper)
    )


class _ChapterParameters(WithModel):
    """What both may set; the defaults are the chapter's."""

    EXPECTED_IN = "formula 2"

    method: Literal["per-game", "mean", "mean-by-table-1"] = Field(
        "per-game", description="formula 2, the three examples of We"
    )
    first_games: int = Field(16, ge=1, le=1000, description="formula 3, the first games")
    match_table: int = Field(1, ge=0, le=1, description="challenge match; 0: as any tournament")

    @model_validator(mode="after")
    def _one_way_to_we(self) -> _ChapterParameters:
        if self.method == "mean-by-table-1" and self.expectation != "table":
            raise goes_with(self.EXPECTED_IN, "method=mean-by-table-1", "expectation=table")
        return self


class FenamacParameters(_ChapterParameters):
    """What a federation may set; K by the number of games."""

    k_first: int = Field(45, ge=0, le=200, description="K, the first 100 games")
    k_first_games: int = Field(100, ge=0, le=10_000, description="K")
    k_next: int = Field(30, ge=0, le=200, description="K, the next 200 games")
    k_next_games: int = Field(200, ge=0, le=10_000, description="K")
    k_later: int = Field(20, ge=0, le=200, description="K, from there on")
    k_next_above: int = Field(2200, ge=1, le=4000, description="K, within the first 100 games")
    k_later_above: int = Field(2400, ge=1, le=4000, description="K, at any time")

    @model_validator(mode="after")
    def _in_order(self) -> FenamacParameters:
        if self.k_next_above >= self.k_later_above:
            raise _not_below("K", "k_next_above", "k_later_above")
        return self


class UanlParameters(_ChapterParameters):
    """What the university may set; K by the rating."""

    k_top: int = Field(20, ge=0, le=200, description="UANL, K from 1900")
    k_top_from: int = Field(1900, ge=1, le=4000, description="UANL, K")
    k_middle: int = Field(25, ge=0, le=200, description="UANL, K from 1700 to 1899")
    k_middle_from: int = Field(1700, ge=1, le=4000, description="UANL, K")
    k_others: int = Field(30, ge=0, le=200, description="UANL, K below 1700")

    @model_validator(mode="after")
    def _in_order(self) -> UanlParameters:
        if self.k_middle_from >= self.k_top_from:
            raise _not_below("UANL, K", "k_middle_from", "k_top_from")
        return self


class _Chapter(Regulation):
    """What both have in common: everything but K."""

    TABLES = ("d_of_p.csv", "p_of_d.csv", "match_fenamac_1973.csv")
    EVENT_BY_EVENT = True

    parameters: _ChapterParameters

    # Formula 3. The first 16 games

    @property
    def first_games(self) -> int:
        """Sixteen games, over which the rating is calculated anew."""
        return self.parameters.first_games

    def games_for_first_rating(self, on: dt.date) -> int:
        """One: the first event gives a rating, if its percentage has a D(P)."""
        return 1

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """R = Rc + D(P) over all games of the results as one."""
        return rating_over(results)

    # Formula 2. Rn = Ro + K (W - We)

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates events: matches by their table, the first 16 games by formula 3, others by 2.

        Who began an event without a rating is calculated first, the others with what he got.
        """
        matches = list(_challenges(sides)) if self.parameters.match_table else []
        by_table = np.isin(sides.game, [game for match in matches for game in match.played.game])
        of_matches = sides.rows(by_table)
        of_events = self.weighted(sides.rows(~by_table))
        began = newcomer_results(by_rating(of_events).newcomers, performance)
        games = by_rating(_meeting(of_events, _got(began, states)))
        in_first_games = is_among(games.rated.player, states.buckets.players)
        anew = newcomer_results(games.rated.rows(in_first_games), performance)
        scale = self.expectation.scale
        units = FULL_MERIT * scale
        return Calculation(
            postings=self.posted(games.rated.rows(~in_first_games), k),
            exclusions=Exclusions.joined(
                [games.excluded, Exclusions.of(of_matches, Reason.BY_MATCH_TABLE)]
            ),
            newcomers=(*began, *anew),
            scale=scale,
            steps=(
                *(step for match in matches for step in _match_steps(match, k, units)),
                *_steps_anew(anew, states, units),
            ),
        )

    def counted(self, sides: Sides) -> Column:
        """D game by game, or of each game as the mean of the opponents gives it."""
        if self.parameters.method == "per-game":
            return super().counted(sides)
        return mean_differences(sides, sides.rating, sides.opponent_rating)

    @property
    def expectation(self) -> Expectation:
        """Table 2, Table 1 read the other way, or the model that was chosen instead."""
        by_table_1 = self.parameters.method == "mean-by-table-1"
        return self.parameters.model_or(SHARE_BY_TABLE_1 if by_table_1 else P_OF_D)


def performance(mean: Fraction, halves: int, games: int) -> Fraction | None:
    """R = Rc + D(P), with the percentage cut to whole ones; None where Table 1 has no D(P).

    >>> performance(Fraction(1800), 10, 8)
    Fraction(1887, 1)
    """
    difference = D_OF_P.get(truncated_percent(halves, games))
    return None if difference is None else mean + difference


def rating_over(results: Sequence[NewcomerResult]) -> int | None:
    """Returns R over all games of some results as one, in whole points; None as ``performance``."""
    games = sum(result.games for result in results)
    opponents = sum((result.opponents_mean * result.games for result in results), Fraction(0))
    rating = performance(opponents / games, sum(result.halves for result in results), games)
    return None if rating is None else max(1, half_away_from_zero(rating))


def _so_far(player: int, states: PlayerStates) -> list[NewcomerResult]:
    """Returns the results of a player's first games before an event."""
    return [result for _, result in states.buckets.get(player)]


def _got(began: Sequence[NewcomerResult], states: PlayerStates) -> Column:
    """Returns by player the rating with which those leave an event who began it without one."""
    got = np.zeros(len(states.rating), dtype=np.int64)
    for result in began:
        got[result.player] = rating_over([*_so_far(result.player, states), result]) or UNRATED
    return got


def _meeting(sides: Sides, got: Column) -> Sides:
    """Returns the sides with newcomers as opponents of the rated at the ratings they have got."""
    newcomer = (sides.rating > UNRATED) & (sides.opponent_rating == UNRATED)
    newcomer &= sides.opponent != NOBODY
    rating = np.where(newcomer, got[sides.opponent], sides.opponent_rating)
    return sides.with_(opponent_rating=rating)


def _steps_anew(anew: Sequence[NewcomerResult], states: PlayerStates, units: int) -> Iterator[Step]:
    """What the events of players in their first games move R by, over all games so far.

    Who has a rating although his results have none (they were corrected) comes from that rating.
    """
    for result in anew:
        before = _so_far(result.player, states)
        now = rating_over([*before, result])
        if now is None:
            continue
        was = rating_over(before)
        points = now - (int(states.rating[result.player]) if was is None else was)
        if points:
            yield Step(result.player, result.tournament, StepKind.FIRST_GAMES, points * units)


# K


class Fenamac1973(_Chapter):
    """The rules of FENAMAC 1973 with the parameters of an adoption."""

    ID = "fenamac-1973"
    TITLE = "FENAMAC 1973 (Federación Nacional de Ajedrez de México)"
    SOURCE = f"{TEXT}, after FENAMAC, Estatutos, Reglamentos, 1973"
    CLAUSES = _clauses("FENAMAC 1973")
    STEP_CLAUSES = _step_clauses("FENAMAC 1973")
    PARAMETERS = FenamacParameters
    COVERAGE = COVERAGE
    WORKED_EXAMPLE = (
        "A player of 2000 with K 45 makes 3.5 points against 1800 (0.76), 1950 (0.57), 2080 "
        "(0.39), 1850 (0.70) and 1930 (0.60): We = 3.02, 45 (3.5 - 3.02) = 21.60, Rn = 2022. By "
        "the mean, 1922, We = 5 x 0.61 = 3.05 and Rn = 2020."
    )

    parameters: FenamacParameters

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """K as assigned; else by the rated games and the rating before the event."""
        p = self.parameters
        first = states.games < p.k_first_games
        next_ = states.games < p.k_first_games + p.k_next_games
        rule: Column = np.where(first, p.k_first, np.where(next_, p.k_next, p.k_later))
        rule = np.where(first & (states.rating > p.k_next_above), p.k_next, rule)
        rule = np.where(states.rating > p.k_later_above, p.k_later, rule)
        return particulars.k_or(rule)

    def pasts(self) -> Sequence[Past]:
        """Each K comes after the games of the one before, where the rating leaves it open."""
        p = self.parameters
        return Past(p.k_first_games + p.k_next_games), Past(p.k_first_games), Past(0)


def _nearest_percentages() -> Expectation:
    """Table 1 read the other way: for each difference the percentage with the nearest D(P)."""
    higher = [p for p in sorted(D_OF_P) if D_OF_P[p] >= 0]
    shares = [
        min(higher, key=lambda p: (abs(D_OF_P[p] - difference), p))
        for difference in range(max(D_OF_P.values()) + 1)
    ]
    return Expectation(np.array(shares, dtype=np.int64), scale=100)


# We by the mean of the opponents as FENAMAC applies it.
SHARE_BY_TABLE_1 = _nearest_percentages()


# In the tournaments of the UANL


class Uanl1975(_Chapter):
    """The rules of the university's tournaments with the parameters of an adoption."""

    ID = "uanl-1975"
    TITLE = "UANL 1975 (Universidad Autónoma de Nuevo León)"
    SOURCE = TEXT
    CLAUSES = _clauses("UANL 1975")
    STEP_CLAUSES = _step_clauses("UANL 1975")
    PARAMETERS = UanlParameters
    COVERAGE = (
        Clause("K", "20 from 1900, 25 from 1700, else 30", "Uanl1975.k"),
        *(clause for clause in COVERAGE if clause.article != "K"),
    )

    parameters: UanlParameters

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """K as assigned; else by the rating before the event."""
        p = self.parameters
        rule: Column = np.where(states.rating >= p.k_middle_from, p.k_middle, p.k_others)
        rule = np.where(states.rating >= p.k_top_from, p.k_top, rule)
        return particulars.k_or(rule)


# The challenge match

K_OF_FIRST_COLUMN = 45
_OPPONENTS = 2
_ROUNDS = tuple(range(1, challenge.GAMES + 1))


@dataclass(frozen=True, slots=True)
class _Match:
    """A challenge match: the sides that were played, and whether any other game was recorded."""

    played: Sides
    unplayed: bool

    def scores(self, player: int) -> dict[int, Score]:
        """Returns the scores of the games that were played, by round: the player's comes first."""
        mine = self.played.rows(self.played.player == player)
        return {
            round_: (halves, 2 - halves)
            for round_, halves in zip(mine.round.tolist(), mine.halves.tolist(), strict=True)
        }


def _challenges(sides: Sides) -> Iterator[_Match]:
    """Yields each match of two rated players of which something was played: rounds 1 and 2."""
    of_matches = sides.system == SYSTEMS.index(System.MATCH)
    no_games = np.isin(sides.reason, (Reason.BYE, Reason.ANNULLED))
    for match in each_tournament(sides.rows(of_matches & ~no_games)):
        played = match.rows(match.reason == Reason.NONE)
        boards = np.unique(np.stack((match.player, match.round)), axis=1).shape[1]
        if (
            len(np.unique(match.player)) == _OPPONENTS
            and boards == len(match)
            and np.isin(match.round, _ROUNDS).all()
            and len(played)
            and (played.rating > UNRATED).all()
        ):
            yield _Match(played, unplayed=len(played) < len(match))


def _match_steps(match: _Match, k: Column, units: int) -> Iterator[Step]:
    """What the match gives to one and takes from the other, by the ratings at its start."""
    played = match.played
    place = int(np.argmax(played.rating))
    higher, lower = int(played.player[place]), int(played.opponent[place])
    difference = int(played.rating[place] - played.opponent_rating[place])
    scores = match.scores(higher)
    if difference:
        outcome = challenge.outcome(*(scores.get(round_) for round_ in _ROUNDS))
    elif match.unplayed or _ROUNDS[0] not in scores:
        outcome = None
    else:
        points = [sum(of_one) for of_one in zip(*scores.values(), strict=True)]
        outcome = MatchOutcome.DRAWN if points[0] == points[1] else MatchOutcome.HIGHER
        if points[0] < points[1]:
            higher, lower = lower, higher
    if outcome is None:
        return
    for player in higher, lower:
        points_ = match_points(int(k[player]), difference, outcome, is_higher=player == higher)
        tournament = int(played.tournament[0])
        yield Step(player, tournament, StepKind.MATCH_TABLE, points_ * units)


def match_points(k: int, difference: int, outcome: MatchOutcome, *, is_higher: bool) -> int:
    """Returns what one of the two gains (or, negative, gives) in whole points, by the table.

    >>> match_points(45, 420, MatchOutcome.HIGHER, is_higher=True)
    3
    >>> match_points(30, 420, MatchOutcome.DRAWN, is_higher=True)
    -9
    """
    band = MATCH_BANDS[max(begins for begins in MATCH_BANDS if begins <= difference)]
    column = "k45" if k == K_OF_FIRST_COLUMN else "k20"
    points = int(band[f"{column}_{outcome.value}"])
    gains = is_higher == (outcome is MatchOutcome.HIGHER)  # a draw is a success of the lower rated
    return points if gains else -points
