"""Snapshots: where everybody stood after a period, kept beside the events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes an empty table; it fills as lists are calculated."""
    op.create_table(
        "snapshots",
        sa.Column("list", sa.Text, primary_key=True),
        sa.Column("period", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("basis", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
