"""The pictures of the documentation: of the shipped example, in both languages.

``RATING_LEDGER_PICTURES=1 python -m pytest tests/web/test_pictures.py`` takes them anew.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from playwright.sync_api import Browser, ViewportSize

from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.results import Result
from ledger.service.archives import open_ledger
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.wording import LANGUAGES
from tests.ledgers import NOW, do, request
from tests.web.browser import act, context_of, take_picture
from tests.web.offices import new_office
from tests.web.serving import in_thread
from web.access import Account
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

DOCS = Path(__file__).parents[2] / "docs"
LARGEST = 60_000  # bytes
DESK = ViewportSize(width=800, height=470)
STORY = ViewportSize(width=800, height=340)
PHONE = ViewportSize(width=390, height=560)
CLUB = "club-2010"
PAGES = {
    "list": ("/lists/ENF/2010-07@1", "main table", DESK),
    "statement": ("/players/3404510/ENF/2010-07?as-known-at=101", "main h2 + .wide", DESK),
    "player": ("/players/3404510", "main h1", DESK),
    "correction": ("/corrections/122", "main h1", STORY),
    "pairing": (f"/desk/{CLUB}/pair", "main h2", DESK),
    "round": (f"/desk/{CLUB}/rounds/1", "main h2", PHONE),
    "standings": (f"/tournaments/{CLUB}", "main h1", DESK),
    "waiting": ("/office", "main h1", DESK),
}
"""By name: the address, what stands at the top of the picture, and the window."""
OFFICERS = {"pairing", "round", "waiting"}  # the others are what everybody sees
WANTED = "RATING_LEDGER_PICTURES" in os.environ
_SHOWN = re.compile(r"!\[([^\]]*)\]\((?:\.\./)?pictures/(\w+)/(\w+)\.png\)")


@pytest.fixture
def origin(demo_db: Path, tmp_path: Path) -> Iterator[str]:
    """The site of the example, with an event of six whose first round is played."""
    office = new_office(tmp_path)
    with closing(open_ledger(str(shutil.copy(demo_db, tmp_path / "club.db")))) as journal:
        ledger = Ledger(journal, lambda: NOW)
        play(ledger)

        def application(here: str) -> FastAPI:
            settings = WebSettings(ledger="", origin=here, cache=tmp_path)
            return create_app(Site(ledger, settings), office, identify=account_of)

        with in_thread(application) as here:
            yield here
    office.close()


def account_of(request: Request) -> Account | None:
    """Returns the officer whom a browser names in a header."""
    name = request.headers.get("x-account")
    return Account(name, frozenset({Role.OFFICER})) if name else None


def play(ledger: Ledger) -> None:
    """Pairs and plays the first round of an event of the example's players."""
    players = ("3407128", "3405958", "3404510", "3400190", "28858", "11209")
    day = dt.date(2010, 9, 4)
    do(
        ledger,
        c.OpenTournament(
            tournament=CLUB, name="Club Open", starts_on=day, ends_on=day,
            system=System.SWISS, rate_of_play=Rate.RAPID, rounds=3,
        ),
        c.AnnounceRules(tournament=CLUB, pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament=CLUB, player=player) for player in players),
    )  # fmt: skip
    publish_round(ledger, PairRound(tournament=CLUB), request())
    results = [*enumerate(map(Result.parse, ("1-0", "0-1", "1/2-1/2")), 1)]
    do(ledger, *board_results(ledger, CLUB, 1, results))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_taken(browser: Browser, origin: str, language: str, tmp_path: Path) -> None:
    """They are small; where they are wanted, they are kept."""
    folder = DOCS / "pictures" / language if WANTED else tmp_path / language
    for name, (path, top, size) in PAGES.items():
        headers = {"x-account": "ana"} if name in OFFICERS else {}
        context = context_of(
            browser, base_url=origin, viewport=size, locale=language, extra_http_headers=headers
        )
        page = context.new_page()
        answer = page.goto(path, wait_until="load")
        assert answer is not None
        assert answer.status == HTTPStatus.OK, path
        act(page, "top => document.querySelector(top).scrollIntoView()", top)
        picture = folder / f"{name}.png"
        take_picture(page, picture)
        context.close()
        assert picture.stat().st_size <= LARGEST, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_stands_on_a_page_with_words_for_who_does_not_see_it(language: str) -> None:
    folder = DOCS if language == "en" else DOCS / language
    shown = [found for page in folder.glob("*.md") for found in _SHOWN.findall(page.read_text())]
    assert {(place, name) for _, place, name in shown} == {(language, name) for name in PAGES}
    assert [words for words, _, _ in shown if len(words) < len("a description")] == []
    kept = {picture.stem: picture for picture in (DOCS / "pictures" / language).iterdir()}
    assert set(kept) == set(PAGES)
    assert [name for name, picture in kept.items() if picture.stat().st_size > LARGEST] == []
