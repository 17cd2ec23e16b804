"""API tokens: what a program shows instead of signing in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from ledger.identifiers import Seq
from web.office.schema import TOKENS
from web.office.store import digest_of, new_secret

PREFIX: Final = "rlt_"
"""What every token begins with, so that those who look for lost secrets know one."""
_NOTED_SECONDS: Final = 60
_FUTURE: Final = 24 * 3600  # seconds; what was made later than that, was by a clock that was wrong


@dataclass(frozen=True, slots=True)
class Token:
    """A token; ``scopes`` are what it may be used for, ``seq`` is the ledger's when it was made."""

    hash: bytes
    account: str
    seq: Seq
    name: str
    scopes: frozenset[str]
    created_at: int
    expires_at: int
    used_at: int | None

    @property
    def id(self) -> str:
        """Names it on its person's page, and lets nobody in."""
        return self.hash.hex()


_COLUMNS = tuple(TOKENS.c[name] for name in Token.__slots__)


def add(
    connection: Connection,
    account: str,
    name: str,
    scopes: frozenset[str],
    *,
    seq: Seq,
    now: int,
    expires_at: int,
) -> str:
    """Makes a token; returns it, for the only time."""
    secret = new_secret(PREFIX)
    row = {
        "hash": digest_of(secret),
        "account": account,
        "seq": seq,
        "name": name,
        "scopes": " ".join(sorted(scopes)),
        "created_at": now,
        "expires_at": expires_at,
    }
    connection.execute(insert(TOKENS).values(row))
    return secret


def token(connection: Connection, secret: str, now: int) -> Token | None:
    """Returns what is kept of a token; None where there is none, or it expired."""
    if not secret.startswith(PREFIX):
        return None
    conditions = (
        TOKENS.c.hash == digest_of(secret),
        TOKENS.c.expires_at > now,
        TOKENS.c.created_at < now + _FUTURE,
    )
    row = connection.execute(select(*_COLUMNS).where(*conditions)).first()
    return None if row is None else _token(row)


def tokens_of(connection: Connection, account: str) -> Sequence[Token]:
    """Returns the tokens of an account, the newest first, also those that expired."""
    wanted = select(*_COLUMNS).where(TOKENS.c.account == account)
    ordered = wanted.order_by(TOKENS.c.created_at.desc(), TOKENS.c.hash)
    return [_token(row) for row in connection.execute(ordered)]


def is_to_be_noted(used: Token, now: int) -> bool:
    """Whether it is time to write down that a token is used."""
    return used.used_at is None or abs(now - used.used_at) >= _NOTED_SECONDS


def note(connection: Connection, used: Token, now: int) -> None:
    """Writes down that a token is used."""
    connection.execute(update(TOKENS).where(TOKENS.c.hash == used.hash).values(used_at=now))


def end(connection: Connection, account: str, hash_: bytes) -> None:
    """Ends a token of an account."""
    conditions = (TOKENS.c.account == account, TOKENS.c.hash == hash_)
    connection.execute(delete(TOKENS).where(*conditions))


def end_before(connection: Connection, account: str, seq: Seq) -> None:
    """Ends the tokens of an account that were made before a seq."""
    conditions = (TOKENS.c.account == account, TOKENS.c.seq < seq)
    connection.execute(delete(TOKENS).where(*conditions))


def end_all(connection: Connection, account: str) -> None:
    """Ends the tokens of an account."""
    connection.execute(delete(TOKENS).where(TOKENS.c.account == account))


def _token(row: Sequence[object]) -> Token:
    values = dict(zip(Token.__slots__, row, strict=True))
    return Token(**values | {"scopes": frozenset(str(values["scopes"]).split())})  # type: ignore[arg-type]
