"""Every answer: at which seq, in which language, how long it may be kept, who may ask."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.answers.lists import described_lists
from ledger.derived import segments
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.views.past import newest_of
from tests.ledgers import (
    NOW,
    define,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
    request,
)
from tests.web.conftest import Browse
from tests.web.support import text_of
from web import site as site_module
from web.rendering import compile_pages, templates
from web.settings import WebSettings
from web.site import Site


def test_the_first_page_names_the_lists(demo: TestClient) -> None:
    answer = demo.get("/")
    assert answer.status_code == 200
    assert "ENF" in answer.text


def test_an_answer_is_in_the_language_that_is_asked_for(demo: TestClient) -> None:
    assert "Rating lists" in demo.get("/").text
    assert "Listas de rating" in demo.get("/", headers={"accept-language": "es-CL, en;q=0.8"}).text
    assert "Listas de rating" in demo.get("/?lang=es").text
    assert '<html lang="es">' in demo.get("/?lang=es").text


def test_the_newest_state_is_answered_with_304_until_something_is_recorded(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger)
    site = browse(ledger)
    first = site.get("/")
    assert first.headers["cache-control"] == "public, no-cache"
    known = {"if-none-match": first.headers["etag"]}
    again = site.get("/", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert site.get("/?lang=es", headers=known).status_code == 200
    define(ledger, "OTHER")
    changed = site.get("/", headers=known)
    assert changed.status_code == 200
    assert "OTHER" in changed.text


def test_what_was_known_at_a_seq_never_changes_and_may_be_kept_for_ever(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger)
    site = browse(ledger)
    before = site.get("/?as-known-at=2")
    define(ledger, "OTHER")
    after = site.get("/?as-known-at=2")
    assert after.headers["cache-control"] == "public, no-cache"
    assert after.text == before.text
    assert "OTHER" not in after.text
    assert "You see what was known on 1 January 2026, 12:00." in after.text


def test_a_day_is_asked_for_by_its_date(browse: Browse) -> None:
    """The day before NOW has nothing, the day of NOW is over when the clock has gone on."""
    now = NOW
    ledger = Ledger(MemoryJournal(), lambda: now)
    define(ledger)
    now = NOW + dt.timedelta(days=1)
    define(ledger, "OTHER")
    site = browse(ledger)
    day = NOW.date()
    page = site.get(f"/?as-known-on={day}")
    assert "ENF" in page.text
    assert "OTHER" not in page.text
    assert "/lists/ENF?as-known-at=2" in page.text, "links stay at what was known then"
    assert "Ve lo que se sabía el 1 de enero de 2026, 12:00." in (
        site.get(f"/?as-known-on={day}&lang=es").text
    )
    before = text_of(site.get(f"/?as-known-on={day - dt.timedelta(days=1)}").text)
    assert "Nothing was recorded by then. Back to what is known now" in before
    known = site.get(f"/api/v1/lists?as-known-on={day}").json()
    assert known == site.get("/api/v1/lists?as-known-at=2").json()
    refused = site.get(f"/?as-known-on={now.date()}")
    assert (refused.status_code, "2026-01-02 is not over yet" in refused.text) == (422, True)
    assert site.get(f"/?as-known-on={day}&as-known-at=2").status_code == 422
    assert site.get("/?as-known-on=yesterday").status_code == 422


def test_the_day_of_a_page_is_chosen_below_it(demo: TestClient) -> None:
    page = demo.get("/players?q=a").text
    form = page[page.index('<footer class="site">') :]
    assert 'action="/players"' in form
    assert '<input type="hidden" name="q" value="a">' in form
    assert '<input type="date" id="known-on" name="as-known-on" required>' in form


def test_the_foot_of_a_page_leads_where_the_header_does_not(demo: TestClient) -> None:
    """To regulations, open data, the journal and the API, which few need."""
    page = demo.get("/players?as-known-at=2").text
    head, foot = page[: page.index("<main")], page[page.index('<footer class="site">') :]
    for address in ("/regulations?as-known-at=2", "/data", "/audit?as-known-at=2", "/api/v1"):
        assert f'href="{address}"' in foot
        assert f'href="{address}"' not in head
        assert demo.get(address).status_code in {200, 404}  # no package of data yet


def test_an_address_without_a_page_offers_to_find_a_player(demo: TestClient) -> None:
    answer = demo.get("/nowhere")
    assert answer.status_code == 404
    assert '<form class="search" action="/players"' in answer.text
    refused = demo.get("/?as-known-at=x")
    assert refused.status_code == 422
    assert '<form class="search"' not in refused.text


def test_links_stay_at_the_seq_that_is_asked_for(demo: TestClient) -> None:
    assert "/lists/ENF?as-known-at=2" in demo.get("/?as-known-at=2").text


@pytest.mark.parametrize("seq", ["99999999999", "-1", "x", "9" * 40])
def test_a_seq_that_does_not_exist_is_refused_and_the_refusal_is_not_kept(
    demo: TestClient, seq: str
) -> None:
    answer = demo.get(f"/?as-known-at={seq}")
    assert answer.status_code in {404, 422}
    assert answer.headers["cache-control"] == "no-store"


def test_every_answer_tells_browsers_to_be_strict(demo: TestClient) -> None:
    for path in ("/", "/no-such-page", "/?as-known-at=x"):
        headers = demo.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-content-type-options"] == "nosniff"


def test_another_host_is_not_answered(demo: TestClient) -> None:
    assert demo.get("/", headers={"host": "evil.example"}).status_code == 421


def test_style_and_scripts_are_kept_for_ever_under_their_digest(demo: TestClient) -> None:
    page = demo.get("/").text
    for path in [word.partition('"')[0] for word in page.split('="') if word.startswith("/static")]:
        answer = demo.get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert demo.get("/static/0/style.css").status_code == 404
    assert demo.get("/static/0/..%2fapp.py").status_code == 404


@pytest.mark.parametrize("path", ["//evil.example/x", "/%2e%2e/audit", "/a%3Fb%23c", "/%22%3E"])
def test_links_of_a_page_to_itself_stay_on_it(demo: TestClient, path: str) -> None:
    answer = demo.get(f"http://testserver{path}")
    (link,) = set(re.findall(r'<a href="([^"]*)" lang="es"', answer.text))  # header and menu
    assert answer.status_code == 404
    assert link.startswith("/")
    assert not link.startswith("//")
    assert link.count("?") == 1
    assert "#" not in link


def test_facts_that_nobody_asks_for_are_let_go_and_read_again(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "_IDLE", 0.0)
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    import_text(ledger, games("t", "1,,a,b,1-0"))
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    pages = ("/lists/ENF/2010-07@1", "/players/a", "/players/a/ENF/2010-07")
    before = [site.get(page).text for page in pages]
    for _ in range(3):
        assert site.get(pages[0]).text == before[0]
    assert not ledger.has_facts()
    assert [site.get(page).text for page in pages] == before
    assert ledger.has_facts()
    import_text(ledger, games("u", "1,,a,b,0-1", day="2010-08-10"))
    assert "2010-08" in site.get("/players/a").text


def test_an_erasure_is_noticed_by_who_holds_no_facts() -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    site = Site(ledger, WebSettings(ledger="", origin="http://testserver", cache=Path()))
    told: list[int] = []
    site.when_erased(told.append)
    site.newest()
    ledger.forget()
    import_text(ledger, games("t", "1,,a,b,1-0"))
    ledger.forget()
    assert site.newest().gone == 0
    assert not ledger.has_facts()
    erase_player(ledger, c.ErasePlayer(player="a", on=dt.date(2010, 9, 1)), request())
    ledger.forget()
    assert site.newest().gone > 0
    assert not ledger.has_facts()
    assert told == [0, site.newest().gone]


def test_who_records_alone_keeps_no_facts_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    site = Site(ledger, WebSettings(ledger="", origin="http://testserver", cache=Path()))
    now = [1_000.0]
    monkeypatch.setattr(site_module, "monotonic", lambda: now[0])
    site.newest().ask(described_lists)
    for number in range(4):  # somebody else records, and nobody asks
        club = f"Club {number}"
        on = dt.date(2010, 7, 1)
        do(
            ledger,
            c.AffiliatePlayer(player="a", club=club, region=None, licensed_until=None, on=on),
        )
        now[0] += 20.0
        site.newest()
    assert not ledger.has_facts()


def test_what_is_known_at_a_seq_is_read_when_it_is_asked_for_though_more_is_recorded() -> None:
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    ledger.forget()
    newest = newest_of(ledger)
    assert not ledger.has_facts()
    import_text(ledger, games("t", "1,,a,b,1-0"))
    assert newest.facts().seq == newest.seq < ledger.facts().seq
    ledger.forget()
    again = newest_of(ledger)
    assert again.facts() is ledger.facts()


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """Somebody who records; eight events make a long commit, and there is none yet."""
    monkeypatch.setattr(segments, "LEAST_EVENTS", 8)
    return ledger_of("a,1500,,50", "b,1600,,50")


def workers_of(ledger: Ledger) -> list[Site]:
    """Returns sites as several processes have them, each with what it has read itself."""
    settings = WebSettings(ledger="", origin="http://testserver", cache=Path())
    return [Site(Ledger(ledger.journal, ledger.clock), settings) for _ in range(3)]


def long_games(name: str) -> str:
    return games(name, *(f"{round_},,a,b,1-0" for round_ in range(1, 9)))


def test_a_long_commit_is_shown_by_all_workers_once_it_was_read_back(recorder: Ledger) -> None:
    workers = workers_of(recorder)
    seen = [workers[0].public().seq]
    define(recorder, "OTHER")
    seen += [workers[1].public().seq]
    assert seen[0] < seen[1] == recorder.journal.head().seq
    import_text(recorder, long_games("t"))
    define(recorder, "LATER")
    for worker in workers:
        view = worker.public()
        assert view.seq == seen[1]
        assert [each.list for each in view.ask(described_lists).lists] == ["ENF", "OTHER"]
    recorder.facts()
    assert {worker.public().seq for worker in workers} == {recorder.journal.head().seq}


def test_who_signed_in_sees_a_long_commit_at_once(browse: Browse, recorder: Ledger) -> None:
    site = browse(Ledger(recorder.journal, recorder.clock))
    before = recorder.journal.head().seq
    assert f'as-known-at={before}"' in site.get("/").text
    import_text(recorder, long_games("t"))
    assert f'as-known-at={before}"' in site.get("/").text
    own = site.get("/", headers={"cookie": "session=x"})
    assert f'as-known-at={recorder.journal.head().seq}"' in own.text


def test_a_long_commit_that_nobody_reads_back_is_waited_for_half_a_minute(
    recorder: Ledger,
) -> None:
    now = [NOW]
    settings = WebSettings(ledger="", origin="http://testserver", cache=Path())
    site = Site(Ledger(recorder.journal, lambda: now[0]), settings)
    before = site.public().seq
    import_text(recorder, long_games("t"))
    now[0] += dt.timedelta(seconds=29)
    assert site.public().seq == before
    now[0] += dt.timedelta(seconds=2)
    assert site.public().seq == recorder.journal.head().seq


def test_every_page_is_compiled_before_somebody_asks_for_it() -> None:
    compile_pages()
    cache = templates().cache
    assert cache is not None
    compiled = {name for _, name in cache.keys()}  # noqa: SIM118 - it is no dict
    assert compiled >= {"player.html", "part_bucket.html", "desk_round.html", "one_list.html"}
