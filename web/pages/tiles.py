"""The tree as tiles, for whoever follows the ledger without this program (C2SP tlog-tiles)."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from fastapi import Request, Response

from ledger.application.tiles import tile_bytes
from ledger.errors import NotFound
from ledger.proofs.tiles import tile_named
from web.access import PUBLIC, Routes
from web.asked_view import Asked, newest_for
from web.caching import never_changes
from web.pages.proofs import checkpoint_of_site

routes = Routes()
_TEXT: Final = "text/plain; charset=utf-8"
_BYTES: Final = "application/octet-stream"


@routes.get("/checkpoint", PUBLIC)
def checkpoint(request: Request) -> Response:
    """Gives the signed checkpoint that the site was given, to be read beside the tiles."""
    return Response(checkpoint_of_site(request).note(), media_type=_TEXT)


@routes.get("/tile/{path:path}", PUBLIC)
def tile(request: Request, view: Asked, path: str) -> Response:
    """Gives a tile, or a bundle of entries; what is in one never changes."""
    del view  # the tree is of all that is recorded
    named = tile_named(path)
    data = None if named is None else newest_for(request).ask(tile_bytes, named)
    if data is None:
        raise NotFound("proof.no_tile", path=path[:100])
    never_changes(request, sha256(data).hexdigest())
    return Response(data, media_type=_BYTES)
