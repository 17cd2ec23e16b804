"""Who changes a way in, or somebody's account, has just proved who they are."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from web.accounts.addresses import page_before
from web.accounts.identity import is_fresh


class SignInAgain(Exception):
    """Somebody signed in too long ago for what they want to do."""


def _check(request: Request) -> None:
    if not is_fresh(request):
        raise SignInAgain


FRESH: Any = Depends(_check)
"""A dependency of a route: its user has signed in within the last minutes."""


def ask_again(app: FastAPI) -> None:
    """Lets an application send those to the sign-in who have to do so again."""
    app.add_exception_handler(SignInAgain, _sign_in_again)


def _sign_in_again(request: Request, _error: Exception) -> Response:
    is_page = request.method in {"GET", "HEAD"}
    where = request.url.path if is_page else page_before(request)
    return RedirectResponse(f"/sign-in?next={quote(where, safe='')}", 303)
