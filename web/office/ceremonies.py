"""What is begun in one request and ended in another: a challenge, a password that is being set."""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from web.office.schema import CEREMONIES
from web.office.store import Office, digest_of, new_secret

SECONDS: Final = 10 * 60
SIGNATURE: Final = "signature"
"""The kind of forms that await a signature."""
FORM: Final = "form"
"""The kind of forms that await a sign-in."""
FORMS: Final = (SIGNATURE, FORM)
"""The kinds that hold what somebody typed: it may name somebody."""


def begin(connection: Connection, kind: str, data: dict[str, Any], now: int) -> str:
    """Keeps data (JSON) for the request that ends it; returns the secret that it has to show."""
    secret = new_secret()
    row = {
        "hash": digest_of(secret),
        "kind": kind,
        "data": json.dumps(data),
        "expires_at": now + SECONDS,
    }
    connection.execute(insert(CEREMONIES).values(row))
    return secret


def put(connection: Connection, secret: str, data: dict[str, Any]) -> None:
    """Keeps other data in the place of what was kept; nothing where that is over."""
    statement = update(CEREMONIES).where(CEREMONIES.c.hash == digest_of(secret))
    connection.execute(statement.values(data=json.dumps(data)))


def look(connection: Connection, kind: str, secret: str, now: int) -> dict[str, Any] | None:
    """Returns what was kept; None where nothing was, or too long ago."""
    conditions = (CEREMONIES.c.hash == digest_of(secret), CEREMONIES.c.kind == kind, ~_is_over(now))
    found = connection.execute(select(CEREMONIES.c.data).where(*conditions)).scalar_one_or_none()
    return None if found is None else json.loads(found)


def end(connection: Connection, kind: str, secret: str, now: int) -> dict[str, Any] | None:
    """Returns what was kept, once: it is gone then."""
    data = look(connection, kind, secret, now)
    connection.execute(delete(CEREMONIES).where(CEREMONIES.c.hash == digest_of(secret)))
    return data


def forget_old(office: Office) -> None:
    """Throws away what nobody can end any more: it may say who is to be recorded."""
    over = _is_over(office.now())
    with office.reading() as connection:
        if connection.execute(select(CEREMONIES.c.hash).where(over).limit(1)).first() is None:
            return
    with office.writing() as connection:
        connection.execute(delete(CEREMONIES).where(over))


def _is_over(now: int) -> ColumnElement[bool]:
    """Returns what is true of those that began too long ago, or while the clock was wrong."""
    expires_at = CEREMONIES.c.expires_at
    return or_(expires_at <= now, expires_at > now + 2 * SECONDS)
