"""The columns of a table: their names, what they hold, and their types in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa


class ColumnType(StrEnum):
    """What a column holds.

    ``WORD`` is a text that comes again and again: an id, a period, a code.
    """

    TEXT = "text"
    WORD = "word"
    WHOLE = "whole"
    FLAG = "flag"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """One column; ``says`` is its line in the documentation; ``optional``: cells may be empty."""

    name: str
    kind: ColumnType
    says: str
    optional: bool = False


Page: TypeAlias = Mapping[str, Sequence[Any]]
"""Some rows, by column: lists, vectors of numpy or Arrow's arrays, all of one length."""


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table of any length; ``pages`` can be read once, and holds no more than a page."""

    name: str
    columns: tuple[ExportColumn, ...]
    pages: Iterable[Page]


def schema(columns: Sequence[ExportColumn]) -> pa.Schema:
    """Returns the columns as Arrow and Parquet have them."""
    import pyarrow as pa

    types = {
        ColumnType.TEXT: pa.string(),
        ColumnType.WORD: pa.dictionary(pa.int32(), pa.string()),
        ColumnType.WHOLE: pa.int64(),
        ColumnType.FLAG: pa.bool_(),
        ColumnType.DAY: pa.date32(),
    }
    return pa.schema(
        [pa.field(each.name, types[each.kind], nullable=each.optional) for each in columns]
    )


def batch(columns: Sequence[ExportColumn], page: Page) -> pa.RecordBatch:
    """Returns a page as Arrow has it."""
    import pyarrow as pa

    of = schema(columns)
    made = []
    for field in of:
        values = page[field.name]
        array = values if isinstance(values, pa.Array) else pa.array(values)
        made.append(array if array.type == field.type else array.cast(field.type))
    return pa.RecordBatch.from_arrays(made, schema=of)


def words(places: Any, texts: pa.Array) -> pa.Array:
    """Returns a column of words, by the place of each row's text (negative: none)."""
    import numpy as np
    import pyarrow as pa

    places = np.asarray(places, dtype=np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=places < 0), texts)


def constant(text: str, rows: int) -> pa.Array:
    """Returns a column of words that has the same text in every row."""
    import numpy as np
    import pyarrow as pa

    return words(np.zeros(rows, dtype=np.int32), pa.array([text], pa.string()))
