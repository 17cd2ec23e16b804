"""The journal: commits, events, personal documents, and the triggers that keep them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ledger.journal.stores.triggers import statements

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Creates the tables and their triggers."""
    op.create_table(
        "commits",
        sa.Column("commit_id", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("source_name", sa.Text),
        sa.Column("source_sha256", sa.Text),
        sa.Column("idempotency_key", sa.Text, nullable=False, unique=True),
        sa.Column("body_sha256", sa.Text, nullable=False),
        sa.Column("first_seq", _WHOLE, nullable=False),
        sa.Column("last_seq", _WHOLE, nullable=False),
        sa.Column("peaks", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "events",
        sa.Column("seq", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("commit_id", _WHOLE, sa.ForeignKey("commits.commit_id"), nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("effective_on", sa.Text, nullable=False),
        sa.Column("stream", _NAME, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("leaf_hash", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("events_stream", "events", ["stream", "seq"])
    op.create_table(
        "personal",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        # Statistics are samples of the rows, which would outlive them.
        op.execute("ALTER TABLE personal ALTER COLUMN document SET STATISTICS 0")
    for statement in statements(connection.dialect.name):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
