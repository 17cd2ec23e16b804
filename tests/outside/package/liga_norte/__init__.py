"""Copa 2020: the rating of an invented league.

Source: Liga Norte, *Reglamento de la Copa*, 2020. Ratings are brought in: the text has no
rule for a first one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np
from pydantic import Field, model_validator

from ledger.facts.columns import Column
from ledger.rating.expectation import from_bands, printed_table
from ledger.rating.kernel import post
from ledger.rating.player_state import UNRATED, Particulars, PlayerStates
from ledger.rating.postings import Calculation, Exclusions, NewcomerResult, Reason, Sides
from ledger.regulations import interface
from ledger.regulations.interface import Clause, Regulation

EXPECTED = from_bands(printed_table("liga_norte", "expected_2020.csv"))
MERIT = 100  # the league weighs all tournaments equally; hundredths


class Parameters(interface.Parameters):
    """What the league may set; the defaults are the text's."""

    k: int = Field(20, ge=0, le=100, description="art. 3, K", json_schema_extra={"unit": "points"})
    k_top: int = Field(10, ge=0, le=100, description="art. 3, K from 2000")

    @model_validator(mode="after")
    def _top_is_lower(self) -> Parameters:
        if self.k_top > self.k:
            raise ValueError("art. 3: k_top may not be above k")
        return self


class Copa2020(Regulation):
    """The rules of the cup with the parameters of an adoption."""

    ID = "liga-norte.copa-2020"
    TITLE = "Copa 2020 (Liga Norte)"
    SOURCE = "Liga Norte, Reglamento de la Copa, 2020"
    PARAMETERS = Parameters
    TABLES = ("expected_2020.csv",)
    TABLES_IN = "liga_norte"
    COVERAGE = (
        Clause("art. 1", "both players need a rating", "Copa2020.calculate"),
        Clause("art. 2", "table of the expected score", "EXPECTED"),
        Clause("art. 3", "K", "Copa2020.k"),
    )
    WORKED_EXAMPLE = "1700 beats 1850: the table expects 0.30, so he gains 20 * (1 - 0.30) = 14."

    parameters: Parameters  # narrows the type

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """art. 3: 20, and 10 from 2000."""
        del particulars
        return np.where(standing.rating >= 2000, self.parameters.k_top, self.parameters.k)

    def calculate(
        self, sides: Sides, standing: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """art. 1: a game counts if both have a rating; every side is posted or excluded."""
        del standing, particulars
        sides = sides.with_(merit=np.full(len(sides), MERIT, np.int64))
        played = sides.reason == Reason.NONE
        opponent = sides.opponent_rating > UNRATED
        both = played & (sides.rating > UNRATED) & opponent
        rated, left_out = sides.rows(both), sides.rows(~both)
        why = np.where(opponent, Reason.NO_FIRST_RATING, Reason.OPPONENT_UNRATED)
        why = np.where(played, why, sides.reason)
        return Calculation(
            postings=post(
                rated,
                opponent_rating=rated.opponent_rating,
                difference=rated.rating - rated.opponent_rating,
                k=k[rated.player],
                expectation=EXPECTED,
            ),
            exclusions=Exclusions.of(left_out, why[~both]),
            newcomers=(),
            units=MERIT * EXPECTED.scale,
            scale=EXPECTED.scale,
        )

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """None: the text does not say how a rating begins."""
        del results, on
        return None

    def games_for_first_rating(self, on: dt.date) -> int:
        """No number of games gives one."""
        del on
        return 0

    def clause_of(self, reason: Reason) -> str:
        """art. 1; whatever else leaves a game out is the ledger's."""
        of_text = (Reason.OPPONENT_UNRATED, Reason.NO_FIRST_RATING)
        return "art. 1" if reason in of_text else "ledger"
