"""The tables of the journal, as SQLAlchemy sees them. Alembic makes them (``migrations``)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text

REVISION = "0001"
"""The newest migration; a test holds it against the scripts."""

METADATA = MetaData()

COMMITS = Table(
    "commits",
    METADATA,
    Column("commit_id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("recorded_at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("source_name", Text),
    Column("source_sha256", Text),
    Column("idempotency_key", Text, nullable=False, unique=True),
    Column("body_sha256", Text, nullable=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("peaks", Text, nullable=False),
    Column("root", Text, nullable=False),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("event_id", Text, nullable=False, unique=True),
    Column("commit_id", ForeignKey("commits.commit_id"), nullable=False),
    Column("type", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("effective_on", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("leaf_hash", Text, nullable=False),
    Index("events_stream", "stream", "seq"),
)

PERSONAL = Table(
    "personal",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("document", Text, nullable=False),
)
