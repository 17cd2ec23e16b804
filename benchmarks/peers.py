"""The same games through other programs, and through a plain dictionary.

None of them stores, explains or corrects anything, and none knows a regulation: this is the price
of bare Elo in Python. Each is given the final results of the games that were played, in memory and
in the form it likes best; only its own work is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.histories import Whole, columns_of
from benchmarks.measuring import NotInstalledError, Place, Watch

_FIRST = 1500
_K, _K_NEW, _NEW_BELOW = 15, 30, 30


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
    from ledger.rating.expectation import from_bands, printed_table

    # The higher rated player's hundredths, by the difference.
    expected = from_bands(printed_table("ledger.regulations", "p_of_d.csv")).higher.tolist()
    last = len(expected) - 1
    bounds = np.searchsorted(games["month"], np.arange(int(games["month"].max()) + 2))
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
    watch.figures = _figures(games, sum(rating.values()) / len(rating))


PEERS: dict[str, Callable[[Place, Watch], None]] = {
    "riix": riix,
    "elote": elote,
    "skelo": skelo,
    "dictionary": dictionary,
}


def _pairs(games: dict[str, Whole]) -> Whole:
    return np.stack((games["white"], games["black"]), axis=1)


def _rows(games: dict[str, Whole]) -> Any:
    return zip(
        games["white"].tolist(), games["black"].tolist(), games["halves"].tolist(), strict=True
    )


def _figures(games: dict[str, Whole], mean: float) -> dict[str, Any]:
    return {"games": len(games["white"]), "mean": round(mean, 1)}
