"""The games of a period that concern one shard's players, and what they come to.

The sums are those of ``ledger.rating.game_sums``, of the games that a shard's players play: a game
between players of two shards is summed by both, each for its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.facts.columns import Column, Mask
from ledger.rating.bounds import MOST_PLAYERS, admit_games
from ledger.rating.game_sums import GameRatings, PlainGames, Sums, summed
from ledger.rating.postings import Games
from ledger.replay.opening_ratings import RatingsInForce


@dataclass(frozen=True, slots=True)
class Share:
    """What a shard answers: its players' sums, and the columns of games that are not plain."""

    sums: Sums
    others: tuple[Column, ...]


class ShardGames:
    """The games of one shard's players in a period; what can be is chosen before ratings are known.

    Args:
        games: all games of the period.
        plain: which of them are plain, and what they count.
        starts_on: the first day (ordinal) of each tournament.
        number: whose players are meant, from 0: every n-th.
        shards: how many shards there are.

    Raises:
        VerificationFailed: the games hold what they cannot (see ``rating.bounds``).
    """

    def __init__(
        self, games: Games, plain: PlainGames, starts_on: Column, number: int, shards: int
    ) -> None:
        admit_games(games, MOST_PLAYERS, len(plain.merit))
        self._plain, self._starts_on = plain, starts_on
        self._number, self._shards = number, shards
        concerned = self._are_mine(games.white) | self._are_mine(games.black)
        # Of all-play-alls all games are looked at: who else plays in them decides.
        played = np.zeros(len(plain.together), dtype=np.bool_)
        played[games.tournament[concerned]] = True
        concerned |= (played & plain.together)[games.tournament]
        self._games = games.rows(concerned).cut()

    def summed(self, rating: Column, in_force: RatingsInForce | None) -> Share:
        """Sums the plain games.

        Args:
            rating: everybody's rating at the start of the period.
            in_force: the ratings the games are rated with; None: those of the period's start.

        Raises:
            VerificationFailed: a column holds what it cannot (see ``rating.bounds``).
        """
        games, starts_on = self._games, self._starts_on
        if in_force is None:
            ratings = GameRatings.at_start(rating, len(starts_on))
        else:
            ratings = in_force.of_games(rating, starts_on, games.tournament)
        made = summed(games, self._plain, ratings)
        others = games.rows(made.others)
        # Of a game it is white's shard that returns it.
        others = others.rows(self._are_mine(others.white))
        mine = self._are_mine(made.sums.players)
        sums = (made.sums.players, made.sums.per_k, made.sums.games)
        return Share(
            Sums(*(column[mine].astype(t) for column, t in zip(sums, _TYPES, strict=True))),
            tuple(getattr(others, name) for name in Games.__slots__),
        )

    def _are_mine(self, players: Column) -> Mask:
        """Which players are the shard's; ``%`` would take ten times as long as ``//``."""
        mine: Mask = players - players // self._shards * self._shards == self._number
        return mine


_TYPES = (np.int32, np.int64, np.int32)
