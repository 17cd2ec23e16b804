"""What every answer says to browsers, and which requests are turned away before they are read."""

from __future__ import annotations

import logging
from functools import partial
from http import HTTPStatus
from typing import Final

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.privacy import read_by
from ledger.wording import Message as Sentence
from web.access import roles_of
from web.body_sizes import TOO_LARGE
from web.caching import say_how_long
from web.language import language_cookie
from web.problems import bug, problem, refusal
from web.settings import WebSettings

_log = logging.getLogger("rating_ledger.web")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Turns requests of other sites away, and puts headers into every answer; an ASGI application.

    Args:
        app: what answers the others.
        settings: those of the site.
    """

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app = app
        self._origin = settings.origin
        self._host = settings.origin.partition("://")[2]
        self._is_secure = settings.is_secure
        self._always = dict(_ALWAYS)
        if settings.is_secure:
            self._always["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        has_begun = False

        async def tell(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                say_how_long(request, message["status"], headers)
                cookie = language_cookie(request, is_secure=self._is_secure)
                if cookie and message["status"] in {200, 304}:
                    headers.append("Set-Cookie", cookie)
                for name, value in self._always.items():
                    headers.setdefault(name, value)
            await send(message)

        if request.headers.get("host") != self._host:
            answer = refusal(request, HTTPStatus.MISDIRECTED_REQUEST, Sentence.of("web.other_host"))
            await answer(scope, receive, tell)
            return
        if TOO_LARGE in scope:
            too_large = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            answer = await run_in_threadpool(problem, request, too_large, scope[TOO_LARGE])
            await answer(scope, receive, tell)
            return
        if request.method not in _SAFE and not self._is_own(request):
            answer = refusal(request, HTTPStatus.FORBIDDEN, Sentence.of("web.other_site"))
            await answer(scope, receive, tell)
            return
        try:
            with read_by(partial(roles_of, request)):
                await self._app(scope, receive, tell)
        except Exception:  # the last resort: it is written down, and answered where it still can be
            _log.exception("%s failed", request.method)
            if has_begun:
                raise
            answer = await run_in_threadpool(bug, request)  # it may look into the office
            await answer(scope, receive, tell)

    def _is_own(self, request: Request) -> bool:
        """Whether a request that changes something was made by a page of this site.

        Browsers say where a request comes from. A program that says nothing has no cookies that a
        foreign page could use: it must bring a token.
        """
        site = request.headers.get("sec-fetch-site")
        if site is not None:
            return site == "same-origin"
        origin = request.headers.get("origin")
        if origin is not None:
            return origin == self._origin
        is_program = "authorization" in request.headers or request.url.path.startswith("/api/")
        return is_program and "cookie" not in request.headers
