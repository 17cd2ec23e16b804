"""What lies behind ratings that were brought in: the games and the peak on which later Ks depend.

Of a player whose games were told these count; a published K tells what the list's regulation says
must have been before it (``Regulation.pasts``). Who came with neither is established: a rating that
somebody published is seldom a beginner's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ledger.facts.columns import Column
from ledger.facts.tables import NOT_TOLD, Seeds
from ledger.rating.player_state import NO_K, Particulars, PlayerStates
from ledger.regulations.interface import Past, Regulation


@dataclass(frozen=True, slots=True)
class SeedHistory:
    """Rated games and highest rating by seed."""

    games: Column
    peak: Column


def pasts_of(
    seeds: Seeds, birth_years: Column, regulation_on: Callable[[dt.date], Regulation]
) -> SeedHistory:
    """Returns what lies behind each of some seeds, which stand by day.

    Args:
        seeds: the ratings brought in.
        birth_years: that of each seed's player.
        regulation_on: the regulation under which a rating of the day is brought in.
    """
    found = _without_k(seeds)
    with_k = np.flatnonzero(seeds.k != NOT_TOLD)
    days = seeds.from_on[with_k]
    for its in np.split(with_k, np.flatnonzero(np.diff(days)) + 1):
        if len(its):
            of_day, on = seeds.rows(its), dt.date.fromordinal(int(seeds.from_on[its[0]]))
            years = birth_years[its]
            particulars = Particulars.of_ages(on, np.full_like(years, NO_K), years)
            by_k = _by_k(of_day, particulars, regulation_on(on))
            found.games[its], found.peak[its] = by_k.games, by_k.peak
    return found


def _by_k(seeds: Seeds, particulars: Particulars, regulation: Regulation) -> SeedHistory:
    """Returns the first past of each seed under which the regulation gives the published K."""
    found = _without_k(seeds)
    there = replace(PlayerStates.empty(len(seeds)), rating=seeds.rating.astype(np.int32))
    left = np.ones(len(seeds), dtype=np.bool_)
    for games, least_peak in _candidates(seeds.games, regulation):
        peak = np.maximum(there.rating, least_peak)
        fits = left & (regulation.k(replace(there, games=games, peak=peak), particulars) == seeds.k)
        found.games[fits], found.peak[fits] = games[fits], peak[fits]
        left &= ~fits
    return found


def _without_k(seeds: Seeds) -> SeedHistory:
    games = np.where(seeds.games == NOT_TOLD, Past().games, seeds.games)
    return SeedHistory(games.astype(np.int32), seeds.rating.astype(np.int32))


def _candidates(told: Column, regulation: Regulation) -> Iterator[tuple[Column, int]]:
    """Yields games and peaks in the order in which they are tried: as told, then no fewer."""
    pasts = regulation.pasts()
    for past in pasts:
        yield np.where(told == NOT_TOLD, past.games, told).astype(np.int32), past.peak
    for past in pasts:
        yield np.maximum(told, past.games).astype(np.int32), past.peak
