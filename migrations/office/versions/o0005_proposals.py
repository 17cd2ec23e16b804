"""What those who handed something in have signed of it, for the commit by which it is accepted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0005"
down_revision = "o0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "submission_signatures",
        sa.Column(
            "submission",
            sa.Text,
            sa.ForeignKey("submissions.id", ondelete="CASCADE"),
            primary_key=True,
            nullable=False,
        ),
        sa.Column("version", whole, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("assertion", sa.Text, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
