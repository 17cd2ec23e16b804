"""A site in a process of its own that is killed (SIGKILL) at a point of the program, when armed.

As soon as a file ``kill`` is in its folder, with the name of one of ``POINTS``, the process ends
there at once.
"""

from __future__ import annotations

import functools
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvicorn

from ledger.journal.stores.database import open_journal
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationRules
from tests.forked import forked
from tests.ledgers import NOW
from tests.web.submitting import Person, named
from web.app import create_app
from web.office import submissions as kept
from web.office import submissions as kept_submissions
from web.office.store import open_office
from web.settings import WebSettings
from web.site import Site
from web.submissions import pages, records
from web.submissions.decisions import SubmissionDesk

LONGEST = 60  # seconds
POINTS: dict[str, tuple[Any, str, bool]] = {
    "before a draft is kept": (kept, "add", False),
    "before a draft is committed": (kept, "add", True),
    "before a draft is answered": (SubmissionDesk, "draft", True),
    "before a preview is made": (records, "made_preview", False),
    "before a preview is kept": (kept_submissions, "keep_preview", False),
    "before a step is taken": (kept, "take_step", False),
    "before a step is committed": (kept, "take_step", True),
    "before a step is answered": (pages, "to_page", False),
    "before the ledger records": (Ledger, "append_decided", False),
    "after the ledger recorded": (Ledger, "append_decided", True),
}
"""By name: where, the function, and whether it has done its work."""


@dataclass
class KilledSite:
    """A site over a ledger file that is started as often as it is needed.

    Claims are made there about lists of any age.
    """

    ledger: str
    folder: Path

    @contextmanager
    def running(self) -> Iterator[dict[str, Person]]:
        """Serves; gives the people."""
        with socket.create_server(("127.0.0.1", 0)) as bound:
            here = f"http://127.0.0.1:{bound.getsockname()[1]}"
            process = forked(serve_until_killed, self.ledger, self.folder, bound)
        try:
            with httpx.Client(base_url=here, timeout=LONGEST) as client:
                yield {name: Person(client, name) for name in ("eva", "ana", "luis")}
        finally:
            process.kill()
            process.join()
            process.close()

    def kill_at(self, point: str) -> None:
        (self.folder / "kill").write_text(point, "utf-8")

    def spare(self) -> None:
        (self.folder / "kill").unlink()

    @property
    def commits(self) -> list[tuple[str, str]]:
        """Key and actor of the commits that came from submissions."""
        journal = open_journal(self.ledger)
        found = [(commit.idempotency_key, commit.actor) for commit in journal.commits()]
        journal.close()
        return [each for each in found if each[0].startswith("submission:")]


def armed(point: str, folder: Path, function: Callable[..., Any], *, after: bool) -> Any:
    """Returns a function that ends the process before its work or after it, when armed."""
    order = folder / "kill"

    def die() -> None:
        if order.exists() and order.read_text("utf-8") == point:
            os.kill(os.getpid(), signal.SIGKILL)

    @functools.wraps(function)
    def wrapped(*args: Any, **named_args: Any) -> Any:
        if not after:
            die()
        answer = function(*args, **named_args)
        if after:
            die()
        return answer

    return wrapped


def serve_until_killed(ledger: str, folder: Path, bound: socket.socket) -> None:
    """Serves on a socket that listens."""
    for point, (where, name, after) in POINTS.items():
        setattr(where, name, armed(point, folder, getattr(where, name), after=after))
    port = bound.getsockname()[1]
    rules = FederationRules(claim_days=0)
    settings = WebSettings(
        ledger="", origin=f"http://127.0.0.1:{port}", cache=folder, federation=rules
    )
    office = open_office(f"sqlite:///{folder / 'office.db'}")
    site = Site(Ledger(open_journal(ledger), lambda: NOW), settings)
    server = uvicorn.Server(uvicorn.Config(create_app(site, office, named), log_level="warning"))
    server.run(sockets=[bound])
