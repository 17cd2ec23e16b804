"""Signatures of commits, in a table beside them, and the triggers that keep it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ledger.journal.stores.triggers import signed_statements

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Makes an empty table: what was recorded before is not signed."""
    op.create_table(
        "signatures",
        sa.Column(
            "commit_id",
            _WHOLE,
            sa.ForeignKey("commits.commit_id"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("account", _NAME, primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    connection = op.get_bind()
    for statement in signed_statements(connection.dialect.name):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
