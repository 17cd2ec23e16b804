"""The pages of tournaments say what the application says, and nothing of what names hold."""

from __future__ import annotations

import csv
import datetime as dt
import re
from fractions import Fraction
from io import BytesIO
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient

from ledger.answers.event_results import event_results
from ledger.answers.titles import tournament_preview
from ledger.answers.tournaments import tournament_crosstable, tournament_standings
from ledger.operations.commands import (
    CorrectResult,
    OpenTournament,
    PairRound,
    RuleOnTournament,
)
from ledger.rating.decimal_text import exact, score_text
from ledger.results import Result
from ledger.service.desk import publish_round
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    begin_tournament,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
    request,
)
from tests.service.test_teams import event as event_of_teams
from tests.service.test_teams import play
from tests.web.conftest import Browse
from tests.web.support import links_on, pages_from, read, text_of

MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture
def several() -> Ledger:
    """Four tournaments: one of July, two of August, one annulled."""
    ledger = ledger_of("A,1800,,50", "B,1700,,50", "C,1600,,50")
    import_text(ledger, games("Copa Julio", "1,,A,B,1-0", "2,,B,C,1/2-1/2", "2,,A,,U"))
    for name in ("Núñez Memorial", "Copa Agosto", "Zonal"):
        import_text(ledger, games(name, "1,,A,B,1-0", day="2010-08-05"))
    do(ledger, RuleOnTournament(tournament="Zonal", ruling="annul", on=NOW.date()))
    return ledger


def found(site: TestClient, query: str) -> list[str]:
    answer = site.get(f"/tournaments?{query}")
    assert answer.status_code == 200, answer.text
    return [each.removeprefix("/tournaments/") for each in links_on(answer.text, "/tournaments/")]


def test_tournaments_are_found_by_words_state_and_days(browse: Browse, several: Ledger) -> None:
    site = browse(several)
    memorial = "N%C3%BA%C3%B1ez%20Memorial"
    assert found(site, "") == ["Copa%20Agosto", memorial, "Zonal", "Copa%20Julio"]
    assert found(site, "q=copa") == ["Copa%20Agosto", "Copa%20Julio"]
    assert found(site, "q=nunez+mem") == [memorial]
    assert found(site, "state=annulled") == ["Zonal"]
    assert found(site, "until=2010-07-31") == ["Copa%20Julio"]
    assert found(site, "since=2010-08-01&q=copa") == ["Copa%20Agosto"]
    assert found(site, "q=%22*%20NEAR%20-") == []


def test_the_overview_is_cut_and_ordered_by_its_address_and_names_the_winners(
    browse: Browse, several: Ledger
) -> None:
    do(
        several,
        OpenTournament(
            tournament="rapid", name="Ápice", starts_on=dt.date(2011, 2, 1), rounds=1,
            ends_on=dt.date(2011, 2, 1), rate_of_play=Rate.RAPID, system=System.SWISS,
            place="Puerto Ñuñoa",
        ),
    )  # fmt: skip
    site = browse(several)
    memorial = "N%C3%BA%C3%B1ez%20Memorial"
    everything = ["rapid", "Copa%20Agosto", memorial, "Zonal", "Copa%20Julio"]
    assert found(site, "year=2011") == found(site, "rate=rapid") == ["rapid"]
    assert found(site, "place=nunoa+PUERTO") == ["rapid"]
    assert found(site, "place=nowhere") == found(site, "year=2009") == []
    assert found(site, "order=newest") == everything
    assert found(site, "order=oldest") == ["Copa%20Julio", *everything[1:4], "rapid"]
    assert found(site, "order=name") == [
        "rapid",
        "Copa%20Agosto",
        "Copa%20Julio",
        memorial,
        "Zonal",
    ]
    assert found(site, "order=players&year=2010")[0] == "Copa%20Julio"
    said = read(site, "/tournaments")
    assert re.search(r" A 2/2 ", said)
    assert re.search(r" A 1/1 ", said)
    page = site.get("/tournaments?order=players&rate=classical&year=2010&place=").text
    assert '<option value="players" selected>' in page
    assert "<option selected>2010</option>" in page


@pytest.mark.parametrize(
    "query",
    [
        "since=x",
        "until=2010-02-30",
        "state=wrong",
        "order=x",
        "year=x",
        "rate=bullet",
        "q=" + "x" * 300,
    ],
)
def test_what_makes_no_sense_is_refused(browse: Browse, several: Ledger, query: str) -> None:
    assert browse(several).get(f"/tournaments?{query}").status_code == 422


def test_a_day_that_is_none_is_called_as_the_reader_calls_it(
    browse: Browse, several: Ledger
) -> None:
    page = browse(several).get("/tournaments?since=x&lang=es").text
    assert "Desde: 'x' no es un día" in text_of(page)


def test_a_long_list_of_tournaments_is_turned_page_by_page(browse: Browse) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    for number in range(120):
        day = f"2010-07-{1 + number % 28:02}"
        import_text(ledger, games(f"t{number:03}", "1,,A,B,1-0", day=day))
    pages = pages_from(browse(ledger), "/tournaments")
    seen = [each for page in pages for each in links_on(page, "/tournaments/t")]
    assert len(seen) == len(set(seen)) == 120


