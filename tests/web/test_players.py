"""The pages of players: looked for by name, and what is known of one."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import struct
import time
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.directory import directory_of, listed_ratings
from ledger.answers.list_figures import live
from ledger.answers.lists import regenerate
from ledger.answers.people_pages import (
    PeopleAsked,
    people_page,
    places_on_ladders,
    surviving_id,
    tournaments_played,
)
from ledger.answers.period_states import period_states
from ledger.answers.player_questions import explain, history_of, why_of
from ledger.derived.store import DerivedStore
from ledger.operations import commands as c
from ledger.replay.timeline import last_period
from ledger.reports.categories import Category
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate, Role
from ledger.typed_values import edition_of
from ledger.views.federation import FederationFace
from ledger.views.past import newest_of
from ledger.wording import Wording
from ledger.wording.dates import period_in_words
from tests.laws.test_career_increments import content
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
    with_july_published,
)
from tests.web.conftest import Browse
from tests.web.support import read
from tests.web.test_lists import HARD_NAMES, named, pages_of, text_of
from tests.web.test_read_models import crowd, files, store_of, texts, view_of
from web.app import create_app
from web.read_models.answers import Careers, people_of
from web.read_models.builder import careers_key, former_careers, keep, people_key
from web.read_models.career_model import CareerModel
from web.read_models.career_writer import FormerCareers, write_careers
from web.read_models.people_model import PeopleModel
from web.settings import WebSettings
from web.site import Site


@pytest.fixture
def site(browse: Browse) -> TestClient:
    """The site of sixty players with names that are hard to show."""
    return browse(named())


# Looking for somebody


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> PeopleModel:
    ledger, _ = crowd()
    folder = DerivedStore(tmp_path_factory.mktemp("people"))
    return PeopleModel(keep(ledger, people_key(ledger), folder))


@given(
    st.builds(
        PeopleAsked,
        search=st.none() | texts,
        federations=st.sampled_from([(), ("CHI",)]),
        category=st.builds(Category, sex=st.sampled_from([None, "w"])),
        after=st.integers(0, 80),
        limit=st.integers(1, 60),
    )
)
def test_a_page_of_the_register_is_what_the_application_answers(
    register: PeopleModel, asked: PeopleAsked
) -> None:
    ledger, _ = crowd()
    assert register.page(asked) == people_page(ledger, asked)


def test_everybody_is_listed_by_name_page_by_page(site: TestClient) -> None:
    directory = directory_of(named())
    expected = [directory[place].id for place in directory.listed()]
    assert pages_of(site, "/players") == expected


def test_somebody_is_found_by_a_part_of_the_name_or_by_the_id(site: TestClient) -> None:
    assert "Higgins" in site.get("/players?q=o%27hig").text
    assert "/players/17" in site.get("/players?q=17").text
    assert "No player fits." in text_of(site.get("/players?q=nosuchname").text)


def test_everybody_in_the_register_has_the_rating_of_the_main_list_and_the_club(
    browse: Browse,
) -> None:
    ledger = with_two_lists()
    day = dt.date(2010, 1, 1)
    do(ledger, c.AffiliatePlayer(
        player="b", club="Torre Blanca", region=None, licensed_until=None, on=day
    ))  # fmt: skip
    page = text_of(browse(ledger).get("/players").text)
    now = {row.id: row.rating for row in regenerate(ledger, "ENF", "2010-07", 1)[0].rows}
    assert f"b Torre Blanca b {now['b']}" in page
    assert "new new –" in page


@pytest.mark.parametrize("text", ['"', "*", "NEAR(", "-", "\u200f", "%00", "%ff", "x" * 5000])
def test_no_text_makes_the_search_fail(site: TestClient, text: str) -> None:
    assert site.get(f"/players?q={text}").status_code == 200


def erase(ledger: Ledger, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the document of a person away, and lets a minute pass."""
    documents = ledger.journal._personal  # type: ignore[attr-defined]
    (digest,) = [key for key, text in documents.items() if name in str(text)]
    del documents[digest]
    monkeypatch.setattr("web.site.monotonic", lambda: time.monotonic() + 61)


# One player


