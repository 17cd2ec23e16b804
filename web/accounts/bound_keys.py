"""The passkeys with which somebody signs what is recorded: bound by their owner, and unbound."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Form, Request, Response
from fastapi.responses import RedirectResponse

from ledger.application.accounts import bind_key, revoke_key
from ledger.errors import InputRefused, NotFound
from web.access import SIGNED_IN, Routes, required_account
from web.accounts.reauthentication import FRESH
from web.asked_view import site_of
from web.fields import Reason, Typed
from web.office import credentials
from web.office.store import office_of
from web.signature_requests import asking_of, public_of

routes = Routes("/account/keys")
_BACK: Final = "/account#keys"
_LONGEST: Final = 1_500  # letters of a public key


@routes.post("/bind", SIGNED_IN, dependencies=[FRESH])
def bind(request: Request, passkey: Typed, reason: Reason, key: Typed = "") -> Response:
    """Binds one of the own passkeys: what the account records from then on is signed."""
    account = required_account(request).name
    with office_of(request).reading() as connection:
        own = credentials.passkeys_of(connection, account)
    chosen = next((each for each in own if each.credential.hex() == passkey), None)
    if chosen is None:
        raise NotFound("access.no_passkey")
    public = public_of(chosen)
    if public is None:
        raise InputRefused("signing.no_algorithm")
    site = site_of(request)
    asking = asking_of(request, "keys", f"bind {public}", reason, key)
    site.record(bind_key, account, public, asking, relying_party=site.settings.host)
    return RedirectResponse(_BACK, HTTPStatus.SEE_OTHER)


@routes.post("/unbind", SIGNED_IN, dependencies=[FRESH])
def unbind(
    request: Request,
    bound: Annotated[str, Form(max_length=_LONGEST)],
    reason: Reason,
    key: Typed = "",
) -> Response:
    """Lets a key of the own account sign no more; what it signed before stays signed."""
    asking = asking_of(request, "keys", f"unbind {bound}", reason, key)
    site_of(request).record(revoke_key, asking.actor, bound, asking)
    return RedirectResponse(_BACK, HTTPStatus.SEE_OTHER)
