"""The journal in pages: commits, events, and the proof that an event is in the tree."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from ledger.answers import commits
from ledger.answers.commits import audited_event, commits_back, events_of
from ledger.answers.player_questions import log_of
from ledger.answers.recorded_fields import recorded_fields, recorded_names
from ledger.identifiers import Seq
from ledger.journal.checkpoint import check_against, parse
from ledger.journal.merkle import includes
from ledger.service.ledger import Ledger
from tests.ledgers import define, empty_ledger
from tests.web.conftest import Browse
from tests.web.support import links_on, pages_from, read, text_of


def test_every_event_is_proved_to_be_in_the_tree_after_its_commit(demo_ledger: Ledger) -> None:
    head = demo_ledger.journal.head()
    for seq in range(1, head.seq + 1):
        made = audited_event(demo_ledger, Seq(seq))
        proof, leaf = made.inclusion, bytes.fromhex(made.event.leaf_hash)
        path = [bytes.fromhex(step) for step in proof.path]
        assert proof.root == demo_ledger.journal.root_at(proof.size)
        assert proof.holds
        assert includes(bytes.fromhex(proof.root), proof.size, seq - 1, leaf, path)
        assert not includes(bytes.fromhex(proof.root), proof.size, seq, leaf, path)


def test_commits_are_told_from_the_newest_back(browse: Browse) -> None:
    ledger = empty_ledger()
    for number in range(120):
        define(ledger, f"L{number}")
    pages = pages_from(browse(ledger), "/audit")
    seen = [each for page in pages for each in links_on(page, "/audit/commits/")]
    assert seen == [f"/audit/commits/{number}" for number in range(120, 0, -1)]
    assert [each.commit_id for each in commits_back(ledger, before=3)] == [2, 1]


def test_a_commit_is_called_by_what_it_recorded_and_a_large_one_by_its_number(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = empty_ledger()
    define(ledger)
    site = browse(ledger)
    assert " 1 1 rating list defined, 1 regulation adopted " in read(site, "/audit")
    monkeypatch.setattr(commits, "MOST_COUNTED", 0)
    assert " 1 Commit 1 " in read(site, "/audit")


def test_the_head_is_that_of_the_journal(demo: TestClient, demo_ledger: Ledger) -> None:
    head = demo_ledger.journal.head()
    said = read(demo, "/audit")
    assert f"Last event {head.seq} An event is one fact." in said
    assert f"Commits {head.commit_id} A commit is" in said
    assert f"Root: {head.root}" in said


def test_a_checkpoint_is_one_to_hold_the_journal_against(
    demo: TestClient, demo_ledger: Ledger
) -> None:
    page = demo.get("/audit/checkpoint")
    assert page.headers["content-type"].startswith("text/plain")
    check_against(demo_ledger.journal, parse(page.text))
    earlier = parse(demo.get("/audit/checkpoint?as-known-at=50").text)
    assert earlier.size <= 50
    check_against(demo_ledger.journal, earlier)


def test_a_commit_shows_its_events_page_by_page(demo: TestClient, demo_ledger: Ledger) -> None:
    longest = max(commits_back(demo_ledger), key=lambda each: each.last_seq - each.first_seq)
    pages = pages_from(demo, f"/audit/commits/{longest.commit_id}")
    seen = [each for page in pages for each in rows_on(page)]
    expected = range(longest.first_seq, longest.last_seq + 1)
    assert seen == [f"/audit/events/{seq}" for seq in expected]
    assert len(events_of(demo_ledger, longest, limit=3)) == 3


def test_an_event_is_shown_as_it_was_hashed(demo: TestClient, demo_ledger: Ledger) -> None:
    (event,) = demo_ledger.journal.events(after=121, upto=122)
    said = read(demo, "/audit/events/122")
    assert event.payload in said
    assert event.leaf_hash in said
    assert "It stands in the ledger, unchanged." in said


def test_an_event_says_each_field_by_its_name_in_words(demo: TestClient) -> None:
    said = read(demo, "/audit/events/122")
    assert "tournament Festival Ajedrez Ymca Concepción round 2 White Vizama" in said
    assert "result 1–0 in the place of seq 68" in said
    page = demo.get("/audit/events/122").text
    assert '<a href="/players/3404510"><bdi>Ruiz Zenteno, Leonardo Marcial</bdi></a>' in page


def test_who_is_named_is_found_by_the_id_and_nobody_else(demo_ledger: Ledger) -> None:
    fields = recorded_fields({"white": "3404510", "black": "nobody", "tournament": "ymca-2010"})
    names = recorded_names(demo_ledger, [fields])
    assert names.players == {"3404510": "Ruiz Zenteno, Leonardo Marcial"}
    assert names.tournaments == {"ymca-2010": "Festival Ajedrez Ymca Concepción"}


def rows_on(page: str) -> list[str]:
    """Returns the addresses of the events that a page has a row of."""
    return re.findall(r'<th scope="row" class="k"><a href="([^"]+)"', page)


@pytest.mark.parametrize("asked", [{"player": "3404510"}, {"tournament": "ymca-2010"}])
def test_the_log_of_a_player_or_tournament_has_all_its_events(
    demo: TestClient, demo_ledger: Ledger, asked: dict[str, str]
) -> None:
    ((name, value),) = asked.items()
    pages = pages_from(demo, f"/audit/log?{name}={value}")
    seen = [each for page in pages for each in rows_on(page)]
    rows = log_of(
        demo_ledger, player=asked.get("player"), tournament=asked.get("tournament"), since=1
    )
    assert seen == [f"/audit/events/{row.seq}" for row in reversed(rows)]


def test_the_log_is_searched_by_a_players_name(demo: TestClient) -> None:
    by_id = rows_on(demo.get("/audit/log?player=3404510").text)
    name = text_of(demo.get("/players/3404510").text).partition(" · ")[0]
    assert rows_on(demo.get("/audit/log", params={"player": name.casefold()}).text) == by_id
    several = demo.get("/audit/log?player=a")
    assert several.status_code == 200
    assert "Which player?" in text_of(several.text)
    assert rows_on(several.text) == []
    links = re.findall(r'href="(/audit/log\?player=\d+)"', several.text)
    assert len(links) > 1
    assert rows_on(demo.get(links[0]).text)


def test_the_log_says_what_happened_in_words(demo: TestClient) -> None:
    english = demo.get("/audit/log?tournament=ymca-2010").text
    assert '<span title="result.recorded">Result recorded</span>' in english
    assert '<span class="soft">White</span> <a href="/players/' in english
    spanish = demo.get("/audit/log?tournament=ymca-2010", headers={"Accept-Language": "es"}).text
    assert '<span title="result.recorded">Resultado registrado</span>' in spanish
    assert '<span class="soft">blancas</span> <a href="/players/' in spanish


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/audit/events/100000", 404),
        ("/audit/events/0", 422),
        ("/audit/events/9999999999999999999999", 422),
        ("/audit/commits/100000", 404),
        ("/audit/commits/x", 422),
        ("/audit/log?player=nobody", 404),
        ("/audit/log?tournament=none", 404),
        ("/audit?before=-1", 422),
        ("/audit/events/122?as-known-at=50", 404),
        ("/audit/commits/7?as-known-at=50", 404),
    ],
)
def test_what_is_not_there(demo: TestClient, address: str, status: int) -> None:
    assert demo.get(address).status_code == status


def test_an_empty_journal_has_its_root(browse: Browse) -> None:
    said = read(browse(empty_ledger()), "/audit")
    assert "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" in said
