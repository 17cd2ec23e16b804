"""The sides of a period's games whose player belongs to one shard, and what they come to.

It is ``ledger.rating.game_sums`` seen from one side: the same games are plain, each side is
summed with the same arithmetic. What does not depend on ratings is prepared before these are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.facts.as_of import NO_MERIT
from ledger.facts.columns import NOBODY, Column, Mask
from ledger.rating.bounds import MOST_PLAYERS, admit, admit_games
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import Conditions, Sums, counted_difference, sums_of
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Games, Reason
from ledger.replay.opening_ratings import RatingsInForce


@dataclass(frozen=True, slots=True)
class Share:
    """What a shard answers: its players' sums, and the columns of games that are not plain."""

    sums: Sums
    others: tuple[Column, ...]


class ShardSides:
    """The sides of one shard's players in the games of a period.

    Args:
        expectation: the regulation's model of the expected score.
        games: all games of the period.
        conditions: on which its games are plain, by tournament.
        starts_on: the first day (ordinal) of each tournament.
        number: whose players are meant, from 0: every n-th.
        shards: how many shards there are.

    Raises:
        VerificationFailed: the games hold what they cannot (see ``rating.bounds``).
    """

    def __init__(
        self,
        expectation: Expectation,
        games: Games,
        conditions: Conditions,
        starts_on: Column,
        number: int,
        shards: int,
    ) -> None:
        self._expectation, self._games, self._starts_on = expectation, games, starts_on
        self._number, self._shards = number, shards
        admit_games(games, MOST_PLAYERS, len(conditions.merit))
        self._conditions = conditions
        merit = conditions.merit
        able = (games.reason == Reason.NONE) & (merit[games.tournament] != NO_MERIT)
        able &= games.black != NOBODY
        of_white = _are_of(games.white, number, shards)
        excluded = games.reason != Reason.NONE
        can_matter = ~excluded | conditions.together[games.tournament]
        self._never_plain = np.flatnonzero(of_white & ~able & can_matter)
        white = np.flatnonzero(of_white & able)
        black = np.flatnonzero(_are_of(games.black, number, shards) & able)
        self._whites = len(white)
        self._row = np.concatenate((white, black))
        self._player = np.concatenate((games.white[white], games.black[black])).astype(np.intp)
        self._opponent = np.concatenate((games.black[white], games.white[black])).astype(np.intp)
        self._halves = np.concatenate((games.white_halves[white], games.black_halves[black]))
        self._tournament = games.tournament[self._row]
        self._merit = merit[self._tournament]
        self._cap = conditions.cap[self._tournament]
        self._capped_below = conditions.capped_below[self._tournament]
        self._apart_beyond = conditions.apart_beyond[self._tournament]
        all_play_all = conditions.together[games.tournament]
        # Who else plays in them decides: of these, all games are looked at.
        self._all_play_alls = games.rows(all_play_all)

    def summed(self, rating: Column, in_force: RatingsInForce | None) -> Share:
        """Sums the plain games.

        Args:
            rating: everybody's rating at the start of the period.
            in_force: the ratings the games are rated with; None: those of the period's start.

        Raises:
            VerificationFailed: a player or rating cannot be (see ``rating.bounds``).
        """
        player, opponent = self._player, self._opponent
        admit(self._games, self._conditions, rating, [rating], self._expectation)
        if in_force is None:
            own, others = rating[player], rating[opponent]
        else:
            ratings, which = in_force.of_tournaments(self._starts_on, self._tournament)
            one, start = np.concatenate(ratings), which[self._tournament] * np.int64(len(rating))
            own, others = one[player + start], one[opponent + start]
        plain = (own > UNRATED) & (others > UNRATED)
        if in_force is not None:
            plain &= (rating[player] > UNRATED) & (rating[opponent] > UNRATED)
        mixed = self._mixed(rating, in_force)
        if mixed.any():
            plain &= ~mixed[self._tournament]
        plain &= np.abs(own - others) <= self._apart_beyond
        difference = counted_difference(own, others, self._cap, self._capped_below)
        slot, halves, merit = player // self._shards, self._halves, self._merit
        not_plain = self._never_plain
        if not plain.all():
            not_plain = np.append(not_plain, self._row[: self._whites][~plain[: self._whites]])
            chosen = np.flatnonzero(plain)
            slot, halves, merit, difference = (
                column[chosen] for column in (slot, halves, merit, difference)
            )
        made = sums_of(
            len(rating) // self._shards + 1,
            (slot,),
            (halves,),
            (difference,),
            merit,
            self._expectation,
        )
        sums = Sums(
            (made.players * self._shards + self._number).astype(np.int32),
            made.per_k,
            made.games.astype(np.int32),
        )
        games = self._games.rows(not_plain)
        return Share(sums, tuple(getattr(games, name) for name in Games.__slots__))

    def _mixed(self, rating: Column, in_force: RatingsInForce | None) -> Mask:
        """Which tournaments are all-play-alls in which not everybody is rated."""
        games = self._all_play_alls
        mixed = np.zeros(len(self._starts_on), dtype=np.bool_)
        if not len(games):
            return mixed
        rated = np.ones(len(games), dtype=np.bool_)
        for players in (games.white, games.black):
            rated &= (rating[players] > UNRATED) | (players == NOBODY)
        if in_force is not None:
            ratings, which = in_force.of_tournaments(self._starts_on, games.tournament)
            one, start = np.concatenate(ratings), which[games.tournament] * np.int64(len(rating))
            for players in (games.white, games.black):
                rated &= (one[players + start] > UNRATED) | (players == NOBODY)
        mixed[games.tournament[~rated]] = True
        return mixed


def _are_of(players: Column, number: int, shards: int) -> Mask:
    """Which players are those of a shard; ``%`` would take ten times as long as ``//``."""
    mine: Mask = players - players // shards * shards == number
    return mine
