"""Harkness by percentage: ten points for each per cent above or below one half of an event.

Source: Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION, first of
the formulas in use before 1961. The percentage is cut to whole ones before 50 is taken from it, so
that 3 of 8 are 37 %, and cost 130 points. Harkness's own system, as the United States used it, is
not this one: it starts from the mean of the opponents. The rule is kept as the manual tells it.

A game's part of the percentage is one n-th of it, so each of n games is posted with an expected
score of one half and K = 1000 / n, cut to whole points. What the games then lack of the change, or
have too much, is one step: the truncation.

What the text does not say, and what is done here: *Opponents* do not matter for the formula, but
only rated ones count. The rest is said in ``rated_only``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.models import even
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Postings, Sides, Step, StepKind
from ledger.rating.rounding import truncated_percent
from ledger.regulations import interface
from ledger.regulations.interface import Clause
from ledger.regulations.rated_only import MANUAL, NO_FIRST_RATING, OWN_K, RatedOnly

PAR = 50  # per cent


class Parameters(interface.Parameters):
    """What a federation may set."""

    points_per_percent: int = Field(10, ge=1, le=100, description="CLASIFICACION 1)")


class HarknessPercentage(RatedOnly):
    """The first formula with the parameters of an adoption."""

    ID = "harkness-percentage"
    TITLE = (
        "Harkness by percentage, as the Mexican manual of 1975 has it (United States, before 1961)"
    )
    SOURCE = f"{MANUAL}, formula 1)"
    CLAUSE = "CLASIFICACION 1)"
    PARAMETERS = Parameters
    COVERAGE = (
        Clause("1)", "10 points for each per cent from 50", "HarknessPercentage.k_of"),
        Clause("1)", "62.5 % are 62, 37.5 % are 37", "HarknessPercentage.steps"),
        OWN_K,
        NO_FIRST_RATING,
    )

    WORKED_EXAMPLE = "5 of 8 are 62 %: 120 points more. 3 of 8 are 37 %: 130 points less."

    parameters: Parameters  # narrows the type

    @property
    def expectation(self) -> Expectation:
        """One half, whoever plays."""
        return even()

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """What a hundred per cent are worth, for everybody: K of an event of one game."""
        del particulars
        return np.full(len(standing.rating), 100 * self.parameters.points_per_percent, np.int64)

    def k_of(self, sides: Sides, k: Column) -> Column:
        """Each game counts for one n-th of the event."""
        _, event, games = np.unique(
            np.stack((sides.player, sides.tournament)),
            axis=1, return_inverse=True, return_counts=True,
        )  # fmt: skip
        shares: Column = k[sides.player] // games[event.reshape(-1)]
        return shares

    def steps(self, postings: Postings) -> Iterator[Step]:
        """What the truncated percentage gives, less what the games have given."""
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
        for player, tournament, merit, games, halves, given in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            points = self.parameters.points_per_percent * (truncated_percent(halves, games) - PAR)
            units = points * merit * self.expectation.scale - given
            if units:
                yield Step(player, tournament, StepKind.TRUNCATION, units)

    def clause_of_step(self, kind: StepKind) -> str:
        """The truncation is the only one."""
        assert kind is StepKind.TRUNCATION, kind
        return self.CLAUSE
