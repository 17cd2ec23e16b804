"""Words of an address that hold a slash: ``/players/a%2Fb`` is about the player ``a/b``.

A server hands on the path decoded, so that a slash within a word looks like one between two. Here
the path is read as it was sent.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Final

from fastapi.routing import APIRoute
from starlette.routing import Match

from web.paths import words_sent

_SLASH: Final = b"%2f"  # as it is sent within a word
_WITHIN: Final = "\0"  # stands for a slash within a word while a route is looked for


class WordRoute(APIRoute):
    """A route whose parameters may hold slashes, where they are sent as ``%2F``."""

    def matches(self, scope: MutableMapping[str, Any]) -> tuple[Match, Any]:
        """Returns whether it is the route of a request, with what the request says then."""
        if _SLASH not in (scope.get("raw_path") or b"").lower():
            return super().matches(scope)
        words = words_sent(scope)
        if any(_WITHIN in word for word in words):
            return super().matches(scope)
        path = "/".join(["", *(word.replace("/", _WITHIN) for word in words)])
        match, found = super().matches({**scope, "path": path})
        if match is not Match.NONE:
            found["path_params"] = {
                name: value.replace(_WITHIN, "/") if isinstance(value, str) else value
                for name, value in found["path_params"].items()
            }
        return match, found
