"""How somebody chooses a password with codes, or a passkey: at the first time, and later.

A password is kept when the first code of its telephone was right, not before: nobody is locked out
by a picture that was not read.

Passwords: argon2id, and as much work for an account that does not exist as for one that does.
"""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from functools import cache
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from ledger.errors import InputRefused
from web.accounts.codes import (
    as_text,
    matching_step,
    new_code_secret,
    new_recovery_codes,
    otpauth_address,
)
from web.office import accounts, ceremonies, credentials
from web.office.store import Office
from web.rendering import picture

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


_CHOOSING: Final = "password"


@dataclass(frozen=True, slots=True)
class PasswordSetup:
    """A password that is being chosen, and the secret of its codes.

    ``ceremony`` is what the page that ends it has to show.
    """

    account: str
    hash: str
    secret: bytes
    ceremony: str

    @property
    def text(self) -> str:
        """The secret as one types it."""
        return as_text(self.secret)

    @property
    def picture(self) -> str:
        """The secret as a telephone reads it."""
        return picture(otpauth_address(self.secret, self.account, "Rating ledger"))


def begin_setup(office: Office, account: str, password: str) -> PasswordSetup:
    """Begins to give an account a password; raises ``InputRefused`` for one that is no good."""
    check_password(account, password)
    hash_, secret = hashed(password), new_code_secret()
    data = {"account": account, "hash": hash_, "secret": secret.hex()}
    with office.writing() as connection:
        ceremony = ceremonies.begin(connection, _CHOOSING, data, office.now())
    return PasswordSetup(account, hash_, secret, ceremony)


def setup_of(office: Office, account: str, ceremony: str) -> PasswordSetup | None:
    """Returns what was begun; None where nothing was, or too long ago."""
    with office.reading() as connection:
        data = ceremonies.look(connection, _CHOOSING, ceremony, office.now())
    if data is None or data["account"] != account:
        return None
    return PasswordSetup(account, data["hash"], bytes.fromhex(data["secret"]), ceremony)


def end_setup(
    office: Office, setup: PasswordSetup, code: str, enrolment: str | None = None
) -> list[str] | None:
    """Gives an account its password if the first code is right; returns its recovery codes.

    None: the code is not right; it may be tried again. ``enrolment`` is the code of a link that is
    used with it; raises ``NotFound`` where it cannot be used.
    """
    now = office.now()
    step = matching_step(setup.secret, code, now)
    if step is None:
        return None
    codes = new_recovery_codes()
    with office.writing() as connection:
        if ceremonies.end(connection, _CHOOSING, setup.ceremony, now) is None:
            return None
        if enrolment is not None:
            accounts.use_enrolment(connection, enrolment, now)
        password = credentials.Password(setup.hash, setup.secret, step, now)
        credentials.set_password(connection, setup.account, password)
        credentials.set_recovery_codes(connection, setup.account, codes)
    return codes
