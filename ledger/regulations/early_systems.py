"""What came before Elo's curve: two formulas of Harkness, and Elo's linear one.

Source: Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION, the
formulas in use in the United States before 1961 and from 1961 on. Read this module beside it: the
classes are in its order. Harkness's own system, as the United States used it, is neither of the
first two: it starts from the mean of the opponents. They are kept as the manual tells them.

Each is K (W - We), event by event, between rated players; a player needs a rating that is brought
in.

What the text does not say, and what is done here:

* *Opponents* do not matter for the first two formulas, but only rated ones count.
* *K* is the text's; one that was assigned to a player is not heeded.
* *A tournament* counts fully unless it was given a merit coefficient.
* *The change of an event* is rounded to a whole point, halves away from zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import ClassVar

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.kernel import post
from ledger.rating.models import even
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Calculation, Postings, Reason, Sides, Step, StepKind
from ledger.rating.rounding import truncated_percent
from ledger.regulations.description import Clause, Parameters
from ledger.regulations.interface import Regulation

MANUAL = "Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION"

_OF_ALL = (
    Clause(
        "(none)",
        "K of a player",
        "not covered: the formula has its own; an assigned one is not heeded",
    ),
    Clause(
        "(none)", "a first rating", "not covered: the text has no rule; ratings must be brought in"
    ),
)


def _clauses(clause: str) -> dict[Reason, str]:
    """Returns the articles behind exclusions: all are the formula's own clause."""
    of_text = (Reason.OPPONENT_UNRATED, Reason.NO_FIRST_RATING, Reason.FORFEIT, Reason.BYE)
    return dict.fromkeys(of_text, clause)


# 1) Harkness by percentage

PAR = 50  # per cent


class _Harkness(Regulation):
    """Counts games or per cent from one half, whoever plays."""

    EVENT_BY_EVENT = True

    @property
    def expectation(self) -> Expectation:
        """One half, whoever plays."""
        return even()


class HarknessPercentageParameters(Parameters):
    """What a federation may set."""

    points_per_percent: int = Field(10, ge=1, le=100, description="CLASIFICACION 1)")


