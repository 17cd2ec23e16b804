"""The accounts that can sign in, and the links by which one is taken into possession.

What an account may do, the ledger's events say; here stands only that it exists for the site.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from ledger.errors import NotFound
from web.office.schema import (
    ACCOUNTS,
    DEVICES,
    ENROLMENTS,
    IDENTITIES,
    PASSKEYS,
    PASSWORDS,
    RECOVERY_CODES,
    SESSIONS,
    TOKENS,
)
from web.office.store import digest_of, new_secret

ENROLMENT_HOURS: Final = 72
_HANDLE_BYTES: Final = 32


def add(connection: Connection, account: str, now: int) -> None:
    """Lets an account exist; one that does stays as it is."""
    if not exists(connection, account):
        handle = secrets.token_bytes(_HANDLE_BYTES)
        row = {"account": account, "user_handle": handle, "created_at": now}
        connection.execute(insert(ACCOUNTS).values(row))


def exists(connection: Connection, account: str) -> bool:
    """Whether there is such an account."""
    return user_handle(connection, account) is not None


def user_handle(connection: Connection, account: str) -> bytes | None:
    """Returns the random id under which passkeys know an account; None where there is none."""
    found = select(ACCOUNTS.c.user_handle).where(ACCOUNTS.c.account == account)
    return connection.execute(found).scalar_one_or_none()


def account_with(connection: Connection, handle: bytes) -> str | None:
    """Returns the account whom passkeys know under a random id."""
    found = select(ACCOUNTS.c.account).where(ACCOUNTS.c.user_handle == handle)
    return connection.execute(found).scalar_one_or_none()


def hand_over(connection: Connection, account: str, origin: str, now: int) -> str:
    """Takes every way in from an account, which is made where it is missing.

    Returns:
        The link, at the site of an origin, by which it is taken into possession, once.
    """
    add(connection, account, now)
    forget_credentials(connection, account)
    return f"{origin.rstrip('/')}/enrol/{enrol(connection, account, now)}"


def enrol(connection: Connection, account: str, now: int) -> str:
    """Returns a code with which somebody takes an account into possession, once.

    Codes that were given out before are void.
    """
    end_enrolments(connection, account)
    code = new_secret()
    row = {
        "hash": digest_of(code),
        "account": account,
        "created_at": now,
        "expires_at": now + ENROLMENT_HOURS * 3600,
    }
    connection.execute(insert(ENROLMENTS).values(row))
    return code


def enrolled_by(connection: Connection, code: str, now: int) -> str | None:
    """Returns the account of a code that was given out; None where it is not, or no more, good."""
    found = select(ENROLMENTS.c.account).where(ENROLMENTS.c.hash == digest_of(code), _is_open(now))
    return connection.execute(found).scalar_one_or_none()


@dataclass(frozen=True, slots=True)
class PendingLink:
    """A link by which nobody has taken an account into possession yet, and which is good still."""

    created_at: int
    expires_at: int


def pending_link(connection: Connection, account: str, now: int) -> PendingLink | None:
    """Returns the link by which an account awaits its owner; None where it awaits nobody."""
    wanted = select(ENROLMENTS.c.created_at, ENROLMENTS.c.expires_at)
    row = connection.execute(wanted.where(ENROLMENTS.c.account == account, _is_open(now))).first()
    return None if row is None else PendingLink(*row)


def use_enrolment(connection: Connection, code: str, now: int) -> str:
    """Uses a code that was given out; returns its account.

    Raises:
        NotFound: it was used, is too old, or was never given out.
    """
    account = enrolled_by(connection, code, now)
    if account is None:
        raise NotFound("access.no_enrolment")
    end_enrolments(connection, account)
    return account


def _is_open(now: int) -> ColumnElement[bool]:
    """A link that ends far in the future was given out by a clock that was wrong."""
    return ENROLMENTS.c.expires_at.between(now + 1, now + 2 * ENROLMENT_HOURS * 3600)


def end_enrolments(connection: Connection, account: str) -> None:
    """Makes the codes of an account void."""
    connection.execute(delete(ENROLMENTS).where(ENROLMENTS.c.account == account))


def forget_credentials(connection: Connection, account: str) -> None:
    """Takes every way in from an account, and ends its sessions and tokens."""
    for table in (
        PASSWORDS, RECOVERY_CODES, PASSKEYS, IDENTITIES, SESSIONS, TOKENS, DEVICES, ENROLMENTS,
    ):  # fmt: skip
        connection.execute(delete(table).where(table.c.account == account))
