"""Who changes a way in, or somebody's account, has just proved who they are."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, FastAPI, Request, Response

from web.accounts.identity import is_fresh
from web.destinations import to_sign_in


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
    return to_sign_in(request)
