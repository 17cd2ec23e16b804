"""A rating list as a file: any page of it, in any order, chosen and searched, in milliseconds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from ledger.answers.directory import RowsAsked, RowsPage, Selection
from ledger.lists.rating_list import ListHeading, ListRow, ListRows, RatingList, RowOrder, ordered
from ledger.reports.list_marks import ListMarks, RowMark
from web.read_models.connections import ReadConnections, file_to_write
from web.read_models.name_search import write_names
from web.read_models.page_query import PageQuery, chosen

_NAMES: Final = tuple(field.name for field in fields(ListRow))
_FLAGS: Final = {field.name for field in fields(ListRow) if field.type in {"bool", bool}}
_MARKS: Final = tuple(field.name for field in fields(RowMark))
_COLUMNS = [f"rows.{name}" for name in (*_NAMES, *_MARKS)]  # the index of names has a rank as well
_RANK = "rows.rank"
_PLACES: Final[Mapping[RowOrder, str]] = {
    order: f"by_{order.value}" for order in RowOrder if order is not RowOrder.RANK
}
_TABLES = f"""
CREATE TABLE about (what TEXT NOT NULL);
CREATE TABLE rows (
    rank INTEGER PRIMARY KEY, {", ".join(_NAMES[1:])}, {", ".join(_MARKS)}, sex,
    {", ".join(f"{column} INTEGER" for column in _PLACES.values())}
);
"""
_INDEXED = ("id", "federation", "sex", "provisional", "active", *_PLACES.values())


@dataclass(frozen=True, slots=True)
class MarkedPage(RowsPage):
    """A page of a list with what stands beside each row."""

    marks: Sequence[RowMark]


def write_list(path: Path, rating_list: RatingList, marks: ListMarks) -> None:
    """Writes a list and its marks into an empty file."""
    rows = rating_list.rows
    federations = sorted({code for code in rows.published.federation if code})
    about = {
        "heading": rating_list.heading().data(),
        "document": rating_list.document_heading(),
        "rows": len(rows),
        "federations": federations,
        "basis_seq": rating_list.basis.seq,
        "lost": sorted(rating_list.lost),
        "moves": (marks.entered, marks.left, marks.moved),
    }
    with file_to_write(path, _TABLES) as connection:
        connection.execute("INSERT INTO about VALUES (?)", (json.dumps(about),))
        values = ", ".join("?" * (len(_NAMES) + len(_MARKS) + 1 + len(_PLACES)))
        places = (_inverse(ordered(rows, order)) for order in _PLACES)
        beside = ((each.title, each.club, each.born, _text(each.recent)) for each in marks.rows)
        connection.executemany(
            f"INSERT INTO rows VALUES ({values})",  # noqa: S608 - question marks only
            zip(
                *map(rows.column, _NAMES),
                *zip(*beside, strict=True),
                marks.sexes,
                *places,
                strict=True,
            ),
        )
        write_names(connection, enumerate(rows.published.name, 1))
        for column in _INDEXED:
            connection.execute(f"CREATE INDEX rows_{column} ON rows ({column})")
        connection.execute("ANALYZE")


def _inverse(places: Sequence[int]) -> list[int]:
    """Returns the number that each row has in an order, from 1."""
    numbers = [0] * len(places)
    for number, place in enumerate(places, 1):
        numbers[place] = number
    return numbers


class ListModel(ReadConnections):
    """A list that was written into a file.

    ``heading`` is its JSON form without the rows, ``document_heading`` what stands before the rows
    in the bytes that go out, ``count`` and ``rated`` are its players and those with a rating,
    ``lost`` has the ids of who has no rating any more, ``moves`` is what
    ``ListMarks`` counts. Every question raises ``sqlite3.Error`` where the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            ((text,),) = connection.execute("SELECT what FROM about")
            ((rated,),) = connection.execute("SELECT COUNT(*) FROM rows WHERE provisional = 0")
        about: dict[str, Any] = json.loads(text)
        self.heading = ListHeading.of_data(about["heading"])
        self.document_heading: str = about["document"]
        self.count: int = about["rows"]
        self.rated: int = rated
        self.federations: Sequence[str] = about["federations"]
        self.lost = frozenset[str](about["lost"])
        self.moves: tuple[int | None, int | None, int | None] = tuple(about["moves"])

    def page(self, wanted: RowsAsked, members: Sequence[str] | None = None) -> MarkedPage:
        """Returns a page; see ``PageQuery``.

        ``members`` are the ids of those who are of the category in what the facts tell.
        """
        conditions, values = _conditions(wanted.selection, members)
        query = PageQuery(
            columns=_COLUMNS,
            number=_RANK,
            place=_PLACES.get(wanted.order, _RANK),
            conditions=conditions,
            values=values,
            text=wanted.selection.search,
            after=wanted.after,
            limit=wanted.limit,
        )
        with self.one() as connection:
            found, after = query.page(connection)
        return MarkedPage(_rows(found), after, [_mark(*row[len(_NAMES) : -1]) for row in found])

    def fitting(self, selection: Selection, members: Sequence[str] | None = None) -> int:
        """Returns how many rows fit the filters, whatever name is looked for."""
        conditions, values = _conditions(selection, members)
        with self.one() as connection:
            ((count,),) = connection.execute(
                f"SELECT COUNT(*) FROM rows WHERE 1{conditions}",  # noqa: S608 - question marks only
                values,
            )
        return int(count)

    def rows_of(self, ids: Sequence[str]) -> ListRows:
        """Returns the rows of some players, by their ids: as many as are in the list."""
        with self.one() as connection:
            found = connection.execute(
                f"SELECT {', '.join(_NAMES)} FROM rows"  # noqa: S608 - names of columns
                " WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            ).fetchall()
        return _rows(found)


def _conditions(selection: Selection, members: Sequence[str] | None) -> tuple[str, list[object]]:
    """Returns the filters as SQL, and their values."""
    category = selection.category
    parts, values = chosen(selection.federations, category.sex, members)
    if category.under is not None:
        parts += " AND provisional = 0 AND rating < ?"
        values.append(category.under)
    if selection.active:
        parts += " AND active = 1"
    if selection.provisional is not None:
        parts += " AND provisional = ?"
        values.append(int(selection.provisional))
    return parts, values


def _text(recent: Sequence[int]) -> str:
    return " ".join(map(str, recent))


def _mark(title: str | None, club: str | None, born: int | None, recent: str) -> RowMark:
    return RowMark(title, club, born, tuple(map(int, recent.split())))


def _rows(found: Sequence[tuple[Any, ...]]) -> ListRows:
    """Returns the rows of a page; a flag was kept as a number."""
    columns = [list(column) for column in zip(*found, strict=True)] or [[] for _ in _NAMES]
    named = dict(
        zip(_NAMES, columns, strict=False)
    )  # behind them are marks, and the place in the order
    return ListRows.of_columns(named | {name: list(map(bool, named[name])) for name in _FLAGS})
