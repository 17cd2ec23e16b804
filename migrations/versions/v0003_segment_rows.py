"""Sealed segments in two parts, so that rows are read only when a period needs them.

Those that are there are thrown away: they are made again as the ledger is read.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes the table anew; it fills as the ledger is read."""
    op.drop_table("segments")
    op.create_table(
        "segments",
        sa.Column("first_seq", _WHOLE, primary_key=True, autoincrement=False),
        sa.Column("last_seq", _WHOLE, nullable=False),
        sa.Column("sealed_at", _WHOLE, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("heading", sa.LargeBinary, nullable=False),
        sa.Column("rows", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
