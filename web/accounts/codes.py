"""Time-based codes (RFC 6238) and the codes for whoever lost their telephone."""

from __future__ import annotations

import base64
import secrets
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from web.office.credentials import SLACK_STEPS, STEP_SECONDS

_DIGITS: Final = 6
_SECRET_BYTES: Final = 20  # what RFC 4226 recommends
_SLACK: Final = (0, -SLACK_STEPS, SLACK_STEPS)
RECOVERY_CODES: Final = 8
_RECOVERY_BYTES: Final = 10
_GROUP: Final = 4


def new_code_secret() -> bytes:
    """Returns a secret from which a telephone makes codes."""
    return secrets.token_bytes(_SECRET_BYTES)


def as_text(secret: bytes) -> str:
    """Returns a secret as one types it.

    >>> as_text(bytes(10))
    'AAAA AAAA AAAA AAAA'
    """
    text = base64.b32encode(secret).decode()
    return " ".join(text[place : place + _GROUP] for place in range(0, len(text), _GROUP))


def otpauth_address(secret: bytes, account: str, site: str) -> str:
    """Returns the address (``otpauth:``) that a telephone reads from the picture."""
    return _codes(secret).get_provisioning_uri(account, site)


def matching_step(secret: bytes, code: str, now: int) -> int | None:
    """Returns the step of time whose code was given; None where it is none of these minutes."""
    given, found = _digits(code), None
    for slack in _SLACK:
        step = now // STEP_SECONDS + slack
        expected = _codes(secret).generate(step * STEP_SECONDS)
        if secrets.compare_digest(expected, given):
            found = step
    return found


def new_recovery_codes() -> list[str]:
    """Returns codes of 80 bits each, as one writes them down."""
    return [
        as_text(secrets.token_bytes(_RECOVERY_BYTES)).replace(" ", "-")
        for _ in range(RECOVERY_CODES)
    ]


def tidied(code: str) -> str:
    """Returns a recovery code as it was given out, however it was typed.

    >>> tidied(" abcd efgh-ijklmnop ")
    'ABCD-EFGH-IJKL-MNOP'
    """
    letters = "".join(letter for letter in code.upper() if letter.isalnum())
    return "-".join(letters[place : place + _GROUP] for place in range(0, len(letters), _GROUP))


def _digits(code: str) -> bytes:
    """Returns the digits of a code; spaces are left out."""
    return "".join(code.split()).encode(errors="replace")


def _codes(secret: bytes) -> TOTP:
    return TOTP(secret, _DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303 - telephones know no other