def test_a_player_is_shown_with_ratings_and_history(demo: TestClient, demo_ledger: Ledger) -> None:
    page = demo.get("/players/3404510").text
    said = text_of(page)
    assert "Ruiz Zenteno, Leonardo Marcial" in said
    assert 'role="img"' in page
    for line in history_of(demo_ledger, "3404510", "ENF"):
        for _, earlier in line.published[:-1]:
            assert f"first published as {earlier}" in said
        rating = line.published[-1].rating if line.published else f"{line.restated} as it stands"
        assert f"{period_in_words(line.period, 'en')} {rating}" in said
    assert "Official since 1 September 2010 1894 +12" in said
    assert "Next list, as it stands 1894 1 October 2010" in said
    assert "All lists since 2010" in said
    for end in ("ENF/forecast", "card.png?list=ENF", "titles?list=ENF"):
        assert f"/players/3404510/{end}" in page
    assert page.count("/feeds/players/3404510") == 2
    assert "After the newest game" not in said


def test_a_correction_after_the_newest_list_is_named_beside_what_is_official(
    browse: Browse,
) -> None:
    ledger = with_july_published()
    publish_period(ledger, "2010-08")
    (published,) = history_of(ledger, "A", "ENF")[1].published
    before = text_of(browse(ledger).get("/players/A").text)
    assert "corrected after this list" not in before
    lost = Result.parse("0-1")
    do(ledger, c.CorrectResult(tournament="T2", round=1, white="A", black="B", result=lost))
    known = history_of(ledger, "A", "ENF")[1].restated
    said = text_of(browse(ledger).get("/players/A").text)
    assert f"they come to {known}, and in the list stands {published.rating}." in said


def test_every_change_of_a_rating_leads_to_why_it_moved(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    page = demo.get("/players/3404510").text
    found = re.findall(r'href="(/players/3404510/ENF/why\?[^"]*)"', page)
    asked = [parse_qs(urlsplit(unescape(each)).query) for each in found]
    pairs = {(each["from"][0], each["to"][0]) for each in asked}
    assert pairs == {
        ("2010-07@1", "2010-07@2"),
        ("2010-07", "2010-08"),
        ("2010-08@1", "2010-08@2"),
    }
    for before, after in pairs:
        made = why_of(demo_ledger, "3404510", "ENF", edition_of(before), edition_of(after))
        assert made.before != made.after


@pytest.mark.parametrize(
    "address",
    [
        "/players/E-0009/ENF/2010-07",
        "/players/3404510/titles?list=ENF",
    ],
)
def test_a_row_of_figures_is_a_card_on_a_phone(demo: TestClient, address: str) -> None:
    page = demo.get(address).text
    wide = re.findall(
        r'<div class="wide" tabindex="0"><table([^>]*)>(.*?)</table>', page, re.DOTALL
    )
    assert wide
    for kind, rows in wide:
        assert kind in {' class="cards"', ' class="fold"'}
        cells = re.findall(r'<td class="n(?: main)?"([^>]*)>', rows)
        assert all("data-label" in each for each in cells)


def test_the_year_of_birth_is_shown_and_the_day_is_not(browse: Browse) -> None:
    ledger = empty_ledger()
    import_text(ledger, PLAYERS_HEADER + "1,A B,CHI,w,1990-03-17,,,\n")
    for address in ("/players/1", "/players"):
        page = browse(ledger).get(address).text
        assert "1990" in page
        assert "03-17" not in page


def test_what_a_newcomer_misses_to_a_first_rating_is_said(browse: Browse) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "new,,,")
    import_text(ledger, games("t", "1,,new,a,1-0", "2,,b,new,1/2-1/2").replace("t,t,", "t,Open,"))
    said = text_of(browse(ledger).get("/players/new").text)
    assert "July 2010 Open" in said
    assert "a first rating needs 9. 9 games are missing" in said
    assert "all wait for the first rating, and stand in the list" in said
    assert "all wait for the first rating" not in text_of(browse(ledger).get("/players/a").text)


def test_an_id_that_was_given_up_leads_to_the_one_that_stays(browse: Browse) -> None:
    ledger = ledger_of("a,,,", "b,1600,,50")
    before = ledger.facts().seq
    do(ledger, c.MergePlayers(player="a", into="b", on=dt.date(2010, 7, 5)))
    site = browse(ledger)
    page = site.get("/players/a")
    assert str(page.url).endswith("/players/b?was=a")
    assert "a and b are one player" in page.text
    assert "are one player" not in site.get("/players/b?was=zzz").text
    assert "/players/b" in site.get("/players?q=a").text
    then = site.get(f"/players/a?as-known-at={before}")
    assert then.status_code == 200
    assert "<bdi>a</bdi>" in then.text


