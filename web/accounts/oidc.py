"""Signing in with another site's account: OpenID Connect, authorization code with PKCE.

An account is linked to an issuer's subject by an administrator. What an issuer says of somebody's
address or name links nothing and makes nobody.

An issuer may know a browser for months. So who signs in by it has just proved who they are
only where it says when (``auth_time``); who has to prove it again is asked for it there
(``prompt=login``).
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from fastapi import Query, Request, Response
from fastapi.responses import RedirectResponse

from ledger.errors import InputRefused
from web.access import PUBLIC, Routes, cookie_name, set_cookie
from web.accounts.attempts import Attempts, client_address
from web.accounts.identity import begin_session, known_device, session_of
from web.asked_view import site_of
from web.destinations import own_address
from web.office import ceremonies, credentials
from web.office.store import new_secret, office_of
from web.rendering import render
from web.settings import OidcSettings, WebSettings

routes = Routes("/sign-in/oidc")
_KIND: Final = "oidc"
_STATE: Final = "oidc"
_CALLBACK: Final = "/sign-in/oidc/callback"
_SECONDS: Final = 10  # to wait for the issuer
_SLACK_SECONDS: Final = 60  # between its clock and ours
_ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA")
Said = Annotated[str, Query(max_length=4000)]


class BadIssuer(Exception):
    """The issuer cannot be reached, or what it says does not hold."""


def provider_of(settings: WebSettings) -> OidcSettings | None:
    """Returns the issuer of a site; None where there is none, or the extra is not installed."""
    return settings.oidc if find_spec("authlib") is not None else None


@routes.get("", PUBLIC)
def ask_issuer(request: Request, next: str = "/") -> Response:  # noqa: A002 - as it is called
    """Sends a browser to the issuer."""
    office, issuer = office_of(request), _issuer(request)
    if not Attempts(office).allow_identity(client_address(request), known_device(request)):
        raise InputRefused("access.too_many")
    from authlib.oauth2.rfc7636 import create_s256_code_challenge  # noqa: PLC0415 - an extra

    nonce, verifier = new_secret(), new_secret()
    now = office.now()
    # Who has a session already comes to prove once more who they are: to be known is not enough.
    after = now if session_of(request) is not None else None
    kept = {"nonce": nonce, "verifier": verifier, "next": own_address(next), "after": after}
    with office.writing() as connection:
        state = ceremonies.begin(connection, _KIND, kept, now)
    with _client(request, issuer) as client:
        try:
            about = _discovered(client, issuer)
        except BadIssuer as error:
            raise InputRefused("access.oidc_failed") from error
        where, _ = client.create_authorization_url(
            about["authorization_endpoint"],
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
            **({"prompt": "login", "max_age": "0"} if after is not None else {}),
        )
    response = RedirectResponse(where, 303)
    set_cookie(response, site_of(request).settings, _STATE, state, ceremonies.SECONDS)
    return response


@routes.get("/callback", PUBLIC)
def hear_issuer(request: Request, state: Said = "", code: Said = "") -> Response:
    """Signs somebody in who comes back from the issuer, if their identity is linked."""
    office, issuer = office_of(request), _issuer(request)
    settings, seq = site_of(request).settings, site_of(request).head()
    begun = None
    if state and request.cookies.get(cookie_name(settings, _STATE)) == state:
        with office.writing() as connection:
            begun = ceremonies.end(connection, _KIND, state, office.now())
    if begun is None or not code:
        raise InputRefused("access.oidc_failed")
    try:
        subject, proved_at = _subject(request, issuer, code, begun)
    except BadIssuer as error:
        raise InputRefused("access.oidc_failed") from error
    with office.reading() as connection:
        account = credentials.identified(connection, issuer.issuer, subject)
    if account is None:
        return render(request, "not_linked.html", 403, issuer=issuer.issuer, subject=subject)
    response = RedirectResponse(begun["next"], 303)
    begin_session(request, response, account, proved_at, seq=seq)
    response.delete_cookie(cookie_name(settings, _STATE), secure=settings.is_secure, httponly=True)
    return response


def _issuer(request: Request) -> OidcSettings:
    issuer = provider_of(site_of(request).settings)
    if issuer is None:
        raise InputRefused("access.no_oidc")
    return issuer


def _client(request: Request, issuer: OidcSettings) -> Any:
    """Returns a client of the issuer; ``app.state.oidc_transport`` stands for the net in tests."""
    from authlib.integrations.httpx_client import OAuth2Client  # noqa: PLC0415 - an extra

    return OAuth2Client(
        issuer.client_id,
        issuer.client_secret,
        scope="openid",
        redirect_uri=site_of(request).settings.origin + _CALLBACK,
        timeout=_SECONDS,
        transport=getattr(request.app.state, "oidc_transport", None),
    )


def _discovered(client: Any, issuer: OidcSettings) -> dict[str, Any]:
    """Returns what the issuer says of itself; raises ``BadIssuer``."""
    address = issuer.issuer.rstrip("/") + "/.well-known/openid-configuration"
    document = _fetched(client, address)
    ends = [document.get(f"{name}_endpoint", "") for name in ("authorization", "token")]
    if document.get("issuer") != issuer.issuer:
        raise BadIssuer
    if any(urlsplit(end).scheme != "https" for end in (*ends, document.get("jwks_uri", ""))):
        raise BadIssuer
    return document


def _fetched(client: Any, address: str) -> dict[str, Any]:
    from httpx2 import HTTPError  # noqa: PLC0415 - an extra

    try:
        answer = client.request("GET", address, withhold_token=True)
        answer.raise_for_status()
        document = answer.json()
    except (HTTPError, json.JSONDecodeError) as error:
        raise BadIssuer from error
    if not isinstance(document, dict):
        raise BadIssuer
    return document


def _subject(
    request: Request, issuer: OidcSettings, code: str, begun: dict[str, Any]
) -> tuple[str, int]:
    """Returns as whom the issuer knows somebody, and when they proved it there (0: it says not).

    Raises:
        BadIssuer: what it says does not hold, or they did not prove it again who had to.
    """
    from authlib.common.errors import AuthlibBaseError  # noqa: PLC0415 - an extra
    from authlib.oidc.core import CodeIDToken  # noqa: PLC0415 - an extra
    from httpx2 import HTTPError  # noqa: PLC0415 - an extra
    from joserfc import jwt  # noqa: PLC0415 - an extra
    from joserfc.errors import JoseError  # noqa: PLC0415 - an extra
    from joserfc.jwk import KeySet  # noqa: PLC0415 - an extra

    with _client(request, issuer) as client:
        about = _discovered(client, issuer)
        keys = _fetched(client, about["jwks_uri"])
        try:
            given = client.fetch_token(
                about["token_endpoint"], code=code, code_verifier=begun["verifier"]
            )
            read = jwt.decode(
                given["id_token"],
                KeySet.import_key_set(keys),  # type: ignore[arg-type]
                algorithms=[*_ALGORITHMS],
            )
            claims = CodeIDToken(
                read.claims,
                read.header,
                options={
                    "iss": {"essential": True, "value": issuer.issuer},
                    "aud": {"essential": True, "value": issuer.client_id},
                    "sub": {"essential": True},
                },
                params={"nonce": begun["nonce"], "client_id": issuer.client_id},
            )
            now = office_of(request).now()
            claims.validate(now=now, leeway=_SLACK_SECONDS)
        except (AuthlibBaseError, JoseError, HTTPError, KeyError, ValueError, TypeError) as error:
            raise BadIssuer from error
    subject = claims["sub"]
    if not isinstance(subject, str) or not subject:
        raise BadIssuer
    return subject, _proved_at(claims.get("auth_time"), begun["after"], now)


def _proved_at(instant: object, after: int | None, now: int) -> int:
    """Returns when somebody proved who they are; 0 where the issuer does not say it.

    Raises:
        BadIssuer: that was before they were asked to prove it again.
    """
    proved = instant if isinstance(instant, int) and not isinstance(instant, bool) else 0
    if after is not None and proved < after - _SLACK_SECONDS:
        raise BadIssuer
    return min(proved, now)
