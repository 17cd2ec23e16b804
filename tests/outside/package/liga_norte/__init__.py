"""Copa 2020, the rating of an invented league: Liga Norte, *Reglamento de la Copa*, 2020."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation, from_bands, printed_table
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import Reason
from ledger.regulations.interface import Clause, Parameters, Regulation

EXPECTED = from_bands(printed_table("liga_norte", "expected_2020.csv"))


class CopaParameters(Parameters):
    """What the league may set; the defaults are the text's."""

    k: int = Field(20, ge=0, le=100, description="art. 3, K", json_schema_extra={"unit": "points"})
    k_top: int = Field(10, ge=0, le=100, description="art. 3, K from 2000")

    @model_validator(mode="after")
    def _top_is_lower(self) -> CopaParameters:
        if self.k_top > self.k:
            raise ValueError("art. 3: k_top may not be above k")
        return self


class Copa2020(Regulation):
    """The rules of the cup with the parameters of an adoption."""

    ID = "liga-norte.copa-2020"
    TITLE = "Copa 2020 (Liga Norte)"
    SOURCE = "Liga Norte, Reglamento de la Copa, 2020"
    COVERAGE = (
        Clause("art. 1", "games count against opponents with a rating", "Regulation.calculate"),
        Clause("art. 2", "table of the expected score", "EXPECTED"),
        Clause("art. 3", "K", "Copa2020.k"),
        Clause("art. 4", "first rating after six games", "Copa2020.performance"),
    )
    PARAMETERS = CopaParameters
    CLAUSES: ClassVar = {Reason.OPPONENT_UNRATED: "art. 1"}
    TABLES, TABLES_IN = ("expected_2020.csv",), "liga_norte"
    WORKED_EXAMPLE = "1700 beats 1850: the table expects 0.30, so he gains 20 * (1 - 0.30) = 14."
    FIRST_RATING_GAMES = 6  # art. 4
    expectation: Expectation = EXPECTED  # art. 2
    parameters: CopaParameters

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """art. 3: K as assigned; else 20, and 10 from 2000."""
        top = states.rating >= 2000
        return particulars.k_or(np.where(top, self.parameters.k_top, self.parameters.k))

    def performance(self, mean: Fraction, halves: int, games: int) -> Fraction:
        """art. 4: the opponents' mean, and from 400 points less to 400 more by the score."""
        return mean + Fraction(400 * (halves - games), games)
