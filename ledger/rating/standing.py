"""Where every player stands between two periods: the only state a replay carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.sheet import NewcomerResult

UNRATED = 0

Bucket: TypeAlias = tuple[tuple[int, NewcomerResult], ...]
Buckets: TypeAlias = dict[int, Bucket]


@dataclass(frozen=True, slots=True)
class Standing:
    """Vectors by player index, and the provisional buckets of those who have no rating yet.

    ``rating`` is in points (``UNRATED``: none), ``games`` counts rated games, ``peak`` is the
    highest rating ever in force, ``listed`` says who has a place in the list (1) or not (0).
    ``buckets`` maps an unrated player to his computable results, each with its period's index.
    """

    rating: Column
    games: Column
    peak: Column
    listed: Column
    buckets: Buckets

    @classmethod
    def empty(cls, players: int) -> Standing:
        """Nobody has a rating."""
        rating, games, peak, listed = (np.zeros(players, dtype=np.int64) for _ in range(4))
        return cls(rating, games, peak, listed, {})

    def carried(self, into: Column) -> Standing:
        """Returns the standing after merges: what stood under a given-up id moves to the other.

        ``into`` maps each player to the index under which he counts. Who has a rating of his own
        keeps it; an id that was given up has no place any more.
        """
        given_up = np.flatnonzero(into != np.arange(len(into)))
        if not given_up.size or not (self.listed[given_up].any() or self.buckets):
            return self
        rating, games, peak, listed = (
            column.copy() for column in (self.rating, self.games, self.peak, self.listed)
        )
        buckets = dict(self.buckets)
        for player in given_up.tolist():
            stays = int(into[player])
            if rating[stays] == UNRATED and rating[player] != UNRATED:
                for column in (rating, games, peak):
                    column[stays] = column[player]
                buckets.pop(stays, None)
            bucket = buckets.pop(player, ())
            if bucket and rating[stays] == UNRATED:
                buckets[stays] = (*buckets.get(stays, ()), *bucket)
            listed[stays] |= listed[player]
            for column in (rating, games, peak, listed):
                column[player] = 0
        return Standing(rating, games, peak, listed, buckets)
