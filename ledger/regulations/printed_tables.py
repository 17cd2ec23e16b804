"""Elo's two tables as every edition since 1972 prints them, and the models read in their place.

The tables are in whole per cent and whole points.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from ledger.rating.expectation import Expectation, from_bands, printed_table
from ledger.rating.models import LARGEST_MARGIN, MODELS, table_sha256
from ledger.regulations.description import Parameters, goes_with

# D(P): whole per cent to difference; undefined at 0 and 100.
D_OF_P = {
    int(row["p"]): int(row["d"])
    for row in printed_table("ledger.regulations", "d_of_p.csv")
    if row["d"]
}
# P(D): difference to the higher rated player's share, in hundredths.
P_OF_D = from_bands(printed_table("ledger.regulations", "p_of_d.csv"))


class WithModel(Parameters):
    """Parameters of a regulation with an expected score; ``EXPECTED_IN`` names its clause."""

    EXPECTED_IN: ClassVar[str]

    expectation: Literal["table", "logistic", "normal", "normal-draw"] = Field(
        "table", description="expected score: the printed table, or a model in its place"
    )
    draw_margin: int = Field(
        0,
        ge=0,
        le=LARGEST_MARGIN,
        description="expected score: points within which a game is drawn, for normal-draw",
    )

    @model_validator(mode="after")
    def _margin_has_a_model(self) -> WithModel:
        if self.draw_margin and self.expectation != "normal-draw":
            raise goes_with(self.EXPECTED_IN, "draw_margin", "expectation=normal-draw")
        return self

    def tables_read(self) -> dict[str, str]:
        """Returns the digest of the model's table, where one was chosen."""
        if self.expectation == "table":
            return {}
        return {self.expectation: table_sha256(self.expectation)}

    def model_or(self, table: Expectation) -> Expectation:
        """Returns the model that was chosen, or the regulation's own table."""
        if self.expectation == "table":
            return table
        return MODELS[self.expectation](self.draw_margin)
