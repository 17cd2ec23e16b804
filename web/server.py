"""Serves a site by uvicorn."""

from __future__ import annotations

import datetime as dt
import errno
import signal
import socket

import uvicorn

from ledger.application.archives import open_ledger
from ledger.application.ledger import Ledger
from ledger.errors import InputRefused
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

_REFUSALS = {
    errno.EADDRINUSE: "serve.port_taken",
    errno.EACCES: "serve.port_forbidden",
    errno.EADDRNOTAVAIL: "serve.no_address",
}


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that is bound to an address; port 0 is any that is free.

    Raises:
        InputRefused: the address is none of this machine's, is taken or may not be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, ValueError) as error:
        raise InputRefused("serve.no_address", host=host) from error
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        key = _REFUSALS.get(error.errno or 0)
        if key is None:
            raise
        raise InputRefused(key, host=host, port=port) from error
    return bound


def _stopped(_signal: int, _frame: object) -> None:
    """To be stopped is how a site ends; it is no failure."""


def serve(settings: WebSettings, bound: socket.socket) -> None:
    """Answers requests until it is stopped.

    Raises:
        DatabaseError: the ledger cannot be opened.
    """
    journal = open_ledger(settings.ledger)
    try:
        ledger = Ledger(journal, lambda: dt.datetime.now(dt.UTC))
        app = create_app(Site(ledger, settings))
        config = uvicorn.Config(app, server_header=False, log_level="warning")
        for each in (signal.SIGTERM, signal.SIGINT):  # what uvicorn hands on after it stopped
            signal.signal(each, _stopped)
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        journal.close()