def test_standings_are_those_of_the_application(demo: TestClient, demo_ledger: Ledger) -> None:
    for after in (None, 2):
        query = "" if after is None else f"?after={after}"
        said = read(demo, f"/tournaments/ymca-2010{query}")
        made = tournament_standings(demo_ledger, "ymca-2010", after=after)
        place = 0
        for row in made.rows:
            place = said.index(row.name, place)
            amounts = (row.points, *(row.tie_breaks[code] for code in made.codes))
            for amount in amounts:
                if amount is not None:
                    assert f" {score_text(amount)} " in said[place : place + 200], (
                        row.name,
                        amount,
                    )


def test_a_crosstable_has_every_square(demo: TestClient, demo_ledger: Ledger) -> None:
    said = read(demo, "/tournaments/ymca-2010/crosstable")
    for row in tournament_crosstable(demo_ledger, "ymca-2010").rows:
        for words in row.squares.values():
            results = (re.sub(r"^\d+[wb]", "", word).replace("-", "−") for word in words)
            assert all(f" {result} " in said for result in results)


def test_the_letters_of_colours_are_those_of_the_language(demo: TestClient) -> None:
    """In Spanish B is Blancas: a ``b`` that means Black says the contrary beside the cards."""
    for place, form in (
        ("crosstable", r"[10½] \d+([wbBN]) "),
        ("forms/crosstable", r" \d+([wbBN])[10½]"),
    ):
        for language, letters in (("en", "wb"), ("es", "BN")):
            said = read(demo, f"/tournaments/ymca-2010/{place}?lang={language}")
            assert set(re.findall(form, said)) == {*letters}, (place, language)


def test_what_everybody_gained_is_what_the_replay_posts(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    said = read(demo, "/tournaments/ymca-2010/gains")
    for row in tournament_preview(demo_ledger, "ymca-2010", "ENF").rows:
        place = said.index(row.name)
        words = said[place : place + 120].replace("−", "-").split()
        aligned = [each for each in words if re.fullmatch(r"[+-]?\d+\.\d{3}", each)]
        assert Fraction(aligned[0]) == row.gain.points, row.name


def test_a_round_shows_who_met_whom_and_how_it_ended(browse: Browse, several: Ledger) -> None:
    site = browse(several)
    said = read(site, "/tournaments/Copa%20Julio/rounds/2")
    assert "2 0 White B 1700 ½–½ 3 0 Black C 1600" in said
    assert "1 1 White A 1800 U bye" in said
    assert site.get("/tournaments/Copa%20Julio/rounds/3").status_code == 404
    assert site.get("/tournaments/Copa%20Julio/rounds/99999999999999999999").status_code == 422


def test_a_result_for_rating_only_stands_beside_that_of_the_standings(browse: Browse) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, games("t", "1,,A,B,1-0"))
    do(
        ledger,
        CorrectResult(
            tournament="t", round=1, white="A", black="B", result=Result.parse("0-1"),
            rating_only=True,
        ),
    )  # fmt: skip
    assert "1–0 for rating: 0–1" in read(browse(ledger), "/tournaments/t/rounds/1")


def test_each_tie_break_is_explained(demo: TestClient, demo_ledger: Ledger) -> None:
    made = tournament_standings(demo_ledger, "ymca-2010")
    row = made.rows[0]
    said = read(demo, f"/tournaments/ymca-2010/places/{row.id}")
    for value in made.explained(row.id):
        told = value.data("en")
        assert value.value.amount is None or f" {score_text(value.value.amount)} " in said
        article = {"DESEMPATE": "manual of 1975, tie-breaks"}.get(told["article"], told["article"])
        assert article in said
        assert all(part["name"] in said for part in told["parts"] if part["name"])
    assert demo.get("/tournaments/ymca-2010/places/nobody").status_code == 404


def test_an_event_of_teams_has_its_matches_and_tables(browse: Browse) -> None:
    ledger = event_of_teams()
    publish_round(ledger, PairRound(tournament="T"), request())
    play(ledger, 1, 1, "1-0 0-1 1/2-1/2 0-1")
    site = browse(ledger)
    assert "Team A" in read(site, "/tournaments/T")
    said = read(site, "/tournaments/T/rounds/1")
    assert "1 0 Team A 3½–½ 0 Team C" in said
    assert "1.1 Player, A1 (W)" in said
    assert "Team A 1 Player, A1" in read(site, "/tournaments/T/teams")
    assert "Team D" in read(site, "/tournaments/T/places/D")


def test_a_page_is_as_it_was_known_at_a_seq(browse: Browse, several: Ledger) -> None:
    before = several.journal.head().seq
    do(
        several,
        CorrectResult(
            tournament="Copa Julio", round=1, white="A", black="B", result=Result.parse("0-1")
        ),
    )
    site = browse(several)
    now = read(site, "/tournaments/Copa%20Julio/rounds/1")
    then = read(site, f"/tournaments/Copa%20Julio/rounds/1?as-known-at={before}")
    assert "A 1800 0–1 corrected 2" in now
    assert "A 1800 1–0 2" in then
    assert site.get("/tournaments/Copa%20Julio?as-known-at=1").status_code == 404


