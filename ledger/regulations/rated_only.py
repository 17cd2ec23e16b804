"""What texts have in common that say how a rating moves, and not how one begins.

A player needs a rating that is brought in. Games with an unrated player are not rated: for the one
because his opponent has no rating, for the other because nothing gives him a first one. K is the
text's; one that was assigned to a player is not heeded. A tournament counts fully unless it was
given a merit coefficient.
"""

from __future__ import annotations

import datetime as dt
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.expectation import Expectation
from ledger.rating.kernel import post
from ledger.rating.player_state import Particulars, PlayerStates
from ledger.rating.postings import (
    Calculation,
    Exclusions,
    NewcomerResult,
    Postings,
    Reason,
    Sides,
    Step,
)
from ledger.rating.side_split import FULL_MERIT, by_rating, with_merit
from ledger.regulations.interface import Clause, Regulation

NO_FIRST_RATING = Clause(
    "(none)", "a first rating", "not covered: the text has no rule; ratings must be brought in"
)
OWN_K = Clause(
    "(none)", "K of a player", "not covered: the formula has its own; an assigned one is not heeded"
)
MANUAL = "Chavarria, manual of tournaments and rating, Monterrey 1975, chapter CLASIFICACION"


class RatedOnly(Regulation):
    """A regulation between rated players, event by event."""

    TABLES = ()
    EVENT_BY_EVENT = True
    CLAUSE: ClassVar[str]

    @property
    @abstractmethod
    def expectation(self) -> Expectation:
        """The expected scores."""

    @property
    def units(self) -> int:
        """How many units of a contribution make a point."""
        return FULL_MERIT * self.expectation.scale

    def k_of(self, sides: Sides, k: Column) -> Column:
        """Returns K of each game of an event between rated players: the player's own."""
        return k[sides.player]

    def steps(self, postings: Postings) -> Iterator[Step]:
        """What the text gives or takes beside the games; nothing."""
        del postings
        yield from ()

    def calculate(
        self, sides: Sides, standing: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates an event: a side is posted if both are rated."""
        del standing, particulars
        games = by_rating(with_merit(sides))
        newcomers = np.full(len(games.newcomers), Reason.NO_FIRST_RATING, dtype=np.int64)
        postings = post(
            games.rated,
            opponent_rating=games.rated.opponent_rating,
            difference=games.rated.rating - games.rated.opponent_rating,
            k=self.k_of(games.rated, k),
            expectation=self.expectation,
        )
        return Calculation(
            postings=postings,
            exclusions=Exclusions.joined(
                [games.excluded, Exclusions.of(games.newcomers, newcomers)]
            ),
            newcomers=(),
            units=self.units,
            scale=self.expectation.scale,
            steps=tuple(self.steps(postings)),
        )

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """None: the text does not say how a rating begins."""
        del results, on
        return None

    def games_for_first_rating(self, on: dt.date) -> int:
        """None are asked for: no number of games gives a first rating."""
        del on
        return 0

    def clause_of(self, reason: Reason) -> str:
        """The part of the chapter behind an exclusion."""
        by_text = (Reason.OPPONENT_UNRATED, Reason.NO_FIRST_RATING, Reason.FORFEIT, Reason.BYE)
        return self.CLAUSE if reason in by_text else "ledger"
