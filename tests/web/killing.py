"""A site in a process of its own that is killed (SIGKILL) at a point of the program, when armed.

``python -m tests.web.killing LEDGER FOLDER``: it prints its port. As soon as a file ``kill`` is in
the folder, with the name of one of ``POINTS``, the process ends there at once.
"""

from __future__ import annotations

import functools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvicorn

from ledger.application.ledger import Ledger
from ledger.journal.stores.database import open_journal
from tests.ledgers import NOW
from tests.web.submitting import Person, named
from web.app import create_app
from web.office import submissions as kept
from web.office.store import open_office
from web.settings import WebSettings
from web.site import Site
from web.submissions import decisions, pages
from web.submissions.decisions import SubmissionDesk

LONGEST = 60  # seconds
POINTS: dict[str, tuple[Any, str, bool]] = {
    "before a draft is kept": (kept, "add", False),
    "before a draft is committed": (kept, "add", True),
    "before a draft is answered": (SubmissionDesk, "draft", True),
    "before a preview is made": (decisions, "made_preview", False),
    "before a preview is kept": (kept, "keep_preview", False),
    "before a step is taken": (kept, "take_step", False),
    "before a step is committed": (kept, "take_step", True),
    "before a step is answered": (pages, "to_page", False),
    "before the ledger records": (Ledger, "append_decided", False),
    "after the ledger recorded": (Ledger, "append_decided", True),
}
"""By name: where, the function, and whether it has done its work."""


@dataclass
class KilledSite:
    """A site over a ledger file that is started as often as it is needed."""

    ledger: str
    folder: Path

    @contextmanager
    def running(self) -> Iterator[dict[str, Person]]:
        """Serves; gives the people."""
        command = [sys.executable, "-m", "tests.web.killing", self.ledger, str(self.folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            port = process.stdout.readline().strip()
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST) as client:
                try:
                    yield {name: Person(client, name) for name in ("eva", "ana", "luis")}
                finally:
                    process.kill()

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


def main(ledger: str, folder: Path) -> None:
    """Serves until it is killed."""
    for point, (where, name, after) in POINTS.items():
        setattr(where, name, armed(point, folder, getattr(where, name), after=after))
    bound = socket.create_server(("127.0.0.1", 0))
    port = bound.getsockname()[1]
    settings = WebSettings(ledger="", origin=f"http://127.0.0.1:{port}", cache=folder)
    office = open_office(f"sqlite:///{folder / 'office.db'}")
    site = Site(Ledger(open_journal(ledger), lambda: NOW), settings)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    server = uvicorn.Server(uvicorn.Config(create_app(site, office, named), log_level="warning"))
    server.run(sockets=[bound])


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
