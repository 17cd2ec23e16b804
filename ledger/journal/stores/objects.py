"""The objects of a database: what the migrations make, what else stands there, and what is damaged.

What is the ledger's own is derived from ``schema`` and ``triggers``. Tables, indexes and, on
PostgreSQL, columns and constraints are compared with their definition; of triggers only the name
and the table are, because ``missing_triggers`` compares the rest. On PostgreSQL the objects are
those of the schema in which the tables stand, without what belongs to an extension.

Damage are pages that cannot be read, and indexes that lack rows. SQLite has a check of its own. On
PostgreSQL every index of the ledger is held against its table: by ``amcheck`` where that extension
is installed and may be used, else by reading all its entries in their order, and all rows of the
table, and comparing their number and the sum of their hashes.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from itertools import chain, islice
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    ForeignKeyConstraint,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.dialects import registry
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import ColumnCollectionConstraint, CreateIndex, CreateTable

from ledger.journal.stores.schema import (
    COMMITS,
    EVENTS,
    METADATA,
    PERSONAL,
    SIGNATURES,
    WRITER_LOCK,
)
from ledger.journal.stores.triggers import (
    postgresql_functions,
    postgresql_triggers,
    sqlite_triggers,
)
from ledger.wording import Message

_RECORDED = {COMMITS.name, EVENTS.name, PERSONAL.name, SIGNATURES.name}

# Alembic's own, where it keeps the revision.
_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
TABLES = (*METADATA.sorted_tables, _VERSION)
"""Every table of a ledger's database, but what is on PostgreSQL alone."""

ON_POSTGRESQL = (*TABLES, WRITER_LOCK)
"""Those of a ledger on PostgreSQL."""


class DatabaseObject(NamedTuple):
    """An object by its kind and name, and its table if it belongs to one (else empty)."""

    kind: str
    name: str
    table: str = ""

    def __str__(self) -> str:
        named = " ".join(part for part in (self.kind, self.name) if part)
        return f"{named} on {self.table}" if self.table else named

    @property
    def alters_records(self) -> bool:
        """Whether it acts when something is recorded: a trigger or rule on such a table."""
        return self.kind in {"trigger", "rule"} and self.table in _RECORDED


Objects: TypeAlias = Mapping[DatabaseObject, str]
"""Object to its definition, as the database words it; empty where only the name is compared."""


def foreign_objects(connection: Connection) -> list[DatabaseObject]:
    """Returns the objects that are not the ledger's, or not as it makes them; sorted."""
    found, made = _found(connection), _made(connection.dialect.name)
    return sorted(object_ for object_ in found if made.get(object_) != found[object_])


def missing_objects(connection: Connection) -> list[DatabaseObject]:
    """Returns the objects of the ledger that are not there, without triggers; sorted."""
    missing = _made(connection.dialect.name).keys() - _found(connection).keys()
    return sorted(object_ for object_ in missing if object_.kind != "trigger")


def _found(connection: Connection) -> Objects:
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(_SQLITE_OBJECTS).all()
    else:
        name_plainly(connection)
        tables = [table.name for table in ON_POSTGRESQL]
        rows = connection.exec_driver_sql(_POSTGRESQL_OBJECTS, {"tables": tables}).all()
    return {DatabaseObject(*row[:3]): " ".join(row[3].split()) for row in rows}


@cache
def _made(backend: str) -> Objects:
    """Returns what the migrations make on ``sqlite`` or ``postgresql``."""
    return _made_on_sqlite() if backend == "sqlite" else _made_on_postgresql()


# SQLite

# A table is no object of itself; statistics are made by ANALYZE.
_SQLITE_OBJECTS = r"""
SELECT type, name, CASE WHEN type IN ('table', 'view') THEN '' ELSE tbl_name END,
  CASE WHEN type = 'trigger' THEN '' ELSE coalesce(sql, '') END
FROM sqlite_master WHERE NOT (type = 'table' AND name LIKE 'sqlite\_stat_' ESCAPE '\')
"""


def _made_on_sqlite() -> Objects:
    """Returns what an empty database in memory holds after the same statements."""
    dialect = registry.load("sqlite")()
    with closing(sqlite3.connect(":memory:")) as memory:
        for table in TABLES:
            memory.execute(str(CreateTable(table).compile(dialect=dialect)))
            for index in table.indexes:
                memory.execute(str(CreateIndex(index).compile(dialect=dialect)))
        for statement in sqlite_triggers().values():
            memory.execute(statement)
        rows = memory.execute(_SQLITE_OBJECTS).fetchall()
    return {DatabaseObject(*row[:3]): " ".join(row[3].split()) for row in rows}


