"""How many persons were erased when what names people was thrown away last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0004"
down_revision = "o0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table("erasures", sa.Column("gone", whole, nullable=False), sqlite_strict=True)


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
