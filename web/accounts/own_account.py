"""What somebody sees and changes of their own account: ways in, sessions, tokens.

The passkeys with which somebody signs what is recorded: bound by their owner, and unbound.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from ledger.answers.tournaments import names_of_tournaments
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.operations.operation import WordsRefused
from ledger.service.accounts import bind_key, revoke_key
from ledger.terms import Role
from ledger.wording import Message
from web.access import SIGNED_IN, Account, Routes, known_scopes, required_account, scopes_for
from web.accounts.codes import new_recovery_codes
from web.accounts.enrolment import PasskeyMade, recovery_page, setup_page
from web.accounts.identity import (
    FRESH,
    begin_session,
    browser_named,
    is_fresh,
    rights_now,
    session_of,
)
from web.accounts.own_player import own_player
from web.accounts.passkeys import BadPasskey, are_possible, begin_making, made_passkey, named_origin
from web.accounts.password_setup import begin_setup, end_setup, setup_of
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Filled, Reason, Secret, Typed
from web.forms import FormOutcome, TypedForm
from web.office import credentials, sessions, tokens
from web.office.store import new_secret, office_of
from web.problems import failure_data, status_of
from web.rendering import render
from web.signature_requests import asking_of, public_of

routes = Routes("/account")
WithTokens = Annotated[bool, Form(alias="end_tokens")]
"""Whether programs are to lose their tokens with what is taken away."""
_DAY_SECONDS: Final = 24 * 3600
_LONGEST_TOKEN_NAME: Final = 60
_MOST_TOKEN_DAYS: Final = 366
_UNSENT: Final = FormOutcome()


@routes.get("", SIGNED_IN)
def account_page(request: Request) -> Response:
    """Shows the ways into the account, its sessions and tokens."""
    return _page(request)


# Password and codes


@routes.post("/password", SIGNED_IN, dependencies=[FRESH])
def choose_password(request: Request, password: Secret) -> Response:
    """Takes a new password, and shows the secret of its codes."""
    try:
        setup = begin_setup(office_of(request), required_account(request).name, password)
    except InputRefused as refused:
        return _page(request, refused.message)
    return setup_page(request, setup, "/account/codes", has_tokens=_has_tokens(request))


@routes.post("/codes", SIGNED_IN, dependencies=[FRESH])
def confirm_codes(
    request: Request, ceremony: Secret, first: Secret, *, with_tokens: WithTokens = False
) -> Response:
    """Takes the first code; every other session ends, and this one is a new one."""
    office, own = office_of(request), required_account(request)
    setup = setup_of(office, own.name, ceremony)
    if setup is None:
        return to_page("account")
    setup_ = end_setup(office, setup, first)
    if setup_ is None:
        return setup_page(
            request, setup, "/account/codes", is_wrong=True, has_tokens=_has_tokens(request),
            with_tokens=with_tokens,
        )  # fmt: skip
    with office.writing() as connection:
        _end_others(request, connection, with_tokens=with_tokens)
        sessions.forget_devices(connection, own.name)
    response = recovery_page(request, setup_)
    begin_session(request, response, own.name)
    return response


@routes.post("/recovery-codes", SIGNED_IN, dependencies=[FRESH])
def renew_recovery_codes(request: Request, *, with_tokens: WithTokens = False) -> Response:
    """Gives new recovery codes; the old ones are void, and every other session ends."""
    office, own = office_of(request), required_account(request)
    codes = new_recovery_codes()
    with office.writing() as connection:
        if credentials.password_of(connection, own.name) is None:
            raise NotFound("access.no_password")
        credentials.set_recovery_codes(connection, own.name, codes)
        _end_others(request, connection, with_tokens=with_tokens)
    return recovery_page(request, codes)


@routes.post("/password/end", SIGNED_IN, dependencies=[FRESH])
def remove_password(request: Request, *, with_tokens: WithTokens = False) -> Response:
    """Takes the password away, where there is another way in; every other session ends."""
    own = required_account(request)
    with office_of(request).writing() as connection:
        if not credentials.passkeys_of(connection, own.name):
            raise InputRefused("access.last_way")
        credentials.remove_password(connection, own.name)
        _end_others(request, connection, with_tokens=with_tokens)
    return to_page("account")


# Passkeys


@routes.post("/passkeys/begin", SIGNED_IN, dependencies=[FRESH])
def begin_passkey(request: Request) -> Response:
    """Tells a browser what to make a passkey with."""
    office, settings = office_of(request), site_of(request).settings
    return JSONResponse(begin_making(office, settings, required_account(request).name))


@routes.post("/passkeys", SIGNED_IN, dependencies=[FRESH])
def keep_passkey(request: Request, passkey_: PasskeyMade) -> Response:
    """Adds a passkey."""
    office, own = office_of(request), required_account(request)
    name = browser_named(request.headers.get("user-agent", ""))
    settings = site_of(request).settings
    try:
        passkey = made_passkey(office, settings, own.name, passkey_.ceremony, passkey_.answer, name)
    except BadPasskey:
        return JSONResponse({"problem": "access.wrong"}, HTTPStatus.UNPROCESSABLE_ENTITY)
    with office.writing() as connection:
        credentials.add_passkey(connection, passkey)
    return JSONResponse({"next": "/account"})


@routes.post("/passkeys/end", SIGNED_IN, dependencies=[FRESH])
def remove_passkey(
    request: Request, passkey: Typed, *, with_tokens: WithTokens = False
) -> Response:
    """Takes a passkey away, where there is another way in; every other session ends."""
    own = required_account(request)
    bound = {
        key
        for key, conditions in rights_now(request, own.name).keys.items()
        if conditions.revoked is None
    }
    with office_of(request).writing() as connection:
        known = credentials.passkey(connection, as_bytes(passkey))
        if known is not None and public_of(known) in bound:
            raise InputRefused("access.passkey_bound")
        others = len(credentials.passkeys_of(connection, own.name)) - 1
        if not others and credentials.password_of(connection, own.name) is None:
            raise InputRefused("access.last_way")
        if not credentials.remove_passkey(connection, own.name, as_bytes(passkey)):
            raise NotFound("access.no_passkey")
        _end_others(request, connection, with_tokens=with_tokens)
    return to_page("account")


# Sessions and tokens


@routes.post("/sessions/end", SIGNED_IN)
def end_session_of(request: Request, session: Typed = "") -> Response:
    """Ends one of the account's sessions; without one all but this."""
    own, this = required_account(request), session_of(request)
    assert this is not None, "people have a session"
    with office_of(request).writing() as connection:
        if session:
            sessions.end(connection, own.name, as_bytes(session))
        else:
            sessions.end_all(connection, own.name, but=this.hash)
    return to_page("account")


