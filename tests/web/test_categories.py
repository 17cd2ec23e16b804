"""Pages and API cut lists, the register and standings by club, region, age group and sex."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.age_groups import age_groups, group_named
from ledger.answers.directory import members_listed
from ledger.answers.lists import show
from ledger.operations import commands as c
from ledger.reports.categories import Category
from ledger.reports.list_ranks import ListRank
from ledger.service.ledger import Ledger
from tests.answers.test_categories import HEADER, affiliate, ledger_with, with_open
from tests.ledgers import do, import_text, publish_period
from tests.web.conftest import Browse
from tests.web.support import links_on, read
from tests.web.test_read_models import store_of, view_of
from web.read_models.answers import Careers


@pytest.fixture
def ledger() -> Ledger:
    ledger = with_open(ledger_with())
    publish_period(ledger, "2010-07")
    return ledger


@pytest.fixture
def site(browse: Browse, ledger: Ledger) -> TestClient:
    return browse(ledger)


def players_on(site: TestClient, address: str) -> list[str]:
    """Returns whom the rows of a page link to, by id."""
    answer = site.get(address)
    assert answer.status_code == 200, answer.text
    ids = [each.removeprefix("/players/") for each in links_on(answer.text, "/players/")]
    return [*dict.fromkeys(id_.partition("/")[0] for id_ in ids)]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("club=alekhine", {"1", "2"}),
        ("group=U14&sex=w", {"2"}),
        ("group=U14&sex=w&under=1400", set[str]()),
        ("region=valparaiso&sex=w", {"2"}),
        ("licensed=true", {"3", "4", "1"}),
        ("club=&region=&group=&under=", {"1", "2", "3", "4", "5", "6"}),
    ],
)
def test_a_list_is_cut(site: TestClient, query: str, ids: set[str]) -> None:
    assert set(players_on(site, f"/lists/ENF/2010-07?{query}")) == ids
    answer = site.get(f"/api/v1/lists/ENF/2010-07?{query}")
    assert {row["id"] for row in answer.json()["rows"]} == ids


def test_an_edition_is_cut_by_what_was_said_after_it(site: TestClient, ledger: Ledger) -> None:
    address = "/lists/ENF/2010-07@1?club=torre"
    before = site.get(address)
    assert set(players_on(site, address)) == {"3", "5"}
    do(ledger, affiliate("6", ledger.today.replace(year=2010), club="Torre Norte"))
    again = site.get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 200
    assert set(players_on(site, address)) == {"3", "5", "6"}


def test_the_register_is_cut_and_shows_its_clubs(site: TestClient) -> None:
    assert set(players_on(site, "/players?club=Torre+Norte")) == {"3", "5"}
    assert players_on(site, "/players?group=S50&sex=w") == ["4"]
    assert [row["id"] for row in site.get("/api/v1/players?region=Santiago").json()["players"]] == [
        "4"
    ]
    clubs = site.get("/clubs").text
    assert "/players?club=Club%20Alekhine" in clubs or "/players?club=Club+Alekhine" in clubs
    rows = site.get("/api/v1/clubs?on=2010-07-01").json()["clubs"]
    assert {"club": "Club Alekhine", "region": "Valparaíso", "players": 2, "licensed": 1} in rows
    page = read(site, "/players/1")
    assert "Club Alekhine" in page


def test_what_is_no_group_is_refused_with_those_there_are(site: TestClient) -> None:
    answer = site.get("/lists/ENF/2010-07?group=U13")
    assert answer.status_code == 422
    assert "U8, U10, U12" in answer.text


def test_standings_are_cut_and_show_the_prizes_of_categories(
    site: TestClient, ledger: Ledger
) -> None:
    assert set(players_on(site, "/tournaments/open?sex=w")) == {"2", "4", "5"}
    do(
        ledger,
        c.AnnouncePrizes(tournament="open", prizes=(("women", (100,)),), as_correction=True),
    )
    assert "women" in site.get("/tournaments/open").text
    rows = site.get("/api/v1/tournaments/open/prizes").json()["prizes"]
    assert [(row["category"], row["id"], row["prize"]) for row in rows] == [("women", "5", 100)]


def test_a_player_has_a_rank_in_each_group_that_the_list_tells_apart(
    tmp_path: Path, ledger: Ledger
) -> None:
    """Those of the group in the list are counted by themselves, those of one rating together."""
    more = ("7,x,CHI,,1996,1500", "8,y,CHI,,1990,1500", "9,z,ARG,,1950,1500", "10,v,ARG,,1940,1400")
    text = "".join(f"{each},50,club  ALEKHINE,,\n" for each in more)
    import_text(ledger, HEADER + text, list_="ENF", on=dt.date(2010, 8, 1))
    publish_period(ledger, "2010-08")
    rows = [row for row in show(ledger, "ENF", "2010-08").rows if row.rating]
    groups = age_groups("")
    careers = Careers(store_of(tmp_path), view_of(ledger))
    found = 0
    for row in rows:
        sheet = careers.known(row.id)
        for each in careers.ranks(sheet, "ENF", row.rating, groups):
            if each.kind == "federation":
                ratings = [other.rating for other in rows if other.federation == each.name]
            else:
                named = group_named(each.name, "") if each.kind == "group" else None
                category = Category(club=None if named else each.name, group=named)
                ids = members_listed(ledger, "ENF", "2010-08", category)
                assert row.id in ids
                ratings = [other.rating for other in rows if other.id in ids]
            higher = sum(rating > row.rating for rating in ratings)
            assert each.rank == ListRank(higher + 1, len(ratings)), (row.id, each)
            found += 1
    assert found > len(rows)


def test_ranks_in_groups_lead_to_the_list_of_the_group(site: TestClient) -> None:
    page = site.get("/players/2").text
    assert '<a href="/lists/ENF/2010-07%401?group=U14">U14</a>: place 1 of 2' in page
    assert "Club Alekhine</a>: place 1 of 2" in page
    assert "CHI</a>: place" not in page  # all are of one federation
    assert "U14</a>: lugar 1 de 2" in site.get("/players/2?lang=es").text
    assert players_on(site, "/lists/ENF/2010-07?group=U14")[0] == "2"
