"""Style and scripts of the site: in memory, under addresses that hold their digest."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from ledger.forms.page import STYLE
from web.access import PUBLIC, Routes
from web.caching import never_changes

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_WORKER: Final = "desk_worker.js"
routes = Routes("/static")


@cache
def _assets() -> dict[str, tuple[str, bytes]]:
    """Returns name to digest and content; ``form.css`` is the style of forms in files."""
    found = {
        file.name: file.read_bytes()
        for file in files("web").joinpath("static").iterdir()
        if file.name.rpartition(".")[2] in _TYPES
    }
    found["form.css"] = STYLE.encode()
    return {
        name: (hashlib.sha256(content).hexdigest()[:16], content) for name, content in found.items()
    }


def asset_path(name: str) -> str:
    """Returns the address of a file of the site; raises ``KeyError`` where there is none."""
    return f"/static/{_assets()[name][0]}/{name}"


@routes.get("/{digest}/{name}", PUBLIC)
def asset(request: Request, digest: str, name: str) -> Response:
    """Answers with a file of the site."""
    known, content = _assets().get(name, ("", b""))
    if not content or digest != known:
        raise HTTPException(404)
    request.state.account = None  # the same for everybody
    never_changes(request, digest)
    own = {"Service-Worker-Allowed": "/desk"} if name == _WORKER else None
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]], headers=own)