def test_a_name_that_is_gone_is_shown_nowhere_though_the_models_had_it(
    browse: Browse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    import_text(ledger, PLAYERS_HEADER + "gone,Secret Person,CHI,m,1990,1700,,50\n", list_="ENF")
    site = browse(ledger)
    address = "/lists/ENF/2010-07"
    assert "Secret" in site.get("/players").text
    assert "Secret" in site.get(address).text
    erase(ledger, "Secret", monkeypatch)
    for page in ("/players", "/players/gone", "/players?q=secret", address, f"{address}/csv"):
        answer = site.get(page, headers={"if-none-match": "other"})
        assert answer.status_code == 200, page
        assert "Secret Person" not in answer.text
    assert "not kept any more" in site.get("/players/gone").text
    assert not any(b"Secret" in path.read_bytes() for path in files(tmp_path))


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/players/nobody", 404),
        ("/players/1/ENF/2010", 404),
        ("/players/1/NONE/2010-07", 404),
        ("/players/nobody/ENF/2010-07", 404),
        ("/players/1/ENF/2010-07?edition=9", 404),
        ("/players/1/ENF/2010-07?edition=0", 422),
        ("/players/1/ENF/2010-07?edition=x", 422),
        ("/players/1/ENF/why?from=x", 404),
        ("/players/1/ENF/why?from=2010-08&to=2010-07", 422),
        ("/players/1/titles?list=NONE", 404),
        ("/players?after=x", 422),
    ],
)
def test_what_is_not_there_is_said(site: TestClient, address: str, status: int) -> None:
    answer = site.get(address)
    assert answer.status_code == status
    assert f'<p class="crumbs">{status}</p>' in answer.text
    assert ("Find a player" in answer.text) is (status == 404)


def test_names_are_text_on_every_page(site: TestClient) -> None:
    for number, name in enumerate(HARD_NAMES, 1):
        page = site.get(f"/players/{number}").text
        assert "<script>alert" not in page
        assert name.split(",")[0] in text_of(page) or "<" in name


def test_a_player_is_shown_as_known_then(browse: Browse) -> None:
    ledger = named()
    seq = ledger.facts().seq
    before = browse(ledger).get("/players/12?lang=en").text
    import_text(ledger, games("Belated", "1,,12,13,1-0", day="2010-07-20"))
    site = browse(ledger)
    then = site.get(f"/players/12?as-known-at={seq}").text
    assert "Belated" in site.get("/players/12").text
    assert "Belated" not in then
    assert re.findall(r'class="n">([^<]*)<', then) == re.findall(r'class="n">([^<]*)<', before)


def test_an_edition_and_its_bytes_stand_without_a_name_that_is_gone(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_of("a,1500,,50")
    import_text(ledger, PLAYERS_HEADER + "gone,Secret Person,CHI,m,1990,1700,,50\n", list_="ENF")
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    address = "/lists/ENF/2010-07@1"
    ways = (f"{address}/bytes", f"/api/v1{address}/bytes")
    published = hashlib.sha256(site.get(ways[0]).content).hexdigest()
    tags = {}
    for way in ways:
        before = site.get(way)
        assert "Secret Person" in before.text
        assert before.headers["ledger-sha256"] == published
        assert before.headers["ledger-published-sha256"] == published
        tags[way] = {"if-none-match": before.headers["etag"]}
    assert "cannot be given" not in site.get(address).text
    erase(ledger, "Secret", monkeypatch)
    page = site.get(address)
    assert page.status_code == 200
    assert "Secret" not in page.text
    assert "/players/gone" in page.text
    (same,) = {regenerate(ledger, "ENF", "2010-07", 1)[0].document()}
    for way in ways:
        after = site.get(way, headers=tags[way])
        assert (after.status_code, after.content) == (200, same), way
        assert after.headers["ledger-sha256"] == hashlib.sha256(same).hexdigest()
        assert after.headers["ledger-published-sha256"] == published
    assert "without-names" in site.get(ways[0]).headers["content-disposition"]
    assert f"(SHA-256 {published}) cannot be given any more" in page.text
    assert "ya no se pueden entregar" in site.get(f"{address}?lang=es").text
    assert site.get("/players/gone/ENF/2010-07?edition=1").status_code == 200


# What came of the games


def with_two_lists() -> Ledger:
    """July is published, August is not: of a, two games wait, one was forfeited."""
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "d,1700,,50", "new,,,")
    import_text(ledger, games("t", "1,,a,b,1-0", "2,,d,a,1/2-1/2", "3,,new,a,1-0"))
    define(ledger, "ALL")
    publish_period(ledger, "2010-07")
    import_text(ledger, games("u", "1,,b,a,1/2-1/2", "2,,a,d,+/-", "3,,a,b,0-1", day="2010-08-10"))
    return ledger


