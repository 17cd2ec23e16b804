"""The rows of a rating list: kept as columns, made into rows when they are read one by one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from ledger.exports.columns import as_text
from ledger.json_form import JsonForm

COLUMNS = (
    "rank", "id", "name", "federation", "rating", "provisional", "games", "change", "k", "active",
)  # fmt: skip
_TEXTS = ("id", "name")
_FLAGS = ("provisional", "active")
_WORDS = ("no", "yes")


@dataclass(frozen=True, slots=True)
class ListRow(JsonForm):
    """One player of a list.

    A provisional player has the rating 0. ``games`` were rated in the period, or entered a
    provisional bucket; ``change`` is closing minus opening in points (None for a first rating),
    ``k`` the one in force from this list on.
    """

    rank: int
    id: str
    name: str
    federation: str | None
    rating: int
    provisional: bool
    games: int
    change: int | None
    k: int
    active: bool


class ListRows(Sequence[ListRow]):
    """The players of a list in their order; two are equal if all rows are.

    ``columns`` are the values by column, all of the same length.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._columns = tuple(columns[name] for name in COLUMNS)
        self._count = len(self._columns[0])

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[ListRow]:
        return map(ListRow, *self._columns)

    @overload
    def __getitem__(self, place: int) -> ListRow: ...

    @overload
    def __getitem__(self, place: slice) -> ListRows: ...

    def __getitem__(self, place: int | slice) -> ListRow | ListRows:
        chosen: list[Any] = [column[place] for column in self._columns]
        if isinstance(place, slice):
            return ListRows(dict(zip(COLUMNS, chosen, strict=True)))
        return ListRow(*chosen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ListRows):
            return NotImplemented
        return self._columns == other._columns

    def __hash__(self) -> int:
        return hash(tuple(self._columns[COLUMNS.index("id")]))

    def at(self, places: Sequence[int]) -> ListRows:
        """Returns the rows at some places."""
        chosen = [[column[place] for place in places] for column in self._columns]
        return ListRows(dict(zip(COLUMNS, chosen, strict=True)))

    def column(self, name: str) -> Sequence[Any]:
        """Returns the values of a column, in the order of the rows."""
        return self._columns[COLUMNS.index(name)]

    def data(self) -> list[dict[str, Any]]:
        """Returns the rows as JSON data, keys in the order of ``COLUMNS``."""
        return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*self._columns, strict=True)]

    def table(self, names: Sequence[str] = COLUMNS) -> str:
        """Writes columns as CSV: a header, LF line ends, ``yes``/``no``, nothing for None.

        Digests are made of these bytes: they never change.
        """
        return _written(names, [self._cells(name) for name in names])

    def table_without_names(self) -> str:
        """Writes the rows as ``table`` does, but as if nobody had a name.

        Names have their part in rank and order, so those of a list without any are given: by
        rating, then games, then id.
        """
        by_figures = sorted(
            zip(*map(self.column, ("rating", "games", "id")), range(self._count), strict=True),
            key=lambda row: (-row[0], -row[1], row[2]),
        )
        places = [place for *_, place in by_figures]
        names = tuple(column for column in COLUMNS if column != "name")
        others = ([cells[place] for place in places] for cells in map(self._cells, names[1:]))
        return _written(names, [range(1, self._count + 1), *others])

    def sheet(self) -> str:
        """Writes all columns as ``table`` does, but no cell that a spreadsheet would execute."""
        return _written(
            COLUMNS,
            [
                [as_text(text) for text in self.column(name)]
                if name in _TEXTS
                else self._cells(name)
                for name in COLUMNS
            ],
        )

    def _cells(self, name: str) -> Sequence[Any]:
        values = self.column(name)
        return [_WORDS[value] for value in values] if name in _FLAGS else values


def _written(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()
