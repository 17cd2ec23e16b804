"""Requests that are answered at the same time: nobody waits for another's question."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Barrier, Event, Lock

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from ledger.derived import segments
from ledger.identifiers import PlayerIndex, Seq
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.service.ledger import Request as Asking
from ledger.service.publications import PublishedList, publish
from ledger.terms import Role
from ledger.views.past import PastLedger, documents_gone
from ledger.views.view import LedgerView
from tests.forked import forked
from tests.journal.databases import as_superuser
from tests.ledgers import (
    NOW,
    define,
    empty_ledger,
    request,
    with_july_published,
    with_officers,
)
from tests.web.conftest import ORIGIN
from tests.web.submitting import CORRECTION, OF_AUGUST, staffed
from tests.web.test_desk import PART
from tests.web.test_tap_costs import ROUND, TAPPED, desk_of, tap, with_event
from web import site as site_module
from web.access import Account
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

PATIENCE = 30  # seconds
THREADS = 40  # by which a server answers: anyio's limit
MANY = 45
PLAYER, NAME = "P77", "Núñez, P77"


def site_of(ledger: Ledger, folder: Path) -> Site:
    return Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=folder))


class Slow:
    """A question that takes until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go_on = Event(), Event()

    def __call__(self, ledger: LedgerView) -> int:
        seq = ledger.journal.head().seq
        self.begun.set()
        assert self.go_on.wait(PATIENCE), "somebody waited for it"
        return seq

    @contextmanager
    def asked(
        self, ask: Callable[[Callable[[LedgerView], int]], int], answer: int
    ) -> Iterator[None]:
        """Has it asked by another thread, and let go at the end, with the answer that it has."""
        with ThreadPoolExecutor(1) as threads:
            asked = threads.submit(ask, self)
            assert self.begun.wait(PATIENCE)
            yield
            self.go_on.set()
            assert asked.result(PATIENCE) == answer


@pytest.mark.parametrize("way", ["newest", "public", "past", "preview"])
def test_a_slow_question_stops_no_other_request(tmp_path: Path, way: str) -> None:
    ledger = with_event(empty_ledger(), 10)
    desk = desk_of(ledger, tmp_path)
    site: Site = desk.app.state.site  # type: ignore[attr-defined]
    head = site.head()
    views = {"newest": site.newest(), "public": site.public(), "past": site.at(Seq(head - 1))}

    def ask(question: Callable[[LedgerView], int]) -> int:
        return site.preview(question) if way == "preview" else views[way].ask(question)

    with Slow().asked(ask, head - 1 if way == "past" else head):
        assert desk.get(f"/desk/t/rounds/{ROUND}").status_code == 200
        tap(desk, TAPPED + 1, PART)
        assert site.head() == head + 1
        for page in ("/tournaments/t", "/players/P1", f"/tournaments/t?as-known-at={head - 1}"):
            assert desk.get(page).status_code == 200


def test_of_strangers_a_few_are_answered_at_once_and_others_do_not_wait_for_them(
    tmp_path: Path,
) -> None:
    site = site_of(with_event(empty_ledger(), 10), tmp_path)
    few, lock = site_module._AT_ONCE, Lock()
    together, go_on = Barrier(few + 1), Event()
    active = most = 0

    def question(_ledger: PastLedger) -> None:
        nonlocal active, most
        with lock:
            active += 1
            most = max(most, active)
        together.wait(PATIENCE)
        assert go_on.wait(PATIENCE)
        with lock:
            active -= 1

    with ThreadPoolExecutor(few + 3) as threads:
        first = [threads.submit(site.public().ask, question) for _ in range(few)]
        together.wait(PATIENCE)
        later = [threads.submit(site.public().ask, lambda _: None) for _ in range(3)]
        assert site.newest().ask(lambda ledger: ledger.seq) == site.head()
        go_on.set()
        for each in (*first, *later):
            each.result(PATIENCE)
    assert most == few


def by_cookie(request: Request) -> Account | None:
    """Returns the officer whose session is shown; any other cookie or token is nobody's."""
    is_known = request.cookies.get("session") == "known"
    return Account("ana", frozenset({Role.OFFICER})) if is_known else None


SHOWN: dict[str, dict[str, str]] = {
    "nothing": {},
    "a false cookie": {"cookie": "session=x"},
    "a false token": {"authorization": "Bearer rlt_x"},
}


