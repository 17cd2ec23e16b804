"""Harkness by games: a hundred points for each game above or below one half of an event.

Source: Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION, second
of the formulas in use before 1961. It is K (W - We) with K = 100 and an expected score of one half
whoever plays. Harkness's own system, as the United States used it, is not this one: it starts from
the mean of the opponents. The rule is kept as the manual tells it.

What the text does not say, and what is done here: *Opponents* do not matter for the formula, but
only rated ones count. The rest is said in ``rated_only``.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.models import even
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.regulations import interface
from ledger.regulations.interface import Clause
from ledger.regulations.rated_only import MANUAL, NO_FIRST_RATING, OWN_K, RatedOnly


class Parameters(interface.Parameters):
    """What a federation may set."""

    points_per_game: int = Field(100, ge=1, le=1000, description="CLASIFICACION 2)")


class HarknessGames(RatedOnly):
    """The second formula with the parameters of an adoption."""

    ID = "harkness-games"
    TITLE = "Harkness by games, as the Mexican manual of 1975 has it (United States, before 1961)"
    SOURCE = f"{MANUAL}, formula 2)"
    CLAUSE = "CLASIFICACION 2)"
    PARAMETERS = Parameters
    COVERAGE = (
        Clause("2)", "100 points for each game from 50 %", "HarknessGames.k"),
        OWN_K,
        NO_FIRST_RATING,
    )

    WORKED_EXAMPLE = "5 of 8 is one game above 4, which is 50 %: 100 points more."

    parameters: Parameters  # narrows the type

    @property
    def expectation(self) -> Expectation:
        """One half, whoever plays."""
        return even()

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """A hundred points, for everybody."""
        del particulars
        return np.full(len(standing.rating), self.parameters.points_per_game, dtype=np.int64)
