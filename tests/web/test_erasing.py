"""An officer erases a person at the site: once, confirmed, and no page shows the name again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from tests.hidden_names import NAME, found_in
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    empty_ledger,
    import_text,
    publish_period,
    with_officers,
)
from tests.web.submitting import ORIGIN, Staffed, staffed
from web import server
from web.settings import WebSettings

PAGE = "/erase/A"
PAGES = (
    "/players/A", "/players?q=Zyxwinska", "/lists/ENF/2010-07@1", "/lists/ENF",
    "/players/A/ENF/2010-07", "/tournaments/T1", "/tournaments/T1/crosstable",
    "/api/v1/players/A", "/api/v1/lists/ENF/2010-07@1/rows",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """A list with the name is published; ana is the only officer."""
    ledger = with_officers(empty_ledger(), "ana")
    define(ledger)
    said = f'A,"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\n'
    import_text(ledger, PLAYERS_HEADER + said, list_="ENF")
    import_text(ledger, GAMES_HEADER + about("T1", "2010-07-10", "A,B,1-0"))
    publish_period(ledger, "2010-07")
    with staffed(ledger, tmp_path) as opened:
        yield opened


def test_the_page_says_what_it_will_do_and_does_it_once(site: Staffed) -> None:
    assert f'href="{PAGE}"' in site.ana.get("/players/A").text
    assert "/erase/" not in site.eva.get("/players/A").text
    head = site.head
    page = site.ana.get(PAGE)
    assert "1 identity document of A would be destroyed" in page.text
    assert "printed lists" in page.text
    assert site.head == head, "to look records nothing"
    form = site.ana.hidden(page, PAGE) | {"reason": "a letter", "confirmed": "A"}
    done = site.ana.post(PAGE, form)
    assert "of A are destroyed" in done.text
    assert (site.head, site.actors[-1]) == (head + 1, "ana")
    assert site.ana.post(PAGE, form).status_code == 200
    assert site.head == head + 1, "pressed twice it is one"
    assert "This person was erased on" in site.eva.get("/players/A").text
    for place in ("/lists/ENF/2010-07@1", "/players", "/tournaments/T1"):
        assert "(erased)" in site.eva.get(place).text, place
        assert "(datos suprimidos)" in site.eva.get(f"{place}?lang=es").text, place


def test_only_a_confirmed_erasure_is_done(site: Staffed) -> None:
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter"}
    head = site.head
    assert site.ana.post(PAGE, form | {"confirmed": "B"}).status_code == 422
    assert site.ana.post(PAGE, form | {"confirmed": "A", "reason": " "}).status_code == 422
    assert site.ana.get("/erase/nobody").status_code == 422
    assert site.head == head


def test_no_answer_shows_the_name_any_more(site: Staffed) -> None:
    before = site.head
    shown = {page for page in PAGES if found_in(site.eva.get(page).content)}
    assert len(shown) >= 6
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter", "confirmed": "A"}
    site.ana.post(PAGE, form)
    for page in PAGES:
        answer = site.eva.get(page)
        assert answer.status_code in {200, 404}, page
        text = answer.content.replace(b"Zyxwinska", b"")  # what was asked for is repeated
        assert found_in(text) == [], page
        mark = "&" if "?" in page else "?"
        then = site.eva.get(f"{page}{mark}as-known-at={before}").content
        assert found_in(then.replace(b"Zyxwinska", b"")) == [], page


def test_a_site_that_starts_finishes_what_was_interrupted(sqlite_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as driver:
        driver.execute("PRAGMA user_version = 1")
    journal = open_journal(sqlite_url)
    assert not journal.is_scrubbed()
    server._open_once(WebSettings(ledger=sqlite_url, origin=ORIGIN, cache=tmp_path))
    assert journal.is_scrubbed()
    journal.close()


def test_it_takes_two_where_two_are_needed(site: Staffed) -> None:
    """The form is not offered then: it could not be sent with success, however it is filled in."""
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter", "confirmed": "A"}
    with_officers(site.ledger, "luis")
    page = site.ana.get(PAGE)
    assert "it will need a second person" in page.text
    assert not site.ana.offers(page, PAGE)
    assert "rating-ledger player erase A --actor … --second …" in page.text
    head = site.head
    refused = site.ana.post(PAGE, form)
    assert refused.status_code == 422
    assert "--second NAME" not in refused.text
    assert site.head == head