class HarknessPercentage(_Harkness):
    """Ten points for each per cent above or below one half of an event.

    The percentage is cut to whole ones before 50 is taken from it, so that 3 of 8 are 37 %, and
    cost 130 points. A game's part of the percentage is one n-th of it, so each of n games is posted
    with an expected score of one half and K = 1000 / n, cut to whole points. What the games then
    lack of the change, or have too much, is one step: the truncation.
    """

    ID = "harkness-percentage"
    TITLE = (
        "Harkness by percentage, as the Mexican manual of 1975 has it (United States, before 1961)"
    )
    SOURCE = f"{MANUAL}, formula 1)"
    COVERAGE = (
        Clause("1)", "10 points for each per cent from 50", "HarknessPercentage.posted"),
        Clause("1)", "62.5 % are 62, 37.5 % are 37", "HarknessPercentage._truncations"),
        *_OF_ALL,
    )
    PARAMETERS = HarknessPercentageParameters
    CLAUSES = _clauses("CLASIFICACION 1)")
    STEP_CLAUSES: ClassVar = {StepKind.TRUNCATION: "CLASIFICACION 1)"}
    WORKED_EXAMPLE = "5 of 8 are 62 %: 120 points more. 3 of 8 are 37 %: 130 points less."

    parameters: HarknessPercentageParameters

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """What a hundred per cent are worth, for everybody: K of an event of one game."""
        return np.full(len(states.rating), 100 * self.parameters.points_per_percent, np.int64)

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates an event game by game, and adds the truncation."""
        made = super().calculate(sides, states, particulars, k)
        return replace(made, steps=tuple(self._truncations(made.postings)))

    def posted(self, sides: Sides, k: Column) -> Postings:
        """Posts each game for one n-th of the event."""
        _, event, games = np.unique(
            np.stack((sides.player, sides.tournament)),
            axis=1, return_inverse=True, return_counts=True,
        )  # fmt: skip
        return post(
            sides,
            opponent_rating=sides.opponent_rating,
            difference=sides.rating - sides.opponent_rating,
            k=k[sides.player] // games[event.reshape(-1)],
            expectation=self.expectation,
        )

    def _truncations(self, postings: Postings) -> Iterator[Step]:
        """Yields what the truncated percentage gives, less what the games have given."""
        if not len(postings):
            return
        by_event = postings.rows(np.lexsort((postings.tournament, postings.player)))
        new = (np.diff(by_event.player) != 0) | (np.diff(by_event.tournament) != 0)
        starts = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(new) + 1))
        columns = (
            *(column[starts] for column in (by_event.player, by_event.tournament, by_event.merit)),
            np.diff(np.append(starts, len(by_event))),
            np.add.reduceat(by_event.score, starts),
            np.add.reduceat(by_event.contribution, starts),
        )
        for player, tournament, merit, games, halves, posted in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            points = self.parameters.points_per_percent * (truncated_percent(halves, games) - PAR)
            units = points * merit * self.expectation.scale - posted
            if units:
                yield Step(player, tournament, StepKind.TRUNCATION, units)


# 2) Harkness by games


class HarknessGamesParameters(Parameters):
    """What a federation may set."""

    points_per_game: int = Field(100, ge=1, le=1000, description="CLASIFICACION 2)")


class HarknessGames(_Harkness):
    """A hundred points for each game above or below one half of an event.

    That is K (W - We) with K = 100 and an expected score of one half whoever plays.
    """

    ID = "harkness-games"
    TITLE = "Harkness by games, as the Mexican manual of 1975 has it (United States, before 1961)"
    SOURCE = f"{MANUAL}, formula 2)"
    COVERAGE = (Clause("2)", "100 points for each game from 50 %", "HarknessGames.k"), *_OF_ALL)
    PARAMETERS = HarknessGamesParameters
    CLAUSES = _clauses("CLASIFICACION 2)")
    WORKED_EXAMPLE = "5 of 8 is one game above 4, which is 50 %: 100 points more."

    parameters: HarknessGamesParameters

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """A hundred points, for everybody."""
        return np.full(len(states.rating), self.parameters.points_per_game, dtype=np.int64)


# Rn = Ra + 16 (G - P) + 4 % (SD): Elo's linear formula

LARGEST_DIFFERENCE = 10_000  # ratings do not lie further apart


class EloLinearParameters(Parameters):
    """What a federation may set; We is that of the text where share is a quarter of constant."""

    constant: int = Field(16, ge=1, le=100, description="Rn = Ra + 16 (G - P) + 4 % (SD)")
    share: int = Field(4, ge=0, le=100, description="4 % (SD), in per cent")


class EloLinear(Regulation):
    """G and P are games won and lost, SD the sum of the opponents' ratings less the player's own.

    For one game with the score W and the difference D this is 16 (2 W - 1) - 4 % D, or K (W - We)
    with K = 32 and We = 1/2 + D / 800, and is posted so. The text caps no difference: beyond 400
    points We is above 1, or below 0. It has one constant and one share for everybody: with another
    K the points for games would change and those for differences not.
    """

    ID = "elo-linear"
    TITLE = "Elo's linear formula (United States, from 1961)"
    SOURCE = f"{MANUAL}, Rn = Ra + 16 (G - P) + 4 % (SD)"
    COVERAGE = (
        Clause("16 (G - P)", "16 points for each game won more than lost", "EloLinear.k"),
        Clause("4 % (SD)", "4 % of the sum of the differences", "linear"),
        *_OF_ALL,
    )
    PARAMETERS = EloLinearParameters
    CLAUSES = _clauses("CLASIFICACION, Rn")
    EVENT_BY_EVENT = True

    parameters: EloLinearParameters

    @property
    def expectation(self) -> Expectation:
        """One half and a share of the difference."""
        return linear(self.parameters.constant, self.parameters.share)

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """Twice the constant, for everybody: a win is half a point above one half."""
        return np.full(len(states.rating), 2 * self.parameters.constant, dtype=np.int64)


@cache
def linear(constant: int, share: int) -> Expectation:
    """Returns We = 1/2 + D * share / (200 * constant), exactly and without a cap.

    >>> (we := linear(16, 4)).scale, we.one(0), we.one(-400), we.one(1000)
    (3200, 1600, 0, 5600)
    """
    differences = np.arange(LARGEST_DIFFERENCE + 1, dtype=np.int64)
    higher = 100 * constant + share * differences
    higher.setflags(write=False)
    return Expectation(higher, scale=200 * constant)