def test_each_game_since_the_newest_list_says_what_becomes_of_it(browse: Browse) -> None:
    page = text_of(browse(with_two_lists()).get("/players/a").text)
    assert "Since the newest list: 3 games, of which 2 rated" in page
    assert page.count("waits for the list of August 2010") == 3  # two games, and the tournament
    assert "not rated: forfeit, not played" in page
    assert "in the list of July 2010" in page
    assert "Place 3 of 3 with a rating" in page


def test_games_of_the_newest_list_are_called_so_though_the_last_was_not_rated(
    browse: Browse,
) -> None:
    ledger = with_two_lists()
    publish_period(ledger, "2010-08")
    import_text(ledger, games("v", "1,,b,d,1/2-1/2", day="2010-09-10"))
    assert "In the newest list: 3 games" in text_of(browse(ledger).get("/players/a").text)


def test_what_the_newest_game_brings_stands_beside_the_next_list(browse: Browse) -> None:
    """A game of September is not in the list of August; the live list has it."""
    ledger = with_two_lists()
    import_text(ledger, games("v", "1,,a,d,1-0", "2,,b,a,0-1", day="2010-09-10"))
    said = text_of(browse(ledger).get("/players/a").text)
    august = history_of(ledger, "a", "ENF")[1].restated
    newest = next(row.live for row in live(ledger, "ENF").rows if row.id == "a")
    assert august is not None
    assert newest > august
    assert f"Next list, as it stands {august} " in said
    shown = f"After the newest game {newest} +{newest - august} September 2010 · 2 more games"
    assert shown in said


@pytest.mark.parametrize(
    "address",
    ["", "/ENF/2010-07", "/against/b", "/ENF/forecast", "/ENF/why?from=2010-07&to=2010-08"],
)
def test_lists_have_the_names_that_the_federation_gives_them(tmp_path: Path, address: str) -> None:
    names = {"ENF": Wording("National list", "Lista nacional")}
    settings = WebSettings(
        ledger="", origin="http://testserver", cache=tmp_path, face=FederationFace(lists=names)
    )
    with TestClient(create_app(Site(with_two_lists(), settings))) as site:
        page = site.get(f"/players/a{address}").text
        words = text_of(page)
        assert "National list" in words
        assert not re.search(r"\bENF\b(?! 2010)", words)  # but for the regulation ENF 2010
        spanish = site.get(f"/players/a{address}", headers={"Accept-Language": "es"})
        assert "Lista nacional" in spanish.text
        drawn = re.findall(r"<title>(a in [^:]*): official", page)
        assert {*drawn} <= {"a in National list"}


def test_results_are_counted_by_colour_and_opponent(browse: Browse) -> None:
    site = browse(with_two_lists())
    page = site.get("/players/a").text
    said = text_of(page)
    assert "All games 5 W D L 1–2–2 1 won, 2 drawn, 2 lost" in said
    assert "With White 2 W L 1–0–1 1 won, 0 drawn, 1 lost" in said
    assert "With Black 3 D L 0–2–1 0 won, 2 drawn, 1 lost" in said
    assert "b 3 W D L 1–1–1" in said
    assert "Best win b , t 1600" in said
    everybody = site.get("/players/a/against?list=ENF&q=d")
    assert '<a href="/players/a/against/d?list=ENF"' in everybody.text
    assert "b 3 W D L 1–1–1" in text_of(everybody.text)
    assert "No player fits." in text_of(site.get("/players/a/against?q=nosuchname").text)
    assert page.count('href="/players/a/against?list=ENF"') == 2
    assert site.get("/players/nobody/against").status_code == 404
    ways = re.findall(r'href="(/players/a/against/b[^"]*)"', page)
    assert ways == ["/players/a/against/b?list=ENF"]
    of_two = text_of(site.get(ways[0]).text)
    assert "Won–drawn–lost 1–1–1 3 games With White 1–0–1 With Black 0–1–0" in of_two
    assert re.search(r"Rating \d{4} – \d{4} official", of_two)
    backwards = text_of(site.get("/players/b/against/a?lang=es").text)
    assert "Ganó–empató–perdió 1–1–1" in backwards
    assert "They have not met in ENF" in text_of(site.get("/players/b/against/d").text)
    assert site.get("/players/b/against/nobody").status_code == 404
    assert site.get("/players/b/against/a?list=NONE").status_code == 404


