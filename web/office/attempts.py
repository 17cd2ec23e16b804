"""Counts of attempts, for ``limits``: in the office, so that all processes of a site count as one.

Kept are digests of what is counted, no names or addresses.
"""

from __future__ import annotations

from typing import Any, Final

from limits import parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy import ColumnElement, Connection, delete, insert, not_, select, update

from web.office import sessions
from web.office.schema import ATTEMPTS
from web.office.store import Office, digest_of

OF_ADDRESS: Final = parse("40 per 15 minutes")
OF_ACCOUNT: Final = parse("10 per 15 minutes")
STARTS_OF_BROWSER: Final = parse("40 per 15 minutes")
"""Sign-ins without a password that begin in a browser that is known."""
PASSKEYS_OF_ADDRESS: Final = parse("400 per 15 minutes")
"""Sign-ins by passkeys that begin in others: nobody guesses one, each is a row for ten minutes."""
_UNLOCKED: Final = parse("1 per 15 minutes")
_WINDOW: Final = 15 * 60  # seconds


def forget_attempts(office: Office, account: str | None) -> None:
    """Lets somebody try again at once: an account from any browser, or (None) everybody.

    For a quarter of an hour the account does not wait for an address either, from where others have
    tried too often: its own attempts count.
    """
    counts = AttemptCounts(office)
    if account is None:
        counts.reset()
        return
    with office.reading() as connection:
        browsers = sessions.browsers_of(connection, account)
    limiter = FixedWindowRateLimiter(counts)
    for browser in (None, *browsers):
        limiter.clear(OF_ACCOUNT, *counted_as(account, browser))
        limiter.clear(STARTS_OF_BROWSER, *counted_as(account, browser))
    limiter.hit(_UNLOCKED, "unlocked", account)


def is_unlocked(limiter: FixedWindowRateLimiter, account: str) -> bool:
    """Whether somebody has just said that an account need not wait."""
    return not limiter.test(_UNLOCKED, "unlocked", account)


def counted_as(account: str, browser: bytes | None) -> tuple[str, str]:
    """Returns as what attempts at an account are counted.

    Args:
        account: whose.
        browser: the digest of a browser's secret in which it was signed in to; None is any other.
    """
    return ("account", account) if browser is None else ("browser", browser.hex())


class AttemptCounts(Storage):
    """Counts in windows of time that begin with the first attempt."""

    STORAGE_SCHEME = None

    def __init__(self, office: Office) -> None:
        self._office = office
        super().__init__(None)

    @property
    def base_exceptions(self) -> type[Exception]:
        """What ``limits`` would wrap; nothing is."""
        return Exception

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Counts an attempt; returns how many there were in the window."""
        now = self._office.now()
        with self._office.writing() as connection:
            connection.execute(delete(ATTEMPTS).where(not_(_is_open(now))))
            count = self._count(connection, key, now) + amount
            condition = ATTEMPTS.c.key == digest_of(key)
            if count == amount:
                row = {"key": digest_of(key), "count": count, "ends_at": now + int(expiry)}
                connection.execute(insert(ATTEMPTS).values(row))
            else:
                connection.execute(update(ATTEMPTS).where(condition).values(count=count))
        return count

    def get(self, key: str) -> int:
        """Returns how many attempts there were in the window."""
        with self._office.reading() as connection:
            return self._count(connection, key, self._office.now())

    def get_expiry(self, key: str) -> float:
        """Returns when the window ends, in seconds since 1970."""
        condition = ATTEMPTS.c.key == digest_of(key)
        with self._office.reading() as connection:
            found = connection.execute(
                select(ATTEMPTS.c.ends_at).where(condition)
            ).scalar_one_or_none()
        return float(found or self._office.now())

    def check(self) -> bool:
        """The office says itself what is wrong with it."""
        return True

    def reset(self) -> int:
        """Forgets all attempts; returns of how many kinds."""
        with self._office.writing() as connection:
            done: Any = connection.execute(delete(ATTEMPTS))
            return int(done.rowcount)

    def clear(self, key: str) -> None:
        """Forgets the attempts of a kind."""
        with self._office.writing() as connection:
            connection.execute(delete(ATTEMPTS).where(ATTEMPTS.c.key == digest_of(key)))

    @staticmethod
    def _count(connection: Connection, key: str, now: int) -> int:
        conditions = (ATTEMPTS.c.key == digest_of(key), _is_open(now))
        found = connection.execute(select(ATTEMPTS.c.count).where(*conditions)).scalar_one_or_none()
        return int(found or 0)


def _is_open(now: int) -> ColumnElement[bool]:
    """A window that ends far in the future was opened by a clock that was wrong."""
    return ATTEMPTS.c.ends_at.between(now + 1, now + 2 * _WINDOW)
