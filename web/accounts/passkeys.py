"""Passkeys (WebAuthn): made and used with discoverable credentials and user verification."""

from __future__ import annotations

import ipaddress
import json
import logging
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ledger.journal.assertions import Assertion
from web.office import accounts, ceremonies, credentials
from web.office.store import Office
from web.settings import WebSettings

_log = logging.getLogger("rating_ledger.web")
_MAKING: Final = "passkey"
_USING: Final = "sign-in"
_SITE: Final = "Rating ledger"
logging.getLogger("fido2").setLevel(logging.WARNING)  # below it writes the ids of credentials


class BadPasskey(Exception):
    """What a browser or an authenticator says is not what was asked for."""


def are_possible(settings: WebSettings) -> bool:
    """Whether browsers make passkeys for the site: it has a name, and HTTPS or is this machine."""
    try:
        ipaddress.ip_address(settings.host)
    except ValueError:
        return settings.is_secure or settings.host == "localhost"
    return False


def named_origin(settings: WebSettings) -> str | None:
    """Returns how this machine calls the site by a name, for passkeys; None where that is no help.

    >>> from pathlib import Path
    >>> at = lambda origin: WebSettings(ledger="", origin=origin, cache=Path())
    >>> named_origin(at("http://127.0.0.1:8000")), named_origin(at("http://10.0.0.3"))
    ('http://localhost:8000', None)
    """
    parts = urlsplit(settings.origin)
    try:
        is_here = ipaddress.ip_address(settings.host).is_loopback
    except ValueError:
        return None
    if not is_here:
        return None
    return f"{parts.scheme}://localhost" + (f":{parts.port}" if parts.port else "")


def begin_making(office: Office, settings: WebSettings, account: str) -> dict[str, Any]:
    """Returns what a browser is told to make a passkey of an account with."""
    now = office.now()
    with office.writing() as connection:
        handle = accounts.user_handle(connection, account)
        assert handle is not None, "whoever makes a passkey has an account"
        user = PublicKeyCredentialUserEntity(id=handle, name=account, display_name=account)
        known = [
            PublicKeyCredentialDescriptor(
                type=PublicKeyCredentialType.PUBLIC_KEY, id=each.credential
            )
            for each in credentials.passkeys_of(connection, account)
        ]
        options, state = _server(settings).register_begin(
            user,
            known,
            resident_key_requirement=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        kept = {"account": account, "state": dict(state)}
        secret = ceremonies.begin(connection, _MAKING, kept, now)
    return {"ceremony": secret, **_json(options)}


def made_passkey(
    office: Office,
    settings: WebSettings,
    account: str,
    ceremony: str,
    answer: dict[str, Any],
    name: str,
) -> credentials.Passkey:
    """Returns the passkey that a browser has made for an account; it is not kept yet.

    Raises:
        BadPasskey: it was not asked for, or is not what was.
    """
    now = office.now()
    with office.writing() as connection:
        begun = ceremonies.end(connection, _MAKING, ceremony, now)
    if begun is None or begun["account"] != account:
        raise BadPasskey
    try:
        data = _server(settings).register_complete(begun["state"], answer)
    except Exception as error:
        raise BadPasskey from error
    credential = data.credential_data
    if credential is None:
        raise BadPasskey
    return credentials.Passkey(
        credential=credential.credential_id,
        account=account,
        public_key=bytes(credential),
        sign_count=data.counter,
        name=name,
        created_at=now,
        used_at=None,
    )


def begin_using(office: Office, settings: WebSettings) -> dict[str, Any]:
    """Returns what a browser is told to sign in with: with any passkey that it has of the site."""
    server = _server(settings)
    options, state = server.authenticate_begin(
        user_verification=UserVerificationRequirement.REQUIRED
    )
    with office.writing() as connection:
        secret = ceremonies.begin(connection, _USING, dict(state), office.now())
    return {"ceremony": secret, **_json(options)}


def account_of_passkey(
    office: Office, settings: WebSettings, ceremony: str, answer: dict[str, Any]
) -> str:
    """Returns whose passkey a browser has shown; that it was used is written down.

    Raises:
        BadPasskey: it is nobody's, was not asked for, or there is a copy of it.
    """
    now = office.now()
    with office.writing() as connection:  # the challenge is used up, whatever comes of it
        state = ceremonies.end(connection, _USING, ceremony, now)
    if state is None:
        raise BadPasskey
    try:
        response = AuthenticationResponse.from_dict(answer)
        credential, handle = response.raw_id, response.response.user_handle
        count = response.response.authenticator_data.counter
    except Exception as error:
        raise BadPasskey from error
    known = _known(office, credential, handle)
    try:
        public = AttestedCredentialData(known.public_key)
        _server(settings).authenticate_complete(state, [public], response)
    except Exception as error:
        raise BadPasskey from error
    _use(office, known, count)
    return known.account


def begin_signing(
    settings: WebSettings, bound: Sequence[credentials.Passkey], challenge: bytes
) -> dict[str, Any]:
    """Returns what a browser is told to sign a challenge with: with one of these passkeys."""
    options, _ = _server(settings).authenticate_begin(
        [AttestedCredentialData(each.public_key) for each in bound],
        user_verification=UserVerificationRequirement.REQUIRED,
        challenge=challenge,
    )
    return _json(options)


def signed_with(
    office: Office,
    settings: WebSettings,
    bound: Sequence[credentials.Passkey],
    challenge: str,
    answer: dict[str, Any],
) -> tuple[credentials.Passkey, Assertion]:
    """Returns with which passkey a challenge was signed, and how; its use is written down.

    Raises:
        BadPasskey: it is none of these, or not what was asked for, or there is a copy of it.
    """
    state = {"challenge": challenge, "user_verification": UserVerificationRequirement.REQUIRED}
    try:
        response_ = AuthenticationResponse.from_dict(answer)
        known = [AttestedCredentialData(each.public_key) for each in bound]
        _server(settings).authenticate_complete(state, known, response_)
    except Exception as error:
        raise BadPasskey from error
    used = next(each for each in bound if each.credential == response_.raw_id)
    response = response_.response
    count = response.authenticator_data.counter
    _use(office, used, count)
    data = bytes(response.authenticator_data), bytes(response.client_data), response.signature
    return used, Assertion(*data)


def _use(office: Office, used: credentials.Passkey, count: int) -> None:
    """Notes that a passkey was used; raises ``BadPasskey`` where there may be a copy of it.

    Its owner is told so on the page of the account.
    """
    with office.writing() as connection:
        is_original = credentials.use_passkey(connection, used, count, office.now())
    if not is_original:
        _log.warning("a passkey was refused whose counter had not grown: there may be a copy of it")
        raise BadPasskey


def _known(office: Office, credential: bytes, handle: bytes | None) -> credentials.Passkey:
    """Returns a passkey that is kept, of the account that is said; raises ``BadPasskey``."""
    with office.reading() as connection:
        known = credentials.passkey(connection, credential)
        owner = accounts.account_with(connection, handle) if handle is not None else None
    if known is None or known.account != owner:
        raise BadPasskey
    return known


def _server(settings: WebSettings) -> Fido2Server:
    about = PublicKeyCredentialRpEntity(name=_SITE, id=settings.host)
    return Fido2Server(about, verify_origin=lambda origin: origin == settings.origin)


def _json(options: Any) -> dict[str, Any]:
    """Returns options as the script of the page takes them."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(options)))
    return plain
