"""What every answer says to browsers, and which requests are turned away before they are read."""

from __future__ import annotations

import logging
from typing import Final

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import RequestResponseEndpoint

from web.caching import say_how_long
from web.problems import bug
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
    """Turns requests of other sites away, and puts headers into every answer.

    Args:
        settings: those of the site.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._origin = settings.origin
        self._host = settings.origin.partition("://")[2]
        self._always = dict(_ALWAYS)
        if settings.is_secure:
            self._always["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Answers a request, as a middleware."""
        if request.headers.get("host") != self._host:
            response = Response("this is not the host of the site", status_code=421)
        elif request.method not in _SAFE and not self._is_own(request):
            response = Response("the request comes from another site", status_code=403)
        else:
            response = await self._answered(request, call_next)
        say_how_long(request, response)
        for name, value in self._always.items():
            response.headers.setdefault(name, value)
        return response

    async def _answered(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Returns the answer of the site, also where the program fails: that is written down."""
        try:
            return await call_next(request)
        except Exception:  # noqa: BLE001 - the last resort
            _log.exception("%s failed", request.method)
            return await run_in_threadpool(bug, request)  # it may look into the office

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
