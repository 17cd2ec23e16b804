"""Where somebody is sent after signing in: to a page of this site, whatever is asked for."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request

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


def page_before(request: Request) -> str:
    """Returns the page of this site from which a form was sent; the first one where none is told.

    A form cannot be sent again, so that is where somebody goes on who has to sign in first.
    """
    told = urlsplit(request.headers.get("referer", ""))
    if f"{told.scheme}://{told.netloc}" != site_of(request).settings.origin:
        return START
    return own_address(told.path + (f"?{told.query}" if told.query else ""))
