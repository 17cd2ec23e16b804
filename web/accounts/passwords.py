"""Passwords: argon2id, and as much work for an account that does not exist as for one that does."""

from __future__ import annotations

import secrets
import unicodedata
from functools import cache
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from ledger.errors import InputRefused

LEAST: Final = 12
MOST: Final = 200
"""How many characters a password has."""
_KIBIBYTES: Final = 19 * 1024  # OWASP's parameters for argon2id, with one pass more
_PASSES: Final = 3
_AT_ONCE: Final = 2  # so that many attempts neither take all memory nor all processors

_hasher = PasswordHasher(time_cost=_PASSES, memory_cost=_KIBIBYTES, parallelism=1)
_turns = BoundedSemaphore(_AT_ONCE)


def check_password(account: str, password: str) -> None:
    """Raises ``InputRefused`` for a password that is too short, too long or the account's name."""
    if not LEAST <= len(password) <= MOST:
        raise InputRefused("access.password_length", least=LEAST, most=MOST)
    if account in password.lower() or len(set(password)) < LEAST // 3:
        raise InputRefused("access.password_simple")


def hashed(password: str) -> str:
    """Returns the hash of a password, with its parameters and a salt of its own."""
    with _turns:
        return _hasher.hash(_normal(password))


def is_right(hash_: str | None, password: str) -> bool:
    """Whether a password is the one that was hashed; None: there is none, and nothing fits.

    Either way exactly one hash is calculated.
    """
    with _turns:
        try:
            _hasher.verify(_nobodys() if hash_ is None else hash_, _normal(password))
        except VerificationError:
            return False
    return hash_ is not None


def is_outdated(hash_: str) -> bool:
    """Whether a password was hashed with other parameters than today's."""
    return _hasher.check_needs_rehash(hash_)


def _normal(password: str) -> bytes:
    """Returns a password as all keyboards give it; what is too long to be one is cut."""
    cut = password[: MOST + 1]
    return unicodedata.normalize("NFC", cut).encode(errors="surrogatepass")


@cache
def _nobodys() -> str:
    """Returns the hash of a password that nobody has."""
    return _hasher.hash(secrets.token_bytes())
