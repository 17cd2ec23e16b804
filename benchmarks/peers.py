"""The same games through other programs, a plain dictionary, and a loop in C.

None of them stores, explains or corrects anything, and none knows a regulation: this is the price
of bare Elo, in Python and without it. Each is given the final results of the games that were
played, in memory and in the form it likes best; only its own work is timed.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.histories import columns_of
from benchmarks.measuring import NotInstalledError, Place, Watch
from ledger.examples.swiss import Whole

_FIRST = 1500
_K, _K_NEW, _NEW_BELOW = 15, 30, 30
_C_SOURCE = Path(__file__).with_name("c_loop.c")
COMPILERS = ("cc", "gcc", "clang")


def riix(place: Place, watch: Watch) -> None:
    """riix: Elo online, one game after the other, ratings in an array."""
    try:
        from riix.models.elo import Elo
        from riix.utils.data_utils import MatchupDataset
    except ImportError as error:
        raise NotInstalledError(str(error)) from error
    games = columns_of(place.history)
    matchups, outcomes = _pairs(games), games["halves"] / 2
    dataset = MatchupDataset.init_from_arrays(
        games["month"].astype(np.int32), matchups, outcomes, list(range(int(matchups.max()) + 1))
    )
    model = Elo(dataset.competitors, k=_K)
    with watch.running():
        model.fit_dataset(dataset)
    watch.figures = _figures(games, float(model.ratings.mean()))


def elote(place: Place, watch: Watch) -> None:
    """elote: an object for each player; its competitors directly, without an arena."""
    try:
        from elote import EloCompetitor
    except ImportError as error:
        raise NotInstalledError(str(error)) from error
    games = columns_of(place.history)
    players: dict[int, Any] = {
        player: EloCompetitor(initial_rating=_FIRST, k_factor=_K)
        for player in np.unique(_pairs(games)).tolist()
    }
    rows = list(_rows(games))
    with watch.running():
        for white, black, halves in rows:
            if halves == 1:
                players[white].tied(players[black])
            elif halves:
                players[white].beat(players[black])
            else:
                players[black].beat(players[white])
    watch.figures = _figures(games, sum(p.rating for p in players.values()) / len(players))


def skelo(place: Place, watch: Watch) -> None:
    """skelo: keeps every rating with its time. It knows no draws: they are given to white."""
    try:
        from skelo.model.elo import EloModel
    except ImportError as error:
        raise NotInstalledError(str(error)) from error
    games = columns_of(place.history)
    model = EloModel(default_k=_K, initial_time=-1)
    rows = list(zip(_rows(games), games["month"].tolist(), strict=True))
    with watch.running():
        model.build(np.unique(_pairs(games)).tolist())
        for (white, black, halves), month in rows:
            if halves:
                model.update(white, black, month)
            else:
                model.update(black, white, month)
    watch.figures = _figures(games, float(_FIRST))


def dictionary(place: Place, watch: Watch) -> None:
    """A plain dictionary with what ENF 2010 does in a month: table, K by games, rounding once.

    Everybody begins with the same rating, so it has no newcomers' rules to follow.
    """
    games = columns_of(place.history)
    players = np.unique(_pairs(games)).tolist()
    expected = _expected().tolist()
    last = len(expected) - 1
    bounds = _bounds(games)
    rows = list(_rows(games))
    with watch.running():
        rating = dict.fromkeys(players, _FIRST)
        played = dict.fromkeys(players, 0)
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            gains: dict[int, int] = {}
            counts: dict[int, int] = {}
            for white, black, halves in rows[start:end]:
                difference = rating[white] - rating[black]
                if difference >= 0:
                    share = expected[min(difference, last)]
                else:
                    share = 100 - expected[min(-difference, last)]
                gain = halves * 50 - share
                gains[white] = gains.get(white, 0) + gain
                gains[black] = gains.get(black, 0) - gain
                counts[white] = counts.get(white, 0) + 1
                counts[black] = counts.get(black, 0) + 1
            for player, gain in gains.items():
                k = _K_NEW if played[player] < _NEW_BELOW else _K
                points = abs(2 * k * gain) + 100
                rating[player] += points // 200 if gain >= 0 else -(points // 200)
                played[player] += counts[player]
    watch.figures = _month_by_month(games, rating.values())


def c_loop(place: Place, watch: Watch) -> None:
    """The dictionary's arithmetic in C, compiled here: what a processor's core can do."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise NotInstalledError("a C compiler")
    library = place.scratch / "c_loop.so"
    command = [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(_C_SOURCE)]
    subprocess.run(command, check=True, capture_output=True)
    enf = ctypes.CDLL(str(library)).enf
    games = columns_of(place.history)
    there = np.unique(_pairs(games))
    expected, bounds = _expected().astype(np.int32), _bounds(games)
    white, black = (games[side].astype(np.int32) for side in ("white", "black"))
    halves = games["halves"].astype(np.int8)
    rating = np.full(int(there[-1]) + 1, _FIRST, dtype=np.int32)
    played, gains, counts, touched = (np.zeros_like(rating) for _ in range(4))
    with watch.running():
        enf(
            ctypes.c_int64(len(bounds) - 1), _pointer(bounds),
            _pointer(white), _pointer(black), _pointer(halves),
            ctypes.c_int32(len(expected) - 1), _pointer(expected),
            _pointer(rating), _pointer(played), _pointer(gains), _pointer(counts),
            _pointer(touched),
        )  # fmt: skip
    watch.figures = _month_by_month(games, rating[there].tolist())


PEERS: dict[str, Callable[[Place, Watch], None]] = {
    "riix": riix,
    "elote": elote,
    "skelo": skelo,
    "dictionary": dictionary,
    "c-loop": c_loop,
}


def _expected() -> Whole:
    """Returns the hundredths that ENF's table gives the higher rated player, by the difference."""
    from ledger.rating.expectation import from_bands, printed_table

    return from_bands(printed_table("ledger.regulations", "p_of_d.csv")).higher.astype(np.int64)


def _bounds(games: dict[str, Whole]) -> Whole:
    """Returns where the games of each month begin, and where the last one's end."""
    return np.searchsorted(games["month"], np.arange(int(games["month"].max()) + 2))


def _pointer(column: np.ndarray[Any, np.dtype[Any]]) -> ctypes.c_void_p:
    return ctypes.c_void_p(column.ctypes.data)


def _month_by_month(games: dict[str, Whole], ratings: Iterable[int]) -> dict[str, Any]:
    """Returns the figures of both that do the same, and a digest of what they came to."""
    found = np.fromiter(ratings, dtype="<i4")
    digest = hashlib.sha256(found.tobytes()).hexdigest()[:16]
    return {**_figures(games, float(found.mean())), "ratings": digest}


def _pairs(games: dict[str, Whole]) -> Whole:
    return np.stack((games["white"], games["black"]), axis=1)


def _rows(games: dict[str, Whole]) -> Any:
    return zip(
        games["white"].tolist(), games["black"].tolist(), games["halves"].tolist(), strict=True
    )


def _figures(games: dict[str, Whole], mean: float) -> dict[str, Any]:
    return {"games": len(games["white"]), "mean": round(mean, 1)}
