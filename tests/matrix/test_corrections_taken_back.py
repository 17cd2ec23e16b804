"""Corrections × retraction: a correction that was taken back says so on every face that tells it.

Each kind of correction is recorded, taken back, and brought back by taking the retraction back.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient

from ledger.events.personal import Identity
from ledger.identifiers import Seq
from ledger.operations import commands as c
from ledger.reports.cascade import CORRECTING
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt
from ledger.service.retractions import undo_commit
from ledger.terms import Rate, System
from tests.ledgers import do, request, with_july_published
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

DAY: Final = dt.date(2010, 8, 10)
GAME: Final[dict[str, Any]] = {"tournament": "T2", "round": 1, "white": "A", "black": "B"}
KINDS: Final[dict[str, Callable[[], c.Command]]] = {
    "result.corrected": lambda: c.CorrectResult(**GAME, result=Result.parse("0-1")),
    "result.annulled": lambda: c.AnnulResult(**GAME),
    "tournament.corrected": lambda: c.CorrectTournament(
        tournament="T2", name="Renamed", starts_on=DAY, ends_on=DAY, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ),
    "tournament.rejected": lambda: c.RuleOnTournament(tournament="T2", ruling="reject", on=DAY),
    "tournament.annulled": lambda: c.RuleOnTournament(tournament="T2", ruling="annul", on=DAY),
    "player.identity-corrected": lambda: c.CorrectIdentity(
        player="A", identity=Identity(name="Another"), salt="0" * 32, federation="CHI", on=DAY
    ),
    "players.merged": lambda: c.MergePlayers(player="N", into="D", on=DAY),
}  # fmt: skip
ELSEWHERE: Final = frozenset(
    {
        "result.corrected-for-rating", "tournament.accepted", "player.fact-undone",
        "tournament.fact-undone", "rating-result.corrected",
    }
)  # fmt: skip
"""Kinds that need another ledger, are no correction alone, or are retractions themselves."""


def test_every_kind_of_correction_is_tried() -> None:
    assert CORRECTING - KINDS.keys() - ELSEWHERE == set()


def undone(ledger: Ledger, receipt: Receipt) -> Receipt:
    assert receipt.commit_id is not None
    return undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request("a mistake"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_correction_says_that_it_was_taken_back(kind: str, tmp_path: Path) -> None:
    ledger = with_july_published()
    site = TestClient(
        create_app(Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))), ORIGIN
    )
    correction = do(ledger, KINDS[kind]())
    assert correction.last_seq is not None
    assert marks(site, correction.last_seq) == {False}
    retraction = undone(ledger, correction)
    assert marks(site, correction.last_seq) == {True}
    told = site.get(f"/api/v1/corrections/{correction.last_seq}").json()
    assert told["taken_back"]["seq"] == retraction.last_seq
    assert [item["taken_back_by"] for item in told["items"]] == [retraction.last_seq]
    names_the_same(site, correction.last_seq, retraction.last_seq)
    undone(ledger, retraction)
    assert marks(site, correction.last_seq) == {False}


def marks(site: TestClient, seq: Seq) -> set[bool]:
    """Returns whether each face says of a correction that it was taken back; ``/`` tells few."""
    faces = set()
    for language, words in (("en", "(taken back)"), ("es", "(retirado)")):
        titles = {
            "/": titles_of(said(site, "/", language), seq),
            "/corrections": titles_of(said(site, "/corrections", language), seq),
            "Atom": [
                entry
                for entry in said(site, "/feeds/corrections", language).split("<entry>")
                if re.search(rf"corrections/{seq}\b", entry)
            ],
            "page": re.findall("<h1>(.*?)</h1>", said(site, f"/corrections/{seq}", language)),
        }
        assert all(found for face, found in titles.items() if face != "/"), titles
        faces |= {words in title for found in titles.values() for title in found}
    listed = site.get("/api/v1/corrections").json()["corrections"]
    faces.add(next(each for each in listed if each["seq"] == seq)["taken_back"] is not None)
    return faces


def titles_of(page: str, seq: Seq) -> list[str]:
    return re.findall(
        rf'<a(?: class="entry-title")? href="/corrections/{seq}(?:[?][^"]*)?">(.*?)</a>', page
    )


def said(site: TestClient, path: str, language: str) -> str:
    answer = site.get(path, params={"lang": language})
    assert answer.status_code == 200, (path, answer.text)
    return unescape(answer.text)


def names_the_same(site: TestClient, correction: Seq, retraction: Seq | None) -> None:
    """Holds the entry of a retraction against that of what it takes back."""
    before, after = (
        site.get(f"/api/v1/corrections/{seq}").json()["items"][0]
        for seq in (correction, retraction)
    )
    for name in ("tournament", "round", "players"):
        assert after[name] == before[name], name
    assert (after["was"], after["now"]) == (before["now"], before["was"])
    assert said(site, f"/corrections/{retraction}", "en")
