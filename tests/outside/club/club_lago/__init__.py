"""Lago 2025: the rating of an invented club, with every rule that few texts have.

Source: Club Lago, *Estatutos*, 2025. Read this module beside it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ledger.facts.as_of import SEXES
from ledger.facts.columns import Column, Mask
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets
from ledger.rating.models import logistic
from ledger.rating.player_state import UNKNOWN_DAY, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    Calculation,
    OwnReason,
    OwnStep,
    Postings,
    Reason,
    Sides,
    Step,
)
from ledger.regulations.interface import Clause, Parameters, Regulation
from ledger.wording import Wording

FRIENDLY = OwnReason(
    100, "friendly", "art. 2", Wording(en="a friendly tournament", es="un torneo amistoso")
)
NO_WOMAN = OwnReason(
    101, "no-woman", "art. 3", Wording(en="a women's tournament", es="un torneo femenino")
)
WELCOME = OwnStep(
    "welcome", "art. 5", Wording(en="welcome of a new member", es="bienvenida de un socio nuevo")
)
YOUNG = 18  # years
LEAST = 1000  # points


class Lago2025(Regulation):
    """The rules of the club."""

    ID = "club-lago.lago-2025"
    TITLE = "Lago 2025 (Club Lago)"
    SOURCE = "Club Lago, Estatutos, 2025"
    COVERAGE = (
        Clause("art. 1", "guests of other federations keep their rating", "Lago2025.fixed"),
        Clause("art. 2", "friendly tournaments are not rated", "Lago2025.calculate"),
        Clause("art. 3", "in women's tournaments women are rated", "Lago2025.calculate"),
        Clause("art. 4", "K: 40 until the 18th birthday, then 20", "Lago2025.k"),
        Clause("art. 5", "a point for each tournament of the first year", "Lago2025._welcomes"),
        Clause("art. 6", "four games, with the opponents' ratings of today", "Lago2025.renewed"),
        Clause("art. 7", "below 1000 a player begins anew", "Lago2025.unrated_again"),
    )
    PARAMETERS = Parameters
    CLAUSES: ClassVar = {Reason.FIXED_RATING: "art. 1", Reason.OPPONENT_UNRATED: "art. 6"}
    REASONS = (FRIENDLY, NO_WOMAN)
    FIRST_RATING_GAMES = 4
    FLAGS = ("friendly", "women")

    @property
    def expectation(self) -> Expectation:
        """The logistic curve."""
        return logistic()

    def fixed(self, states: PlayerStates, particulars: Particulars) -> Mask:
        """art. 1: who is rated and of another federation."""
        federation = particulars.federation
        guests: Mask = (federation != b"") & (federation != b"CHI") & (states.rating > UNRATED)
        return guests

    def calculate(
        self, sides: Sides, states: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """art. 2, 3: leaves tournaments out by their flags, and adds the steps of art. 5."""
        man = particulars.sex[sides.player] != SEXES.index("w")
        counts = sides.reason == Reason.NONE
        reason = np.select(
            [
                counts & particulars.flagged("friendly", sides.tournament),
                counts & particulars.flagged("women", sides.tournament) & man,
            ],
            [FRIENDLY.number, NO_WOMAN.number],
            sides.reason,
        )
        made = super().calculate(sides.with_(reason=reason), states, particulars, k)
        steps = self._welcomes(made.postings, particulars, made.units)
        return replace(made, steps=tuple(steps))

    def k(self, states: PlayerStates, particulars: Particulars) -> Column:
        """art. 4: K as assigned, else by the day of birth."""
        del states
        born_on, on = particulars.born_on, particulars.on
        young = born_on > on.replace(year=on.year - YOUNG, day=1).toordinal()
        return particulars.k_or(np.where((born_on != UNKNOWN_DAY) & young, 40, 20))

    def _welcomes(self, postings: Postings, particulars: Particulars, units: int) -> Iterator[Step]:
        """art. 5: a point for each tournament of who joined within a year."""
        on = particulars.on
        new = particulars.joined_on > on.replace(year=on.year - 1, day=1).toordinal()
        rated = zip(postings.player.tolist(), postings.tournament.tolist(), strict=True)
        for player, tournament in sorted({*rated}):
            if new[player]:
                yield Step(player, tournament, WELCOME, units)

    def performance(self, mean: Fraction, halves: int, games: int) -> Fraction:
        """art. 6: the opponents' mean, and from 400 points less to 400 more by the score."""
        return mean + Fraction(400 * (halves - games), games)

    def renewed(self, buckets: Buckets, rating: Column) -> Buckets:
        """art. 6: with the ratings that the opponents have at the start of the period."""
        return buckets.revalued(rating, self.performance)

    def unrated_again(
        self, rating: Column, states: PlayerStates, particulars: Particulars, on: dt.date
    ) -> Mask:
        """art. 7: whoever has come to less than 1000."""
        del states, particulars, on
        return rating < LEAST
