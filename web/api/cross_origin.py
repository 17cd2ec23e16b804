"""What programs in browsers of other sites may read, and HEAD where there is GET."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.api.routing import PREFIX, SEQ_HEADER

_SAFE: Final = frozenset({"GET", "HEAD"})
_SHOWN: Final = f"ETag, Link, {SEQ_HEADER}, Ledger-Sha256, Ledger-Published-Sha256"
_SECRETS: Final = ("cookie", "authorization")


class CrossOrigin:
    """Lets every site read what is public: ``Access-Control-Allow-Origin: *``.

    Not what is asked for with a token or a cookie, and nothing that records something. A page that
    looks from elsewhere never has the rights of who looks at it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http" or not f"{scope['path']}/".startswith(f"{PREFIX}/"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        method = scope["method"]
        asks_for = headers.get("access-control-request-method")
        if method == "OPTIONS" and asks_for in _SAFE:
            await _permit(send)
            return
        is_open = method in _SAFE and not any(each in headers for each in _SECRETS)

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start" and is_open:
                headers_ = MutableHeaders(scope=message)
                headers_["Access-Control-Allow-Origin"] = "*"
                headers_["Access-Control-Expose-Headers"] = _SHOWN
            if message["type"] == "http.response.body" and method == "HEAD":
                message["body"] = b""
            await send(message)

        inside = dict(scope, method="GET") if method == "HEAD" else scope
        await self._app(inside, receive, say)


async def _permit(send: Send) -> None:
    """Answers a browser that asks whether a page of another site may read something."""
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": "Accept, Accept-Language, If-None-Match",
        "Access-Control-Max-Age": "86400",
    }
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 204, "headers": raw})
    await send({"type": "http.response.body", "body": b""})