@routes.post("/tokens", SIGNED_IN, dependencies=[FRESH])
def make_token(request: Request, typed: Filled) -> Response:
    """Makes a token, and shows it for the only time."""
    office, own = office_of(request), required_account(request)
    try:
        name, scopes, days = _token_asked(own, typed)
    except WordsRefused as refused:
        return _page(request, outcome=FormOutcome(typed, refused))
    session, now = session_of(request), office.now()
    assert session is not None, "people have a session"
    with office.writing() as connection:
        token = tokens.add(
            connection,
            own.name,
            name,
            scopes,
            seq=session.seq,  # a role that is revoked from now on ends it, as the session
            now=now,
            expires_at=now + days * _DAY_SECONDS,
        )
    return render(request, "token.html", token=token)


def _token_asked(own: Account, typed: TypedForm) -> tuple[str, frozenset[str], int]:
    """Returns what a token is to be: its name, its scopes, and for how many days it is good.

    Raises:
        WordsRefused: with what is wrong with each field.
    """
    wrong: dict[str, Message] = {}
    name, scopes, days = typed.text("name"), frozenset(typed.all("scope")), None
    if name is None:
        wrong["name"] = Message.of("submission.lacks", field=Message.of("access.token_name"))
    elif len(name) > _LONGEST_TOKEN_NAME:
        wrong["name"] = Message.of("value.too_long", most=_LONGEST_TOKEN_NAME)
    if not scopes:
        wrong["scope"] = Message.of("access.scopes_needed")
    elif unknown := scopes - set(known_scopes()):
        wrong["scope"] = Message.of("access.no_scope", scope=min(unknown))
    elif lacking := scopes - set(scopes_for(own)):
        wrong["scope"] = Message.of("access.scope_of_others", scope=min(lacking))
    try:
        days = typed.number("days", least=1, most=_MOST_TOKEN_DAYS)
        if days is None:
            wrong["days"] = Message.of("submission.lacks", field=Message.of("access.days"))
    except InputRefused as refused:
        wrong["days"] = refused.message
    if wrong or name is None or days is None:
        raise WordsRefused(wrong)
    return name, scopes, days


@routes.post("/tokens/end", SIGNED_IN)
def end_token(request: Request, token: Typed = "") -> Response:
    """Ends one of the account's tokens; without one all of them."""
    own = required_account(request)
    with office_of(request).writing() as connection:
        if token:
            tokens.end(connection, own.name, as_bytes(token))
        else:
            tokens.end_all(connection, own.name)
    return to_page("account")


