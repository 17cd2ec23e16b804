"""What the kernels of plain games may be given: every index and figure, checked before they run.

Numpy takes a negative index from the end of a column, and an integer beyond its type from the other
end; compiled code reads and writes wherever an index points. The columns come from what is stored
beside the events, and the rules perhaps from another package's regulation. So ``game_sums.summed``
calls a kernel only with what was held against these bounds: rules when they are made
(``Expectation``, ``PlainGames``), games and ratings each time (``plain_games.admit``). The checks
are no assertions: they stay under ``python -O``.
"""

from __future__ import annotations

import numpy as np

from ledger.errors import VerificationFailed
from ledger.facts.columns import AnyColumn, Column

NO_LIMIT = 1_000_000_000  # more than any figure it stands for
MOST_PLAYERS = 2**31 - 1  # their indexes are of 32 bits
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


def admit_others(others: Column, rows: int) -> None:
    """Checks the rows of the games that are not plain, out of so many: ascending, each once.

    Raises:
        VerificationFailed: they are not so.
    """
    check_column("others", others, len(others), 0, rows - 1)
    descending = np.flatnonzero(others[1:] <= others[:-1])
    if descending.size:
        row = int(descending[0]) + 1
        raise _impossible("others", int(others[row]), row, int(others[row - 1]) + 1, rows - 1)


def check_column(name: str, column: AnyColumn, length: int, least: int, most: int) -> None:
    """Checks that a column holds integers, as many as said, from the least to the most.

    Raises:
        VerificationFailed: it does not; column and value are named, with the row.
    """
    unsigned = _UNSIGNED.get(column.dtype)
    if unsigned is None or column.shape != (length,):
        raise misshapen(name, column, length)
    if not length:
        return
    if least == 0:  # as an unsigned one, what is below is above: one look instead of two
        within = np.maximum.reduce(column.view(unsigned)) <= most
    else:
        within = np.maximum.reduce(column) <= most and np.minimum.reduce(column) >= least
    if not within:
        row = int(np.flatnonzero((column < least) | (column > most))[0])
        raise _impossible(name, int(column[row]), row, least, most)


def check_figure(name: str, figure: int, least: int, most: int) -> None:
    """Checks that a figure lies between the least and the most.

    Raises:
        VerificationFailed: it does not; it is named, with its value.
    """
    if not least <= figure <= most:
        raise _impossible(name, figure, 0, least, most)


def misshapen(name: str, column: AnyColumn, length: int) -> VerificationFailed:
    """Returns the error that a column is not of the type or length it must be."""
    return VerificationFailed(
        "verify.kernel_column", column=name, type=column.dtype, shape=column.shape, length=length
    )


def _impossible(name: str, value: int, row: int, least: int, most: int) -> VerificationFailed:
    return VerificationFailed(
        "verify.kernel_value", column=name, value=value, row=row, least=least, most=most
    )