def test_names_and_ids_are_words_and_nothing_else(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(
        ledger,
        PLAYERS_HEADER + f'1,"{MARKUP}",CHI,m,,1800,,50\n2,"O\'Neill ""B""",CHI,m,,1700,,50\n',
        list_="ENF",
    )
    import_text(ledger, games(f"a/b?{MARKUP}", "1,,1,2,1-0"))
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    (address,) = links_on(site.get("/tournaments").text, "/tournaments/")
    for page in ("", "/crosstable", "/rounds/1", "/gains", "/report", "/places/1"):
        answer = site.get(address + page)
        assert answer.status_code == 200, (page, answer.text)
        assert MARKUP not in answer.text
        assert "&lt;img" in answer.text


def test_the_pages_speak_spanish(demo: TestClient) -> None:
    assert "Clasificación" in read(demo, "/tournaments/ymca-2010?lang=es")
    assert "sistema suizo" in read(demo, "/tournaments/ymca-2010?lang=es")
    assert "Primer lugar" in read(demo, "/tournaments?lang=es")


@pytest.mark.parametrize(
    "page",
    ["", "/crosstable", "/rounds/1", "/gains", "/report", "/standings.csv", "/teams", "/places/1"],
)
def test_a_tournament_that_is_not_there(demo: TestClient, page: str) -> None:
    answer = demo.get(f"/tournaments/no-such{page}")
    assert answer.status_code == 404
    assert "no-such" in answer.text


def test_an_imported_report_that_nobody_closed_is_called_finished(demo: TestClient) -> None:
    page = demo.get("/tournaments/ymca-2010")
    assert page.status_code == 200
    assert '<span class="tag finished">finished</span>' in page.text
    listed = demo.get("/tournaments")
    assert listed.status_code == 200
    assert "tag open" not in listed.text
    assert listed.text.count("not closed") == 1, "to be asked for; in the rows for staff"


def test_the_standings_go_into_a_spreadsheet_as_numbers(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    address = "/tournaments/ymca-2010/standings"
    written = list(csv.DictReader(demo.get(f"{address}.csv").text.splitlines()))
    made = event_results(demo_ledger, "ymca-2010")
    assert [(row["Id"], row["points"]) for row in written] == [
        (row.id, exact(row.points)) for row in made.rows
    ]
    book = ZipFile(BytesIO(demo.get(f"{address}.xlsx").content))
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == len(made.rows) + 1
    assert f"<v>{float(made.rows[0].points):g}</v>" in sheet
    assert demo.get(f"{address}.pdf").status_code == 422


def test_a_page_says_who_won_which_list_counts_it_and_how_it_went(demo: TestClient) -> None:
    page = demo.get("/tournaments/ymca-2010").text
    made = read(demo, "/tournaments/ymca-2010")
    assert "were counted in the list ENF of July 2010, in force since 1 August 2010" in made
    assert page.count("<svg") == 2
    assert "place after each round" in page
    assert 'aria-current="page">Standings' in page
    first = re.search(r'class="name">.*?href="/players/(\d+)"', page)
    assert first is not None
    assert first[1] in page.partition("<tbody>")[2].partition("</tr>")[0]


def test_a_page_renews_itself_while_the_event_runs_and_without_a_script(browse: Browse) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50", "C,1600,,50")
    begin_tournament(ledger, "t", NOW.date())
    site = browse(ledger)
    page = site.get("/tournaments/t").text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "this page renews itself" in page
    assert 'http-equiv="refresh"' not in site.get("/tournaments/t?as-known-at=9").text


def test_a_large_event_comes_in_pages_none_of_which_is_heavy(browse: Browse) -> None:
    """A Swiss of 130: everybody is on one page of each, in the order of the whole."""
    ids = [f"{number:04}" for number in range(130)]
    ledger = ledger_of(*(f"{id_},{2000 - at},,20" for at, id_ in enumerate(ids)))
    half = len(ids) // 2
    rows = (
        f"{round_},,{white},{ids[half + (at + round_) % half]},1-0"
        for round_ in range(1, 8)
        for at, white in enumerate(ids[:half])
    )
    import_text(ledger, games("large", *rows))
    with browse(ledger) as site:
        for part, pages in (("", 3), ("/crosstable", 2), ("/gains", 2)):
            names: list[str] = []
            for number in range(1, pages + 1):
                page = site.get(f"/tournaments/large{part}?page={number}").text
                assert len(page.encode()) < 60_000, part
                shown = re.search(r'<nav class="pages".*?</nav>', page)
                assert shown
                assert shown[0].count("<a ") == pages
                assert shown[0].count("aria-current") == 1
                table = page[page.index("<tbody>") : page.index("</tbody>")]
                names += re.findall(r'<th scope="row"[^>]*>.*?/players/([^"?]+)"', table)
            assert sorted(names) == ids, part
        assert site.get("/tournaments/large?page=99").status_code == 200
        assert site.get("/tournaments/large?page=0").status_code == 422
