"""Serves a site by uvicorn: in this process, or by several workers beside one another."""

from __future__ import annotations

import logging.config
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors.multiprocess import Multiprocess

from ledger.children import isolated
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.trust.erased_bytes import finish_erasures
from web.app import create_app
from web.jobs.runner import Runner
from web.limits import LARGEST_HEAD, ImpatientProtocol, RequestLimit
from web.memory import be_sparing, keep_what_is_there
from web.metrics import Metrics
from web.observation import CONFIG, Observer
from web.office.store import open_office
from web.rendering import compile_pages
from web.settings import WebSettings
from web.site import Site

_log = logging.getLogger("rating_ledger.web")
_MOST_CONNECTIONS: Final = 1000  # of one worker
_IDLE: Final = 15  # seconds until a connection without requests is closed
_PATIENCE: Final = 60  # seconds until a worker that says nothing, not even at first, is replaced
_GRACE: Final = 20  # seconds for answers that are under way when it stops


def serve(
    settings: WebSettings,
    bound: socket.socket,
    *,
    workers: int = 1,
    notice: Callable[[], None] = lambda: None,
) -> None:
    """Answers requests until it is stopped; then ends those that are under way.

    Args:
        settings: those of the site.
        bound: where it listens.
        workers: processes that answer.
        notice: is called as soon as requests are waited for.

    Raises:
        DatabaseError: the ledger cannot be opened.
    """
    _open_once(settings)  # before anybody is told that it is served
    logging.config.dictConfig(CONFIG)
    for each in (signal.SIGTERM, signal.SIGINT):  # uvicorn hands on what stopped it
        signal.signal(each, _stopped)
    bound.listen()
    notice()
    with _jobs(settings):
        if workers == 1:
            _Server(_config(settings, partial(site_app, settings))).run(sockets=[bound])
            return
        with tempfile.TemporaryDirectory(prefix="rating-ledger-metrics-") as folder, isolated():
            app = partial(worker_app, settings, Path(folder))
            Multiprocess(_config(settings, app, workers), sockets=[bound]).run()


def _open_once(settings: WebSettings) -> None:
    """Opens the ledger, and destroys what an interrupted erasure has left in it."""
    journal = open_ledger(settings.ledger)
    try:
        trouble = finish_erasures(Ledger(journal, settings.clock))
        if trouble is not None:
            _log.warning("an erasure is not finished: %s", trouble)
    finally:
        journal.close()


def site_app(settings: WebSettings, metrics: Path | None = None) -> ASGIApp:
    """Returns the application of a site, which opens its ledger; closes it when it ends."""
    be_sparing()
    keep_what_is_there()
    journal = open_ledger(settings.ledger)
    office = None if settings.office is None else open_office(settings.office)
    site = Site(Ledger(journal, settings.clock), settings)
    app = create_app(site, office)

    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[None]:
        threading.Thread(target=compile_pages, daemon=True).start()
        yield
        app.state.models.close()
        journal.close()
        if office is not None:
            office.close()

    app.router.lifespan_context = lifespan
    return Observer(RequestLimit(app, page=app), site, Metrics(metrics), office)


def worker_app(settings: WebSettings, metrics: Path) -> ASGIApp:
    """Returns the application of one worker of several, which ends when the others' parent dies."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    return site_app(settings, metrics)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _config(settings: WebSettings, app: Callable[[], ASGIApp], workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=True,
        workers=workers,
        http=ImpatientProtocol,
        ws="none",
        lifespan="on",
        log_config=CONFIG,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        limit_concurrency=_MOST_CONNECTIONS,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=_GRACE,
        timeout_worker_healthcheck=_PATIENCE,
    )


_is_stopped = threading.Event()


def _stopped(_signal: int, _frame: object) -> None:
    """To be stopped is how a site ends; it is no failure."""
    _is_stopped.set()


class _Server(uvicorn.Server):
    """Uvicorn's server, which is stopped also by what came before it ran."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.should_exit = self.should_exit or _is_stopped.is_set()


@contextmanager
def _jobs(settings: WebSettings) -> Iterator[None]:
    """Has jobs done as long as the site is up, where there is an office."""
    if settings.office is None:
        yield
        return
    with closing(open_office(settings.office)) as office, Runner(settings, office):
        yield
