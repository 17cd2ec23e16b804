"""What must be scored: the page of games to come."""

from __future__ import annotations

import datetime as dt
import html

from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, import_text, with_july_published
from tests.web.conftest import Browse
from tests.web.support import read, text_of


def test_the_page_says_what_each_score_brings(browse: Browse) -> None:
    site = browse(with_july_published())
    player = site.get("/players/A").text  # below the games that wait, and at the end
    assert player.count('href="/players/A/ENF/forecast"') == 2
    page = read(site, "/players/A/ENF/forecast?opponents=B&ratings=1900&rating=1840")
    # K 40 was published with the rating of 1800 and 50 games; T2 waits.
    assert "What must A score?" in page
    assert "Points needed" in page
    assert "Next list, as it stands 1836 August 2010 · 2 games" in page
    assert read(site, "/players/A/ENF/forecast?ratings=1800;1900,2000").count("An opponent") == 3
    for score in ("2", "1½", "1", "½", "0"):
        assert f" {score} " in page
    spanish = read(site, "/players/A/ENF/forecast?opponents=B&lang=es")
    assert "¿Cuánto tiene que hacer A?" in spanish


def test_opponents_by_name(browse: Browse) -> None:
    ledger = with_july_published()
    people = 'R,"Rojas, Juan",,,,1700,,50\nS,"Rojas, Ana",,,,1600,,50\n'
    import_text(ledger, f"{PLAYERS_HEADER}{people}", list_="ENF", on=dt.date(2010, 8, 1))
    site = browse(ledger)
    assert "1700" in read(site, "/players/A/ENF/forecast?opponents=juan+rojas")
    several = site.get("/players/A/ENF/forecast?opponents=rojas")
    assert several.status_code == 422
    assert "fits 2 players" in text_of(several.text)


def test_of_a_game_that_does_not_count_the_opponent_and_the_reason_are_said(browse: Browse) -> None:
    ledger = with_july_published()
    import_text(ledger, f"{PLAYERS_HEADER}X,New,,,,,,\n")
    page = read(browse(ledger), "/players/A/ENF/forecast?opponents=X&rating=1900")
    assert "None of these games counts for the rating." in page
    assert "The games" in page
    assert "New – the opponent has no rating" in page
    assert "What each score brings" not in page


def test_without_opponents_there_is_a_form(browse: Browse) -> None:
    page = read(browse(with_july_published()), "/players/D/ENF/forecast")
    assert "Say who is to be played." in page


def test_whom_a_tournament_has_left_is_offered(browse: Browse) -> None:
    ledger = with_july_published()
    import_text(
        ledger, f"{GAMES_HEADER}"
        "R,Copa,2010-08-01,2010-08-20,round-robin,classical,,1,,A,B,1-0\n"
        "R,Copa,2010-08-01,2010-08-20,round-robin,classical,,1,,C,D,1-0\n",
    )  # fmt: skip
    page = read(browse(ledger), "/players/A/ENF/forecast")
    assert "Copa" in page
    assert "2 games" in page


def test_what_cannot_be_read_is_said_above_the_form(browse: Browse) -> None:
    site = browse(with_july_published())
    for query, says in (
        ("opponents=Nobody", "Nobody"),
        ("opponents=1800", "write it under “Or their ratings alone”"),
        ("ratings=1800,many", "many"),
        ("rating=1900", "name opponents"),
        ("ratings=1800&rating=9999", "9999"),
    ):
        answer = site.get(f"/players/A/ENF/forecast?{query}")
        assert answer.status_code == 422
        assert says in text_of(answer.text)
        assert "<form" in answer.text
    typed = site.get("/players/A/ENF/forecast?ratings=many").text
    assert 'value="many"' in html.unescape(typed)
    assert site.get("/players/Z/ENF/forecast").status_code == 404
    assert site.get("/players/A/NONE/forecast?ratings=1800").status_code == 404
