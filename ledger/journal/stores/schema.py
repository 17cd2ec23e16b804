"""The tables of the journal, as SQLAlchemy sees them: a column for each field of a record.

Alembic makes them (``migrations``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

from ledger.journal.records import (
    Commit,
    CommitSignature,
    KeptSnapshot,
    PersonalDocument,
    SealedSegment,
    StoredEvent,
)
from ledger.journal.stores.triggers import IS_BEGINNING

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""Every migration, the newest last; a test holds them against the scripts."""

BEGINNING_INDEX = "events_beginning"

LISTED: Final = "listed"
"""To what the values of a condition are bound, where a query is asked again with others."""
Bound: TypeAlias = Mapping[str, Any] | None

METADATA = MetaData()

_WHOLE_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")
# What a field is declared as, to the type of its column.
_TYPES: dict[str, TypeEngine[Any]] = {
    "int": _WHOLE_NUMBER,
    "Seq": _WHOLE_NUMBER,
    "str": Text(),
    "bytes": LargeBinary(),
}
# Those that are not of the type of their field.
_OTHER_TYPES: dict[tuple[str, str], TypeEngine[Any]] = {
    ("events", "version"): Integer(),
    # Code point order on every server, so that a prefix is a range of the index.
    ("events", "stream"): Text().with_variant(Text(collation="C"), "postgresql"),
    ("signatures", "account"): Text().with_variant(Text(collation="C"), "postgresql"),
}


def _table(name: str, record: type[Any], key: tuple[str, ...], *others: Any) -> Table:
    """Returns the table of a record; ``key`` is the primary one, ``others`` constraints."""
    columns: list[Column[Any]] = []
    for field in fields(record):
        declared, _, none = str(field.type).partition(" | ")
        columns.append(
            Column(
                field.name,
                _OTHER_TYPES.get((name, field.name), _TYPES[declared]),
                primary_key=field.name in key,
                autoincrement=False,
                nullable=bool(none),
            )
        )
    return Table(name, METADATA, *columns, *others, sqlite_strict=True)


COMMITS = _table("commits", Commit, ("commit_id",), UniqueConstraint("idempotency_key"))

# PostgreSQL's condition is added in ``stores.postgres``: SQLite need not load its dialect.
BEGINNINGS = Index(BEGINNING_INDEX, "stream", unique=True, sqlite_where=text(IS_BEGINNING))
EVENTS = _table(
    "events",
    StoredEvent,
    ("seq",),
    ForeignKeyConstraint(["commit_id"], ["commits.commit_id"]),
    Index("events_stream", "stream", "seq"),
    BEGINNINGS,
)

SIGNATURES = _table(
    "signatures",
    CommitSignature,
    ("commit_id", "account"),
    ForeignKeyConstraint(["commit_id"], ["commits.commit_id"]),
)

PERSONAL = _table("personal", PersonalDocument, ("digest",))

# Disposable: packed from the events, read instead of them, dropped and made again at will. The rows
# come last, so that the others can be read without them.
SEGMENTS = _table("segments", SealedSegment, ("first_seq",))

# Disposable as well: where everybody stood, so that a replay need not begin at the first period.
SNAPSHOTS = _table("snapshots", KeptSnapshot, ("list", "period", "basis", "key"))

# On PostgreSQL alone: whoever records locks it, which takes the right to change it. It has neither
# columns nor rows.
WRITER_LOCK = Table("writer_lock", MetaData())
