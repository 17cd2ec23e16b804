"""Counts × faces: how many players a list has is one figure, and says what it counts.

A filter changes which rows are shown, and not what is said of the list.
"""

from __future__ import annotations

import re
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
FILTERS: Final = {
    "": None,
    "?sort=gain": None,
    "?q=A": 1,
    "?q=nobody": None,
    "?sex=w": None,  # nobody's sex is known
    "?under=1800": 1,
    "?state=rated": 4,
    "?state=provisional": 1,
    "?state=provisional&federation=CHI": 1,
    "?active=true&sort=gain": 5,
}
"""By filter, how many of the players match; None: nobody is left out, or nobody is left."""


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
    for query, matching in FILTERS.items():
        page = read(site, f"{LIST}{query}")
        assert f"{ROWS} players on the list, {RATED} with a rating" in page, query
        said = re.findall(rf"([0-9]+) of {ROWS} players match", page)
        assert said == ([] if matching is None else [str(matching)]), query
        shown = site.get(f"{LIST}/json{query}").json()["rows"]
        assert matching in (None, len(shown)), query
    assert f"{ROWS} players on the list" in read(site, "/")
    assert f"first edition {ROWS} players on the list" in read(site, "/lists/ENF")
    for player in "AD":
        assert f"of {RATED} with a rating" in read(site, f"/players/{player}")