# PostgreSQL


def name_plainly(connection: Connection) -> None:
    """Has PostgreSQL word definitions, for a transaction, without quotes that are not needed."""
    connection.exec_driver_sql("SELECT set_config('quote_all_identifiers', 'off', true)")


_POSTGRESQL_OBJECTS = """
WITH ours AS (
  SELECT c.oid, c.relname::text AS name, c.relnamespace, n.nspname, c.relrowsecurity
  FROM unnest(%(tables)s::text[]) AS wanted (name)
  JOIN pg_class c ON c.oid = to_regclass(quote_ident(wanted.name))
  JOIN pg_namespace n ON n.oid = c.relnamespace
), extension AS (
  SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
), columns AS (
  SELECT ours.name AS table_name, a.*, t.typcollation FROM ours
  JOIN pg_attribute a ON a.attrelid = ours.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
)
SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence'
    WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'partitioned table' END,
  c.relname::text, '', CASE c.relpersistence WHEN 'p' THEN '' ELSE 'not permanent' END
FROM pg_class c WHERE c.relkind IN ('r', 'v', 'S', 'm', 'f', 'p')
  AND c.relnamespace IN (SELECT relnamespace FROM ours)
  AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM extension)
UNION ALL
SELECT 'column', attname::text, table_name, lower(format_type(atttypid, atttypmod)
  || CASE WHEN attcollation = typcollation THEN ''
     ELSE (SELECT ' collate "' || collname || '"' FROM pg_collation WHERE oid = attcollation) END
  || CASE WHEN attnotnull THEN ' not null' ELSE '' END)
FROM columns
UNION ALL
SELECT CASE WHEN attidentity <> '' THEN 'identity column' WHEN attgenerated <> ''
  THEN 'generated column' ELSE 'default of column' END, attname::text, table_name, ''
FROM columns WHERE atthasdef OR attidentity <> ''
UNION ALL
SELECT 'index', indexrelid::regclass::text, ours.name, replace(pg_get_indexdef(indexrelid),
  ' ON ' || format('%%I.%%I', ours.nspname, ours.name) || ' ', ' ON ' || ours.name || ' ')
FROM pg_index JOIN ours ON ours.oid = indrelid
UNION ALL
SELECT 'constraint', conname::text, ours.name, pg_get_constraintdef(c.oid, true)
FROM pg_constraint c JOIN ours ON ours.oid = conrelid WHERE contype NOT IN ('n', 't')
UNION ALL
SELECT 'trigger', tgname::text, ours.name, ''
FROM pg_trigger JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
UNION ALL
SELECT 'rule', rulename::text, ours.name, '' FROM pg_rewrite JOIN ours ON ours.oid = ev_class
UNION ALL
SELECT 'policy', polname::text, ours.name, '' FROM pg_policy JOIN ours ON ours.oid = polrelid
UNION ALL
SELECT 'row level security', '', name, '' FROM ours WHERE relrowsecurity
UNION ALL
SELECT 'inheriting table', inhrelid::regclass::text, ours.name, ''
FROM pg_inherits JOIN ours ON ours.oid = inhparent
UNION ALL
SELECT 'parent table', inhparent::regclass::text, ours.name, ''
FROM pg_inherits JOIN ours ON ours.oid = inhrelid
UNION ALL
SELECT 'event trigger', evtname::text, '', '' FROM pg_event_trigger
WHERE ('pg_event_trigger'::regclass, oid) NOT IN (SELECT classid, objid FROM extension)
UNION ALL
SELECT 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')', '', ''
FROM pg_proc WHERE pronamespace IN (SELECT relnamespace FROM ours)
  AND ('pg_proc'::regclass, oid) NOT IN (SELECT classid, objid FROM extension)
UNION ALL
SELECT 'operator', oid::regoperator::text, '', ''
FROM pg_operator WHERE oprnamespace IN (SELECT relnamespace FROM ours)
  AND ('pg_operator'::regclass, oid) NOT IN (SELECT classid, objid FROM extension)
"""


