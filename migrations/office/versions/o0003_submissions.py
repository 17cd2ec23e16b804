"""Submissions: what was handed in, its steps, its files and the previews that were seen."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "o0003"
down_revision = "o0002"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "submissions",
        _text("id", primary_key=True),
        _text("kind"),
        _text("state"),
        _text("account"),
        _whole("turn"),
        _whole("version"),
        _text("title"),
        _text("content"),
        _text("sha256", nullable=True),
        _whole("made_at"),
        _whole("changed_at"),
        _text("decided_by", nullable=True),
        _whole("commit_id", nullable=True),
        sqlite_strict=True,
    )
    op.create_index("submissions_changed", "submissions", ["changed_at", "id"])
    op.create_table(
        "submission_steps",
        _of_submission(),
        _whole("number", primary_key=True),
        _whole("at"),
        _text("account"),
        _text("what"),
        _text("comment"),
        sqlite_strict=True,
    )
    op.create_table(
        "submission_files",
        _text("sha256", primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "submission_previews",
        _of_submission(),
        _whole("version", primary_key=True),
        _whole("seq", primary_key=True),
        _text("digest"),
        _text("data"),
        sqlite_strict=True,
    )
    op.create_table(
        "submission_links",
        sa.Column("hash", sa.LargeBinary, primary_key=True, nullable=False),
        _of_submission(primary_key=False),
        _whole("expires_at"),
        sqlite_strict=True,
    )
    op.create_index("submission_links_submission", "submission_links", ["submission"])


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")


def _text(name: str, *, nullable: bool = False, **more: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable, **more)


def _whole(name: str, *, nullable: bool = False, **more: Any) -> sa.Column[int]:
    return sa.Column(name, _WHOLE, nullable=nullable, **more)


def _of_submission(*, primary_key: bool = True) -> sa.Column[str]:
    whose = sa.ForeignKey("submissions.id", ondelete="CASCADE")
    return sa.Column("submission", sa.Text, whose, primary_key=primary_key, nullable=False)
