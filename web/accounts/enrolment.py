"""A one-time link: who was given it chooses how to sign in, and does so."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from ledger.errors import InputRefused, NotFound
from ledger.wording import Message
from web.access import PUBLIC, Routes
from web.accounts.identity import begin_session, browser_named, rights_now
from web.accounts.own_player import player_of_account
from web.accounts.passkeys import BadPasskey, are_possible, begin_making, made_passkey, named_origin
from web.accounts.password_setup import PasswordSetup, begin_setup, end_setup, setup_of
from web.asked_view import site_of
from web.fields import Secret
from web.office import accounts, credentials
from web.office.store import office_of
from web.rendering import render

routes = Routes("/enrol")


class PasskeyMade(BaseModel):
    """What the script of the page sends: what the browser was asked, and its answer."""

    ceremony: str
    answer: dict[str, Any]


@routes.get("/{code}", PUBLIC)
def enrolment_page(request: Request, code: str) -> Response:
    """Shows what may be chosen; the link is used only with the choice."""
    return _page(request, code, _account(request, code))


@routes.post("/{code}/password", PUBLIC)
def choose_password(request: Request, code: str, password: Secret) -> Response:
    """Takes a password, and shows the secret of its codes."""
    account = _account(request, code)
    try:
        setup = begin_setup(office_of(request), account, password)
    except InputRefused as refused:
        return _page(request, code, account, refused.message)
    return setup_page(request, setup, f"/enrol/{code}/codes")


@routes.post("/{code}/codes", PUBLIC)
def confirm_codes(request: Request, code: str, ceremony: Secret, first: Secret) -> Response:
    """Takes the first code, and lets the account be signed in to by its password."""
    account = _account(request, code)
    office = office_of(request)
    setup = setup_of(office, account, ceremony)
    if setup is None:
        return _page(request, code, account)
    setup_ = end_setup(office, setup, first, code)
    if setup_ is None:
        return setup_page(request, setup, f"/enrol/{code}/codes", is_wrong=True)
    response = recovery_page(request, setup_)
    begin_session(request, response, account)
    return response


@routes.post("/{code}/passkey/begin", PUBLIC)
def begin_passkey(request: Request, code: str) -> Response:
    """Tells a browser what to make a passkey with."""
    account = _account(request, code)
    return JSONResponse(begin_making(office_of(request), site_of(request).settings, account))


@routes.post("/{code}/passkey", PUBLIC)
def keep_passkey(request: Request, code: str, passkey_: PasskeyMade) -> Response:
    """Lets the account be signed in to by a passkey."""
    account = _account(request, code)
    office, settings = office_of(request), site_of(request).settings
    name = browser_named(request.headers.get("user-agent", ""))
    try:
        passkey = made_passkey(office, settings, account, passkey_.ceremony, passkey_.answer, name)
    except BadPasskey:
        return JSONResponse({"problem": "access.wrong"}, HTTPStatus.UNPROCESSABLE_ENTITY)
    with office.writing() as connection:
        accounts.use_enrolment(connection, code, office.now())
        credentials.add_passkey(connection, passkey)
    response = JSONResponse({"next": "/account"})
    begin_session(request, response, account)
    return response


def setup_page(
    request: Request, setup: PasswordSetup, action: str, *, is_wrong: bool = False,
    has_tokens: bool = False, with_tokens: bool = False,
) -> Response:  # fmt: skip
    """Shows the secret of the codes, for the only time, and asks for the first one.

    ``has_tokens``: it asks, too, whether the tokens of the account are to end, which was ticked
    before where ``with_tokens``.
    """
    wrong = Message.of("access.wrong_code") if is_wrong else None
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_wrong else HTTPStatus.OK
    return render(
        request, "codes.html", status, setup=setup, action=action, wrong=wrong,
        has_tokens=has_tokens, with_tokens=with_tokens,
    )  # fmt: skip


def recovery_page(request: Request, codes: list[str]) -> Response:
    """Shows recovery codes, for the only time."""
    return render(request, "recovery.html", codes=codes)


def _account(request: Request, code: str) -> str:
    """Returns whose link it is.

    Raises:
        NotFound: it was used, or never given out; or the account has no role and is no player's,
            as one that somebody took back before the link was used, at the command line perhaps.
    """
    office = office_of(request)
    with office.reading() as connection:
        account = accounts.enrolled_by(connection, code, office.now())
    if account is None:
        raise NotFound("access.no_enrolment")
    if not (rights_now(request, account).roles or player_of_account(request, account)):
        raise NotFound("access.enrol_no_role")
    return account


def _page(request: Request, code: str, account: str, refused: Message | None = None) -> Response:
    """Shows what may be chosen; ``refused`` is why a password was not taken."""
    settings = site_of(request).settings
    passkeys, named = are_possible(settings), named_origin(settings)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(
        request,
        "enrol.html",
        status,
        code=code,
        name=account,
        passkeys=passkeys,
        refused=refused,
        named_origin=named,
    )
