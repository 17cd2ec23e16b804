"""Sealed segments beside the events; they hold nothing that the events do not say."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Creates the table; it fills as the ledger is read."""
    op.create_table(
        "segments",
        sa.Column("first_seq", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("last_seq", _WHOLE, nullable=False),
        sa.Column("sealed_at", _WHOLE, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
