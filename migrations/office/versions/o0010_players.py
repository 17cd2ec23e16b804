"""Which player an account belongs to, and what who played a game says of a claim about it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0010"
down_revision = "o0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "player_ties",
        _of_account(),
        sa.Column("player", sa.Text, nullable=False, unique=True),
        sa.Column("tied_at", whole, nullable=False),
        sqlite_strict=True,
    )
    claim = sa.ForeignKey("claims.id", ondelete="CASCADE")
    op.create_table(
        "claim_answers",
        sa.Column("claim", sa.Text, claim, primary_key=True, nullable=False),
        _of_account(),
        sa.Column("confirms", whole, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", whole, nullable=False),
        sqlite_strict=True,
    )


def _of_account() -> sa.Column[str]:
    account = sa.ForeignKey("accounts.account", ondelete="CASCADE")
    return sa.Column("account", sa.Text, account, primary_key=True, nullable=False)


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")
