"""The rows of a ledger as tuples, and the statement that puts them into a database bare."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Table, create_engine

from benchmarks.measuring import Watch
from ledger.journal.stores.database import normalise
from ledger.journal.stores.schema import COMMITS, EVENTS, METADATA, PERSONAL

_PAGE = 20_000


def into_sqlite(path: Path, source: Path, since: int, watch: Watch) -> None:
    """Puts the rows into a new file by ``executemany``, in one transaction, with durable settings.

    No hashes, no triggers, no reading: the watch runs for the writing alone.
    """
    engine = create_engine(normalise(str(path)))
    METADATA.create_all(engine)
    engine.dispose()
    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        target.execute("PRAGMA journal_mode = WAL")
        target.execute("PRAGMA synchronous = FULL")
        with watch.running():
            target.execute("BEGIN IMMEDIATE")
        for table, rows in stored(source, since):
            statement = insert(table, "?")
            with watch.running():
                target.executemany(statement, rows)
            watch.figures["rows"] = watch.figures.get("rows", 0) + len(rows)
        with watch.running():
            target.execute("COMMIT")


def insert(table: Table, mark: str) -> str:
    """Returns the statement that inserts a row."""
    marks = ", ".join(mark for _ in table.columns)
    return f"INSERT INTO {table.name} ({', '.join(table.columns.keys())}) VALUES ({marks})"


def stored(path: Path, since: int = 1) -> Iterator[tuple[Table, list[tuple[Any, ...]]]]:
    """Yields the rows of a ledger page by page, so that no history is too long.

    ``since`` is the first commit; documents of people are those of all, where it is the first.
    """
    with closing(sqlite3.connect(path)) as source:
        for table in (COMMITS, EVENTS, *((PERSONAL,) if since == 1 else ())):
            names = ", ".join(table.columns.keys())
            its = f"WHERE commit_id >= {since}" if since > 1 else ""
            rows = source.execute(f"SELECT {names} FROM {table.name} {its} ORDER BY 1")
            while page := rows.fetchmany(_PAGE):
                yield table, page
