"""FIDE's rating regulations for rapid and blitz chess, by their dates.

Source: FIDE Handbook B.02, FIDE Rapid and Blitz Rating Regulations, in force from 2012 on, with the
changes of 2022 and 2024. Its articles are numbered one lower than those of standard chess (7 for
8); the rules that both have are in ``fide``, here is what differs.

What the text leaves open, and what is done here:

* *Ratings were raised* in October 2022 to the standard rating less 100: that is a rating brought in
  for each player concerned, not a rule.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import Field

from ledger.facts.columns import Column
from ledger.rating.player_state import UNRATED, Particulars, PlayerStates
from ledger.rating.postings import Reason, Sides
from ledger.regulations import fide
from ledger.regulations import fide_figures as figures
from ledger.regulations.description import Clause
from ledger.regulations.fide import Fide, FideParameters
from ledger.regulations.interface import Differences
from ledger.terms import Rate

COVERAGE = (
    *fide.COVERAGE,
    Clause("rapid and blitz 7.2.1", "standard rating instead of none", "FideRapid.enters_from"),
    Clause("rapid and blitz 7.3.1", "too large a difference is not rated", "FideRapid.weighted"),
    Clause("rapid and blitz 7.3.3", "one K for all until 2022", "FideRapid.k"),
)
CLAUSES = fide.CLAUSES | {Reason.DIFFERENCE_TOO_LARGE: "FIDE B.02 (rapid, blitz) 7.3.1"}


class RapidParameters(FideParameters):
    """Rapid and blitz: who has no rating there plays with his standard rating."""

    standard_list: str = Field(
        "", max_length=40, description="rapid and blitz 7.2.1, the list of standard ratings"
    )


class FideRapid(Fide):
    """Rapid chess: 10 to 60 minutes for 60 moves."""

    ID = "fide-rapid"
    TITLE = "FIDE rapid ratings, by date"
    RATE = Rate.RAPID
    PARAMETERS = RapidParameters
    COVERAGE = COVERAGE
    CLAUSES = CLAUSES
    CAP = figures.RAPID_CAP
    UNCAPPED_FROM = figures.RAPID_UNCAPPED_FROM
    DATED = figures.RAPID

    parameters: RapidParameters

    @property
    def enters_from(self) -> str | None:
        """7.2.1: the list of standard ratings, where the federation names one."""
        return self.parameters.standard_list or None

    def weighted(self, sides: Sides) -> Sides:
        """7.3.1: 600 points and more are not rated if one of the two is above 2600."""
        sides = super().weighted(sides)
        own, opponents = sides.rating, sides.opponent_rating
        too_large = np.abs(own - opponents) >= figures.NOT_RATED_FROM.at(sides.starts_on)
        too_large &= np.maximum(own, opponents) > figures.NOT_RATED_ABOVE
        too_large &= (own > UNRATED) & (opponents > UNRATED) & (sides.reason == Reason.NONE)
        return sides.with_(reason=np.where(too_large, Reason.DIFFERENCE_TOO_LARGE, sides.reason))

    def differences(self, starts_on: Column) -> Differences:
        """7.3.1: apart are also those that may be too large to be rated at all."""
        of_all = super().differences(starts_on)
        rated = figures.NOT_RATED_FROM.at(starts_on) - 1
        return replace(of_all, apart_beyond=np.minimum(of_all.apart_beyond, rated))

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """7.3.3: as in standard chess; until September 2022 one K for all."""
        one = figures.RAPID_K.on(particulars.on)
        if not one:
            return super().k(states, particulars)
        return particulars.k_or(one)


class FideBlitz(FideRapid):
    """Blitz: 3 to 10 minutes for 60 moves; the rules of rapid chess."""

    ID = "fide-blitz"
    TITLE = "FIDE blitz ratings, by date"
    RATE = Rate.BLITZ
