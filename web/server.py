"""Serves a site by uvicorn."""

from __future__ import annotations

import datetime as dt

import uvicorn

from ledger.application.archives import open_ledger
from ledger.application.ledger import Ledger
from web.app import create_app
from web.settings import WebSettings
from web.site import Site


def serve(settings: WebSettings, *, host: str, port: int) -> None:
    """Answers requests until it is stopped.

    Raises:
        DatabaseError: the ledger cannot be opened.
    """
    journal = open_ledger(settings.ledger)
    try:
        ledger = Ledger(journal, lambda: dt.datetime.now(dt.UTC))
        app = create_app(Site(ledger, settings))
        uvicorn.run(app, host=host, port=port, server_header=False)
    finally:
        journal.close()
