"""Whose request it is: by the cookie of a session, or by a program's token.

A session or token ends with the next revocation of a role of its account, a session also with the
next grant of one: who signs in again is given a new one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from fastapi import Depends, Request, Response

from ledger.facts.accounts import AccountFacts
from ledger.identifiers import Seq
from ledger.service.accounts import rights_of
from web.access import SESSION, Account, account_of, cookie_name, scopes_for, set_cookie
from web.asked_view import site_of
from web.kept_forms import know_browser
from web.office import sessions, tokens
from web.office.store import Office, office_if_any, office_of
from web.refusals import SignInAgain

DEVICE: Final = "browser"
FRESH_SECONDS: Final = 10 * 60
_BEARER: Final = "bearer "


def identify(request: Request) -> Account | None:
    """Returns whose request it is, with what they may do now; None where nobody signed in."""
    office = office_if_any(request)
    if office is None:
        return None
    header = request.headers.get("authorization")
    if header is not None:
        is_token = header.lower().startswith(_BEARER)
        return _by_token(request, office, header[len(_BEARER) :].strip()) if is_token else None
    secret = request.cookies.get(cookie_name(site_of(request).settings, SESSION))
    return _by_session(request, office, secret) if secret else None


def rights_now(request: Request, account: str) -> AccountFacts:
    """Returns what an account may do by the newest events."""
    return site_of(request).newest().recall(rights_of, account)


def _by_session(request: Request, office: Office, secret: str) -> Account | None:
    now = office.now()
    with office.reading() as connection:
        found = sessions.session(connection, secret, now)
        request.state.former_session = sessions.known(connection, secret)
    if found is None:
        return None
    rights = rights_now(request, found.account)
    if max(rights.revoked, rights.granted) > found.seq:
        with office.writing() as connection:
            sessions.end(connection, found.account, found.hash)
        return None
    if sessions.is_to_be_noted(found, now):
        with office.writing() as connection:
            sessions.note(connection, found, now)
    request.state.session = found
    return Account(
        found.account, rights.roles, tournaments=rights.tournaments, since=found.seq,
        session=found.label,
    )  # fmt: skip


def _by_token(request: Request, office: Office, secret: str) -> Account | None:
    now = office.now()
    with office.reading() as connection:
        found = tokens.token(connection, secret, now)
    if found is None:
        return None
    rights = rights_now(request, found.account)
    if rights.revoked > found.seq:
        with office.writing() as connection:
            tokens.end(connection, found.account, found.hash)
        return None
    if tokens.is_to_be_noted(found, now):
        with office.writing() as connection:
            tokens.note(connection, found, now)
    account = Account(
        found.account, rights.roles, by_token=True, tournaments=rights.tournaments, since=found.seq
    )
    return replace(account, scopes=found.scopes.intersection(scopes_for(account)))


# Sessions


def session_of(request: Request) -> sessions.Session | None:
    """Returns the session of a request; None where nobody signed in by a browser."""
    account_of(request)
    return getattr(request.state, "session", None)


def was_ended_by_change(request: Request) -> bool:
    """Whether roles, or ways in, of the account changed since its browser signed in to it."""
    if account_of(request) is not None:
        return False
    former: sessions.Session | None = getattr(request.state, "former_session", None)
    if former is None:
        return False
    rights = rights_now(request, former.account)
    return max(rights.revoked, rights.granted) > former.seq


def begin_session(
    request: Request, response: Response, account: str, proved_at: int | None = None,
    *, seq: Seq | None = None,
) -> None:  # fmt: skip
    """Signs somebody in: a new session, in the place of the one that the browser had.

    Args:
        request: of their browser.
        response: gives it the cookie.
        account: who they are.
        proved_at: when they proved it, in seconds since 1970; None is now.
        seq: the ledger's before they proved it, so that a way in that was taken meanwhile ends the
            session; None is now.
    """
    office, settings = office_of(request), site_of(request).settings
    agent, now = browser_named(request.headers.get("user-agent", "")), office.now()
    seq = site_of(request).head() if seq is None else seq
    rights = rights_now(request, account)
    device = request.cookies.get(cookie_name(settings, DEVICE))
    with office.writing() as connection:
        sessions.forget_old(connection, now)
        sessions.end_before(connection, account, max(rights.revoked, rights.granted))
        tokens.end_before(connection, account, rights.revoked)
        before = request.cookies.get(cookie_name(settings, SESSION))
        old = sessions.session(connection, before, now) if before else None
        if old is not None:
            sessions.end(connection, old.account, old.hash)
        secret = sessions.begin(
            connection, account, seq=seq, agent=agent, now=now, fresh_at=proved_at
        )
        is_known = device and sessions.remembers(connection, account, device, now)
        remembered = None if is_known else sessions.remember(connection, account, now)
    set_cookie(response, settings, SESSION, secret, sessions.LONGEST_SECONDS)
    know_browser(request, response)
    if remembered is not None:
        set_cookie(response, settings, DEVICE, remembered, sessions.DEVICE_SECONDS)


def known_device(request: Request, account: str | None = None) -> str | None:
    """Returns the secret of a browser in which an account (None: any) was signed in to before."""
    office, settings = office_of(request), site_of(request).settings
    device = request.cookies.get(cookie_name(settings, DEVICE))
    if device is None:
        return None
    with office.reading() as connection:
        is_known = sessions.remembers(connection, account, device, office.now())
    return device if is_known else None


def end_session(request: Request, response: Response) -> None:
    """Signs somebody out: the session is over wherever its cookie is."""
    settings = site_of(request).settings
    session = session_of(request)
    if session is not None:
        with office_of(request).writing() as connection:
            sessions.end(connection, session.account, session.hash)
    response.delete_cookie(
        cookie_name(settings, SESSION), secure=settings.is_secure, httponly=True, samesite="lax"
    )


def is_fresh(request: Request) -> bool:
    """Whether the person has just proved who they are, in this session."""
    session = session_of(request)
    if session is None:
        return False
    return abs(office_of(request).now() - session.fresh_at) < FRESH_SECONDS


def _check(request: Request) -> None:
    if not is_fresh(request):
        raise SignInAgain


FRESH: Any = Depends(_check)
"""A dependency of a route: its user has signed in within the last minutes."""


# What a browser says of itself, to its name; others' names stand in what one says.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_named(agent: str) -> str:
    """Returns browser and system, of a header ``User-Agent``.

    >>> browser_named("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0")
    'Firefox, Linux'
    >>> browser_named("curl/8")
    '-'
    """
    named = (
        next((name for sign, name in signs if sign in agent), None)
        for signs in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(name for name in named if name) or "-"
