"""Where a browser is sent: after a form, to the sign-in and back; always to this site."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from web.site import site_of

# One slash: two are another host, also where browsers read a backslash or leave out a tab.
_OWN: Final = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")
START: Final = "/"


def own_address(wanted: str) -> str:
    """Returns an address if it is one of this site, else the first page.

    >>> own_address("/players?q=a"), own_address("//evil.example"), own_address("https://evil")
    ('/players?q=a', '/', '/')
    """
    return wanted if _OWN.fullmatch(wanted) else START


def to_page(*parts: str) -> Response:
    """Sends a browser to a page of this site by the parts of its path, after a form."""
    path = "".join(f"/{quote(part, safe='')}" for part in parts)
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def to_sign_in(request: Request) -> Response:
    """Sends a browser to the sign-in, and back to the page afterwards.

    A form cannot be sent again: who sent one comes back to the page on which it stands.
    """
    if request.method in {"GET", "HEAD"}:
        where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    else:
        where = _page_before(request)
    return RedirectResponse(f"/sign-in?next={quote(where, safe='')}", HTTPStatus.SEE_OTHER)


def _page_before(request: Request) -> str:
    """Returns the page of this site from which a form was sent; else the first one."""
    told = urlsplit(request.headers.get("referer", ""))
    if f"{told.scheme}://{told.netloc}" != site_of(request).settings.origin:
        return START
    return own_address(told.path + (f"?{told.query}" if told.query else ""))
