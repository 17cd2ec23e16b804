"""The ways in: passwords with time-based codes, recovery codes, passkeys, others' identities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Delete,
    Update,
    delete,
    insert,
    or_,
    select,
    union,
    update,
)

from web.office.schema import IDENTITIES, PASSKEYS, PASSWORDS, RECOVERY_CODES
from web.office.store import digest_of

STEP_SECONDS: Final = 30
"""So long a time-based code is good."""
SLACK_STEPS: Final = 1
"""Steps by which clocks may differ."""


@dataclass(frozen=True, slots=True)
class Password:
    """An account's password, hashed, and the secret of its time-based codes.

    ``last_step`` is the step of time of the last code that was used.
    """

    hash: str
    secret: bytes
    last_step: int
    changed_at: int


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey; ``public_key`` is the credential as its authenticator attested it.

    ``copied_at`` is when it was refused last because its counter had not grown.
    """

    credential: bytes
    account: str
    public_key: bytes
    sign_count: int
    name: str
    created_at: int
    used_at: int | None
    copied_at: int | None = None


@dataclass(frozen=True, slots=True)
class LinkedIdentity:
    """Somebody as another site knows them."""

    issuer: str
    subject: str
    account: str


def who_can_sign_in(connection: Connection) -> frozenset[str]:
    """Returns the accounts that have a way in."""
    having = union(*(select(each.c.account) for each in (PASSWORDS, PASSKEYS, IDENTITIES)))
    return frozenset(connection.execute(having).scalars())


# Passwords and codes


def password_of(connection: Connection, account: str) -> Password | None:
    """Returns the password of an account."""
    columns = (PASSWORDS.c[name] for name in Password.__slots__)
    row = connection.execute(select(*columns).where(PASSWORDS.c.account == account)).first()
    return None if row is None else Password(*row)


def set_password(connection: Connection, account: str, password: Password) -> None:
    """Gives an account a password in the place of the one it had."""
    connection.execute(delete(PASSWORDS).where(PASSWORDS.c.account == account))
    connection.execute(insert(PASSWORDS).values(account=account, **asdict(password)))


def rehash(connection: Connection, account: str, before: str, after: str) -> None:
    """Keeps a password under another hash, unless it was changed meanwhile."""
    unchanged = (PASSWORDS.c.account == account, PASSWORDS.c.hash == before)
    connection.execute(update(PASSWORDS).where(*unchanged).values(hash=after))


def remove_password(connection: Connection, account: str) -> None:
    """Takes the password and the codes from an account."""
    for table in (PASSWORDS, RECOVERY_CODES):
        connection.execute(delete(table).where(table.c.account == account))


def use_step(connection: Connection, account: str, step: int, newest: int) -> bool:
    """Uses the code of a step of time; False: it, or a later one, was used before.

    A last step after ``newest``, the last whose code may be given now, was used while the clock was
    ahead. It counts as none, or its owner could not sign in until the clock comes there.
    """
    is_unused = or_(PASSWORDS.c.last_step < step, PASSWORDS.c.last_step > newest)
    of_account = update(PASSWORDS).where(PASSWORDS.c.account == account, is_unused)
    return _changes(connection, of_account.values(last_step=step))


def newest_step(now: int) -> int:
    """Returns the last step of time of which a code may be given now, or can have been by now."""
    return now // STEP_SECONDS + SLACK_STEPS


def set_recovery_codes(connection: Connection, account: str, codes: Iterable[str]) -> None:
    """Gives an account recovery codes in the place of those it had."""
    connection.execute(delete(RECOVERY_CODES).where(RECOVERY_CODES.c.account == account))
    rows = [{"account": account, "hash": digest_of(code)} for code in codes]
    connection.execute(insert(RECOVERY_CODES), rows)


def recovery_codes_left(connection: Connection, account: str) -> int:
    """Returns how many recovery codes an account has left."""
    found = select(RECOVERY_CODES.c.hash).where(RECOVERY_CODES.c.account == account)
    return len(connection.execute(found).all())


