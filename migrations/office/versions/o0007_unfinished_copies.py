"""Which copy into the office was begun and is not ended, and another lock on PostgreSQL.

Older software, which takes turns by another lock, does not write beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0007"
down_revision = "o0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "unfinished_copies", sa.Column("source", sa.Text, nullable=False), sqlite_strict=True
    )


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
