"""What a database finds wrong with itself: pages that cannot be read, indexes that lack rows.

SQLite has a check of its own. On PostgreSQL every index of the ledger is held against its table: by
``amcheck`` where that extension is installed and may be used, else by reading all its entries in
their order, and all rows of the table, and comparing their number and the sum of their hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ledger.journal.stores.objects import TABLES, TableIndex, missing_objects, table_indexes
from ledger.wording import Message

MOST: Final = 100
"""How many damages are told."""

_SEEN = 10_000
_NUMBER = re.compile(r"\d+")


def damage(connection: Connection) -> list[Message]:
    """Returns what is wrong with the database, which is read whole; at most ``MOST`` damages.

    Args:
        connection: one on which nothing was asked yet.

    Raises:
        DBAPIError: it cannot be read at all.
    """
    check = _sqlite
    if connection.dialect.name != "sqlite":
        check = _postgresql
        # Index and table are read after each other, and are to be of the same moment.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    missing = (Message.of("verify.missing", object=one) for one in missing_objects(connection))
    return list(islice(chain(missing, check(connection)), MOST))


def _sqlite(connection: Connection) -> Iterator[Message]:
    """Yields the first damage of each kind, and how many there are (``_SEEN`` in all at most)."""
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({_SEEN})").scalars().all()
    kinds: dict[str, list[str]] = {}
    for row in rows:
        if row != "ok":
            kinds.setdefault(_NUMBER.sub("", row), []).append(row)
    for alike in kinds.values():
        yield Message.of("verify.damage", what=alike[0], count=len(alike))


# PostgreSQL


_AMCHECK = """
SELECT quote_ident(n.nspname) FROM pg_extension e
JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
  AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
JOIN pg_proc p ON p.oid = d.objid AND p.proname = 'bt_index_check' AND p.pronargs = 2
JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE e.extname = 'amcheck' AND has_function_privilege(p.oid, 'EXECUTE')
"""
_BY_INDEX = {"enable_indexscan", "enable_indexonlyscan"}
_BY_TABLE = {"enable_seqscan"}
_WAYS = (*_BY_INDEX, *_BY_TABLE, "enable_bitmapscan", "enable_sort", "enable_incremental_sort")


def _postgresql(connection: Connection) -> Iterator[Message]:
    amcheck = connection.exec_driver_sql(_AMCHECK).scalar()
    for index in chain.from_iterable(map(table_indexes, TABLES)):
        try:
            with connection.begin_nested():
                if amcheck is None:
                    yield from compare(connection, index)
                else:
                    check = f"SELECT {amcheck}.bt_index_check(%(index)s::regclass, true)"
                    connection.exec_driver_sql(check, {"index": index.name})
        except DBAPIError as error:
            yield Message.of(
                "verify.damage", what=_first_line(index.name, error.orig or error), count=1
            )


def _first_line(index: str, error: BaseException) -> str:
    first, *_ = str(error).splitlines()
    return f"{index}: {first}"


def compare(connection: Connection, index: TableIndex) -> Iterator[Message]:
    """Holds all entries of an index on PostgreSQL against all rows of its table."""
    columns = ", ".join(index.columns)
    where = f" WHERE {index.where}" if index.where else ""
    entries = f"SELECT {columns} FROM {index.table}{where} ORDER BY {columns}"
    _allow(connection, _BY_INDEX)
    plan = connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {_sum(columns, entries)}").scalars()
    if not any(f" using {index.name} on " in line for line in plan):
        yield Message.of("verify.index_unused", index=index.name, table=index.table)
        return
    found = connection.exec_driver_sql(_sum(columns, entries)).one()
    _allow(connection, _BY_TABLE)
    rows = f"SELECT {columns} FROM {index.table}{where}"
    wanted = connection.exec_driver_sql(_sum(columns, rows)).one()
    if found != wanted:
        values = {"index": index.name, "entries": found[0], "rows": wanted[0]}
        yield Message.of("verify.index", table=index.table, **values)


def _sum(columns: str, rows: str) -> str:
    """Returns the query for the number of some rows and the sum of their hashes."""
    return (
        f"SELECT count(*), sum(hashtextextended(concat_ws(' ', {columns}), 0)) "
        f"FROM ({rows}) AS entry"
    )


def _allow(connection: Connection, ways: set[str]) -> None:
    """Lets the planner read in these ways only, up to the end of the transaction."""
    settings = (f"set_config('{way}', '{'on' if way in ways else 'off'}', true)" for way in _WAYS)
    connection.exec_driver_sql(f"SELECT {', '.join(settings)}")