def test_a_link_to_a_player_is_shown_with_words_and_a_picture(browse: Browse) -> None:
    ledger = with_two_lists()
    site = browse(ledger)
    assert site.get("/players/a/card.png").status_code == 404  # one list makes no line
    assert "og:image" not in site.get("/players/a").text
    publish_period(ledger, "2010-08")
    site = browse(ledger)
    page = site.get("/players/a").text
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert (told["type"], told["title"]) == ("profile", "a")
    assert told["description"] == "1509 in ENF, August 2010: place 3 of 3"
    assert told["image"].startswith("http://testserver/players/a/card.png?list=ENF")
    answer = site.get(told["image"])
    assert answer.headers["content-type"] == "image/png"
    size = struct.unpack(">II", answer.content[16:24])
    assert answer.content.startswith(b"\x89PNG")
    assert size == (1200, 630)
    assert site.get("/players/new/card.png").status_code == 404


def test_the_list_with_most_players_comes_first(browse: Browse) -> None:
    ledger = with_two_lists()
    define(ledger, "AAA", rate_of_play=Rate.RAPID)
    rows = "a,a,,,,1400,,50\nb,b,,,,1400,,50\n"
    import_text(ledger, PLAYERS_HEADER + rows, list_="AAA")
    publish_period(ledger, "2010-07", "AAA")
    page = browse(ledger).get("/players/a").text
    tabs = re.findall(r'<a href="/players/a\?list=(\w+)"( aria-current="page")?', page)
    assert tabs[0] == ("ENF", ' aria-current="page"')
    assert [name for name, _ in tabs].index("ENF") < [name for name, _ in tabs].index("AAA")


def test_a_page_shows_some_and_leads_to_all_the_rest(browse: Browse) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    for number in range(10):
        day = (dt.date(2010, 7, 2) + dt.timedelta(days=number)).isoformat()
        import_text(ledger, games(f"t{number}", "1,,a,b,1-0", day=day))
    site = browse(ledger)
    page = site.get("/players/a").text
    shown = page[page.index("<h2>Tournaments") : page.index("Met most often")]
    assert shown.count('href="/tournaments/t') == 8
    (everything,) = re.findall(
        r'href="(/players/a/tournaments\?list=ENF)" rel="nofollow">All', page
    )
    assert "/tournaments/t0" in site.get(unescape(everything)).text
    few = site.get("/players/a/tournaments?list=ENF&few=true").text
    assert few.count('href="/tournaments/t') == 8
    assert ">All 10 tournaments</a>" in few
    assert "hx-get" not in few


def test_tournaments_have_the_place_among_all_who_played(browse: Browse) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "d,1700,,50")
    import_text(ledger, games("t", "1,,a,b,1-0", "2,,d,a,1-0", "3,,b,d,0-1"))
    import_text(ledger, games("u", "1,,a,b,1/2-1/2", day="2010-07-20"))
    site = browse(ledger)
    page = site.get("/players/a").text
    assert 'hx-get="/players/a/tournaments?list=ENF&amp;few=true" hx-trigger="revealed"' in page
    rows = text_of(site.get("/players/a/tournaments").text)
    assert "t 1 / 2 2 / 3" in rows
    assert "u ½ / 1 1 / 2" in rows, "who is equal shares the place"


# Careers


