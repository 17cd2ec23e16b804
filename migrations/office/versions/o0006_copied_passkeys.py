"""When a passkey was shown last whose counter had not grown: there may be a copy of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0006"
down_revision = "o0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.add_column("passkeys", sa.Column("copied_at", whole))


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
