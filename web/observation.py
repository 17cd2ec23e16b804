"""Watches over the site: logs and counts its answers, and says whether it is well.

``/health/live`` (the process answers), ``/health/ready`` (the ledger and the office can be read,
the disk takes a commit, and jobs are done) and ``/metrics`` are the process's own, beside the
pages: they are asked for by an address, not by the site's name. Metrics are for this machine, or
who has the token; who comes through a proxy comes from elsewhere.

What the site writes down: a line of JSON for each answer and each failure.

No line holds a name, an id, an address, a query or what somebody typed: an answer is named by the
template of its route, a failure by its kind and the lines of the program it came from.
"""

from __future__ import annotations

import datetime as dt
import hmac
import json
import logging
import time
import traceback
from ipaddress import ip_address
from types import TracebackType
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.errors import LedgerError
from web.language import error_for_site
from web.metrics import Metrics
from web.office.jobs import is_stuck
from web.office.store import Office
from web.site import Site

ACCESS: Final = logging.getLogger("rating_ledger.access")


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON; ``extra={"told": {…}}`` brings fields of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        line: dict[str, Any] = {"time": at.isoformat(timespec="milliseconds")}
        line["level"] = record.levelname.lower()
        details = getattr(record, "told", None)
        line |= details if details is not None else {"logger": record.name, "said": _text(record)}
        if record.exc_info and record.exc_info[0] is not None:
            line |= _failure(record.exc_info[0], record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def _text(record: logging.LogRecord) -> str:
    """Returns the first line of what was said: others quote what a request held after it."""
    return record.getMessage().partition("\n")[0]


def _failure(kind: type[BaseException], frames: TracebackType | None) -> dict[str, Any]:
    """Returns what failed and where; the text of an exception may quote what is private."""
    at = [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(frames)]
    return {"failure": f"{kind.__module__}.{kind.__qualname__}", "at": at}


CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "rating_ledger": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "uvicorn.error": {"level": "WARNING"},
        "uvicorn.access": {"level": "CRITICAL"},
    },
}
"""For ``logging.config.dictConfig``."""


METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HANDED_ON: Final = ("forwarded", "x-forwarded-for", "via")
_PATHS: Final = frozenset({"/health/live", "/health/ready", "/metrics"})
_FAILED: Final = 500


class Observer:
    """Answers for the process, and watches what the site answers, as an ASGI application.

    ``office`` is where its jobs are; None where nobody signs in.
    """

    def __init__(
        self, app: ASGIApp, site: Site, metrics: Metrics, office: Office | None = None
    ) -> None:
        self._app = app
        self._site = site
        self._metrics = metrics
        self._office = office

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] in _PATHS and scope["method"] in {"GET", "HEAD"}:
            answer = await self._of_process(scope)
            await answer(scope, receive, send)
        else:
            await self._watched(scope, receive, send)

    async def _watched(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), _FAILED

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, tell)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = template_of(scope)
        view = scope.get("state", {}).get("view")
        self._metrics.count(method, route, status, seconds)
        line: dict[str, Any] = {
            "method": method, "route": route, "status": status,
            "ms": round(seconds * 1000, 1), "seq": view.seq if view is not None else None,
        }  # fmt: skip
        ACCESS.info("answered", extra={"told": line})

    async def _of_process(self, scope: Scope) -> Response:
        match scope["path"]:
            case "/health/live":
                return _said("live")
            case "/health/ready":
                return await self._ready()
            case _ if self._may_see_metrics(scope):
                kind = "text/plain; version=0.0.4; charset=utf-8"
                return _said(self._metrics.text(), headers={"Content-Type": kind})
            case _:
                return _said("the metrics are not for you", 403)

    async def _ready(self) -> Response:
        missing = await run_in_threadpool(self._missing)
        return _said("ready") if missing is None else _said(missing, 503)

    def _missing(self) -> str | None:
        """Says what a site has to have and has not; None where nothing is missing."""
        try:
            self._site.head()
            fault = self._site.history_fault()
        except LedgerError as error:
            error_for_site(error)  # the log says why
            return "the ledger cannot be read"
        if fault is not None:
            return fault
        if self._office is None:  # nothing is recorded
            return None
        if not self._site.has_room():
            return "the disk of the ledger is full"
        try:
            no_jobs = is_stuck(self._office)
        except LedgerError as error:
            error_for_site(error)
            return "the office cannot be read"
        return "jobs wait and nobody does them" if no_jobs else None

    def _may_see_metrics(self, scope: Scope) -> bool:
        headers, token = Headers(scope=scope), self._site.settings.metrics_token
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if token is not None and scheme.lower() == "bearer":
            return hmac.compare_digest(given.encode(), token.encode())
        client = scope.get("client")
        is_here = client is not None and _is_loopback(client[0])
        return is_here and not any(name in headers for name in _HANDED_ON)


def template_of(scope: Scope) -> str:
    """Returns the template of the route that answered; "none" where there was none."""
    route = scope.get("route")
    return str(getattr(route, "path", "none"))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _said(text: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    always = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return PlainTextResponse(text, status, always | (headers or {}))
