"""Signing in and out."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel

from ledger.identifiers import Seq
from ledger.wording import Message
from web.access import PUBLIC, Routes
from web.accounts.attempts import Attempts, client_address
from web.accounts.codes import matching_step, new_code_secret, tidied
from web.accounts.identity import (
    begin_session,
    end_session,
    known_device,
    session_of,
    was_ended_by_change,
)
from web.accounts.oidc import provider_of
from web.accounts.passkeys import BadPasskey, account_of_passkey, are_possible, begin_using
from web.accounts.password_setup import hashed, is_outdated, is_right
from web.asked_view import site_of
from web.destinations import own_address
from web.fields import Secret, Typed
from web.kept_forms import AGAIN
from web.office import credentials
from web.office.store import Office, office_of
from web.rendering import render

routes = Routes("/sign-in")
sign_out_routes = Routes()
_WAIT_SECONDS = 15 * 60
_FORM_WAS = {"/": "access.send_kept", "?": "access.send_lost"}
"""What became of a form that had to wait, by how the address after ``AGAIN`` goes on."""


class PasskeyShown(BaseModel):
    """What the script of the page sends: what the browser was asked, and its answer."""

    ceremony: str
    answer: dict[str, Any]
    next: str = "/"


@routes.get("", PUBLIC)
def sign_in_page(
    request: Request,
    next: str = "/",  # noqa: A002 - as it is called
    *,
    other: bool = False,
) -> Response:
    """Shows the ways in; ``other``: to another account than the one that is signed in."""
    return _page(request, next, is_other=other)


@routes.post("", PUBLIC)
def sign_in(
    request: Request,
    account: Typed,
    password: Secret,
    code: Secret,
    next: Typed = "/",  # noqa: A002 - as it is called
) -> Response:
    """Signs somebody in by password and code; what was wrong of them, nobody is told."""
    office, name = office_of(request), account.strip().lower()
    device = known_device(request, name)
    attempts = Attempts(office)
    if not attempts.allow_password(client_address(request), name, device):
        return too_many(request, next, name)
    seq = site_of(request).head()
    if not is_proved(office, name, password, code):
        return _page(request, next, name, wrong=Message.of("access.wrong"))
    attempts.succeeded(name, device)
    return _signed_in(request, name, next, seq)


def is_proved(office: Office, account: str, password: str, code: str) -> bool:
    """Whether a password and a code are those of an account; the code is used then.

    One hash is calculated, whether there is such an account or not.
    """
    with office.reading() as connection:
        known = credentials.password_of(connection, account)
    right = is_right(known.hash if known else None, password)
    now = office.now()
    step = matching_step(known.secret if known else new_code_secret(), code, now)
    if known is None or not right:
        return False
    with office.writing() as connection:
        if step is not None:
            proved = credentials.use_step(connection, account, step, credentials.newest_step(now))
        else:
            proved = credentials.use_recovery_code(connection, account, tidied(code))
        if proved and is_outdated(known.hash):
            credentials.rehash(connection, account, known.hash, hashed(password))
    return proved


@routes.post("/passkey/begin", PUBLIC)
def begin_passkey(request: Request) -> Response:
    """Tells a browser what to sign in with."""
    office = office_of(request)
    if not Attempts(office).allow_passkey(client_address(request), known_device(request)):
        return _told("access.too_many", HTTPStatus.TOO_MANY_REQUESTS)
    return JSONResponse(begin_using(office, site_of(request).settings))


@routes.post("/passkey", PUBLIC)
def use_passkey(request: Request, shown: PasskeyShown) -> Response:
    """Signs somebody in by a passkey."""
    office, settings = office_of(request), site_of(request).settings
    seq = site_of(request).head()
    try:
        account = account_of_passkey(office, settings, shown.ceremony, shown.answer)
    except BadPasskey:
        return _told("access.wrong", HTTPStatus.UNPROCESSABLE_ENTITY)
    response = JSONResponse({"next": own_address(shown.next)})
    begin_session(request, response, account, seq=seq)
    return response


@sign_out_routes.post("/sign-out", PUBLIC)
def sign_out(request: Request) -> Response:
    """Ends the session."""
    response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    end_session(request, response)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _signed_in(request: Request, account: str, wanted: str, seq: Seq) -> Response:
    """Returns the answer that signs somebody in, as known at a seq, and sends them on."""
    response = RedirectResponse(own_address(wanted), HTTPStatus.SEE_OTHER)
    begin_session(request, response, account, seq=seq)
    return response


def too_many(request: Request, wanted: str, typed: str) -> Response:
    """Answers who has tried too often."""
    response = _page(request, wanted, typed, wrong=Message.of("access.too_many"))
    response.status_code = HTTPStatus.TOO_MANY_REQUESTS
    response.headers["Retry-After"] = str(_WAIT_SECONDS)
    return response


def _page(
    request: Request,
    wanted: str,
    typed: str = "",
    *,
    wrong: Message | None = None,
    is_other: bool = False,
) -> Response:
    office_of(request)
    session = None if is_other else session_of(request)
    settings = site_of(request).settings
    after = own_address(wanted)
    return render(
        request,
        "sign_in.html",
        HTTPStatus.OK if wrong is None else HTTPStatus.UNPROCESSABLE_ENTITY,
        next=after,
        typed=typed or (session.account if session else ""),
        again=session is not None,
        outdated=not is_other and was_ended_by_change(request),
        form_was=_FORM_WAS.get(after.removeprefix(AGAIN)[:1]) if after.startswith(AGAIN) else None,
        wrong=wrong,
        passkeys=are_possible(settings),
        provider=provider_of(settings),
    )


def _told(key: str, status: HTTPStatus) -> Response:
    return JSONResponse({"problem": key}, status)
