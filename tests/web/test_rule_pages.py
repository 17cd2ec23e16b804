"""The pages of regulations, studies and ladders: equal to what the application says."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from fastapi.testclient import TestClient

from ledger.answers.list_figures import compare_regulations, effort_of, monitor_of
from ledger.answers.regulations import regulation_list, regulation_sheet
from ledger.rating.decimal_text import exact, with_sign
from ledger.regulations import registry
from ledger.regulations.registry import OWN
from ledger.reports.comparison import verdict_of
from ledger.reports.regulations import anchor
from ledger.service.ladders import open_ladder
from ledger.service.ledger import Ledger
from ledger.wording.dates import period_in_words
from tests.ledgers import define, empty_ledger, ledger_of, publish_period, request
from tests.web.conftest import Browse
from tests.web.support import read, text_of

# Regulations


@pytest.mark.parametrize("id_", sorted(OWN))
def test_a_regulation_has_all_its_articles_parameters_and_figures(
    demo: TestClient, id_: str
) -> None:
    page = demo.get(f"/regulations/{id_}").text
    said = text_of(page)
    sheet = regulation_sheet(id_)
    for clause in sheet.coverage:
        assert f'id="{anchor(clause.article)}"' in page
        assert clause.says in said
    assert all(each.parameter in said for each in sheet.parameters)
    assert all(each.sha256 in said for each in sheet.tables)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("id_", sorted(OWN))
def test_a_regulation_says_the_same_in_spanish_at_the_same_anchors(
    demo: TestClient, id_: str
) -> None:
    page = demo.get(f"/regulations/{id_}?lang=es").text
    said, sheet = text_of(page), regulation_sheet(id_)
    spanish = sheet.within("es")
    for english, clause in zip(sheet.coverage, spanish.coverage, strict=True):
        assert f'id="{anchor(english.article)}"' in page
        assert clause.article in said
        assert clause.says in said
        assert clause.where in said
    assert "not covered" not in said
    assert ' lang="en"' not in page.partition("<main")[2].partition("</main>")[0]
    answer = demo.get(f"/api/v1/regulations/{id_}?lang=es").json()
    assert answer == spanish.data()


@pytest.mark.parametrize("id_", sorted(OWN))
def test_the_clause_of_a_statement_leads_to_its_article(id_: str) -> None:
    sheet, regulation = regulation_sheet(id_), registry.found(id_)
    anchors = {anchor(clause.article) for clause in sheet.coverage}
    named = [*regulation.CLAUSES.values(), *regulation.STEP_CLAUSES.values()]
    found = {sheet.anchor_of(clause) for clause in named} - {None}
    assert found <= anchors
    assert found or not named or id_ == "elo-linear"


def test_of_several_articles_the_one_with_most_words_is_meant() -> None:
    sheet = regulation_sheet("enf-2010")
    assert sheet.anchor_of("ENF 2010 III a)") == "III-a-b"
    assert sheet.anchor_of("ENF 2010 II b)") == "II-b"
    assert sheet.anchor_of("ledger") is None


def test_the_head_of_an_article_leads_to_its_first_part_and_to_no_former_text() -> None:
    sheet = regulation_sheet("fide-standard")
    assert sheet.anchor_of("FIDE B.02 8.3") == "8.3.1"
    assert sheet.anchor_of("FIDE B.02 8.2.2") == "8.2.2"
    assert sheet.anchor_of("8.3 until 2017") == "8.3-until-2017"
    assert sheet.anchor_of("8") == "8.1.1"


def test_the_overview_names_every_regulation_and_who_adopted_it(demo: TestClient) -> None:
    said = read(demo, "/regulations")
    for sheet in regulation_list()[0]:
        assert sheet.id in said
        assert sheet.title in said
    assert "In force for a list regulation Text In force ENF 2010" in said
    assert "ENF since 1 July 2010 Others that a list can adopt" in said
    page = read(demo, "/regulations/enf-2010")
    assert "in force since 1 July 2010, first for July 2010." in page
    assert "No list here follows it." in read(demo, "/regulations/enf-2010?as-known-at=0")
    assert demo.get("/regulations/no-such").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/", "/lists", "/lists/ENF", "/players/A/ENF/2010-07", "/players/A/ENF/forecast?ratings=1600"],
)
def test_a_page_calls_a_regulation_by_its_title(browse: Browse, path: str) -> None:
    ledger = ledger_of("A,1500,,30", regulation="fide-standard")
    publish_period(ledger, "2010-07")
    site, sign = browse(ledger), "&" if "?" in path else "?"
    for language, title in (
        ("en", "FIDE standard ratings"),
        ("es", "Ratings clásicos de la FIDE"),
    ):
        said = read(site, f"{path}{sign}lang={language}")
        assert (title in said, "fide-standard" in said) == (True, False), said


# Studies


def test_a_monitor_has_the_figures_of_the_application(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    for active in (False, True):
        said = read(demo, f"/monitor/ENF?active={str(active).lower()}")
        made = monitor_of(demo_ledger, "ENF", since=None, until=None, active_only=active)
        for points in made.sources.values():
            assert with_sign(exact(points)) in said
        for line in made.data()["periods"]:
            figures = [line["control_mean"] or "–", line["mean"] or "–", line["rated"]]
            assert " ".join(map(str, [period_in_words(line["period"], "en"), *figures])) in said


def test_a_comparison_says_what_the_command_says(demo: TestClient, demo_ledger: Ledger) -> None:
    said = read(demo, "/compare/ENF/enf-2010?param=k_others%3D30")
    made = compare_regulations(
        demo_ledger, "ENF", regulation="enf-2010", parameters={"k_others": 30},
        since="2010-07", until="2010-09",
    )  # fmt: skip
    for sentence in verdict_of(made):
        assert sentence.within("en") in said
    for player in made.players.largest(10):
        place = said.rindex(player.name)
        row = said[place : place + 80]
        assert f"{player.own or '–'} {player.other or '–'} {with_sign(player.points)}" in row


def test_the_regulation_of_a_comparison_is_chosen_on_its_page(demo: TestClient) -> None:
    own = read(demo, "/compare/ENF/enf-2010")
    assert "ENF follows this regulation already" in own
    assert "Brier" not in own
    other = demo.get(
        "/compare/ENF/enf-2010?with=elo-linear&since=2010-07&param=k_others%3D30",
        follow_redirects=False,
    )
    assert other.headers["location"] == "/compare/ENF/elo-linear?since=2010-07"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/monitor/NONE", 404),
        ("/monitor/ENF?since=x", 404),
        ("/monitor/ENF?since=2010-08&until=2010-07", 422),
        ("/compare/ENF/no-such", 404),
        ("/compare/NONE/enf-2010", 404),
        ("/compare/ENF/enf-2010?param=k_others", 422),
        ("/compare/ENF/enf-2010?param=k_others%3D-5", 422),
        ("/compare/ENF/enf-2010?param=no_such%3D5", 422),
    ],
)
def test_a_study_that_cannot_be_made(demo: TestClient, address: str, status: int) -> None:
    assert demo.get(address).status_code == status


def test_nobody_waits_for_a_study_of_a_long_list(
    demo: TestClient, demo_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.calculations.MOST_AT_ONCE", effort_of(demo_ledger, "ENF") - 1)
    for address in ("/monitor/ENF", "/compare/ENF/enf-2010"):
        assert "too long" in read(demo, address)


# Ladders


@pytest.fixture
def club(browse: Browse) -> TestClient:
    """A ladder of three."""
    ledger = ledger_of("A,1800,,50", "B,1700,,50", "C,1600,,50")
    open_ladder(
        ledger, "Club-1", list_="ENF", players="ABC", on=dt.date(2010, 8, 1), as_given=False,
        request=request(),
    )  # fmt: skip
    return browse(ledger)


def test_a_ladder_shows_its_places_with_the_ratings_of_a_day(club: TestClient) -> None:
    assert "Club-1 ENF 1 August 2010" in read(club, "/ladders")
    assert "1 A 1 August 2010 1800" in read(club, "/ladders/Club-1?on=2010-08-02")
    assert "1 A 1 August 2010 –" in read(club, "/ladders/Club-1?on=2010-06-01")


def test_a_ladder_that_is_not_there(club: TestClient, browse: Browse) -> None:
    assert club.get("/ladders/Other").status_code == 404
    assert club.get("/ladders/Club-1?on=x").status_code == 422
    assert club.get("/ladders/Club-1?as-known-at=1").status_code == 404
    ledger = empty_ledger()
    define(ledger)
    assert "There is no ladder" in read(browse(ledger), "/ladders")
