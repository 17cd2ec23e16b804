"""Counts × faces: how many players a list has is one figure, and says what it counts.

A filter changes which rows are shown, and not what is said of the list.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi.testclient import TestClient

from tests.ledgers import GAMES_HEADER, about, import_text, publish_period, with_july_published
from tests.web.conftest import ORIGIN
from tests.web.support import read
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

LIST: Final = "/lists/ENF/2010-08@1"
ROWS: Final = 5
RATED: Final = 4  # N has a game, and no rating yet
FILTERS: Final = (
    "",
    "?q=A",
    "?sex=w",
    "?state=rated",
    "?state=provisional",
    "?active=true&sort=gain",
)


def test_every_face_counts_the_same_players(tmp_path: Path) -> None:
    ledger = with_july_published()
    import_text(ledger, GAMES_HEADER + about("T3", "2010-08-12", "N,A,1-0"))
    publish_period(ledger, "2010-08")
    site = TestClient(
        create_app(Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))), ORIGIN
    )
    rows = site.get("/api/v1/lists/ENF/2010-08@1").json()["rows"]
    assert len(rows) == ROWS
    assert sum(not row["provisional"] for row in rows) == RATED
    for address in (f"{LIST}{query}" for query in FILTERS):
        page = read(site, address)
        assert f"{ROWS} players on the list, {RATED} with a rating" in page, address
    assert f"{ROWS} players on the list" in read(site, "/")
    assert f"first edition {ROWS} players on the list" in read(site, "/lists/ENF")
    for player in "AD":
        assert f"of {RATED} with a rating" in read(site, f"/players/{player}")
