"""Addresses that are told what was recorded, and what each answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0008"
down_revision = "o0007"
branch_labels = None
depends_on = None

_INT = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "webhooks",
        sa.Column("webhook", sa.Text, primary_key=True),
        sa.Column("url", sa.Text, nullable=False, unique=True),
        sa.Column("subjects", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("seq", _INT, nullable=False),
        sa.Column("created_at", _INT, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("tries", _INT, nullable=False),
        sa.Column("next_at", _INT, nullable=False),
        sa.Column("failing_since", _INT),
        sa.Column("disabled_at", _INT),
        sqlite_strict=True,
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("number", _INT, primary_key=True),
        sa.Column("webhook", sa.Text, nullable=False),
        sa.Column("delivery", sa.Text, nullable=False),
        sa.Column("seq", _INT, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("tried_at", _INT, nullable=False),
        sa.Column("code", _INT),
        sa.Column("problem", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("webhook_deliveries_webhook", "webhook_deliveries", ["webhook", "number"])


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
