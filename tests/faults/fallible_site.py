"""A real ``serve`` whose disk can be full, or its clock wrong, and people who work at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final
from unittest.mock import patch

import httpx2 as httpx

from ledger.journal.stores.database import open_journal
from tests.cli.running import run
from tests.faults import club
from tests.faults.checker import check_office
from tests.faults.shim import Control
from tests.ledgers import GAMES_HEADER, about
from tests.web.enrolment import enrolled
from tests.web.serving import Served, started
from tests.web.submitting import Person
from web.office.store import open_office

ROOMS: Final = ("ledger", "office", "cache", "tmp", "state")
"""Folders, each with what it is called after."""
_WAIT = 120  # seconds
_STEPS: Final = ("hand-in", "accept")


class TurnedAway(Exception):
    """The site could not do something for now."""


@dataclass
class FallibleSite:
    """A site that runs, and what it answered."""

    folder: Path
    db: str
    office: str
    control: Control
    running: Served
    log: Path
    people: dict[str, Person] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    browsers: list[httpx.Client] = field(default_factory=list)

    def visitor(self) -> httpx.Client:
        """Returns a browser, which tells apart what was done and what could not be done."""
        headers = {"sec-fetch-site": "same-origin", "accept-language": "en"}
        made = httpx.Client(
            base_url=self.running.origin, headers=headers, timeout=_WAIT,
            event_hooks={"response": [self._heard]},
        )  # fmt: skip
        self.browsers.append(made)
        return made

    def _heard(self, answer: httpx.Response) -> None:
        if not answer.is_server_error:
            return
        page = answer.read().decode()
        self.said.append(page)
        is_whole = answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE and "<html" in page
        assert is_whole, (answer.status_code, page)
        raise TurnedAway(page)

    def person(self, account: str, role: str) -> Person:
        """Makes an account and lets its owner sign in."""
        words = ("--db", self.db, "--office", self.office)
        made = enrolled(account, role, self.folder, self.running.origin, self.visitor, *words)
        self.people[account] = made
        return made

    def form(self) -> dict[str, str]:
        """Returns the fields of a new submission: sent again it is the same one."""
        eva = self.people["eva"]
        return eva.hidden(eva.get("/submissions/new"), "/new")

    def submit(self, form: dict[str, str], name: str) -> str:
        """Takes a file of games to where it is recorded, from wherever that was left.

        Raises ``TurnedAway`` where the site could not. Returns the submission's id.
        """
        text = GAMES_HEADER + about(name, "2010-08-20", f"{club.ERASED},3400190,0-1")
        page = self.people["eva"].post("/submissions/new", form, text)
        assert page.status_code == HTTPStatus.OK, page.text
        id_ = page.url.path.rpartition("/")[2]
        for account, step in zip(("eva", "ana"), _STEPS, strict=True):
            person = self.people[account]
            page = person.get(f"/submissions/{id_}")
            if person.offers(page, step):
                page = person.post(f"/submissions/{id_}/{step}", person.hidden(page, step))
        assert "It is recorded" in page.text, page.text
        return id_

    def check(self) -> None:
        """Asserts that office and journal say the same, and that the ledger verifies."""
        with closing(open_journal(self.db)) as journal, closing(open_office(self.office)) as office:
            check_office(office, journal)
        assert run("verify", "--db", self.db, cwd=self.folder).code == 0
        log = self.log.read_text("utf-8")
        assert "Traceback" not in log, log


@contextmanager
def fallible_site(folder: Path, db: str | None = None) -> Iterator[FallibleSite]:
    """Serves a small ledger with its office: one in files, made for it, or that of a server."""
    rooms = {name: folder / name for name in ROOMS}
    if db is None:
        club.make(rooms["ledger"])
        db = str(rooms["ledger"] / club.DATABASE)
    for name, room in rooms.items():
        room.mkdir(mode=0o700, exist_ok=name == "ledger")
    control, log = Control(folder), folder / "log"
    office = db if "://" in db else f"sqlite:///{rooms['office'] / 'office.db'}"
    environment = {
        **control.environment, "TMPDIR": str(rooms["tmp"]),
        "RATING_LEDGER_STATE": str(rooms["state"]),
    }  # fmt: skip
    with patch.dict(os.environ, environment):
        site = started(db, "--office", office, "--cache", str(rooms["cache"]), log=log)
        running = site.__enter__()
    try:
        made = FallibleSite(folder, db, office, control, running, log)
        made.person("eva", "arbiter")
        made.person("ana", "officer")
        yield made
        for browser in made.browsers:
            browser.close()
    finally:
        control.mend()
        site.__exit__(None, None, None)
