"""Who changes a way in, or somebody's account, has just proved who they are."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, Request

from web.accounts.identity import is_fresh
from web.refusals import SignInAgain


def _check(request: Request) -> None:
    if not is_fresh(request):
        raise SignInAgain


FRESH: Any = Depends(_check)
"""A dependency of a route: its user has signed in within the last minutes."""
