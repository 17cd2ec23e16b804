"""How somebody chooses a password with codes, or a passkey: at the first time, and later.

A password is kept when the first code of its telephone was right, not before: nobody is locked out
by a picture that was not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from web.accounts.codes import (
    as_text,
    matching_step,
    new_code_secret,
    new_recovery_codes,
    otpauth_address,
    picture,
)
from web.accounts.passwords import check_password, hashed
from web.office import accounts, ceremonies, credentials
from web.office.store import Office

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
        made = credentials.Password(setup.hash, setup.secret, step, now)
        credentials.set_password(connection, setup.account, made)
        credentials.set_recovery_codes(connection, setup.account, codes)
    return codes
