"""Finds the all-play-all tournaments among simultaneous games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ledger.facts.known import SYSTEMS
from ledger.rating.sheet import Reason, Sides
from ledger.terms import System


def complete_round_robins(sides: Sides) -> Iterator[Sides]:
    """Yields the sides of each tournament in which everybody played everybody, equally often.

    Byes of an odd field and annulled pairings are not games of it; a tournament in which any other
    game was not played out is not complete.
    """
    all_play_all = sides.system == SYSTEMS.index(System.ROUND_ROBIN)
    for tournament in np.unique(sides.tournament[all_play_all]).tolist():
        games = sides.rows(sides.tournament == tournament)
        games = games.rows(~np.isin(games.reason, (Reason.BYE, Reason.ANNULLED)))
        if len(games) and not (games.reason != Reason.NONE).any() and _everybody_met(games):
            yield games


def _everybody_met(games: Sides) -> bool:
    players = len(np.unique(games.player))
    pairs = np.stack((games.player, games.opponent))
    kinds, counts = np.unique(pairs, axis=1, return_counts=True)
    return kinds.shape[1] == players * (players - 1) and len(set(counts.tolist())) == 1
