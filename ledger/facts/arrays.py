"""The kinds of columns, and tables of them: values of equal length, one row for each of a kind."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Generic, Self, TypeAlias, TypeVar, get_type_hints

import numpy as np

# As ``numpy.typing.NDArray`` has them, whose module takes longer to load than many another.
Column: TypeAlias = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
AnyColumn: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Int8: TypeAlias = Annotated[Column, "i1"]
Int16: TypeAlias = Annotated[Column, "<i2"]
Int32: TypeAlias = Annotated[Column, "<i4"]
Int64: TypeAlias = Annotated[Column, "<i8"]
Codes: TypeAlias = Annotated[AnyColumn, "u1"]
NOBODY = -1
NEVER = dt.date.max.toordinal()


def is_among(column: Column, ascending: Column) -> Mask:
    """Returns which values of a column are in another one, which is in ascending order.

    ``np.isin`` says the same, but sorts both first, and loads masked arrays for it.
    """
    if not len(ascending):
        return np.zeros(len(column), dtype=np.bool_)
    found = np.searchsorted(ascending, column)
    found[found == len(ascending)] = 0
    among: Mask = ascending[found] == column
    return among


_types: dict[type[Any], Mapping[str, str]] = {}


def column_types(table: type[Any]) -> Mapping[str, str]:
    """Returns the types of a table's columns by name, in order, as their annotations say them."""
    if table not in _types:
        hints = get_type_hints(table, include_extras=True)
        _types[table] = {each.name: hints[each.name].__metadata__[0] for each in fields(table)}
    return _types[table]


@dataclass(frozen=True, slots=True)
class ColumnTable:
    """Columns of equal length, sorted by ``seq``, the event each row comes from.

    The types of the others are the narrowest that hold whatever an event may say.
    """

    seq: Int64

    def __len__(self) -> int:
        return len(self.seq)

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, ...]]) -> Self:
        """Returns a table of rows, each with the values in the order of the columns."""
        types = column_types(cls).values()
        columns = zip(*rows, strict=True) if rows else [()] * len(types)
        return cls.typed(*columns)

    @classmethod
    def typed(cls, *columns: Any) -> Self:
        """Returns a table of columns in any width."""
        types = column_types(cls).values()
        return cls(*(np.asarray(c, dtype=type_) for c, type_ in zip(columns, types, strict=True)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Returns the parts one after the other."""
        if len(parts) == 1:
            return parts[0]
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def rows(self, chosen: Column | Mask | slice) -> Self:
        """Returns the chosen rows."""
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def places(self, first_seq: int, last_seq: int) -> slice:
        """Returns where the rows of a range of events stand."""
        start, end = np.searchsorted(self.seq, (first_seq, last_seq + 1)).tolist()
        return slice(start, end)


T = TypeVar("T", bound=ColumnTable)


class Growing(Generic[T]):
    """A table that grows; what it was once asked for stays as it was."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._parts = [kind.of(())]
        self._rows: list[tuple[Any, ...]] = []

    def append(self, *row: Any) -> None:
        """Appends a row."""
        self._rows.append(row)

    def extend(self, table: T) -> None:
        """Appends a table."""
        self._close()
        self._parts.append(table)

    def table(self) -> T:
        """Returns what there is."""
        self._close()
        if len(self._parts) > 1:
            self._parts = [self._kind.joined(self._parts)]
        return self._parts[0]

    def fork(self) -> Growing[T]:
        """Returns one that grows on its own."""
        made = Growing(self._kind)
        made._parts, made._rows = list(self._parts), list(self._rows)
        return made

    def _close(self) -> None:
        if self._rows:
            self._parts.append(self._kind.of(self._rows))
            self._rows = []


def among(everybody: int, *players: Column) -> Column:
    """Returns the players named in any of the columns, once each and ascending."""
    marked = np.zeros(everybody, dtype=np.bool_)
    for column in players:
        marked[column] = True
    return np.flatnonzero(marked)


def scattered(everybody: int, players: Column, values: Column) -> Column:
    """Returns the values of some players in a vector of everybody's, 0 for the others."""
    vector = np.zeros(everybody, dtype=values.dtype)
    vector[players] = values
    return vector