def _made_on_postgresql() -> Objects:
    dialect = registry.load("postgresql")()
    made = {DatabaseObject("function", f"{name}()"): "" for name in postgresql_functions("")}
    for name, (table, _, _) in postgresql_triggers().items():
        made[DatabaseObject("trigger", name, table)] = ""
    for own in ON_POSTGRESQL:
        made[DatabaseObject("table", own.name)] = ""
        for column in own.columns:
            type_ = column.type.compile(dialect=dialect).replace("VARCHAR", "character varying")
            null = "" if column.nullable else " not null"
            made[DatabaseObject("column", column.name, own.name)] = f"{type_.lower()}{null}"
        made |= dict(_constraints(own))
        for index in table_indexes(own):
            made[DatabaseObject("index", index.name, own.name)] = index.definition()
    return made


def _constraints(table: Table) -> Iterator[tuple[DatabaseObject, str]]:
    """Yields them with the names and definitions that PostgreSQL gives them."""
    for constraint in table.constraints:
        assert isinstance(constraint, ColumnCollectionConstraint), "the schema has no others"
        columns = ", ".join(constraint.columns.keys())
        if not columns:  # of a table without any
            continue
        match constraint:
            case PrimaryKeyConstraint():
                name, definition = _unique_name(constraint), f"PRIMARY KEY ({columns})"
            case UniqueConstraint():
                name, definition = _unique_name(constraint), f"UNIQUE ({columns})"
            case ForeignKeyConstraint():
                (key,) = constraint.elements
                name = f"{table.name}_{columns}_fkey"
                target = f"{key.column.table.name}({key.column.name})"
                definition = f"FOREIGN KEY ({columns}) REFERENCES {target}"
            case _:
                raise AssertionError(constraint)
        yield DatabaseObject("constraint", name, table.name), definition


def _unique_name(constraint: PrimaryKeyConstraint | UniqueConstraint) -> str:
    """Returns the name of a constraint and of its index; PostgreSQL's, where we give none."""
    if constraint.name is not None:
        return str(constraint.name)
    if isinstance(constraint, PrimaryKeyConstraint):
        return f"{constraint.table.name}_pkey"
    return f"{constraint.table.name}_{'_'.join(constraint.columns.keys())}_key"


class TableIndex(NamedTuple):
    """An index of the ledger on PostgreSQL; ``where`` is the condition of a partial one."""

    name: str
    table: str
    columns: tuple[str, ...]
    unique: bool
    where: str = ""

    def definition(self) -> str:
        """Returns the statement that makes it, as PostgreSQL words it."""
        unique = "UNIQUE " if self.unique else ""
        made = f"CREATE {unique}INDEX {self.name} ON {self.table} USING btree "
        made += f"({', '.join(self.columns)})"
        if self.where:
            terms = (f"({term}::text)" for term in self.where.split(" OR "))
            made += f" WHERE ({' OR '.join(terms)})"
        return made


def table_indexes(table: Table) -> Iterator[TableIndex]:
    """Yields the indexes of a table, those of its constraints among them."""
    for constraint in table.constraints:
        columns = tuple(getattr(constraint, "columns", {}).keys())
        if columns and isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint):
            yield TableIndex(_unique_name(constraint), table.name, columns, unique=True)
    for index in table.indexes:
        where = index.dialect_options["postgresql"]["where"]
        yield TableIndex(
            str(index.name),
            table.name,
            tuple(column.name for column in index.columns),
            unique=index.unique,
            where="" if where is None else str(where),
        )


# Damage

MOST: Final = 100
"""How many damages are told."""

_SEEN = 10_000
_NUMBER = re.compile(r"\d+")


def damage(connection: Connection) -> list[Message]:
    """Returns what is wrong with the database, which is read whole; at most ``MOST`` damages.

    Raises:
        DBAPIError: it cannot be read at all.
    """
    check = _sqlite_damage
    if connection.dialect.name != "sqlite":
        check = _postgresql_damage
        # Index and table are read after each other, and are to be of the same moment.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    missing = (Message.of("verify.missing", object=str(one)) for one in missing_objects(connection))
    return list(islice(chain(missing, check(connection)), MOST))


def _sqlite_damage(connection: Connection) -> Iterator[Message]:
    """Yields the first damage of each kind, and how many there are (``_SEEN`` in all at most)."""
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({_SEEN})").scalars().all()
    kinds: dict[str, list[str]] = {}
    for row in rows:
        if row != "ok":
            kinds.setdefault(_NUMBER.sub("", row), []).append(row)
    for alike in kinds.values():
        yield Message.of("verify.damage", what=alike[0], count=len(alike))


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


def _postgresql_damage(connection: Connection) -> Iterator[Message]:
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