def use_recovery_code(connection: Connection, account: str, code: str) -> bool:
    """Uses a recovery code; False: it is none, or was used before."""
    conditions = (RECOVERY_CODES.c.account == account, RECOVERY_CODES.c.hash == digest_of(code))
    return _changes(connection, delete(RECOVERY_CODES).where(*conditions))


# Passkeys


def passkeys_of(connection: Connection, account: str) -> Sequence[Passkey]:
    """Returns the passkeys of an account, the oldest first."""
    return _passkeys(connection, PASSKEYS.c.account == account)


def passkey(connection: Connection, credential: bytes) -> Passkey | None:
    """Returns a passkey by its id."""
    return next(iter(_passkeys(connection, PASSKEYS.c.credential == credential)), None)


def add_passkey(connection: Connection, passkey: Passkey) -> None:
    """Adds a passkey; raises ``IntegrityError`` for an id that is known."""
    connection.execute(insert(PASSKEYS).values(asdict(passkey)))


def use_passkey(connection: Connection, used: Passkey, sign_count: int, now: int) -> bool:
    """Notes the use of a passkey; False: its counter did not grow, so there may be a copy of it.

    That is noted, for its owner. Authenticators that do not count always say 0.
    """
    count, columns = PASSKEYS.c.sign_count, PASSKEYS.c.credential == used.credential
    grew = count < sign_count if sign_count else count == 0
    values = {"sign_count": sign_count, "used_at": now}
    if _changes(connection, update(PASSKEYS).where(columns, grew).values(values)):
        return True
    connection.execute(update(PASSKEYS).where(columns).values(copied_at=now))
    return False


def remove_passkey(connection: Connection, account: str, credential: bytes) -> bool:
    """Takes a passkey from an account; False: it has no such one."""
    conditions = (PASSKEYS.c.account == account, PASSKEYS.c.credential == credential)
    return _changes(connection, delete(PASSKEYS).where(*conditions))


def _passkeys(connection: Connection, which: ColumnElement[bool]) -> Sequence[Passkey]:
    columns = (PASSKEYS.c[name] for name in Passkey.__slots__)
    wanted = select(*columns).where(which).order_by(PASSKEYS.c.created_at, PASSKEYS.c.credential)
    return [Passkey(*row) for row in connection.execute(wanted)]


# Identities


def identities_of(connection: Connection, account: str) -> Sequence[LinkedIdentity]:
    """Returns under which names other sites know the person of an account."""
    columns = (IDENTITIES.c[name] for name in LinkedIdentity.__slots__)
    wanted = select(*columns).where(IDENTITIES.c.account == account)
    ordered = wanted.order_by(IDENTITIES.c.issuer, IDENTITIES.c.subject)
    return [LinkedIdentity(*row) for row in connection.execute(ordered)]


def identified(connection: Connection, issuer: str, subject: str) -> str | None:
    """Returns the account of somebody as another site knows them."""
    conditions = (IDENTITIES.c.issuer == issuer, IDENTITIES.c.subject == subject)
    return connection.execute(select(IDENTITIES.c.account).where(*conditions)).scalar_one_or_none()


def link(connection: Connection, identity: LinkedIdentity, now: int) -> bool:
    """Lets an account be signed in to by another site; False: the identity is somebody's."""
    if identified(connection, identity.issuer, identity.subject) is not None:
        return False
    connection.execute(insert(IDENTITIES).values(created_at=now, **asdict(identity)))
    return True


def unlink(connection: Connection, identity: LinkedIdentity) -> bool:
    """Takes an identity from an account; False: it has no such one."""
    conditions = [IDENTITIES.c[name] == value for name, value in asdict(identity).items()]
    return _changes(connection, delete(IDENTITIES).where(*conditions))


def _changes(connection: Connection, statement: Update | Delete) -> bool:
    """Carries out a statement; returns whether it concerned a row."""
    done = connection.execute(statement)
    assert isinstance(done, CursorResult)
    return done.rowcount == 1