def _end_others(request: Request, connection: Any, *, with_tokens: bool) -> None:
    """Ends all sessions but this one: who has another may have come in by what was taken away."""
    this = session_of(request)
    assert this is not None, "people have a session"
    sessions.end_all(connection, this.account, but=this.hash)
    if with_tokens:
        tokens.end_all(connection, this.account)


def _has_tokens(request: Request) -> bool:
    with office_of(request).reading() as connection:
        return bool(tokens.tokens_of(connection, required_account(request).name))


def as_bytes(text: str) -> bytes:
    """Returns what a page calls by hexadecimal digits; raises ``NotFound`` for anything else."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise NotFound("access.no_such") from error


def _page(
    request: Request, refused: Message | None = None, outcome: FormOutcome = _UNSENT
) -> Response:
    """Shows the account.

    ``refused`` is why a new password was not taken, ``outcome`` what came of another form.
    """
    office, own = office_of(request), required_account(request)
    now, this = office.now(), session_of(request)
    with office.reading() as connection:
        password = credentials.password_of(connection, own.name)
        values: dict[str, Any] = {
            "password": password,
            "recovery_codes": credentials.recovery_codes_left(connection, own.name),
            "passkeys": credentials.passkeys_of(connection, own.name),
            "identities": credentials.identities_of(connection, own.name),
            "sessions": sessions.sessions_of(connection, own.name, now),
            "tokens": tokens.tokens_of(connection, own.name),
        }
    rights = rights_now(request, own.name)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    free = [(each, public_of(each)) for each in values["passkeys"]]
    problem = outcome.problem
    return render(
        request,
        "own_account.html",
        status if problem is None else status_of(problem),
        outcome.typed,
        refused=refused,
        error=failure_data(request, problem),
        wrong=problem.fields if isinstance(problem, WordsRefused) else {},
        grants=rights.grants,
        person=own_player(request),
        events=site_of(request).newest().ask(names_of_tournaments, rights.tournaments or ()),
        keys=rights.keys,
        free=[(each, key) for each, key in free if key is not None and key not in rights.keys],
        host=site_of(request).settings.host,
        key=new_secret(),
        fresh=is_fresh(request),
        passkeys_possible=are_possible(site_of(request).settings),
        named_origin=named_origin(site_of(request).settings),
        scopes=scopes_for(own),
        records=bool(own.roles - {Role.AUDITOR}),
        this=this,
        now=now,
        **values,
    )


key_routes = Routes("/account/keys")
_BACK: Final = "/account#keys"
_LONGEST: Final = 1_500  # letters of a public key


@key_routes.post("/bind", SIGNED_IN, dependencies=[FRESH])
def bind(
    request: Request, typed: Filled, passkey: Typed, reason: Reason = "", key: Typed = ""
) -> Response:
    """Binds one of the own passkeys: what the account records from then on is signed."""
    site = site_of(request)
    try:
        public = _public_of(request, passkey)
        asking = asking_of(request, "keys", f"bind {public}", reason, key)
        site.record(bind_key, asking.actor, public, asking, relying_party=site.settings.host)
    except LedgerError as error:
        return _page(request, outcome=FormOutcome(typed, error))
    return RedirectResponse(_BACK, HTTPStatus.SEE_OTHER)


def _public_of(request: Request, passkey: str) -> str:
    """Returns the public key of one of the own passkeys, which a page calls by its credential.

    Raises:
        NotFound: the account has no such passkey.
        InputRefused: nothing can be signed with one of its kind.
    """
    with office_of(request).reading() as connection:
        own = credentials.passkeys_of(connection, required_account(request).name)
    chosen = next((each for each in own if each.credential.hex() == passkey), None)
    if chosen is None:
        raise NotFound("access.no_passkey")
    public = public_of(chosen)
    if public is None:
        raise InputRefused("signing.no_algorithm")
    return public


@key_routes.post("/unbind", SIGNED_IN, dependencies=[FRESH])
def unbind(
    request: Request,
    typed: Filled,
    bound: Annotated[str, Form(max_length=_LONGEST)],
    reason: Reason = "",
    key: Typed = "",
) -> Response:
    """Lets a key of the own account sign no more; what it signed before stays signed."""
    asking = asking_of(request, "keys", f"unbind {bound}", reason, key)
    try:
        site_of(request).record(revoke_key, asking.actor, bound, asking)
    except LedgerError as error:
        return _page(request, outcome=FormOutcome(typed, error))
    return RedirectResponse(_BACK, HTTPStatus.SEE_OTHER)
