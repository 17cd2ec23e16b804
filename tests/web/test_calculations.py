"""Studies are calculated once, one at a time, and little for who did not sign in."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.answers.list_figures import effort_of
from ledger.answers.player_questions import history_of
from ledger.service.ledger import Ledger
from tests.web.conftest import ORIGIN
from web import calculations
from web.access import Account
from web.app import create_app
from web.calculations import Calculations
from web.settings import WebSettings
from web.site import Site
from web.turns import Busy

STUDIES = (
    "/monitor/ENF",
    "/compare/ENF/enf-2010",
    "/api/v1/lists/ENF/monitor",
    "/api/v1/lists/ENF/comparison?with=enf-2010&from=2010-07&to=2010-08",
)
REPLAYS = (
    "/players/3404510/ENF/why",
    "/players/3404510/titles?list=ENF",
    "/lists/ENF/diff?before=2010-07@1&after=2010-08@1",
    "/api/v1/lists/ENF/live",
    "/api/v1/lists/ENF/diff?before=2010-07@1&after=2010-08@1",
    "/api/v1/players/3404510/ENF/why",
    "/api/v1/players/3404510/titles?list=ENF",
)
PATIENCE = 30.0  # seconds


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of what is calculated from now on."""
    found: list[str] = []
    make = Calculations.make

    def counted(self: Calculations, key: str, *said: Any, **named: Any) -> dict[str, Any]:
        found.append(key)
        return make(self, key, *said, **named)

    monkeypatch.setattr(Calculations, "make", counted)
    return found


def opened(ledger: Ledger, folder: Path, who: str | None = None) -> TestClient:
    account = None if who is None else Account(who, frozenset())
    settings = WebSettings(ledger="", origin=ORIGIN, cache=folder)
    return TestClient(create_app(Site(ledger, settings), None, lambda _: account), base_url=ORIGIN)


@pytest.mark.parametrize("address", STUDIES)
def test_a_study_is_calculated_once(demo: TestClient, made: list[str], address: str) -> None:
    first, second = demo.get(address), demo.get(address)
    assert first.status_code == 200
    assert second.text == first.text
    assert len(made) == 1


@pytest.mark.parametrize("address", STUDIES)
def test_while_one_is_calculated_others_are_told_to_ask_again(
    demo: TestClient, address: str
) -> None:
    begun, go_on = Event(), Event()

    def slow() -> dict[str, Any]:
        begun.set()
        assert go_on.wait(PATIENCE)
        return {}

    taken: Calculations = demo.app.state.calculations  # type: ignore[attr-defined]
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(taken.make, "other", 1, slow, gives_way=False)
        assert begun.wait(PATIENCE)
        answer = demo.get(address)
        assert demo.get("/lists").status_code == 200
        go_on.set()
        assert waiting.result(PATIENCE) == {}
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "max-age" not in answer.headers.get("cache-control", "")
    assert "etag" not in answer.headers
    assert demo.get(address).status_code == 200


def test_who_signed_in_has_more_calculated(
    demo_ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calculations, "MOST_AT_ONCE", effort_of(demo_ledger, "ENF"))
    stranger, member = opened(demo_ledger, tmp_path), opened(demo_ledger, tmp_path, "ana")
    page, api = STUDIES[0], STUDIES[2]
    assert "too long" in stranger.get(page).text
    assert stranger.get(api).status_code == 422
    assert stranger.get(api).json()["type"].endswith("study.takes_long")
    assert "too long" not in member.get(page).text
    assert member.get(api).status_code == 200


@pytest.mark.parametrize("address", REPLAYS)
def test_what_replays_a_list_is_asked_once_and_in_turn(
    demo: TestClient, made: list[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    first, second = demo.get(address), demo.get(address)
    assert first.status_code == 200, first.text
    assert second.text == first.text
    assert len(made) == 1
    taken: Calculations = demo.app.state.calculations  # type: ignore[attr-defined]
    taken.forget()
    monkeypatch.setattr("web.turns._PATIENCE", 0.01)

    def asked() -> dict[str, Any]:
        with ThreadPoolExecutor(1) as other:
            return {"status": other.submit(demo.get, address).result(PATIENCE).status_code}

    assert taken.make("other", 1, asked, gives_way=False) == {"status": 503}
    assert demo.get(address).text == first.text


def test_who_asks_why_waits_for_their_turn_with_a_few_others() -> None:
    some, begun, go_on = Calculations(), Event(), Event()

    def slow() -> str:
        begun.set()
        assert go_on.wait(PATIENCE)
        return "slow"

    def waiting(key: str) -> str:
        return some.make(key, 1, lambda: key, gives_way=False, waits=True)

    with ThreadPoolExecutor(calculations._WAITING + 2) as others:
        first = others.submit(some.make, "slow", 1, slow, gives_way=False)
        assert begun.wait(PATIENCE)
        several = [others.submit(waiting, str(n)) for n in range(calculations._WAITING + 1)]
        refused = next(each for each in as_completed(several, PATIENCE))
        assert isinstance(refused.exception(PATIENCE), Busy)
        go_on.set()
        answers = {each.result(PATIENCE) for each in several if each is not refused}
        assert first.result(PATIENCE) == "slow"
    assert len(answers) == calculations._WAITING


def test_a_history_is_read_from_the_model(
    demo: TestClient, demo_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [line.data() for line in history_of(demo_ledger, "3404510", "ENF")]

    def replays(*_said: Any) -> None:
        raise AssertionError("it is replayed")

    monkeypatch.setattr("web.api.players.history_of", replays)
    answer = demo.get("/api/v1/players/3404510/ENF/history")
    assert answer.json()["periods"] == json.loads(json.dumps(expected))


def test_what_fails_keeps_nobody_out_and_is_not_kept() -> None:
    some = Calculations()

    def fails() -> dict[str, Any]:
        raise ValueError("it cannot be done")

    for _ in range(2):
        with pytest.raises(ValueError, match="cannot be done"):
            some.make("a", 1, fails, gives_way=True)
    assert some.find("a") is None


def test_nobody_waits_for_their_turn() -> None:
    some = Calculations()

    def again() -> dict[str, Any]:
        with pytest.raises(Busy):
            some.make("b", 1, dict, gives_way=False)
        return {"of": "a"}

    assert some.make("a", 1, again, gives_way=False) == {"of": "a"}
    assert some.find("b") is None


def test_what_took_more_together_is_forgotten_the_oldest_first() -> None:
    some, half = Calculations(), calculations.MOST_AT_ONCE // 2
    for key in ("a", "b", "c"):
        some.make(key, half, lambda key=key: {"of": key}, gives_way=False)  # type: ignore[misc]
    assert [some.find(key) for key in ("a", "b", "c")] == [None, {"of": "b"}, {"of": "c"}]
    some.make("huge", 3 * half, lambda: {"of": "huge"}, gives_way=False)
    assert [some.find(key) for key in ("b", "c", "huge")] == [None, None, {"of": "huge"}]
