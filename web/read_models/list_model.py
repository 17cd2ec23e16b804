"""A rating list as a file: any page of it, in any order, chosen and searched, in milliseconds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ledger.application.directory import Selection
from ledger.application.list_pages import RowsAsked, RowsPage
from ledger.lists.orders import RowOrder, ordered
from ledger.lists.rating_list import COLUMNS, ListRows, RatingList
from web.read_models.connections import ReadConnections
from web.read_models.name_search import meant, query_of, write_names

SCHEMA = 1
"""The version of the files; those of another one are not looked for."""

_BATCH = 200  # rows that are looked at together, whether a text means them
_MOST_LOOKED_AT = 2_000  # for one page, which is a short one then
_FLAGS = ("provisional", "active")
_PLACES: Final[Mapping[RowOrder, str]] = {
    order: f"by_{order.value}" for order in RowOrder if order is not RowOrder.RANK
}
_TABLES = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE about (what TEXT NOT NULL);
CREATE TABLE rows (
    rank INTEGER PRIMARY KEY, id TEXT, name TEXT, federation TEXT, rating INTEGER,
    provisional INTEGER, games INTEGER, change INTEGER, k INTEGER, active INTEGER,
    sex TEXT, identity TEXT, {", ".join(f"{column} INTEGER" for column in _PLACES.values())}
);
BEGIN;
"""
_INDEXED = ("id", "federation", "sex", "provisional", "active", *_PLACES.values())


def write_list(
    path: Path,
    made: RatingList,
    sexes: Sequence[str | None],
    identities: Sequence[str],
) -> None:
    """Writes a list into an empty file.

    Args:
        path: the file.
        made: the list.
        sexes: of its players in the order of the rows, ``m`` or ``w`` where known.
        identities: the digests of the documents that their names were read from.
    """
    rows = made.rows
    federations = sorted({code for code in rows.column("federation") if code})
    about = {"heading": made.heading(), "document": made.document_heading(), "rows": len(rows),
             "federations": federations, "basis_seq": made.basis.seq}  # fmt: skip
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(_TABLES)
        connection.execute("INSERT INTO about VALUES (?)", (json.dumps(about),))
        marks = ", ".join("?" * (len(COLUMNS) + 2 + len(_PLACES)))
        columns = [rows.column(name) for name in COLUMNS]
        places = (_inverse(ordered(rows, order)) for order in _PLACES)
        connection.executemany(
            f"INSERT INTO rows VALUES ({marks})",  # noqa: S608 - question marks only
            zip(*columns, sexes, identities, *places, strict=True),
        )
        write_names(connection, enumerate(rows.column("name"), 1))
        for column in _INDEXED:
            connection.execute(f"CREATE INDEX rows_{column} ON rows ({column})")
        connection.execute("ANALYZE")
        connection.execute("COMMIT")


def _inverse(places: Sequence[int]) -> list[int]:
    """Returns the number that each row has in an order, from 1."""
    numbers = [0] * len(places)
    for number, place in enumerate(places, 1):
        numbers[place] = number
    return numbers


