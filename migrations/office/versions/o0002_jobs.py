"""Jobs: work that takes longer than somebody waits for a page."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "o0002"
down_revision = "o0001"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "jobs",
        sa.Column("job", sa.Text, primary_key=True),
        _whole("number"),
        *map(_text, ("kind", "key", "parameters")),
        _text("account", nullable=True),
        _text("state"),
        _whole("cancelled"),
        _text("runner", nullable=True),
        _whole("claims"),
        _text("what"),
        *map(_whole, ("done", "total", "created_at", "beat_at")),
        _whole("ended_at", nullable=True),
        _text("result", nullable=True),
        _text("problem", nullable=True),
        sqlite_strict=True,
    )
    op.create_index("jobs_key", "jobs", ["key"])
    op.create_index("jobs_number", "jobs", ["number"], unique=True)
    op.create_index("jobs_state", "jobs", ["state", "number"])


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")


def _whole(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, _WHOLE, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=nullable)
