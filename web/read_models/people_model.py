"""The register of players as a file: by name, searched and page by page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ledger.answers.people_pages import PeopleAsked, PeoplePage
from ledger.reports.directory import Person, PlayerDirectory
from web.read_models.connections import ReadConnections, file_to_write
from web.read_models.name_search import write_names
from web.read_models.page_query import PageQuery, chosen

_COLUMNS = ("number", "id", "name", "federation", "sex", "birth_date")
_TABLES = """
CREATE TABLE rows (
    number INTEGER PRIMARY KEY, id TEXT, name TEXT, federation TEXT, sex TEXT, birth_date TEXT
);
CREATE TABLE issued (id TEXT, row INTEGER, PRIMARY KEY (id, row)) WITHOUT ROWID;
"""
_INDEXED = ("id", "federation", "sex")


def write_people(path: Path, directory: PlayerDirectory) -> None:
    """Writes a register into an empty file."""
    order = directory.listed()
    with file_to_write(path, _TABLES) as connection:
        people = ((number, directory[place]) for number, place in enumerate(order, 1))
        connection.executemany(
            "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)",
            (
                (number, each.id, each.name or "", each.federation, each.sex, each.birth_date)
                for number, each in people
            ),
        )
        number_of = {place: number for number, place in enumerate(order, 1)}
        issued = ((id_, at) for id_, who in directory.issued.items() for _, at in who)
        connection.executemany(
            "INSERT OR IGNORE INTO issued VALUES (?, ?)",
            ((id_, number_of[at]) for id_, at in issued),
        )
        names = (directory[place].name or "" for place in order)
        write_names(connection, enumerate(names, 1))
        for column in _INDEXED:
            connection.execute(f"CREATE INDEX rows_{column} ON rows ({column})")
        connection.execute("ANALYZE")


class PeopleModel(ReadConnections):
    """A register that was written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            found = connection.execute("SELECT DISTINCT federation FROM rows")
            self.federations = sorted(code for (code,) in found if code)

    def page(self, wanted: PeopleAsked, members: Sequence[str] | None = None) -> PeoplePage:
        """Returns a page, as ``ledger.answers.people_pages.people_page`` does.

        ``members`` are the ids of those who are of the category in what the facts tell.
        """
        conditions, values = chosen(wanted.federations, wanted.category.sex, members)
        query = PageQuery(
            columns=_COLUMNS,
            number="number",
            place="number",
            conditions=conditions,
            values=values,
            text=wanted.search,
            after=wanted.after,
            limit=wanted.limit,
            or_id="number IN (SELECT row FROM issued WHERE id = ?)",
        )
        with self.one() as connection:
            found, after = query.page(connection)
        people = (Person(id_, name or None, *rest) for _, id_, name, *rest, _ in found)
        return PeoplePage(tuple(people), after)
