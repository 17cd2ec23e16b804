"""What the kernels of plain games may be given: every index and figure, checked before they run.

Numpy takes a negative index from the end of a column, and an integer beyond its type from the other
end; compiled code reads and writes wherever an index points. The columns come from what is stored
beside the events, and the rules perhaps from another package's regulation. So ``game_sums.summed``
calls a kernel only with what is let through here: rules when they are made, games and ratings each
time. The checks are no assertions: they stay under ``python -O``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ledger.errors import VerificationFailed
from ledger.facts.columns import NOBODY, AnyColumn, Column
from ledger.facts.tables import NO_MERIT

if TYPE_CHECKING:
    from ledger.rating.expectation import Expectation
    from ledger.rating.game_sums import GameRatings, PlainGames
    from ledger.rating.postings import Games

NO_LIMIT = 1_000_000_000  # more than any figure it stands for
MOST_PLAYERS = _INT32 = 2**31 - 1
_WIN = 2  # half points
_LAST_REASON = 127
_LONGEST_TABLE = 2**24
_UNSIGNED = {
    np.dtype(f"{order}{kind}{size}"): np.dtype(f"{order}u{size}")
    for order in "<>"
    for kind in "iu"
    for size in (1, 2, 4, 8)
}
MOST_PRODUCT = 2**56
"""The most that CM in hundredths times the greatest W - P(D) may be, for one game."""
MOST_SUM = 2**62 - 1
"""The most that the same may be for all games of a period: an int64 holds both sides of them."""


def admit(games: Games, plain: PlainGames, ratings: GameRatings) -> None:
    """Checks the arguments of ``game_sums.summed``, whatever the kernel.

    Columns have one length and hold integers: only indexes that there are, possible scores, and
    figures with which no sum or difference leaves its type.

    Raises:
        VerificationFailed: one of them does not; it is named, with the value and its row.
    """
    rows, players, tournaments = len(games.white), len(ratings.opening), len(plain.merit)
    admit_games(games, players, tournaments)
    _check("list_of", ratings.list_of, tournaments, 0, len(ratings.lists) - 1)
    _check("rating", ratings.opening, players, 0, NO_LIMIT)
    for vector in ratings.lists:
        if vector is not ratings.opening:
            _check("rating", vector, players, 0, NO_LIMIT)
    most = min(MOST_PRODUCT, MOST_SUM // max(rows, 1)) // plain.expectation.most
    _check_figure("merit", plain.most_merit, NO_MERIT, most)


def admit_games(games: Games, players: int, tournaments: int) -> None:
    """Checks games by themselves, of so many players and tournaments.

    Raises:
        VerificationFailed: as ``admit``.
    """
    rows = len(games.white)
    _check_figure("games", rows, 0, _INT32)
    _check_figure("players", players, 0, _INT32)
    _check("white", games.white, rows, 0, players - 1)
    _check("black", games.black, rows, NOBODY, players - 1)
    _check("tournament", games.tournament, rows, 0, tournaments - 1)
    _check("white_halves", games.white_halves, rows, 0, _WIN)
    _check("black_halves", games.black_halves, rows, 0, _WIN)
    _check("reason", games.reason, rows, 0, _LAST_REASON)


def admit_plain_games(plain: PlainGames) -> int:
    """Checks the columns by tournament.

    Returns:
        The greatest CM, in hundredths; ``NO_MERIT`` where there is none.

    Raises:
        VerificationFailed: as ``admit``.
    """
    tournaments = len(plain.merit)
    _check("merit", plain.merit, tournaments, NO_MERIT, MOST_PRODUCT)
    for name in ("cap", "capped_below", "apart_beyond"):
        _check(name, getattr(plain, name), tournaments, 0, _INT32)
    if plain.together.dtype != np.bool_:
        raise _misshapen("together", plain.together, tournaments)
    _check("together", plain.together.view(np.uint8), tournaments, 0, 1)
    return int(plain.merit.max(initial=NO_MERIT))


def admit_expectation(expectation: Expectation) -> int:
    """Checks that both players' expected scores, of any difference, make one point.

    Returns:
        The greatest of them, which is the most that W - P(D) can be.

    Raises:
        VerificationFailed: as ``admit``.
    """
    table, scale = expectation.by_difference, expectation.scale
    _check_figure("scale", scale, 2, MOST_PRODUCT)
    _check_figure("expected", len(table), 1, _LONGEST_TABLE)
    _check("expected", table, 2 * len(expectation.higher) - 1, -MOST_PRODUCT, MOST_PRODUCT)
    _check("expected", table + table[::-1] - scale, len(table), 0, 0)
    return int(table.max())


def admit_others(others: Column, rows: int) -> None:
    """Checks the rows of the games that are not plain, out of so many: ascending, each once.

    Raises:
        VerificationFailed: as ``admit``.
    """
    _check("others", others, len(others), 0, rows - 1)
    descending = np.flatnonzero(others[1:] <= others[:-1])
    if descending.size:
        row = int(descending[0]) + 1
        raise _impossible("others", int(others[row]), row, int(others[row - 1]) + 1, rows - 1)


def _check(name: str, column: AnyColumn, length: int, least: int, most: int) -> None:
    """Raises ``VerificationFailed`` unless a column is as long as said and within the bounds."""
    unsigned = _UNSIGNED.get(column.dtype)
    if unsigned is None or column.shape != (length,):
        raise _misshapen(name, column, length)
    if not length:
        return
    if least == 0:  # as an unsigned one, what is below is above: one look instead of two
        within = np.maximum.reduce(column.view(unsigned)) <= most
    else:
        within = np.maximum.reduce(column) <= most and np.minimum.reduce(column) >= least
    if not within:
        row = int(np.flatnonzero((column < least) | (column > most))[0])
        raise _impossible(name, int(column[row]), row, least, most)


def _check_figure(name: str, figure: int, least: int, most: int) -> None:
    if not least <= figure <= most:
        raise _impossible(name, figure, 0, least, most)


def _misshapen(name: str, column: AnyColumn, length: int) -> VerificationFailed:
    return VerificationFailed(
        "verify.kernel_column", column=name, type=column.dtype, shape=column.shape, length=length
    )


def _impossible(name: str, value: int, row: int, least: int, most: int) -> VerificationFailed:
    return VerificationFailed(
        "verify.kernel_value", column=name, value=value, row=row, least=least, most=most
    )