@pytest.mark.parametrize("page", ["/audit", "/api/v1/commits", "/audit?as-known-at=5"])
@pytest.mark.parametrize("shown", SHOWN)
def test_more_slow_strangers_than_a_server_has_threads_stop_no_officer_and_no_tap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: str, page: str
) -> None:
    ledger = with_event(empty_ledger(), 10)
    site = site_of(ledger, tmp_path)
    app, slow = create_app(site, identify=by_cookie), Slow()

    def question(ledger: Ledger, *_said: object, **_named: object) -> list[object]:
        slow(ledger)
        return []

    monkeypatch.setattr("web.turns._PATIENCE", PATIENCE)
    monkeypatch.setattr("web.pages.audit.commits_back", question)
    monkeypatch.setattr("web.api.journal.commits_after", question)
    strangers = TestClient(app, ORIGIN, headers=SHOWN[shown])
    officer = TestClient(
        app, ORIGIN, headers={"sec-fetch-site": "same-origin"}, cookies={"session": "known"}
    )
    few = site_module._AT_ONCE + site_module._WAITING
    assert few < THREADS < MANY
    with ThreadPoolExecutor(MANY) as threads:
        asked = [threads.submit(strangers.get, page) for _ in range(MANY)]
        refused = list(islice(as_completed(asked, PATIENCE), MANY - few))
        try:
            for each in refused:
                answer = each.result()
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            with ThreadPoolExecutor(1) as own:
                for address in (f"/desk/t/rounds/{ROUND}", "/tournaments/t", "/api/v1/head"):
                    assert own.submit(officer.get, address).result(PATIENCE).status_code == 200
                own.submit(tap, officer, TAPPED + 1, PART).result(PATIENCE)
        finally:
            slow.go_on.set()
        answered = [each.result(PATIENCE).status_code for each in asked if each not in refused]
    assert answered == [200] * few


def test_who_waits_too_long_for_a_turn_is_told_to_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(with_event(empty_ledger(), 10), tmp_path)
    stranger = TestClient(create_app(site, identify=by_cookie), ORIGIN)
    monkeypatch.setattr("web.turns._PATIENCE", 0.01)
    with ExitStack() as taken:
        for _ in range(site_module._AT_ONCE):
            taken.enter_context(site.turns.one())
        answer = stranger.get("/audit")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "ask again in some seconds" in answer.text
    assert stranger.get("/audit").status_code == 200


