"""Expected scores by look-up: an integer for each whole point of difference.

Every model of the expected score is such a table, so that a replay gives the same integers on
every machine.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np

from ledger.facts.columns import Column
from ledger.rating.bounds import MOST_PRODUCT, check_column, check_figure

_LONGEST_TABLE = 2**24


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected score of the higher rated player by |D|; the last entry holds beyond the end.

    Entries are in units of ``1 / scale`` of a point, an even number of them. ``by_difference`` has
    both players' scores, from the lowest difference to the highest; ``most`` is the greatest.
    """

    higher: Column
    scale: int
    by_difference: Column = field(init=False, repr=False, compare=False)
    most: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Puts both players' scores into one table, from the lowest difference to the highest.

        Raises:
            VerificationFailed: both players' expected scores of a difference do not make one
                point, or are more than the kernels can be given (see ``bounds``).
        """
        assert self.scale % 2 == 0, "half a point is a whole number of units"
        both = np.concatenate((self.scale - self.higher[:0:-1], self.higher))
        object.__setattr__(self, "by_difference", both.astype(np.int64))
        object.__setattr__(self, "most", self._checked())

    def _checked(self) -> int:
        """Returns the greatest expected score, which is the most that W - P(D) can be."""
        table, scale = self.by_difference, self.scale
        check_figure("scale", scale, 2, MOST_PRODUCT)
        check_figure("expected", len(table), 1, _LONGEST_TABLE)
        check_column("expected", table, 2 * len(self.higher) - 1, -MOST_PRODUCT, MOST_PRODUCT)
        check_column("expected", table + table[::-1] - scale, len(table), 0, 0)
        return int(table.max())

    def of(self, differences: Column) -> Column:
        """Returns the expected scores for differences D in points, own rating minus opponent's."""
        places = differences + (len(self.higher) - 1)
        return self.by_difference.take(places, mode="clip")

    def one(self, difference: int) -> int:
        """Returns the expected score for one difference."""
        return int(self.of(np.array([difference], dtype=np.int64))[0])


@cache
def printed_table(package: str, name: str) -> tuple[dict[str, str], ...]:
    """Reads a table that is kept as it is printed in its source (CSV with a header)."""
    text = resources.files(package).joinpath("tables", name).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def from_bands(rows: tuple[dict[str, str], ...]) -> Expectation:
    """Makes the look-up from bands ``from,to,higher`` (points, points, hundredths)."""
    higher: list[int] = []
    for row in rows:
        assert int(row["from"]) == len(higher), f"the bands do not join at {row}"
        last = int(row["to"] or row["from"])
        higher += [int(row["higher"])] * (last - len(higher) + 1)
    return Expectation(np.array(higher, dtype=np.int64), scale=100)
