"""A shard of players stands behind the same door as the kernels."""

from __future__ import annotations

import numpy as np
import pytest

from ledger.cluster.shards import ShardGames
from ledger.errors import VerificationFailed
from ledger.rating.postings import Games
from tests.rating.test_bounds import RATING, TOURNAMENTS, games, plain_games

STARTS_ON = np.zeros(TOURNAMENTS, dtype=np.int32)


def shard(given: Games) -> ShardGames:
    return ShardGames(given, plain_games(), STARTS_ON, 0, 1)


@pytest.mark.parametrize(
    "hostile",
    [{"tournament": [0, 3]}, {"white": [-1, 0]}, {"black": [1, -2]}, {"black_halves": [0, 3]}],
    ids=str,
)
def test_games_that_cannot_be(hostile: dict[str, list[int]]) -> None:
    with pytest.raises(VerificationFailed, match="that is to be rated"):
        shard(games(**hostile))


def test_players_that_are_not_there() -> None:
    made = shard(games())
    assert made.summed(RATING, None).sums.players.tolist() == [0, 1]
    with pytest.raises(VerificationFailed, match="column white that is to be rated holds 4"):
        made.summed(RATING[:-1], None)