@pytest.fixture
def _often_in_turn() -> Iterator[None]:
    """Has threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_often_in_turn")
def test_threads_that_ask_the_same_view_get_the_same_answers_while_somebody_records(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 50)
    with closing(open_journal(sqlite_url)) as journal:
        ledger = with_event(Ledger(journal, lambda: NOW), 100)
        head = ledger.journal.head().seq
        pages = [
            f"/{page}as-known-at={head}"
            for page in (
                "tournaments/t?", "tournaments/t/rounds/2?", "tournaments/t/crosstable?",
                "players/P1?", "players/P1/ENF/2025-12?", "lists/ENF/2025-12?",
                "api/v1/tournaments/t/cards?", "api/v1/tournaments/t/gains?",
                "api/v1/lists/ENF/live?", f"audit/events/{head}?", "corrections?",
            )
        ]  # fmt: skip
        alone = desk_of(Ledger(journal, lambda: NOW), tmp_path)
        right = {page: alone.get(page) for page in pages}
        assert {each.status_code for each in right.values()} == {200}
        desk = desk_of(Ledger(journal, lambda: NOW), tmp_path)
        together = Barrier(5)

        def read(first: int) -> list[str]:
            together.wait(PATIENCE)
            order = pages[first:] + pages[:first]
            return [page for page in order if desk.get(page).content != right[page].content]

        with ThreadPoolExecutor(4) as threads:
            asked = [threads.submit(read, first) for first in (0, 0, 3, 7)]
            together.wait(PATIENCE)
            for board in range(TAPPED + 1, TAPPED + 9):
                tap(desk, board, PART)
            assert [each.result(PATIENCE) for each in asked] == [[]] * 4


# Previews


def test_a_page_that_previews_stops_no_tap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, slow = with_event(empty_ledger(), 10), Slow()
    desk = desk_of(ledger, tmp_path)

    def slowly(ledger: Ledger, name: str, period: str, asked: Asking) -> PublishedList:
        slow(ledger)
        return publish(ledger, name, period, asked)

    def look(_question: Callable[[LedgerView], int]) -> int:
        return desk.get("/lists/ENF/2025-01/publish").status_code

    monkeypatch.setattr("web.pages.lists.publish", slowly)
    with slow.asked(look, 200):
        tap(desk, TAPPED + 1, PART)


def test_who_only_looks_or_hands_in_does_not_wait_for_who_records(tmp_path: Path) -> None:
    ledger = with_officers(with_july_published(MemoryJournal()), "ana", "luis")
    with staffed(ledger, tmp_path) as site:
        officer, arbiter = site.luis, site.eva
        id_, draft = arbiter.handed_in(OF_AUGUST), arbiter.drafted_correction()
        made: Site = site.client.app.state.site  # type: ignore[attr-defined]
        asked = {"player": "A", "reason": "a letter"}
        key = {"x-account": "eva", "idempotency-key": "k", "sec-fetch-site": "same-origin"}
        handed = {**CORRECTION, "round": 1}
        with Slow().asked(made.record, site.head):
            for page in (
                "/lists/ENF/2010-08/publish", "/erase/A", "/submissions", f"/submissions/{id_}",
                f"/submissions/{id_}/preview.json", f"/api/v1/submissions/{id_}/preview",
            ):  # fmt: skip
                assert officer.get(page).status_code == 200, page
            assert arbiter.step(draft, "hand-in").status_code == 200
            assert officer.post("/erase/A", asked | {"key": "e"}).status_code == 422
            answer = site.client.post("/api/v1/submissions/corrections", json=handed, headers=key)
            assert answer.status_code == 200, answer.text


# Names


def erase_elsewhere(url: str) -> None:
    """Erases a player, as another process."""
    with closing(open_journal(as_superuser(url))) as journal:
        command = c.ErasePlayer(player=PLAYER, on=dt.date(2026, 1, 1))
        asked = replace(request("a letter"), idempotency_key="erasure")  # it counts from 1, too
        erase_player(Ledger(journal, lambda: NOW), command, asked)


def erase_by_another(url: str) -> None:
    process = forked(erase_elsewhere, url)
    process.join(PATIENCE)
    assert process.exitcode == 0
    process.close()


def test_names_are_forgotten_when_another_process_erases_somebody(
    database_url: str, tmp_path: Path
) -> None:
    with closing(open_journal(database_url)) as journal:
        ledger = with_event(Ledger(journal, lambda: NOW), 10)
        desk = desk_of(ledger, tmp_path)
        pages = [
            f"/desk/t/rounds/{ROUND}", "/tournaments/t", "/tournaments/t/rounds/1",
            "/api/v1/tournaments/t", f"/tournaments/t?as-known-at={journal.head().seq}",
        ]  # fmt: skip
        for page in pages:
            assert NAME in desk.get(page).text, page
        erase_by_another(database_url)
        for page in reversed(pages):
            answer = desk.get(page)
            assert (answer.status_code, NAME in answer.text) == (200, False), page


def test_names_of_the_state_before_a_long_commit_are_forgotten_too(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_journal(sqlite_url)) as journal:
        ledger = with_event(Ledger(journal, lambda: NOW), 10)
        site = site_of(Ledger(journal, lambda: NOW), tmp_path)
        before = site.public()
        assert NAME in before.ask(names)
        monkeypatch.setattr(segments, "LEAST_EVENTS", 1)
        define(ledger, "OTHER")
        assert site.public().seq == before.seq, "a long commit is just being read back"
        erase_by_another(sqlite_url)
        after = site.public()
        assert after.seq == before.seq
        assert NAME not in after.ask(names)


def test_names_are_forgotten_while_nobody_can_tell_how_many_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = with_event(empty_ledger(), 10)
    site, seq = site_of(ledger, tmp_path), ledger.journal.head().seq
    assert NAME in site.at(seq).ask(names)
    monkeypatch.setattr(site_module, "documents_gone", lambda _: None)  # something is recorded
    asked = c.ErasePlayer(player=PLAYER, on=dt.date(2026, 1, 1))
    erase_player(ledger, asked, request("a letter"))
    assert NAME not in site.at(seq).ask(names)


def test_an_erasure_that_is_seen_while_others_count_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(with_event(empty_ledger(), 10), tmp_path)
    site.newest()
    counted = documents_gone
    looks: list[int | None] = []

    def counting(ledger: PastLedger) -> int | None:
        looks.append(counted(ledger))
        if len(looks) == 1:
            site.look_again()  # as another request does at the event that says so
        return looks[-1]

    monkeypatch.setattr(site_module, "documents_gone", counting)
    site.look_again()
    for _ in range(3):
        site.newest()
    assert len(looks) == 2


def names(ledger: PastLedger) -> list[str]:
    """Returns the names of all players, read one by one as known at the view's seq."""
    facts = ledger.facts()
    people = ledger.people(facts)
    return [people.name(PlayerIndex(player)) or "" for player in range(len(facts.players))]
