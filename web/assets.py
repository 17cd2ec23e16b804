"""Style and scripts of the site: in memory, under addresses that hold their digest."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from ledger.forms.page import STYLE
from ledger.views.accent import Accent, Tones
from web.access import PUBLIC, Routes
from web.caching import never_changes

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_WORKER: Final = "desk_worker.js"
_ACCENT: Final = "accent.css"
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
    return {name: (_digest(content), content) for name, content in found.items()}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def asset_path(name: str) -> str:
    """Returns the address of a file of the site; raises ``KeyError`` where there is none."""
    return f"/static/{_assets()[name][0]}/{name}"


def accent_path(accent: Accent) -> str:
    """Returns the address of the style that sets a federation's colour."""
    return f"/static/{_digest(_accent_style(accent))}/{_ACCENT}"


def _accent_style(accent: Accent) -> bytes:
    """Returns what stands over the same names in ``style.css``."""
    light, dark = map(_root, (accent.light, accent.dark))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}\n".encode()


def _root(tones: Tones) -> str:
    return (
        f":root {{ --accent: {tones.accent}; --on-accent: {tones.on_accent}; "
        f"--accent-sunk: {tones.accent_sunk} }}"
    )


def _content_of(request: Request, name: str) -> tuple[str, bytes]:
    """Returns digest and content of a file of the site; empty where there is none."""
    accent: Accent | None = request.app.state.site.settings.face.accent
    if name == _ACCENT and accent is not None:
        content = _accent_style(accent)
        return _digest(content), content
    return _assets().get(name, ("", b""))


@routes.get("/{digest}/{name}", PUBLIC)
def asset(request: Request, digest: str, name: str) -> Response:
    """Answers with a file of the site."""
    known, content = _content_of(request, name)
    if not content or digest != known:
        raise HTTPException(404)
    request.state.account = None  # the same for everybody
    never_changes(request, digest)
    own = {"Service-Worker-Allowed": "/desk"} if name == _WORKER else None
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]], headers=own)