def rich() -> Ledger:
    """Returns a ledger with late results, editions, a newcomer, a merge and two lists."""
    ledger = ledger_of("a,1500,,50", "b,1600,,50", "d,1700,,50", "new,,,", "twin,,,")
    define(ledger, "TWO")
    import_text(ledger, games("t", "1,,a,b,1-0", "1,,new,d,1-0"))
    import_text(ledger, games("u", "1,,b,d,1-0", "2,,new,a,1-0", day="2010-08-10"))
    publish_period(ledger, "2010-08")
    import_text(ledger, games("late", "1,,a,d,0-1", day="2010-07-20"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("v", "1,,d,a,1/2-1/2", day="2010-10-10"))
    import_text(ledger, games("w", "1,,twin,b,1-0", day="2010-07-21"))
    places, day = ("d", "b"), dt.date(2010, 7, 1)
    ratings = {"d": 1700, "b": 1600}
    do(
        ledger,
        c.OpenLadder(
            ladder="club", list="ENF", players=places, ratings=ratings, on=day, as_given=True
        ),
    )
    do(ledger, c.MergePlayers(player="twin", into="a", on=dt.date(2010, 10, 11)))
    return ledger


def test_a_career_is_what_the_application_answers(tmp_path: Path) -> None:
    for ledger in (rich(), crowd()[0]):
        model = CareerModel(keep(ledger, careers_key(ledger), DerivedStore(tmp_path)))
        facts = ledger.facts()
        merged = {facts.player_ids[merge.player] for merge in facts.merges}
        for player in set(facts.player_ids) - merged:
            for name in facts.lists:
                assert model.history(player, name) == history_of(ledger, player, name)
            assert model.tournaments(player) == tournaments_played(ledger, player)
            assert model.ratings(ledger, player) == listed_ratings(ledger, player)
            assert model.places(player) == places_on_ladders(ledger, player)
            assert model.merged(player)[0] == player
            for name in {each.list for each in model.ratings(ledger, player)}:
                made = explain(ledger, player, name, last_period(facts, name).name)
                bucket = model.bucket(player, name, facts.seq)
                assert bucket == (made if made.closing is None else None)
        assert {id_: model.merged(id_) for id_ in merged} == {
            id_: (surviving_id(ledger, id_), True) for id_ in merged
        }
        for name in facts.lists:
            assert model.states(ledger, name) == period_states(ledger, name)


def test_a_career_model_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    ledger = rich()
    store = store_of(tmp_path)
    careers = Careers(store, view_of(ledger))
    assert careers.history("a", "ENF") == history_of(ledger, "a", "ENF")
    (path,) = files(tmp_path)
    path.write_bytes(b"nothing" * 3000)
    assert careers.history("b", "ENF") == history_of(ledger, "b", "ENF")


def test_careers_are_made_from_those_of_before_where_these_are_whole(tmp_path: Path) -> None:
    ledger = rich()
    store, seq = DerivedStore(tmp_path / "store"), ledger.facts().seq
    path = keep(ledger, careers_key(ledger), store)
    import_text(ledger, games("x", "1,,b,a,1-0", day="2010-10-20"))
    former = former_careers(newest_of(ledger), store)
    assert former == FormerCareers(path, seq)
    assert former_careers(newest_of(ledger), DerivedStore(tmp_path / "store", erased=1)) is None
    made = content(whole(ledger, tmp_path))
    path.write_bytes(b"nothing" * 3000)
    assert former_careers(newest_of(ledger), store) is None
    assert not path.exists()
    write_careers(tmp_path / "gone", ledger, former)
    assert content(tmp_path / "gone") == made
    assert content(keep(ledger, careers_key(ledger), store)) == made


def whole(ledger: Ledger, folder: Path) -> Path:
    """Returns everybody's career, made of nothing but the ledger."""
    path = folder / "whole"
    path.unlink(missing_ok=True)
    write_careers(path, ledger)
    return path


def test_careers_are_not_made_again_of_what_says_nothing_of_them() -> None:
    ledger = rich()
    before = careers_key(ledger)
    do(ledger, c.GrantRole(account="ana", role=Role.OFFICER))
    do(ledger, c.AwardTitle(player="a", title="FM", on=dt.date(2010, 7, 1)))
    do(ledger, c.EnterPlayer(tournament="v", player="b", starting_number=9))
    assert careers_key(ledger) == before
    import_text(ledger, games("x", "1,,b,a,1-0", day="2010-10-20"))
    assert careers_key(ledger) != before


def test_a_register_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    ledger, _ = crowd()
    store, view = store_of(tmp_path), view_of(ledger)
    people_of(store, view, PeopleAsked())
    (path,) = files(tmp_path)
    path.write_bytes(b"nothing" * 3000)
    asked = PeopleAsked(search="garcia")
    assert people_of(store, view, asked)[0] == people_page(ledger, asked)


def test_the_register_is_not_made_again_when_games_are_recorded() -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    before = people_key(ledger)
    import_text(ledger, games("t", "1,,a,b,1-0"))
    assert people_key(ledger) == before
    import_text(ledger, PLAYERS_HEADER + "e,E,,,,,,\n")
    assert people_key(ledger) != before


def test_who_fell_below_a_floor_is_unrated_on_every_page(browse: Browse) -> None:
    """A is below 1400 from July on; N never had a rating."""
    ledger = empty_ledger()
    define(ledger, regulation="fide-standard", parameters={"floor": 1400})
    people = "A,A,,,,1402,16,50\nB,B,,,,1500,16,50\nN,N,,,,,,\n"
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF")
    import_text(ledger, games("T", "1,,A,B,0-1", "2,,N,B,0-1"))
    publish_period(ledger, "2010-07")
    import_text(ledger, games("U", "1,,B,N,1-0", day="2010-08-10"))
    publish_period(ledger, "2010-08")
    site = browse(ledger)
    for address, unrated in (
        ("/lists/ENF/2010-08", True),
        ("/players/A", True),
        ("/players/A/ENF/2010-08", True),
        ("/players/N", False),
        ("/players/N/ENF/2010-08", False),
    ):
        told = text_of(site.get(address).text)
        assert ("unrated" in told) is unrated, address
        if address.startswith("/players/"):
            told = told.replace("While a player is provisional", "")
            assert (" provisional" in told) is not unrated, address
    rows = text_of(site.get("/lists/ENF/2010-08").text)
    assert rows.index("unrated") < rows.rindex("provisional")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_two_performances_of_a_newcomer_are_called_by_their_terms(
    browse: Browse, lang: str
) -> None:
    ledger = ledger_of("A,1800,,50", "B,1700,,50")
    import_text(ledger, PLAYERS_HEADER + "N,N,CHI,,,,,\n")
    import_text(ledger, games("T", "1,,N,A,1-0", "2,,B,N,1/2-1/2"))
    site = browse(ledger)
    page = text_of(site.get(f"/players/N?lang={lang}").text).lower()
    bucket, in_tournaments, rows = page.partition("(rp)")
    assert in_tournaments
    assert "performance ru" in bucket
    assert "performance ru" not in rows
    assert "performance" in rows
    statement = text_of(site.get(f"/players/N/ENF/2010-07?lang={lang}").text).lower()
    assert "performance ru" in statement
    assert "rp" not in statement.split()


def test_a_ledger_with_nothing_in_it_says_so_and_not_that_nothing_fits(browse: Browse) -> None:
    site = browse(empty_ledger())
    assert "Nobody is registered yet." in text_of(site.get("/players").text)
    assert "No player fits." in text_of(site.get("/players?q=soto").text)
    assert "There is no tournament here yet." in text_of(site.get("/tournaments").text)


class TestWhatElseASearchFinds:
    @pytest.fixture
    def site(self, browse: Browse) -> TestClient:
        ledger = with_two_lists()
        day = dt.date(2010, 1, 1)
        affiliated = c.AffiliatePlayer(
            player="b", club="Torre Blanca", region=None, licensed_until=None, on=day
        )
        do(ledger, affiliated)
        people = "G1,Gonzalez Rojas Ana,CHI,,1990,,,\nG2,Gonzalez Rojas Eva,CHI,,1991,,,\n"
        import_text(ledger, PLAYERS_HEADER + people)
        return browse(ledger)

    def test_an_id_or_the_only_one_leads_to_the_page(self, site: TestClient) -> None:
        for text, player in (("G1", "G1"), ("gonzalez eva", "G2")):
            answer = site.get("/players", params={"q": text}, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (303, f"/players/{player}")
        typing = site.get("/players?q=G1", headers={"hx-request": "true"}, follow_redirects=False)
        assert typing.status_code == 200
        several = site.get("/players?q=gonzalez", follow_redirects=False)
        assert several.status_code == 200
        assert "/players/G1" in several.text

    def test_near_names_clubs_and_tournaments_are_found(self, site: TestClient) -> None:
        near = read(site, "/players?q=gonsales")
        assert "Similar names Gonzalez Rojas Ana G1 Gonzalez Rojas Eva G2" in near
        assert "Torre Blanca" in read(site, "/players?q=torre")
        line = site.get("/api/v1/tournaments").json()["tournaments"][0]
        assert f"/tournaments/{line['tournament']}" in site.get(f"/players?q={line['name']}").text
