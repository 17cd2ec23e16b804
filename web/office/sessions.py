"""Sessions of those who signed in by a browser, and the browsers that did so before.

The clock may have been wrong: what began far in the future is not believed, or it would last for
years.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from ledger.identifiers import Seq
from ledger.json_form import JsonForm
from web.office.schema import (
    CEREMONIES,
    DEVICES,
    ENROLMENTS,
    PASSWORDS,
    RECOVERY_CODES,
    SESSIONS,
    SUBMISSION_LINKS,
    TOKENS,
)
from web.office.store import Office, digest_of, new_secret

IDLE_SECONDS: Final = 12 * 3600
LONGEST_SECONDS: Final = 7 * 24 * 3600
DEVICE_SECONDS: Final = 180 * 24 * 3600
_ENDED: Final = 0  # stands for when a session was used last: it lasts no more
_NOTED_SECONDS: Final = 60  # it is not written down more often that a session is used


@dataclass(frozen=True, slots=True)
class Session:
    """A session; ``seq`` is the ledger's when it began.

    ``fresh_at`` is when the person proved last who they are, ``agent`` the kind of the browser.
    """

    hash: bytes
    account: str
    seq: Seq
    created_at: int
    seen_at: int
    fresh_at: int
    agent: str

    @property
    def id(self) -> str:
        """Names it on its person's page, and lets nobody in."""
        return self.hash.hex()

    @property
    def label(self) -> str:
        """A label for pages of the desk, which can neither use the session nor end it."""
        return digest_of(self.id).hex()[:16]


_COLUMNS = tuple(SESSIONS.c[name] for name in Session.__slots__)


def begin(
    connection: Connection, account: str, *, seq: Seq, agent: str, now: int,
    fresh_at: int | None = None,
) -> str:  # fmt: skip
    """Begins a session; returns the secret that its browser is given.

    ``fresh_at`` is when its owner proved who they are; None is now.
    """
    secret = new_secret()
    fresh = now if fresh_at is None else fresh_at
    session_ = Session(digest_of(secret), account, seq, now, now, fresh, agent)
    connection.execute(insert(SESSIONS).values(asdict(session_)))
    return secret


def session(connection: Connection, secret: str, now: int) -> Session | None:
    """Returns the session of a secret; None where it ended."""
    conditions = (SESSIONS.c.hash == digest_of(secret), *_lasting(now))
    row = connection.execute(select(*_COLUMNS).where(*conditions)).first()
    return None if row is None else Session(*row)


def known(connection: Connection, secret: str) -> Session | None:
    """Returns the session of a secret, also where it ended; None where nobody knows it."""
    row = connection.execute(select(*_COLUMNS).where(SESSIONS.c.hash == digest_of(secret))).first()
    return None if row is None else Session(*row)


def sessions_of(connection: Connection, account: str, now: int) -> Sequence[Session]:
    """Returns the sessions of an account that last, the newest first."""
    wanted = select(*_COLUMNS).where(SESSIONS.c.account == account, *_lasting(now))
    ordered = wanted.order_by(SESSIONS.c.created_at.desc(), SESSIONS.c.hash)
    return [Session(*row) for row in connection.execute(ordered)]


def is_to_be_noted(used: Session, now: int) -> bool:
    """Whether it is time to write down that a session is used."""
    return abs(now - used.seen_at) >= _NOTED_SECONDS


def note(connection: Connection, used: Session, now: int) -> None:
    """Writes down that a session is used; one that was ended meanwhile stays so."""
    conditions = (SESSIONS.c.hash == used.hash, SESSIONS.c.seen_at != _ENDED)
    connection.execute(update(SESSIONS).where(*conditions).values(seen_at=now))


def end(connection: Connection, account: str, hash_: bytes) -> None:
    """Ends a session of an account."""
    _end(connection, SESSIONS.c.account == account, SESSIONS.c.hash == hash_)


def end_all(connection: Connection, account: str, but: bytes = b"") -> None:
    """Ends the sessions of an account, but for one."""
    _end(connection, SESSIONS.c.account == account, SESSIONS.c.hash != but)


def end_lasting(connection: Connection, account: str | None, now: int) -> int:
    """Ends the sessions of an account, or (None) of everybody; returns how many lasted."""
    rows = () if account is None else (SESSIONS.c.account == account,)
    wanted = select(func.count()).select_from(SESSIONS).where(*_lasting(now), *rows)
    count = connection.scalar(wanted) or 0
    _end(connection, *rows)
    return count


def end_before(connection: Connection, account: str, seq: Seq) -> None:
    """Ends the sessions of an account that began before a seq."""
    _end(connection, SESSIONS.c.account == account, SESSIONS.c.seq < seq)


def forget_old(connection: Connection, now: int) -> None:
    """Forgets the sessions that no browser shows any more."""
    connection.execute(delete(SESSIONS).where(SESSIONS.c.created_at <= now - LONGEST_SECONDS))
    connection.execute(delete(DEVICES).where(DEVICES.c.expires_at <= now))


def _end(connection: Connection, *which: ColumnElement[bool]) -> None:
    """Ends sessions. Whose they were stays known: a form that is sent too late is kept for them."""
    connection.execute(update(SESSIONS).where(*which).values(seen_at=_ENDED))


def _lasting(now: int) -> tuple[ColumnElement[bool], ...]:
    return (
        SESSIONS.c.seen_at > now - IDLE_SECONDS,
        SESSIONS.c.created_at > now - LONGEST_SECONDS,
        SESSIONS.c.created_at < now + IDLE_SECONDS,
    )


# Browsers


def remember(connection: Connection, account: str, now: int) -> str:
    """Remembers a browser in which an account was signed in to; returns the secret it is given."""
    secret = new_secret()
    row = {"hash": digest_of(secret), "account": account, "expires_at": now + DEVICE_SECONDS}
    connection.execute(insert(DEVICES).values(row))
    return secret


def remembers(connection: Connection, account: str | None, secret: str, now: int) -> bool:
    """Whether an account (None: any) was signed in to in the browser with a secret."""
    rows = [DEVICES.c.hash == digest_of(secret), DEVICES.c.expires_at > now]
    if account is not None:
        rows.append(DEVICES.c.account == account)
    return connection.execute(select(DEVICES.c.hash).where(*rows)).first() is not None


def browsers_of(connection: Connection, account: str) -> Sequence[bytes]:
    """Returns the digests of the secrets of the browsers in which an account was signed in to."""
    devices = select(DEVICES.c.hash).where(DEVICES.c.account == account)
    return connection.execute(devices).scalars().all()


def forget_devices(connection: Connection, account: str) -> None:
    """Forgets the browsers in which an account was signed in to."""
    connection.execute(delete(DEVICES).where(DEVICES.c.account == account))


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
        lasting = end_lasting(connection, account, office.now())
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
