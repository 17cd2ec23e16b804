"""The tables of the journal, as SQLAlchemy sees them. Alembic makes them (``migrations``)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from ledger.journal.stores.triggers import IS_BEGINNING

REVISIONS = ("0001", "0002", "0003", "0004", "0005")
"""Every migration, the newest last; a test holds them against the scripts."""

BEGINNING_INDEX = "events_beginning"

METADATA = MetaData()

_WHOLE = BigInteger().with_variant(Integer, "sqlite")
# Code point order on every server, so that a prefix is a range of the index.
_NAME = Text().with_variant(Text(collation="C"), "postgresql")

_BEGINNING = text(IS_BEGINNING)

COMMITS = Table(
    "commits",
    METADATA,
    Column("commit_id", _WHOLE, primary_key=True, autoincrement=False),
    Column("recorded_at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("source_name", Text),
    Column("source_sha256", Text),
    Column("idempotency_key", Text, nullable=False, unique=True),
    Column("body_sha256", Text, nullable=False),
    Column("first_seq", _WHOLE, nullable=False),
    Column("last_seq", _WHOLE, nullable=False),
    Column("peaks", Text, nullable=False),
    Column("root", Text, nullable=False),
    sqlite_strict=True,
)

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", _WHOLE, primary_key=True, autoincrement=False),
    Column("event_id", Text, nullable=False),
    Column("commit_id", _WHOLE, ForeignKey("commits.commit_id"), nullable=False),
    Column("type", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("effective_on", Text, nullable=False),
    Column("stream", _NAME, nullable=False),
    Column("payload", Text, nullable=False),
    Column("leaf_hash", Text, nullable=False),
    Index("events_stream", "stream", "seq"),
    Index(
        BEGINNING_INDEX,
        "stream",
        unique=True,
        sqlite_where=_BEGINNING,
        postgresql_where=_BEGINNING,
    ),
    sqlite_strict=True,
)

PERSONAL = Table(
    "personal",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("document", Text, nullable=False),
    sqlite_strict=True,
)

# Disposable: packed from the events, read instead of them, dropped and made again at will.
SEGMENTS = Table(
    "segments",
    METADATA,
    Column("first_seq", _WHOLE, primary_key=True, autoincrement=False),
    Column("last_seq", _WHOLE, nullable=False),
    Column("sealed_at", _WHOLE, nullable=False),
    Column("root", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("heading", LargeBinary, nullable=False),
    # Last, so that the others can be read without it.
    Column("rows", LargeBinary, nullable=False),
    sqlite_strict=True,
)

# Disposable as well: where everybody stood, so that a replay need not begin at the first period.
SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("list", Text, primary_key=True),
    Column("period", _WHOLE, primary_key=True, autoincrement=False),
    Column("basis", _WHOLE, primary_key=True, autoincrement=False),
    Column("key", Text, primary_key=True),
    Column("root", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
