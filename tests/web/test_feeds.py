"""Feeds are well-formed and keep their ids; the map of the site comes in pages."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from fastapi.testclient import TestClient

from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.ledgers import (
    GAMES_HEADER,
    about,
    do,
    empty_ledger,
    import_text,
    publish_period,
    with_july_published,
)  # fmt: skip
from tests.web.conftest import ORIGIN, Browse
from web.atom import Feed, FeedEntry
from web.pages import feeds

ATOM = {"a": "http://www.w3.org/2005/Atom"}
FEEDS = {
    "/feeds/corrections": "/corrections",
    "/feeds/lists": "/lists",
    "/feeds/players/A": "/players/A",
    "/feeds/tournaments/T1": "/tournaments/T1",
}


@pytest.fixture
def ledger() -> Ledger:
    """July has two editions, since a result was corrected; August is published."""
    made = with_july_published()
    publish_period(made, "2010-08")
    do(
        made,
        c.CorrectResult(
            tournament="T1", round=1, white="A", black="B", result=Result.parse("1/2-1/2")
        ),
    )
    publish_period(made, "2010-07")
    return made


def read(site: TestClient, address: str) -> ET.Element:
    answer = site.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)  # noqa: S314 - our own


def entries(feed: ET.Element) -> list[tuple[str, str]]:
    return [
        (each.findtext("a:id", "", ATOM), each.findtext("a:title", "", ATOM))
        for each in feed.findall("a:entry", ATOM)
    ]


@pytest.mark.parametrize("address", FEEDS)
def test_a_feed_has_what_readers_need(address: str, ledger: Ledger, browse: Browse) -> None:
    site = browse(ledger)
    feed = read(site, f"{address}?lang=en")
    assert feed.findtext("a:id", "", ATOM).startswith("urn:uuid:")
    assert feed.findtext("a:author/a:name", "", ATOM) == "Rating ledger"
    links = {each.get("rel"): each.get("href") for each in feed.findall("a:link", ATOM)}
    assert links == {
        "self": f"{ORIGIN}{address}?lang=en",
        "alternate": f"{ORIGIN}{FEEDS[address]}",
    }
    updated = [each.text or "" for each in feed.findall("a:entry/a:updated", ATOM)]
    assert feed.findtext("a:updated", "", ATOM) == max(updated)
    assert updated == sorted(updated, reverse=True) != []
    for link in feed.findall("a:entry/a:link", ATOM):
        place = (link.get("href") or "").removeprefix(ORIGIN)
        assert site.get(place).status_code == 200, place


@pytest.mark.parametrize("address", FEEDS)
def test_an_entry_has_the_same_id_in_both_languages_and_whatever_is_recorded_later(
    address: str, ledger: Ledger, browse: Browse
) -> None:
    site = browse(ledger)
    english, spanish = (read(site, f"{address}?lang={lang}") for lang in ("en", "es"))
    assert [id_ for id_, _ in entries(english)] == [id_ for id_, _ in entries(spanish)]
    assert english.findtext("a:id", "", ATOM) != spanish.findtext("a:id", "", ATOM)
    import_text(ledger, GAMES_HEADER + about("T9", "2010-09-20", "A,B,1-0"))
    later = entries(read(site, f"{address}?lang=en"))
    assert set(entries(english)) <= set(later)


def test_feeds_say_what_happened(ledger: Ledger, browse: Browse) -> None:
    site = browse(ledger)
    titles = {address: [title for _, title in entries(read(site, address))] for address in FEEDS}
    assert titles["/feeds/corrections"] == ["A win for White was a draw: A – B"]
    assert titles["/feeds/lists"] == [
        "ENF, July 2010: corrected, 2nd edition",
        "ENF, August 2010",
        "ENF, July 2010",
    ]
    assert titles["/feeds/players/A"][-1] == "ENF, July 2010: 1820"
    assert titles["/feeds/tournaments/T1"][0] == "Result corrected, round 1"
    summaries = {
        address: [each.text for each in read(site, address).findall("a:entry/a:summary", ATOM)]
        for address in FEEDS
    }
    assert summaries["/feeds/corrections"] == ["T1, round 1, A – B, 1–0 → ½–½. Reason: test"]
    assert summaries["/feeds/tournaments/T1"][0] == "A – B: ½–½"
    assert summaries["/feeds/players/A"] == ["As before, after 2 games"], (
        "what an edition counted that is another one by now is not known"
    )
    before = read(browse(with_july_published()), "/feeds/players/A")
    assert before.findtext("a:entry/a:summary", "", ATOM) == "+20 in 2 games"


def test_pages_lead_to_their_feeds(ledger: Ledger, browse: Browse) -> None:
    site = browse(ledger)
    for address, page in FEEDS.items():
        text = site.get(f"{page}?lang=es").text
        assert 'type="application/atom+xml" title="' in text
        assert f'href="{address}?lang=es"' in text


def test_feeds_of_nobody_and_of_nothing(browse: Browse) -> None:
    site = browse(empty_ledger())
    assert entries(read(site, "/feeds/corrections")) == []
    assert site.get("/feeds/players/nobody").status_code == 404
    assert site.get("/feeds/tournaments/nothing").status_code == 404


def test_what_xml_cannot_hold_is_left_out() -> None:
    told = Feed(
        ledger="", since="1970-01-01T00:00:00Z", key="k", title="a\ufffe & <b>", author="x",
        language="en", own="http://a", page="http://b",
        entries=[FeedEntry("k", "t\x0b", "http://c", "2010-01-01T00:00:00Z")],
    ).document()  # fmt: skip
    feed = ET.fromstring(told)  # noqa: S314 - our own
    assert feed.findtext("a:title", "", ATOM) == "a & <b>"


# The map


def test_the_map_names_every_player_and_tournament_once_page_by_page(
    ledger: Ledger, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "MAPPED", 2)
    site = browse(ledger)
    robots = site.get("/robots.txt").text
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in robots
    pages = located(site, "/sitemap.xml")
    assert len(pages) == 1 + 1 + 3  # lists, two tournaments, five players
    found = [place for page in pages for place in located(site, page)]
    assert len(set(found)) == len(found)
    expected = {f"/players/{player}" for player in "ABCDN"} | {"/tournaments/T1", "/tournaments/T2"}
    assert expected | {"/", "/lists/ENF"} <= set(found)
    for place in found:
        assert site.get(place).status_code == 200, place
    assert site.get("/sitemaps/players/4").status_code == 404
    assert site.get("/sitemaps/words/1").status_code == 404


def located(site: TestClient, address: str) -> list[str]:
    document = ET.fromstring(site.get(address).content)  # noqa: S314 - our own
    return [(each.text or "").removeprefix(ORIGIN) for each in document.iter() if each.text]


def test_who_was_merged_is_not_on_the_map(ledger: Ledger, browse: Browse) -> None:
    do(ledger, c.MergePlayers(player="N", into="D", on=ledger.today))
    assert "/players/N" not in located(browse(ledger), "/sitemaps/players/1")


def test_a_page_says_its_own_address_without_language_and_state(
    ledger: Ledger, browse: Browse
) -> None:
    site = browse(ledger)
    for asked, canonical in {
        "/?lang=es": "/",
        "/players?q=A&lang=es&as-known-at=9": "/players?q=A",
    }.items():
        assert f'<link rel="canonical" href="{ORIGIN}{canonical}">' in site.get(asked).text


def test_there_is_an_icon_for_who_asks_for_one(ledger: Ledger, browse: Browse) -> None:
    assert browse(ledger).get("/favicon.ico").headers["content-type"] == "image/svg+xml"
