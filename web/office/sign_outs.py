"""Everybody is signed out: what lets somebody in, and was ended or used before, ends at once.

Whoever brings an earlier state of the database back, by the server's own tools, brings back what
was ended since: sessions, invitations, codes that were used. What is known by heart stays good, as
passwords and passkeys do; those that were changed since are the old ones again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, func, select, update

from ledger.json_form import JsonForm
from web.office import sessions
from web.office.schema import (
    CEREMONIES,
    DEVICES,
    ENROLMENTS,
    PASSWORDS,
    RECOVERY_CODES,
    SUBMISSION_LINKS,
    TOKENS,
)
from web.office.store import Office


@dataclass(frozen=True, slots=True)
class SignOut(JsonForm):
    """How much was ended of each kind."""

    sessions: int
    recovery_codes: int
    invitations: int
    tokens: int


def sign_out(
    office: Office, account: str | None, *, used_step: int, with_tokens: bool = False
) -> SignOut:
    """Ends what lets in an account, or (None) everybody, without what they know by heart.

    Sessions, recovery codes, invitations, known browsers; of everybody also what was begun in one
    request, and links to previews. Codes of a telephone up to a step of time count as used.

    Args:
        office: where they are.
        account: whose.
        used_step: the last step of time of which a code may have been used.
        with_tokens: whether tokens of programs end, too.

    Raises:
        DatabaseError: it cannot be written; nothing was ended.
    """
    with office.writing() as connection:
        lasting = sessions.end_lasting(connection, account, office.now())
        codes = _delete(connection, RECOVERY_CODES, account)
        invitations = _delete(connection, ENROLMENTS, account)
        tokens = _delete(connection, TOKENS, account) if with_tokens else 0
        _delete(connection, DEVICES, account)
        earlier = update(PASSWORDS).where(PASSWORDS.c.last_step < used_step)
        if account is None:
            for table in (CEREMONIES, SUBMISSION_LINKS):
                connection.execute(delete(table))
        else:
            earlier = earlier.where(PASSWORDS.c.account == account)
        connection.execute(earlier.values(last_step=used_step))
    return SignOut(lasting, codes, invitations, tokens)


def _delete(connection: Connection, table: Table, account: str | None) -> int:
    """Deletes the rows of an account, or all; returns how many."""
    whose: Column[Any] = table.c.account
    rows = whose.is_not(None) if account is None else whose == account
    count = connection.scalar(select(func.count()).select_from(table).where(rows)) or 0
    connection.execute(delete(table).where(rows))
    return count
