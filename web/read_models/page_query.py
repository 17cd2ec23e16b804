"""A page of a table of people: chosen, searched by name, in an order, after a place of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from ledger.spelling import folded
from web.read_models.name_search import meant, query_of

_MOST_LOOKED_AT = 2_000  # for one page, which is a short one then

TableRow: TypeAlias = tuple[Any, ...]
"""The values of the columns asked for, and behind them the place in the order."""


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What is asked of a table ``rows``, whose row numbers are those of the index of names.

    Args:
        columns: of which the second is the id, the third the name.
        number: the column of the row numbers.
        place: the column of the places in the order; that of the numbers, or an indexed one.
        conditions: filters, each begun by `` AND ``, with ``values`` for their question marks.
        text: a name or an id that is looked for; None: nobody in particular.
        after: the place after which the page begins.
        limit: how many rows a page has.
        or_id: which rows an id means beside those that have it, as SQL with a question mark.
    """

    columns: Sequence[str]
    number: str
    place: str
    conditions: str
    values: Sequence[object]
    text: str | None
    after: int
    limit: int
    or_id: str = ""

    def page(self, connection: sqlite3.Connection) -> tuple[list[TableRow], int | None]:
        """Returns the rows of the page, and after which place the next begins (None: no next).

        Where few of many who may be meant are meant, the page is a shorter one, and the next goes
        on behind it. Raises ``sqlite3.Error``.
        """
        if self.text is not None:
            return self._searched(connection, self.text)
        found = self._select(connection, "FROM rows WHERE")
        return self._cut(found.fetchmany(self.limit + 1))

    def _searched(
        self, connection: sqlite3.Connection, text: str
    ) -> tuple[list[TableRow], int | None]:
        by_id = self._by_id(connection, text)
        query = query_of(connection, text)
        kept = list(by_id)
        looked_at = 0
        batches: Iterable[TableRow] = self._matching(connection, query) if query else ()
        batches = iter(batches)
        while batch := list(islice(batches, self.limit + 1)):
            kept += [row for row in _meant(text, batch) if row not in by_id]
            looked_at, last = looked_at + len(batch), _place(batch[-1])
            if sum(_place(row) <= last for row in kept) > self.limit:
                break
            if looked_at >= _MOST_LOOKED_AT:
                kept = [row for row in kept if _place(row) <= last]
                return sorted(kept, key=_place), last
        return self._cut(sorted(kept, key=_place))

    def _matching(self, connection: sqlite3.Connection, query: str) -> sqlite3.Cursor:
        if self.place == self.number:
            source = f"FROM names JOIN rows ON {self.number} = names.rowid WHERE names MATCH ? AND"
            return self._select(connection, source, query, place="names.rowid")
        matching = "(SELECT rowid FROM names WHERE names MATCH ?)"
        return self._select(connection, f"FROM rows WHERE {self.number} IN {matching} AND", query)

    def _by_id(self, connection: sqlite3.Connection, text: str) -> list[TableRow]:
        source, ids = "FROM rows WHERE id = ? AND", [text]
        if self.or_id:
            source, ids = f"FROM rows WHERE (id = ? OR {self.or_id}) AND", [text, text]
        try:
            return self._select(connection, source, *ids).fetchall()
        except UnicodeEncodeError:  # half a sign, which stands in no id
            return []

    def _select(
        self,
        connection: sqlite3.Connection,
        source: str,
        *values: str,
        place: str | None = None,
    ) -> sqlite3.Cursor:
        place = place or self.place
        return connection.execute(
            f"SELECT {', '.join(self.columns)}, {place} {source} {place} > ?{self.conditions} "
            f"ORDER BY {place}",
            (*values, min(self.after, 2**62), *self.values),
        )

    def _cut(self, found: list[TableRow]) -> tuple[list[TableRow], int | None]:
        kept = found[: self.limit]
        return kept, _place(kept[-1]) if len(found) > self.limit else None


def _meant(text: str, rows: list[TableRow]) -> list[TableRow]:
    """Returns which of the rows that the index found are meant: of a single word all of them."""
    if len(folded(text).split()) == 1:
        return rows
    fitting = meant(text, [row[1] for row in rows], [row[2] for row in rows])
    return [rows[at] for at in sorted(fitting)]


def _place(row: TableRow) -> int:
    place: int = row[-1]
    return place


def chosen(
    federations: Sequence[str], sex: str | None, members: Sequence[str] | None
) -> tuple[str, list[object]]:
    """Returns these filters as SQL, and their values; ``members`` are ids, None: everybody."""
    parts, values = "", list[object]()
    if federations:
        parts += f" AND federation IN ({', '.join('?' * len(federations))})"
        values += federations
    if sex is not None:
        parts += " AND sex = ?"
        values.append(sex)
    if members is not None:
        parts += " AND id IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(members))
    return parts, values
