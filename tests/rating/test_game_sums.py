"""Sums of plain games are those of their postings, however they are cut into chunks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import _sums
from ledger.rating.models import logistic
from ledger.regulations.printed_tables import P_OF_D

PLAYERS = 9
GAMES = st.lists(
    st.tuples(
        st.integers(0, PLAYERS), st.integers(0, PLAYERS), st.integers(0, 2), st.integers(-900, 900),
        st.sampled_from((0, 50, 100, 1000)),
    ),
    max_size=40,
)  # fmt: skip


@given(games=GAMES, expectation=st.sampled_from((P_OF_D, logistic())), many=st.booleans())
def test_sums(
    games: list[tuple[int, int, int, int, int]], expectation: Expectation, *, many: bool
) -> None:
    """Player 9 is nobody; with a huge merit only few games fit one chunk."""
    games = [game for game in games if game[0] != game[1]]
    if many:
        games = [(*game[:-1], game[-1] * 10**13 // expectation.scale) for game in games]
    white, black, halves, difference, merit = np.array(games, dtype=np.int64).reshape(-1, 5).T
    made = _sums(
        (white, black), PLAYERS, (halves, 2 - halves), (difference, -difference), merit, expectation
    )
    score: dict[int, int] = {}
    count: dict[int, int] = {}
    for one, other, won, d, weight in games:
        for player, points, ahead in ((one, won, d), (other, 2 - won, -d)):
            gain = weight * (points * expectation.scale // 2 - expectation.one(ahead))
            score[player] = score.get(player, 0) + gain
            count[player] = count.get(player, 0) + 1
    for of in (score, count):
        of.pop(PLAYERS, None)
    assert made.players.tolist() == sorted(count)
    assert dict(zip(made.players.tolist(), made.per_k.tolist(), strict=True)) == score
    assert dict(zip(made.players.tolist(), made.games.tolist(), strict=True)) == count
