"""Cookies: what they are called, and how a browser is given one."""

from __future__ import annotations

from typing import Final

from fastapi import Response

from web.access import SESSION_COOKIES
from web.settings import WebSettings

SESSION: Final = "session"
"""The cookie of a session."""


def cookie_name(settings: WebSettings, name: str) -> str:
    """Returns how a cookie is called: by HTTPS so that no other host can set it."""
    full = f"__Host-{name}" if settings.is_secure else name
    assert name != SESSION or full in SESSION_COOKIES, "caches know its name"
    return full


def set_cookie(
    response: Response, settings: WebSettings, name: str, value: str, seconds: int
) -> None:
    """Gives a browser a cookie that no script reads, and that other sites do not send."""
    response.set_cookie(
        cookie_name(settings, name),
        value,
        max_age=seconds,
        secure=settings.is_secure,
        httponly=True,
        samesite="lax",
    )
