"""The round on a second screen, and the seats by name beside the sheet of boards."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from ledger.answers.rounds import seats_of_round
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.desk import publish_round
from ledger.service.ledger import Ledger
from ledger.terms import Colour, PairingMethod, Rate, System
from tests.ledgers import NOW, do, import_text, ledger_of, request
from tests.web.conftest import Browse
from tests.web.support import text_of

PLAYERS = 46


def event(players: int = PLAYERS) -> Ledger:
    """A Swiss of which round 1 is published."""
    ledger = ledger_of(*(f"P{number:02},{2000 - number},,50" for number in range(players)))
    do(ledger, c.OpenTournament(
        tournament="open", name="Open", starts_on=NOW.date(), ends_on=NOW.date(), rounds=3,
        system=System.SWISS, rate_of_play=Rate.CLASSICAL, place="Concepción",
    ))  # fmt: skip
    do(ledger, c.AnnounceRules(tournament="open", pairing=PairingMethod.FENAMAC_1975))
    do(ledger, *(
        c.EnterPlayer(tournament="open", player=f"P{n:02}", starting_number=n + 1)
        for n in range(players)
    ))  # fmt: skip
    return ledger


def published(ledger: Ledger) -> Ledger:
    publish_round(ledger, c.PairRound(tournament="open", round=None, boards=None), request())
    return ledger


@pytest.fixture
def site(browse: Browse) -> TestClient:
    return browse(published(event()))


def test_before_the_first_round_it_says_so(browse: Browse) -> None:
    page = browse(event()).get("/t/open/live")
    assert "No round is published yet." in page.text


@pytest.mark.parametrize(("players", "look"), [(20, "live-boards few"), (22, "live-boards")])
def test_few_boards_are_one_column_of_large_letters(
    browse: Browse, players: int, look: str
) -> None:
    page = browse(published(event(players))).get("/t/open/live").text
    assert f'<ol class="{look}">' in page


def test_it_counts_what_has_a_result_and_turns_its_pages(browse: Browse) -> None:
    ledger = published(event())
    site = browse(ledger)
    page = site.get("/t/open/live")
    assert "0 of 23 results in" in text_of(page.text)
    assert page.text.count('<li class="open">') == 20
    assert re.findall(r'hx-get="([^"]+)"', page.text) == ["/t/open/live?page=2"]
    assert 'content="15;url=/t/open/live?page=2"' in page.text
    last = site.get("/t/open/live?page=2")
    assert last.text.count('<li class="open">') == 3
    assert re.findall(r'hx-get="([^"]+)"', last.text) == ["/t/open/live?page=1"]
    board = seats_of_round(ledger, "open", 1).seats[0]
    white, black = sorted(
        (each for each in seats_of_round(ledger, "open", 1).seats if each.board == board.board),
        key=lambda each: each.colour is Colour.BLACK,
    )
    do(ledger, c.RecordGame(
        tournament="open", round=1, white=white.id, black=black.id, result=Result.parse("1-0")
    ))  # fmt: skip
    assert "1 of 23 results in · 12:00" in text_of(site.get("/t/open/live").text)
    assert site.get("/t/none/live").status_code == 404


def test_of_namesakes_an_initial_is_read(browse: Browse) -> None:
    ledger = event(4)
    import_text(ledger, "id;name\nN1;Soto, Ana\nN2;Soto, Luis\n")
    do(ledger, *(c.EnterPlayer(tournament="open", player=player) for player in ("N1", "N2")))
    said = text_of(browse(published(ledger)).get("/t/open/live").text)
    assert "A. Soto" in said
    assert "L. Soto" in said


def test_everybody_finds_the_own_board_by_name() -> None:
    ledger = published(event(5))
    seats = seats_of_round(ledger, "open")
    assert [each.id for each in seats.seats] == [f"P{number:02}" for number in range(5)]
    by_board: dict[int | None, list[Colour | None]] = {}
    for each in seats.seats:
        by_board.setdefault(each.board, []).append(each.colour)
    assert by_board.pop(None) == [None]
    assert all(sorted(colours, key=str) == sorted(Colour, key=str) for colours in by_board.values())


def test_the_sheets_of_a_round_say_where_and_when_and_lead_to_the_screen(site: TestClient) -> None:
    for form in ("round", "seats"):
        page = site.get(f"/tournaments/open/forms/{form}").text
        assert "Concepción · 1 January 2026" in page
        assert '<table class="wall' in page
        assert "Printed 1 January 2026, 12:00" in text_of(page)
        assert "<svg" in page
        assert "/t/open/live" in page
    assert "/t/open/live" in site.get("/tournaments/open").text