class ListModel:
    """A list that was written into a file.

    ``heading`` is its JSON form without the rows, ``document_heading`` what stands before the rows
    in the bytes that go out. Every question raises ``sqlite3.Error`` where the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self._connections = ReadConnections(path)
        with self._connections.one() as connection:
            ((text,),) = connection.execute("SELECT what FROM about")
        about: dict[str, Any] = json.loads(text)
        self.heading: Mapping[str, Any] = about["heading"]
        self.document_heading: str = about["document"]
        self.count: int = about["rows"]
        self.federations: Sequence[str] = about["federations"]
        self.path = path

    def page(self, asked: RowsAsked) -> RowsPage:
        """Returns a page, as ``ledger.application.list_pages.page_of`` does.

        Where few of many who may be meant are meant, the page is a shorter one, and the next goes
        on behind it.
        """
        with self._connections.one() as connection:
            return _Question(connection, asked).page()

    def identities(self, ids: Sequence[str]) -> dict[str, str]:
        """Returns the digests of identity documents, by player id, of those who have a name."""
        marks = ", ".join("?" * len(ids))
        wanted = f"SELECT id, identity FROM rows WHERE id IN ({marks}) AND name <> ''"  # noqa: S608
        with self._connections.one() as connection:
            return dict(connection.execute(wanted, ids))

    def row(self, player: str) -> ListRows:
        """Returns the row of a player by id; no row where the player is not in the list."""
        with self._connections.one() as connection:
            found = connection.execute(f"{_SELECT} FROM rows WHERE id = ?", (player,))
            return _rows(list(found))

    def close(self) -> None:
        """Closes what nobody uses."""
        self._connections.close()


_SELECT = f"SELECT {', '.join(f'rows.{name}' for name in COLUMNS)}"


class _Question:
    """One page on its way."""

    def __init__(self, connection: sqlite3.Connection, asked: RowsAsked) -> None:
        self._connection = connection
        self._asked = asked
        self._place = _PLACES.get(asked.order, "rows.rank")
        self._conditions, self._values = _conditions(asked.selection)

    def page(self) -> RowsPage:
        text = self._asked.selection.search
        if text is None:
            found = self._select("FROM rows WHERE")
            return _page(found.fetchmany(self._asked.limit + 1), self._asked.limit)
        return self._searched(text)

    def _searched(self, text: str) -> RowsPage:
        """Returns the page of those whom a text may mean, by their names or an id."""
        limit, by_id = self._asked.limit, self._by_id(text)
        query = query_of(self._connection, text)
        kept = list(by_id)
        looked_at, last = 0, 0
        found: Iterable[tuple[Any, ...]] = self._matching(query) if query else ()
        batches = iter(found)
        while batch := list(islice(batches, _BATCH)):
            fitting = meant(text, [row[1] for row in batch], [row[2] for row in batch])
            kept += [batch[place] for place in sorted(fitting) if batch[place] not in by_id]
            looked_at, last = looked_at + len(batch), batch[-1][-1]
            if sum(row[-1] <= last for row in kept) > limit:
                break
            if looked_at >= _MOST_LOOKED_AT:
                kept = [row for row in kept if row[-1] <= last]
                return RowsPage(_rows(sorted(kept, key=_number)), last)
        return _page(sorted(kept, key=_number), limit)

    def _matching(self, query: str) -> sqlite3.Cursor:
        if self._asked.order is RowOrder.RANK:
            return self._select(
                "FROM names JOIN rows ON rows.rank = names.rowid WHERE names MATCH ? AND", query,
                place="names.rowid",
            )  # fmt: skip
        within = "rank IN (SELECT rowid FROM names WHERE names MATCH ?)"
        return self._select(f"FROM rows WHERE {within} AND", query)

    def _by_id(self, text: str) -> list[tuple[Any, ...]]:
        try:
            return self._select("FROM rows WHERE id = ? AND", text).fetchall()
        except UnicodeEncodeError:  # half a sign, which stands in no id
            return []

    def _select(self, source: str, *values: str, place: str | None = None) -> sqlite3.Cursor:
        """Asks for rows, each with its number in the order, after where the page begins."""
        place = place or self._place
        after = min(self._asked.after, 2**62)
        return self._connection.execute(
            f"{_SELECT}, {place} {source} {place} > ?{self._conditions} ORDER BY {place}",
            (*values, after, *self._values),
        )


def _conditions(selection: Selection) -> tuple[str, list[Any]]:
    """Returns the filters as SQL, and their values."""
    said, values = "", list[Any]()
    if selection.federations:
        said += f" AND federation IN ({', '.join('?' * len(selection.federations))})"
        values += selection.federations
    if selection.sex is not None:
        said += " AND sex = ?"
        values.append(selection.sex)
    if selection.active:
        said += " AND active = 1"
    if selection.provisional is not None:
        said += " AND provisional = ?"
        values.append(int(selection.provisional))
    return said, values


def _number(row: tuple[Any, ...]) -> int:
    number: int = row[-1]
    return number


def _page(found: list[tuple[Any, ...]], limit: int) -> RowsPage:
    """Returns the first of some rows, each with its number in the order at its end."""
    kept = found[:limit]
    return RowsPage(_rows(kept), _number(kept[-1]) if len(found) > limit else None)


def _rows(found: Sequence[tuple[Any, ...]]) -> ListRows:
    columns = dict(zip(COLUMNS, zip(*found, strict=True), strict=False)) if found else {}
    made = {name: list(columns.get(name, ())) for name in COLUMNS}
    return ListRows(made | {name: list(map(bool, made[name])) for name in _FLAGS})
