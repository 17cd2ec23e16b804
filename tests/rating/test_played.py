"""Games of a period by those who had any: what is done with them is right for everybody."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.arrays import Column, is_among
from ledger.rating.player_state import Played

DAY = 733_000
PLAYERS = 12
counts = st.lists(st.integers(0, 3), min_size=PLAYERS, max_size=PLAYERS).map(np.array)
some = st.sets(st.integers(0, PLAYERS - 1)).map(lambda chosen: np.array(sorted(chosen), dtype=int))


def played(games: Column) -> Played:
    """The games of everybody as those of who had any."""
    players = np.flatnonzero(games)
    return Played.made(DAY, players, games[players])


def by_player(played: Played, players: int) -> list[int]:
    """The games of each of so many players."""
    games = np.zeros(players, dtype=np.int32)
    games[played.players] = played.games
    return games.tolist()


@given(counts, some)
def test_of_some_players(games: Column, players: Column) -> None:
    """By their place among those asked for."""
    assert by_player(played(games).of(players), len(players)) == games[players].tolist()


@given(counts, st.lists(st.integers(0, PLAYERS - 1), min_size=PLAYERS, max_size=PLAYERS))
def test_moved_by_merges(games: Column, into: list[int]) -> None:
    """Everybody's games count for the id that stays."""
    expected = np.bincount(into, weights=games, minlength=PLAYERS)
    assert by_player(played(games).moved(np.array(into)), PLAYERS) == expected.tolist()


@given(st.lists(st.integers(-3, 9)), some)
def test_is_among(values: list[int], ascending: Column) -> None:
    """As ``np.isin`` has it."""
    column = np.array(values, dtype=np.int32)
    assert is_among(column, ascending).tolist() == np.isin(column, ascending).tolist()
