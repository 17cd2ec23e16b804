"""Merit × regulations × faces: a statement shows the merit of games where the rules weigh them.

A regulation without a merit coefficient shows the column only where a tournament was given one that
counts: else every game would bear a 1.00 that explains nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.regulations import registry
from ledger.wording import LANGUAGES, Message
from tests.cli.test_explain import LIST, World, shown
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

WEIGHS: dict[tuple[str, str], bool] = {
    ("enf-2010", ""): True,
    ("enf-2010", "0.5"): True,
    ("fide-standard", "0.5"): False,  # 8: all games of a list weigh equally
    ("fide-rapid", "0.5"): False,
    ("fide-blitz", "0.5"): False,
}


@pytest.mark.parametrize("merit", ["", "0.5"])
@pytest.mark.parametrize("regulation", registry.regulations())
def test_merit_is_shown_where_games_are_weighed(
    regulation: str, merit: str, tmp_path: Path
) -> None:
    world = World(regulation, merit)
    is_shown = WEIGHS.get((regulation, merit), merit != "")
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    site = TestClient(create_app(Site(world.ledger, settings)), ORIGIN)
    statements = [made for made in world.statements() if made.postings]
    assert statements
    for made in statements:
        assert made.shows_merit is is_shown
        assert ("CM" in shown(made, 200)) is is_shown
        for lang in LANGUAGES:
            page = site.get(f"/players/{made.player.id}/{LIST}/{made.period}?lang={lang}")
            assert page.status_code == 200
            head = Message.of("browse.merit_cm").within(lang).capitalize()
            assert (f">{head}</th>" in page.text) is is_shown
