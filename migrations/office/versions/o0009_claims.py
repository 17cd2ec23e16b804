"""What somebody says is wrong, until an officer decides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0009"
down_revision = "o0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "claims",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("list", sa.Text, nullable=False),
        sa.Column("period", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("account", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("decided_by", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("commit_id", whole),
        sa.Column("made_at", whole, nullable=False),
        sa.Column("changed_at", whole, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("claims_about", "claims", ["about"])
    op.create_index("claims_state", "claims", ["state", "made_at"])


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
