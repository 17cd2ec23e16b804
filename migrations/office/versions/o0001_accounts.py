"""Accounts: how somebody proves who they are, sessions, tokens, and what is counted of attempts."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "o0001"
down_revision = None
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Creates the tables."""
    _credentials()
    _sessions()
    _ceremonies()


def downgrade() -> None:
    """There is no way back."""
    raise RuntimeError("the office cannot be downgraded")


def _credentials() -> None:
    op.create_table(
        "accounts",
        _text("account", primary_key=True),
        sa.Column("user_handle", sa.LargeBinary, nullable=False, unique=True),
        _whole("created_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "passwords",
        _of_account(primary_key=True),
        _text("hash"),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        _whole("last_step"),
        _whole("changed_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "recovery_codes", _of_account(primary_key=True), _digest("hash"), sqlite_strict=True
    )
    op.create_table(
        "passkeys",
        _digest("credential"),
        _of_account(),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        _whole("sign_count"),
        _text("name"),
        _whole("created_at"),
        _whole("used_at", nullable=True),
        sqlite_strict=True,
    )
    op.create_index("passkeys_account", "passkeys", ["account"])
    op.create_table(
        "identities",
        _text("issuer", primary_key=True),
        _text("subject", primary_key=True),
        _of_account(),
        _whole("created_at"),
        sqlite_strict=True,
    )
    op.create_index("identities_account", "identities", ["account"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        _digest("hash"),
        _of_account(),
        _whole("seq"),
        _whole("created_at"),
        _whole("seen_at"),
        _whole("fresh_at"),
        _text("agent"),
        sqlite_strict=True,
    )
    op.create_index("sessions_account", "sessions", ["account"])
    op.create_table(
        "tokens",
        _digest("hash"),
        _of_account(),
        _whole("seq"),
        _text("name"),
        _text("scopes"),
        _whole("created_at"),
        _whole("expires_at"),
        _whole("used_at", nullable=True),
        sqlite_strict=True,
    )
    op.create_index("tokens_account", "tokens", ["account"])
    op.create_table(
        "devices", _digest("hash"), _of_account(), _whole("expires_at"), sqlite_strict=True
    )
    op.create_index("devices_account", "devices", ["account"])


def _ceremonies() -> None:
    op.create_table(
        "enrolments",
        _digest("hash"),
        _of_account(),
        _whole("created_at"),
        _whole("expires_at"),
        sqlite_strict=True,
    )
    op.create_index("enrolments_account", "enrolments", ["account"])
    op.create_table(
        "ceremonies",
        _digest("hash"),
        _text("kind"),
        _text("data"),
        _whole("expires_at"),
        sqlite_strict=True,
    )
    op.create_index("ceremonies_end", "ceremonies", ["expires_at"])
    op.create_table(
        "attempts", _digest("key"), _whole("count"), _whole("ends_at"), sqlite_strict=True
    )
    op.create_index("attempts_end", "attempts", ["ends_at"])


def _whole(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, _WHOLE, nullable=nullable)


def _text(name: str, *, primary_key: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, primary_key=primary_key, nullable=False)


def _digest(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.LargeBinary, primary_key=True, nullable=False)


def _of_account(*, primary_key: bool = False) -> sa.Column[Any]:
    whose = sa.ForeignKey("accounts.account", ondelete="CASCADE")
    return sa.Column("account", sa.Text, whose, primary_key=primary_key, nullable=False)
