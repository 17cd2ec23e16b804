"""``serve``: the ledger as a site."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from cli import settings
from cli.command import command
from cli.options import Db
from cli.output import note
from ledger.errors import InputRefused


@command("serve")
def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="Port to listen on.", min=1, max=65535)
    ] = 8000,
    db: Db = None,
) -> None:
    """Serve pages and an API for browsers and programs, until it is stopped."""
    if find_spec("fastapi") is None:
        raise InputRefused("web.not_installed")
    from web.server import serve as answer
    from web.settings import WebSettings

    origin = f"http://{host}:{port}"
    with tempfile.TemporaryDirectory(prefix="rating-ledger-web-") as cache:
        told = WebSettings(ledger=settings.db(db), origin=origin, cache=Path(cache))
        note("web.serving", origin=origin)
        answer(told, host=host, port=port)
