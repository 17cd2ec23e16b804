"""The pages of rating lists: what the application says of them, and nothing of what names hold."""

from __future__ import annotations

import html
import io
import json
import re
from pathlib import Path

import pytest
import python_calamine
from fastapi.testclient import TestClient

from ledger.answers import corrections
from ledger.answers.corrections import recalculation
from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from ledger.views.federation import FederationFace
from ledger.wording import Wording
from ledger.wording.dates import day_in_words, period_in_words
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    empty_ledger,
    games,
    import_text,
    publish_period,
)
from tests.web.conftest import ORIGIN, Browse
from tests.web.support import links_on, read
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

HARD_NAMES = (
    "<script>alert(1)</script>, A",
    "O'Higgins, 'B'",
    'Pérez "P", C',
    "كريم, محمد",
    "&lt;, D",
)


def text_of(page: str) -> str:
    """Returns what a page says, without its markup."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))


def named() -> Ledger:
    """Returns a ledger of sixty players with names that are hard to show, published."""
    ledger = empty_ledger()
    define(ledger)
    lines = ""
    for number in range(60):
        name = HARD_NAMES[number % 5].replace('"', '""')
        federation, sex = ("CHI", "w") if number % 2 else ("ARG", "m")
        rating = "" if number % 10 == 0 else str(1500 + number)
        lines += f'{number + 1},"{name}",{federation},{sex},,{rating},,{"50" if rating else ""}\n'
    import_text(ledger, PLAYERS_HEADER + lines, list_="ENF")
    new = [f"1,,{number},{number + 1},1-0" for number in range(1, 60, 10)]
    import_text(ledger, games("t", *new, "1,,3,4,1-0", "1,,5,6,0-1"))
    publish_period(ledger, "2010-08")
    return ledger


@pytest.fixture
def site(browse: Browse) -> TestClient:
    """The site of that ledger."""
    return browse(named())


def ids_on(page: str) -> list[str]:
    """Returns the ids of the players of a page of a list, in their order."""
    return re.findall(
        r'<th scope="row"(?: class="t")?>(?:<span class="ti">\w+</span> )?<a href="/players/(\d+)',
        page,
    )


def pages_of(site: TestClient, address: str) -> list[str]:
    """Returns the ids of all pages of a list, by their links to the next."""
    ids = []
    following: str | None = address
    while following:
        page = site.get(following)
        assert page.status_code == 200
        ids += ids_on(page.text)
        links = re.findall(r'<a href="([^"]*)" rel="next', page.text)
        following = html.unescape(links[0]) if links else None
    return ids


def test_the_first_page_shows_each_list_with_its_newest_edition(demo: TestClient) -> None:
    page = demo.get("/").text
    assert demo.get("/lists").status_code == 200
    addresses = set(re.findall(r'href="(/lists/ENF[^"]*)"', page))
    assert "/lists/ENF" in addresses
    for address in addresses:
        assert demo.get(address).status_code == 200, address


def test_a_list_shows_its_periods_with_their_states(demo: TestClient, demo_ledger: Ledger) -> None:
    said = text_of(demo.get("/lists/ENF").text)
    for each in period_states(demo_ledger, "ENF"):
        name = period_in_words(each.period.name, "en")
        assert f"{name} {each.state} {day_in_words(each.period.in_force_on, 'en')}" in said


def test_the_pages_of_an_edition_show_its_rows(site: TestClient) -> None:
    made = show(named(), "ENF", "2010-08")
    assert pages_of(site, "/lists/ENF/2010-08@1") == made.rows.column("id")


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("federation=CHI", lambda row: row.federation == "CHI"),
        ("sex=m", lambda row: int(row.id) % 2 == 1),
        ("state=provisional", lambda row: row.provisional),
        ("state=rated&sex=&federation=&q=", lambda row: not row.provisional),
        ("q=higgins", lambda row: "Higgins" in row.name),
        ("q=7", lambda row: row.id == "7"),
        ("active=true", lambda row: row.active),
        ("q=%3Cscript%3E&federation=ARG", lambda row: int(row.id) % 10 == 1),
    ],
)
def test_filters_choose_rows_and_leave_the_others_their_rank(
    site: TestClient, query: str, fitting: object
) -> None:
    rows = show(named(), "ENF", "2010-08").rows
    expected = [row.id for row in rows if fitting(row)]  # type: ignore[operator]
    assert pages_of(site, f"/lists/ENF/2010-08?{query}") == expected


@pytest.mark.parametrize("sort", ["rank", "name", "gain", "loss", "games"])
def test_every_order_shows_everybody_once(site: TestClient, sort: str) -> None:
    ids = pages_of(site, f"/lists/ENF/2010-08@1?sort={sort}")
    assert sorted(ids, key=int) == [str(number) for number in range(1, 61)]


@pytest.mark.parametrize(
    "text",
    ['"', "*", "NEAR(a, b)", "a AND", "-x", "(", "'", "%00", "%ff", "\u200f", "a" * 300, "ﷺ"],
)
def test_no_search_text_fails(site: TestClient, text: str) -> None:
    assert site.get(f"/lists/ENF/2010-08@1?q={text}").status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/lists/NONE", 404),
        ("/lists/ENF/2010", 404),
        ("/lists/ENF/2010-08@2", 404),
        ("/lists/ENF/2010-08@x", 422),
        ("/lists/ENF/2010-08@99999999999999999999", 422),
        ("/lists/ENF/2010-08?sort=evil", 422),
        ("/lists/ENF/2010-08?after=-1", 422),
        ("/lists/ENF/2010-08?after=99999999999999999999999", 422),
        ("/lists/ENF/2011-08/bytes", 404),
        ("/lists/ENF/diff?before=2010-09@1", 404),
        ("/lists/ENF/diff?sort=x", 422),
        ("/lists/ENF/diff?before=2010-07@1&after=x", 404),
    ],
)
def test_what_is_not_there_is_said_on_a_page(site: TestClient, address: str, status: int) -> None:
    answer = site.get(address)
    assert answer.status_code == status
    assert f'<p class="crumbs">{status}</p>' in answer.text


def test_names_are_text_whatever_they_hold(site: TestClient) -> None:
    page = site.get("/lists/ENF/2010-08@1").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;, A" in page
    assert "<bdi>كريم, محمد</bdi>" in page
    assert "&amp;lt;, D" in page


def test_the_bytes_are_those_that_were_published(site: TestClient) -> None:
    answer = site.get("/lists/ENF/2010-08@1/bytes")
    assert answer.content == show(named(), "ENF", "2010-08").document()
    assert answer.headers["cache-control"] == "public, no-cache"


def test_csv_and_json_are_those_of_the_command_line(site: TestClient) -> None:
    made = show(named(), "ENF", "2010-08")
    lines = site.get("/lists/ENF/2010-08@1/csv").text.splitlines()
    sheet = made.rows.sheet().splitlines()
    assert [line[: len(of)] for line, of in zip(lines, sheet, strict=True)] == sheet
    assert site.get("/lists/ENF/2010-08@1/json").json() == json.loads(
        json.dumps(made.shown().data())
    )
    chosen = site.get("/lists/ENF/2010-08@1/json?federation=CHI&sort=name").json()["rows"]
    assert chosen == [row.data() for row in made.rows if row.federation == "CHI"]


def test_an_edition_may_be_kept_for_ever_and_what_is_known_now_may_not(site: TestClient) -> None:
    edition = site.get("/lists/ENF/2010-08@1")
    assert edition.headers["cache-control"] == "public, no-cache"
    known = {"if-none-match": edition.headers["etag"]}
    assert site.get("/lists/ENF/2010-08@1", headers=known).status_code == 304
    assert "no-cache" in site.get("/lists/ENF/2010-08").headers["cache-control"]


def test_a_late_result_shows_beside_the_edition_and_not_in_it(browse: Browse) -> None:
    ledger = named()
    before = browse(ledger).get("/lists/ENF/2010-08@1/json").json()
    seq = ledger.facts().seq
    import_text(ledger, games("late", "1,,12,13,1-0", day="2010-07-20"))
    site = browse(ledger)
    assert site.get("/lists/ENF/2010-08@1/json").json() == before
    assert site.get("/lists/ENF/2010-08/json").json() == before
    now = site.get("/lists/ENF/2010-08/json?recalculated").json()
    assert (now["edition"], now["state"]) == (None, "recalculated")
    assert now["rows"] != before["rows"]
    then = site.get(f"/lists/ENF/2010-08/json?as-known-at={seq}").json()
    assert then == before
    page = read(site, "/lists/ENF/2010-08")
    assert "First edition" in page
    assert "What is recorded since this edition changes its figures:" in page
    page = site.get("/lists/ENF/2010-08").text
    late = ledger.journal.head().commit_id
    assert links_on(page, "/audit/commits/") == [f"/audit/commits/{late}"]
    (way,) = links_on(page, "/lists/ENF/2010-08?recalculated")
    assert "Recalculation: this is the period as known on" in read(site, way)
    assert "See the published list" in read(site, way)
    refused = site.get("/lists/ENF/2010-08@1/json?recalculated")
    assert refused.status_code == 422
    assert "is an edition and has no recalculation" in text_of(refused.text)


def test_few_commits_are_read_for_what_changed_an_edition(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = empty_ledger()
    define(ledger, rate_of_play=Rate.CLASSICAL)
    rated = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "ABD")
    import_text(ledger, PLAYERS_HEADER + rated, list_="ENF")
    import_text(ledger, games("T1", "1,,A,B,1-0"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("late", "1,,A,D,1-0"))
    late = ledger.journal.head().commit_id
    for at in range(9):
        rapid = games(f"rapid {at}", "1,,A,B,1-0").replace("classical", "rapid")
        import_text(ledger, rapid)
    (cause,) = recalculation(ledger, "ENF", "2010-07").causes
    assert cause.commit == late
    with monkeypatch.context() as patch:
        patch.setattr(corrections, "_READ", 10)
        assert recalculation(ledger, "ENF", "2010-07").causes == []
    import_text(ledger, rapid.replace("rapid 8", "rapid 9"))
    assert recalculation(ledger, "ENF", "2010-07").causes == []
    page = read(browse(ledger), "/lists/ENF/2010-07")
    assert "What is recorded since this edition changes its figures: earlier corrections" in page


def test_what_differs_between_two_editions_is_shown(site: TestClient) -> None:
    said = text_of(site.get("/lists/ENF/diff?before=2010-07@1&after=2010-08@1").text)
    assert "the two lists are the same" in said
    first = text_of(site.get("/lists/ENF/2010-07@1").text)
    assert "Differences to" not in first


def chosen_on(page: str) -> list[str]:
    """Returns what is chosen in the fields of a page."""
    return re.findall(r'<option value="([^"]*)" selected>', page)


def test_without_words_the_newest_list_is_held_against_the_one_of_a_year_before(
    demo: TestClient,
) -> None:
    assert chosen_on(demo.get("/lists/ENF/diff").text) == ["2010-07@2", "2010-08@2", ""]
    chosen = chosen_on(demo.get("/lists/ENF/diff?after=2010-07@2").text)
    assert chosen == ["2010-07@2", "2010-07@2", ""]


def test_who_gained_most_stands_first_and_who_lost_is_left_out(demo: TestClient) -> None:
    def points(sort: str) -> list[int]:
        page = demo.get(f"/lists/ENF/diff?sort={sort}").text.replace("−", "-")
        return [int(each) for each in re.findall(r'main r (?:good|bad)">([+-]\d+)<', page)]

    assert points("gain") == sorted((each for each in points("") if each > 0), reverse=True) != []
    assert points("loss") == sorted(each for each in points("") if each < 0) != []


def test_an_edition_leads_to_the_list_before_it_and_to_what_it_corrected(demo: TestClient) -> None:
    second = demo.get("/lists/ENF/2010-07@2").text
    assert "before=2010-07%401&amp;after=2010-07%402" in second
    assert "What this edition changed" in second
    assert "Differences to" not in second
    august = demo.get("/lists/ENF/2010-08@1").text
    assert "before=2010-07%401&amp;after=2010-08%401" in august, (
        "what stood then, not what does now"
    )
    assert "What this edition changed" not in august
    corrected = demo.get("/lists/ENF/2010-08@2").text
    assert "before=2010-07%402&amp;after=2010-08%402" in corrected
    assert "before=2010-08%401&amp;after=2010-08%402" in corrected


def test_links_of_a_list_stay_at_the_seq_that_is_asked_for(demo: TestClient) -> None:
    seq = re.search(r"as-known-at=(\d+)", demo.get("/").text)
    assert seq
    page = demo.get(f"/lists/ENF?as-known-at={seq[1]}").text
    links = re.findall(r'href="(/lists/ENF/[^"]*)"', page)
    assert links
    assert all(f"as-known-at={seq[1]}" in link for link in links)


def test_pages_are_said_in_spanish_too(site: TestClient) -> None:
    page = text_of(site.get("/lists/ENF/2010-08@1?lang=es").text)
    assert "Primera edición, vigente desde el 1 de septiembre de 2010: 60 jugadores" in page


def test_the_rows_of_an_edition_are_the_same_whatever_is_recorded_later(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger)
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    first = site.get("/lists/ENF/2010-07@1/json")
    import_text(ledger, PLAYERS_HEADER + "991,Nueva,,,,,,\n")
    again = site.get("/lists/ENF/2010-07@1/json")
    assert again.headers["cache-control"] == "public, no-cache"
    assert again.headers["etag"] == first.headers["etag"]
    assert again.text == first.text


def test_a_workbook_and_paper_have_the_rows_that_are_chosen(site: TestClient) -> None:
    made = show(named(), "ENF", "2010-08").rows
    chosen = [row for row in made if row.federation == "CHI"]
    answer = site.get("/lists/ENF/2010-08@1/xlsx?federation=CHI")
    book = python_calamine.load_workbook(io.BytesIO(answer.content))
    header, *rows = book.get_sheet_by_index(0).to_python()
    assert header[:3] == ["rank", "Id", "name"]
    assert [row[2] for row in rows] == [row.name for row in chosen]
    assert [row[4] or 0 for row in rows] == [row.rating for row in chosen]
    paper = site.get("/lists/ENF/2010-08@1/print?federation=CHI")
    assert "ENF · August 2010" in text_of(paper.text)
    assert paper.text.count("<tr>") == len(chosen) + 1
    assert "<script>alert" not in paper.text


def test_the_title_of_a_list_is_the_federations(tmp_path: Path) -> None:
    names = {"ENF": Wording("National list", "Lista nacional")}
    settings = WebSettings(
        ledger="", origin=ORIGIN, cache=tmp_path, face=FederationFace(lists=names)
    )
    site = TestClient(create_app(Site(named(), settings)), ORIGIN)
    assert "<h1>National list · August 2010</h1>" in site.get("/lists/ENF/2010-08@1").text
    assert "<h1>Lista nacional · agosto de 2010</h1>" in (
        site.get("/lists/ENF/2010-08@1?lang=es").text
    )
    for page in ("/", "/lists", "/lists/ENF"):
        assert "National list" in site.get(page).text, page


def test_what_moved_since_the_list_before_stands_below(demo: TestClient) -> None:
    said = text_of(demo.get("/lists/ENF/2010-08@1").text)
    assert re.search(r"New on the list \d+ Left it \d+ Rating moved \d+ Largest gain", said), said
    assert "For auditors" in said


def test_a_part_of_the_players_has_places_of_its_own(site: TestClient) -> None:
    """They are counted on from page to page; the rank in the whole list stands beside the name."""
    address, places, ranks = "/lists/ENF/2010-08@1?federation=CHI", list[int](), list[int]()
    while address:
        page = site.get(address).text
        places += map(int, re.findall(r'<td class="n k">(\d+)</td>', page))
        ranks += map(int, re.findall(r"no\. (\d+) of all", page))
        links = re.findall(r'<a href="([^"]*)" rel="next', page)
        address = html.unescape(links[0]) if links else ""
    made = show(named(), "ENF", "2010-08").rows
    assert ranks == [row.rank for row in made if row.federation == "CHI"]
    assert places == list(range(1, len(ranks) + 1))
    everybody = site.get("/lists/ENF/2010-08@1").text
    assert "of all" not in everybody
    assert "of all" not in site.get("/lists/ENF/2010-08@1?q=higgins").text


def test_thousands_stand_apart_on_pages_and_nowhere_else(browse: Browse) -> None:
    people, ledger = 1_200, empty_ledger()
    define(ledger)
    rows = "".join(f"{1000 + n},P{n},,,,{1500},,30\n" for n in range(people))
    import_text(ledger, PLAYERS_HEADER + rows, list_="ENF")
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    for path in ("/", "/lists", "/lists/ENF/2010-07"):
        assert "1,200" in read(site, path)
        spanish = read(site, f"{path}?lang=es")
        assert ("1200" in spanish, "1,200" in spanish) == (True, False)
    page = read(site, "/lists/ENF/2010-07")
    assert ("1500" in page, "1,500" in page, "1,000" in page) == (True, False, False)
    assert "1,200" not in site.get("/api/v1/lists").text
    player = read(site, "/players/1000")
    assert "of 1,200" in player
