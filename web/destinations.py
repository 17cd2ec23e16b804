"""Where a browser is sent: after a form, to the sign-in and back; always to this site."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from starlette.routing import Match

from web.asked_view import site_of
from web.paths import path_of

# One slash: two are another host, also where browsers read a backslash or leave out a tab.
_OWN: Final = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")
START: Final = "/"
_PART: Final = "hx-request"


def own_address(wanted: str) -> str:
    """Returns an address if it is one of this site, else the first page.

    >>> own_address("/players?q=a"), own_address("//evil.example"), own_address("https://evil")
    ('/players?q=a', '/', '/')
    """
    return wanted if _OWN.fullmatch(wanted) else START


def to_page(*parts: str) -> Response:
    """Sends a browser to a page of this site by the parts of its path, after a form."""
    return RedirectResponse(path_of(*parts), HTTPStatus.SEE_OTHER)


def send_to(request: Request, where: str) -> Response:
    """Sends a browser to an address of this site, also where it puts answers into its page."""
    if is_for_part(request):
        return Response(headers={"HX-Redirect": where})
    return RedirectResponse(where, HTTPStatus.SEE_OTHER)


def is_for_part(request: Request) -> bool:
    """Whether a script of a page asks, which puts the answer into a part of it."""
    return _PART in request.headers


def to_sign_in(request: Request, after: str | None = None) -> Response:
    """Sends a browser to the sign-in, and to an address afterwards.

    Without one it comes back: who sent a form, to the page on which it stands. A script of that
    page is told by the status that nothing was done.
    """
    is_part = is_for_part(request)
    if after is None and request.method in {"GET", "HEAD"} and not is_part:
        after = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    elif after is None:
        after = page_before(request)
    answer = send_to(request, f"/sign-in?next={quote(after, safe='')}")
    if is_part:
        answer.status_code = HTTPStatus.UNAUTHORIZED
    return answer


def page_before(request: Request) -> str:
    """Returns the page of this site from which a form was sent; else the first one.

    Of a form on an answer to another one it is the page above that.
    """
    address = urlsplit(request.headers.get("referer", ""))
    if f"{address.scheme}://{address.netloc}" != site_of(request).settings.origin:
        return START
    path = address.path
    while path and not _is_page(request, path):
        path = path.rpartition("/")[0]
    query = f"?{address.query}" if address.query and path == address.path else ""
    return own_address(path + query)


def _is_page(request: Request, path: str) -> bool:
    """Whether a path can be opened; what answers a form cannot, and has its page above it.

    A route whose last word may hold anything fits what it was not written for: a page has as many
    words as its route.
    """
    raw = path.encode("ascii", "replace")
    scope = {"type": "http", "method": "GET", "path": unquote(path), "raw_path": raw, "headers": []}
    fitting = [
        each
        for each in request.app.router.routes
        if isinstance(each, APIRoute)
        and each.path.count("/") == path.count("/")
        and each.matches(scope)[0] is not Match.NONE
    ]
    return any("GET" in (each.methods or ()) for each in fitting if each.path == fitting[0].path)
