"""Elo's linear formula: Rn = Ra + 16 (G - P) + 4 % (SD).

Source: Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION. G and P
are games won and lost, SD is the sum of the differences, opponent's rating less the player's own.

For one game with the score W and the difference D (own rating less the opponent's) this is
16 (2 W - 1) - 4 % D, or K (W - We) with K = 32 and We = 1/2 + D / 800, and is posted so. The text
caps no difference: beyond 400 points We is above 1, or below 0.

The formula has one constant and one share, and no K of a player: with another K the points for
games would change and those for differences not, or We would be that of no text. So a K that was
assigned is not heeded. A federation that wants other weights sets both, ``constant`` and ``share``;
We is that of the text where the share is a quarter of the constant.

What the text does not say, and what is done here: the change of an event is rounded to a whole
point, halves away from zero. The rest is said in ``rated_only``.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.regulations import interface
from ledger.regulations.interface import Clause
from ledger.regulations.rated_only import MANUAL, NO_FIRST_RATING, OWN_K, RatedOnly

LARGEST_DIFFERENCE = 10_000  # ratings do not lie further apart


class Parameters(interface.Parameters):
    """What a federation may set."""

    constant: int = Field(16, ge=1, le=100, description="Rn = Ra + 16 (G - P) + 4 % (SD)")
    share: int = Field(4, ge=0, le=100, description="4 % (SD), in per cent")


class EloLinear(RatedOnly):
    """The formula with the parameters of an adoption."""

    ID = "elo-linear"
    TITLE = "Elo's linear formula (United States, from 1961)"
    SOURCE = f"{MANUAL}, Rn = Ra + 16 (G - P) + 4 % (SD)"
    CLAUSE = "CLASIFICACION, Rn"
    PARAMETERS = Parameters
    COVERAGE = (
        Clause("16 (G - P)", "16 points for each game won more than lost", "EloLinear.k"),
        Clause("4 % (SD)", "4 % of the sum of the differences", "linear"),
        OWN_K,
        NO_FIRST_RATING,
    )

    parameters: Parameters  # narrows the type

    @property
    def expectation(self) -> Expectation:
        """One half and a share of the difference."""
        return linear(self.parameters.constant, self.parameters.share)

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """Twice the constant, for everybody: a win is half a point above one half."""
        del particulars
        return np.full(len(standing.rating), 2 * self.parameters.constant, dtype=np.int64)


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
