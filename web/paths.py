"""Words of an address that hold a slash: ``/players/a%2Fb`` is about the player ``a/b``.

A server hands on the path decoded, so that a slash within a word looks like one between two. Here
the path is read as it was sent.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Final
from urllib.parse import quote, unquote

from fastapi.routing import APIRoute
from starlette.routing import Match

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


def words_sent(scope: MutableMapping[str, Any]) -> list[str]:
    """Returns the words of the path of a request, decoded."""
    sent = scope.get("raw_path") or quote(scope["path"]).encode()
    return [unquote(word) for word in sent.decode("latin-1").split("/")[1:]]


def path_sent(scope: MutableMapping[str, Any]) -> str:
    """Returns the path of a request as an address of this site, whatever it holds."""
    return "/" + "/".join(quote(word, safe="@:") for word in words_sent(scope)).lstrip("/")
