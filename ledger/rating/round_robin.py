"""Finds the all-play-all tournaments among simultaneous games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ledger.facts.known import ALL_PLAY_ALL
from ledger.rating.sheet import Reason, Sides, each_tournament


def complete_round_robins(sides: Sides) -> Iterator[Sides]:
    """Yields the sides of each tournament in which everybody played everybody, equally often.

    Byes of an odd field and annulled pairings are not games of it; a tournament in which any other
    game was not played out is not complete.
    """
    all_play_all = sides.system == ALL_PLAY_ALL
    if not all_play_all.any():
        return
    no_games = np.isin(sides.reason, (Reason.BYE, Reason.ANNULLED))
    for games in each_tournament(sides.rows(all_play_all & ~no_games)):
        if not (games.reason != Reason.NONE).any() and _everybody_met(games):
            yield games


def _everybody_met(games: Sides) -> bool:
    players = len(np.unique(games.player))
    pairs = np.stack((games.player, games.opponent))
    kinds, counts = np.unique(pairs, axis=1, return_counts=True)
    return kinds.shape[1] == players * (players - 1) and len(set(counts.tolist())) == 1
