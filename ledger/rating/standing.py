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
