"""What a tap at the desk asks of the database: the same, however many players are registered."""

from __future__ import annotations

import datetime as dt
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from ledger.derived import segments
from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.results import Result
from ledger.service.desk import publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, Role, System
from tests.cli.running import run
from tests.journal.drafts import append, with_people
from tests.ledgers import NOW, define, do, request
from tests.postgres import WRITER, PostgresServer
from tests.statements import statements
from tests.web.conftest import ORIGIN
from tests.web.test_desk import PART
from web.access import Account
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

ENTERED, ROUND = 100, 2
MOST = 40  # statements
TAPPED = 20  # boards of the round that were recorded before, each by a commit of its own
DAY = dt.date(2025, 12, 10)
_keys = count(1)


def with_event(ledger: Ledger, others: int) -> Ledger:
    """Fills a ledger: a Swiss of a hundred in its second round, and others who do not play."""
    entered = [f"P{number}" for number in range(ENTERED)]
    away = [f"Q{number}" for number in range(others)]
    for players in (away[: others // 2], entered, away[others // 2 :]):
        append(ledger.journal, with_people(*players))
    define(ledger, first_on=dt.date(2025, 1, 1))
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="T", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=5,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in entered),
    )  # fmt: skip
    for round_ in (1, ROUND):
        _, sheet = publish_round(ledger, PairRound(tournament="t", round=round_), request())
        games = [
            c.RecordGame(
                tournament="t", round=round_, white=board.white.id, black=board.black.id,
                result=Result.parse("1-0"),
            )
            for board in sheet.boards
        ]  # fmt: skip
        if round_ < ROUND:
            do(ledger, *games)
        else:
            for game in games[:TAPPED]:
                do(ledger, game)
    return ledger


@pytest.fixture
def other_url(
    database_url: str, request: pytest.FixtureRequest, sqlite_template: Path, tmp_path: Path
) -> Iterator[str]:
    """An empty ledger in the same database as the first."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'other.db')}"
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("postgres_template"))
    yield server.url(name, WRITER)
    server.drop(name)


def desk_of(ledger: Ledger, folder: Path) -> TestClient:
    """Returns the desk of an officer at the site of a ledger."""

    def identify(_request: Request) -> Account:
        return Account("ana", frozenset({Role.OFFICER}))

    app = create_app(
        Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=folder)), identify=identify
    )
    return TestClient(app, ORIGIN, headers={"sec-fetch-site": "same-origin"})


def tap(desk: TestClient, board: int, headers: dict[str, str]) -> None:
    """Taps a result, as the script does or without one."""
    said = {"key": f"k{next(_keys)}", "act": "record", "result": "1-0"}
    answer = desk.post(f"/desk/t/rounds/{ROUND}/boards/{board}", data=said, headers=headers)
    assert answer.status_code == 200, answer.text
    assert "<b>1–0</b>" in answer.text


def tapped(desk: TestClient, board: int, headers: dict[str, str]) -> list[str]:
    """Returns the statements of a tap; no other thread may ask anything meanwhile."""
    with statements() as found:
        tap(desk, board, headers)
    return found


def of_site(url: str, folder: Path) -> dict[str, Counter[str]]:
    """Returns the statements of taps and of pages of a round, in a process that has begun."""
    with closing(open_journal(url)) as journal:
        desk = desk_of(Ledger(journal, lambda: NOW), folder)
        desk.get(f"/desk/t/rounds/{ROUND}")
        board = count(TAPPED + 1)
        tapped(desk, next(board), PART)
        found = {
            "a row": tapped(desk, next(board), PART),
            "a page": tapped(desk, next(board), {}),
        }
        for page in (f"/desk/t/rounds/{ROUND}", f"/tournaments/t/rounds/{ROUND}"):
            tapped(desk, next(board), PART)
            with statements() as found[page]:
                assert desk.get(page).status_code == 200
        return {what: Counter(asked) for what, asked in found.items()}


def of_commands(url: str, folder: Path) -> dict[str, Counter[str]]:
    """Returns the statements of a result and of a round by the command line."""
    said = {"result": ("result", "t", str(ROUND), "40", "1-0"), "round": ("round", "t", str(ROUND))}
    found = {}
    assert run("tournament", *said["round"], "--db", url, cwd=folder).code == 0
    for what, words in said.items():
        with statements() as asked:
            done = run("tournament", *words, "--db", url, cwd=folder)
        assert done.code == 0, done.err
        found[what] = Counter(asked)
    return found


def asked_of(url: str, others: int, folder: Path) -> dict[str, Counter[str]]:
    """Fills a ledger and returns the statements that the site and the command line need."""
    with closing(open_journal(url)) as journal:
        with_event(Ledger(journal, lambda: NOW), others)
    return of_site(url, folder) | of_commands(url, folder)


def check_costs(asked: dict[str, Counter[str]]) -> None:
    """Checks that a tap and a page of a round take at most 40 statements, a command some more."""
    sums = {what: each.total() for what, each in asked.items()}
    typed = {"result", "round"}  # in a process that opens the ledger first
    assert all(total <= MOST + 10 * (what in typed) for what, total in sums.items()), sums


@pytest.fixture
def _sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a small ledger be read from segments, as a large one is."""
    monkeypatch.setattr(segments, "LEAST_EVENTS", 50)


@pytest.mark.usefixtures("_sealed")
def test_a_tap_takes_as_many_statements_among_ten_others_as_among_twenty_thousand(
    database_url: str, other_url: str, tmp_path: Path
) -> None:
    few = asked_of(database_url, 10, tmp_path)
    assert few == asked_of(other_url, 20_000, tmp_path)
    check_costs(few)


@pytest.mark.slow
@pytest.mark.usefixtures("_sealed")
def test_nor_does_it_take_more_among_a_hundred_thousand(
    sqlite_url: str, sqlite_template: Path, tmp_path: Path
) -> None:
    few = asked_of(sqlite_url, 10, tmp_path)
    large = str(shutil.copy(sqlite_template, tmp_path / "large.db"))
    assert few == asked_of(large, 100_000, tmp_path)


def test_a_ledger_that_was_never_sealed_costs_no_more(sqlite_url: str, tmp_path: Path) -> None:
    check_costs(asked_of(sqlite_url, 10, tmp_path))
