"""A site with an office, where accounts hand in and decide; a header says whose request it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
from fastapi import Request
from fastapi.testclient import TestClient

from ledger.identifiers import Seq
from ledger.service.accounts import grant_role
from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.views.federation import FederationRules
from tests.ledgers import GAMES_HEADER, NOW, about
from tests.ledgers import request as asking
from tests.web.offices import new_office
from web.access import Account
from web.app import create_app
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

ORIGIN = "http://testserver"
USUAL_RULES = FederationRules()
ROLES = {
    "ana": Role.OFFICER, "luis": Role.OFFICER, "eva": Role.ARBITER, "ivan": Role.ARBITER,
    "aud": Role.AUDITOR, "adm": Role.ADMINISTRATOR,
}  # fmt: skip
PLAYERS = frozenset({"pia", "bea", "cora", "dora"})
"""Accounts without a role."""
LATE = GAMES_HEADER + about("T3", "2010-07-20", "A,B,0-1")
OF_AUGUST = GAMES_HEADER + about("T3", "2010-08-20", "A,B,0-1")
CORRECTION = {
    "what": "result", "tournament": "T1", "round": "1", "white": "A", "black": "B",
    "result": "0-1", "reason": "score sheet",
}  # fmt: skip
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_FORM = re.compile(r'<form method="post" action="([^"]+)".*?</form>', re.DOTALL)


def named(request: Request) -> Account | None:
    """Returns the account that a header names."""
    name = request.headers.get("x-account")
    if name in PLAYERS:
        return Account(name, frozenset())
    return Account(name, frozenset({ROLES[name]})) if name in ROLES else None


@dataclass(frozen=True)
class Person:
    """Somebody at the site."""

    client: Any
    name: str

    def get(self, path: str) -> httpx.Response:
        answer: httpx.Response = self.client.get(path, headers=self._headers, follow_redirects=True)
        return answer

    def post(
        self, path: str, data: Mapping[str, str] | None = None, file: str | bytes | None = None,
        file_name: str = "games.csv",
    ) -> httpx.Response:  # fmt: skip
        sent = file.encode() if isinstance(file, str) else file
        files = None if sent is None else {"file": (file_name, sent)}
        answer: httpx.Response = self.client.post(
            path, data={**(data or {})}, files=files, headers=self._headers, follow_redirects=True
        )
        return answer

    def hidden(self, page: httpx.Response, step: str) -> dict[str, str]:
        """Returns the hidden fields of a form of a page, by the end of its address."""
        forms = [found for found in _FORM.finditer(page.text) if found[1].endswith(step)]
        assert len({found[0] for found in forms}) == 1, (step, [found[1] for found in forms])
        return dict(_FIELD.findall(forms[0][0]))

    def offers(self, page: httpx.Response, step: str) -> bool:
        """Whether a page has the form of a step."""
        return any(found[1].endswith(step) for found in _FORM.finditer(page.text))

    def step(self, id_: str, step: str, **said: str) -> httpx.Response:
        """Takes a step by the form that the page shows now."""
        page = self.get(f"/submissions/{id_}")
        hidden = self.hidden(page, "hand-back" if step == "refuse" else step)
        return self.post(f"/submissions/{id_}/{step}", {**hidden, **said})

    def upload(self, file: str | bytes, **said: str) -> httpx.Response:
        """Hands a file over to be looked at; the answer is the page of the draft."""
        key = self.hidden(self.get("/submissions/new"), "/new")
        return self.post("/submissions/new", {**key, **said}, file)

    def drafted(self, file: str | bytes, **said: str) -> str:
        """Returns the id of a new draft of a file."""
        page = self.upload(file, **said)
        assert page.status_code == 200, page.text
        return page.url.path.rpartition("/")[2]

    def drafted_correction(self, **said: str) -> str:
        """Returns the id of a new draft of a correction."""
        key = self.hidden(self.get("/corrections/new"), "/new")
        page = self.post("/corrections/new", {**key, **CORRECTION, **said})
        assert page.status_code == 200, page.text
        return page.url.path.rpartition("/")[2]

    def handed_in(self, file: str, **said: str) -> str:
        """Returns the id of a file that was handed in."""
        id_ = self.drafted(file, **said)
        assert self.step(id_, "hand-in").status_code == 200
        return id_

    @property
    def _headers(self) -> dict[str, str]:
        return {"x-account": self.name, "sec-fetch-site": "same-origin", "accept-language": "en"}


@dataclass(frozen=True)
class Staffed:
    """A site with accounts, and its ledger."""

    client: TestClient
    ledger: Ledger
    office: Office
    folder: Path

    def __getattr__(self, name: str) -> Person:
        assert name in ROLES or name in PLAYERS, name
        return Person(self.client, name)

    @property
    def head(self) -> Seq:
        return self.ledger.journal.head().seq

    @property
    def actors(self) -> list[str]:
        """Who made the commits, in order."""
        return [commit.actor for commit in self.ledger.journal.commits()]


@contextmanager
def staffed(
    ledger: Ledger, folder: Path, rules: FederationRules = USUAL_RULES
) -> Iterator[Staffed]:
    """Opens a site with an office over a ledger; where that has accounts, the arbiters are some.

    Who hands in what two people decide is an account, as everybody at a site.
    """
    known = ledger.facts().accounts
    for name in ("eva", "ivan") if known else ():
        if name not in known:
            grant_role(ledger, name, ROLES[name], request=asking())
    office = new_office(folder, lambda: NOW)
    settings = WebSettings(ledger="", origin=ORIGIN, cache=folder, federation=rules)
    app = create_app(Site(ledger, settings), office, named)
    try:
        client = TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)
        yield Staffed(client, ledger, office, folder)
    finally:
        office.close()
