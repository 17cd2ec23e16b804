"""The columns of a table: their names, what they hold, and how files and spreadsheets take it.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is taken for a
formula by a spreadsheet that opens a CSV file (OWASP, "CSV injection"). An apostrophe before it
makes it a text. Numbers stay numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ledger.errors import InputRefused

if TYPE_CHECKING:
    import pyarrow as pa  # the largest library of all, and so an extra

_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[-+][0-9]+([.,][0-9]+)?(/[0-9]+)?")


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


def text_column(texts: Sequence[str | None]) -> pa.Array:
    """Returns a column of texts."""
    import pyarrow as pa

    return pa.array(texts, pa.string())


def words(places: Any, texts: pa.Array) -> pa.Array:
    """Returns a column of words, by the place of each row's text (negative: none)."""
    import numpy as np
    import pyarrow as pa

    places = np.asarray(places, dtype=np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=places < 0), texts)


def constant(text: str, rows: int) -> pa.Array:
    """Returns a column of words that has the same text in every row."""
    import numpy as np

    return words(np.zeros(rows, dtype=np.int32), text_column([text]))


def is_formula(text: str) -> bool:
    """Whether a spreadsheet takes the text for a formula, and it is no number.

    >>> is_formula("=1+1"), is_formula("-3.5"), is_formula("Ana")
    (True, False, False)
    """
    return text.startswith(_FORMULAS) and not _NUMBER.fullmatch(text)


def as_text(text: str) -> str:
    """Returns the text as a cell that no spreadsheet executes.

    >>> as_text("@SUM(A1)"), as_text("-8531/6")
    ("'@SUM(A1)", '-8531/6')
    """
    return f"'{text}" if is_formula(text) else text


def need_arrow() -> None:
    """Is called before anything that reads or writes an archive, or a table as a file.

    Raises:
        InputRefused: Arrow (``pyarrow``) is not installed; says how it is.
    """
    if find_spec("pyarrow") is None:
        raise InputRefused("export.no_arrow")
