"""Plain games, of two rated players and concerning nobody else: what a kernel is given of them.

A regulation says in columns by tournament which games are plain and what they count
(``PlainGames``). ``admit`` is the door of the kernels (see ``game_sums``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.facts.tables import NO_MERIT
from ledger.rating.bounds import (
    MOST_PLAYERS,
    MOST_PRODUCT,
    MOST_SUM,
    NO_LIMIT,
    check_column,
    check_figure,
    misshapen,
)
from ledger.rating.expectation import Expectation
from ledger.rating.postings import Games

_MOST_INT32 = 2**31 - 1
_WIN = 2  # half points
_LAST_REASON = 127


@dataclass(frozen=True, slots=True)
class PlainGames:
    """Which games are plain, and what they count: columns by tournament index.

    A game is plain when it counts, both players are rated and, by the row of its tournament, no
    other rule of the regulation looks at it.

    Attributes:
        expectation: the model that turns D into an expected score.
        merit: CM in hundredths; ``NO_MERIT`` where no game is plain.
        cap: a difference of more points counts as that, for whoever has less than
            ``capped_below``.
        capped_below: a rating in points.
        apart_beyond: with a difference of more points a game is not plain.
        together: whether all games are plain or, with somebody unrated among the players, none.
        most_merit: the greatest CM; ``NO_MERIT`` where there is none.
    """

    expectation: Expectation
    merit: Column
    cap: Column
    capped_below: Column
    apart_beyond: Column
    together: Mask
    most_merit: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Checks the columns.

        Raises:
            VerificationFailed: one of them holds what it cannot (see ``bounds``).
        """
        tournaments = len(self.merit)
        check_column("merit", self.merit, tournaments, NO_MERIT, MOST_PRODUCT)
        for name in ("cap", "capped_below", "apart_beyond"):
            check_column(name, getattr(self, name), tournaments, 0, _MOST_INT32)
        if self.together.dtype != np.bool_:
            raise misshapen("together", self.together, tournaments)
        check_column("together", self.together.view(np.uint8), tournaments, 0, 1)
        object.__setattr__(self, "most_merit", int(self.merit.max(initial=NO_MERIT)))


@dataclass(frozen=True, slots=True)
class GameRatings:
    """The ratings that games are rated with, in points.

    Attributes:
        opening: everybody's rating at the start of the period.
        lists: the lists' ratings that games are rated with, vectors like ``opening``.
        list_of: which of the lists, by tournament index.
    """

    opening: Column
    lists: Sequence[Column]
    list_of: Column

    @classmethod
    def at_start(cls, opening: Column, tournaments: int) -> GameRatings:
        """Returns the ratings at the start of the period, for all games of so many tournaments."""
        return cls(opening, [opening], np.zeros(tournaments, dtype=np.int32))


def admit(games: Games, plain: PlainGames, ratings: GameRatings) -> None:
    """Checks the arguments of ``game_sums.summed``, whatever the kernel.

    Columns have one length and hold integers: only indexes that there are, possible scores, and
    figures with which no sum or difference leaves its type.

    Raises:
        VerificationFailed: one of them does not; it is named, with the value and its row.
    """
    rows, players, tournaments = len(games.white), len(ratings.opening), len(plain.merit)
    admit_games(games, players, tournaments)
    check_column("list_of", ratings.list_of, tournaments, 0, len(ratings.lists) - 1)
    check_column("rating", ratings.opening, players, 0, NO_LIMIT)
    for vector in ratings.lists:
        if vector is not ratings.opening:
            check_column("rating", vector, players, 0, NO_LIMIT)
    most = min(MOST_PRODUCT, MOST_SUM // max(rows, 1)) // plain.expectation.most
    check_figure("merit", plain.most_merit, NO_MERIT, most)


def admit_games(games: Games, players: int, tournaments: int) -> None:
    """Checks games by themselves, of so many players and tournaments.

    Raises:
        VerificationFailed: as ``admit``.
    """
    rows = len(games.white)
    check_figure("games", rows, 0, _MOST_INT32)
    check_figure("players", players, 0, MOST_PLAYERS)
    check_column("white", games.white, rows, 0, players - 1)
    check_column("black", games.black, rows, NOBODY, players - 1)
    check_column("tournament", games.tournament, rows, 0, tournaments - 1)
    check_column("white_halves", games.white_halves, rows, 0, _WIN)
    check_column("black_halves", games.black_halves, rows, 0, _WIN)
    check_column("reason", games.reason, rows, 0, _LAST_REASON)
