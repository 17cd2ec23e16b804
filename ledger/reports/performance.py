"""What a result in a tournament is worth: Rp = Rc + D(p), with its steps.

Rc is the mean of the opponents' ratings, rounded to a whole point; p the score as a whole per cent
of the games against them, both with halves upwards; D(p) is read in the table of differences. The
table as first printed ends at 1 and 99 per cent and leaves the performance of none or all of the
points undefined; the one in force since 2022 has 800 there.

Only games that were played against rated opponents count; the ratings are those with which the list
rates the tournament's period.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from ledger.facts.columns import Column
from ledger.identifiers import PlayerIndex, TournamentId
from ledger.json_form import HALVES, PARTS, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.lists.rating_source import RatingState
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Reason, Sides
from ledger.rating.rounding import half_up, whole_percent
from ledger.regulations.printed_tables import D_OF_P
from ledger.reports.statement import REASON, PersonRef
from ledger.terms import PerformanceTable

ALL_POINTS = 800


@dataclass(frozen=True, slots=True)
class PerformanceResult(JsonForm):
    """A performance and its steps; ``difference`` and ``rp`` are None where undefined."""

    opponents_mean: Fraction
    rc: int
    halves: Annotated[int, Key("points"), HALVES]
    games: int
    percent: int
    difference: Annotated[int | None, Key("d_of_p")]

    @property
    @derived
    def rp(self) -> Annotated[int | None, Key("performance")]:
        """The performance."""
        return None if self.difference is None else self.rc + self.difference


def worth(
    opponents: Sequence[int], halves: int, table: PerformanceTable = PerformanceTable.OF_2022
) -> PerformanceResult:
    """Returns what a score in half points against these ratings is worth.

    >>> worth([1150, 1490, 1260, 1420, 1510, 1580], 9).rp
    1595
    >>> worth([1500], 2, PerformanceTable.OF_1972).rp is None, worth([1500], 2).rp
    (True, 2300)
    """
    return worth_of_sum(sum(opponents), len(opponents), halves, table)


def worth_of_sum(
    ratings: int, games: int, halves: int, table: PerformanceTable = PerformanceTable.OF_2022
) -> PerformanceResult:
    """Returns the same by the sum of the ratings."""
    mean = Fraction(ratings, games)
    percent = whole_percent(halves, games)
    difference = D_OF_P.get(percent)
    if difference is None and table is PerformanceTable.OF_2022:
        difference = ALL_POINTS if percent else -ALL_POINTS
    return PerformanceResult(mean, half_up(mean), halves, games, percent, difference)


@dataclass(frozen=True, slots=True)
class GameLine(JsonForm):
    """One game or round of the tournament; ``reason`` says why it does not count, if so."""

    round: int
    opponent: PersonRef
    rating: Annotated[int | None, Key("opponent_rating")]
    halves: Annotated[int, Key("score"), HALVES]
    reason: Annotated[Reason, REASON]

    @property
    @derived
    def counts(self) -> Annotated[bool, After("score")]:
        """Whether it counts."""
        return self.reason is Reason.NONE


@dataclass(frozen=True, slots=True)
class PerformanceReport(JsonForm):
    """A player's performance in a tournament; ``worth`` is None when no game counts."""

    player: PersonRef
    tournament: TournamentId
    list: str
    period: str
    table: PerformanceTable
    worth: Annotated[PerformanceResult | None, PARTS]
    games: Annotated[tuple[GameLine, ...], Key("rounds")]
    state: RatingState


def game_lines(sides: Sides, rating: Column, people: People) -> tuple[GameLine, ...]:
    """Returns a player's rounds, by the ratings given for the opponents."""
    sides = sides.rows(np.lexsort((sides.game, sides.round)))
    people.read(sides.opponent.tolist())
    lines = []
    for i in range(len(sides)):
        opponent = PlayerIndex(int(sides.opponent[i]))
        rated = int(rating[opponent]) if opponent >= 0 else UNRATED
        reason = Reason(int(sides.reason[i]))
        if reason is Reason.LATE_REPORT:
            reason = Reason.NONE  # it was played, and that is what counts here
        if reason is Reason.NONE and rated == UNRATED:
            reason = Reason.OPPONENT_UNRATED
        person, halves = PersonRef.of(people, opponent), int(sides.halves[i])
        lines.append(GameLine(int(sides.round[i]), person, rated or None, halves, reason))
    return tuple(lines)


def worth_of(games: Sequence[GameLine], table: PerformanceTable) -> PerformanceResult | None:
    """Returns what the games that count are worth together."""
    counted = [game for game in games if game.reason is Reason.NONE]
    if not counted:
        return None
    opponents = [game.rating for game in counted if game.rating is not None]
    return worth(opponents, sum(game.halves for game in counted), table)
