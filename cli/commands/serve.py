"""``serve``: the ledger as a site."""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from cli import settings
from cli.command import command
from cli.options import Db
from cli.output import say, write
from ledger.errors import InputRefused


@command("serve")
def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", help="Port to listen on; 0: any that is free.", min=0, max=65535),
    ] = 8000,
    db: Db = None,
) -> None:
    """Serve pages and an API for browsers and programs, until it is stopped."""
    if find_spec("fastapi") is None:
        raise InputRefused("web.not_installed")
    from web.server import listen
    from web.server import serve as answer
    from web.settings import WebSettings

    with (
        closing(listen(host, port)) as bound,
        tempfile.TemporaryDirectory(prefix="rating-ledger-web-") as cache,
    ):
        origin = f"http://{host}:{bound.getsockname()[1]}"
        told = WebSettings(ledger=settings.db(db), origin=origin, cache=Path(cache))
        write(say("web.serving", origin=origin))
        sys.stdout.flush()
        answer(told, bound)
