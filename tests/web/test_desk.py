"""The desk of an arbiter: a tournament from the opening to the report, by forms alone."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from fastapi.testclient import TestClient

from cli.commands.tournament_demo import (
    AWAY,
    EVENT,
    EXAMPLE,
    LATE,
    LEAVES,
    LIST,
    MISSED,
    PROTESTED,
    RESULTS,
)
from ledger.answers.commits import commit_of
from ledger.answers.corrections import corrections
from ledger.answers.event_desk import event_desk, round_desk
from ledger.answers.tournaments import require_tournament
from ledger.desk.tie_breaks.registry import PROPOSED, USUAL, announced
from ledger.forms.page import saying
from ledger.forms.standings import choice_name, code_name
from ledger.intake.fide_check import fide_check_of_tournament
from ledger.intake.report_file import tournament_report
from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.wording import LANGUAGES
from tests.cli.running import run
from tests.ledgers import do, empty_ledger, games, import_text
from tests.reports.test_standings import DAY
from tests.web.conftest import Open
from tests.web.filling import Answer, form_of, sent
from tests.web.support import text_of
from web.read_models.model_store import ModelStore

PART = {"hx-request": "true"}  # asks for the row of a board only
MARKUP = "<i>'&"


@pytest.fixture
def event() -> Ledger:
    """A Swiss of four with its rules and its first round, and two accounts of arbiters."""
    ledger = empty_ledger()
    rows = "".join(f"{one};Player {one} {MARKUP}\n" for one in "ABCDEF")
    import_text(ledger, "id;name\n" + rows)
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name=f"T {MARKUP}", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in "ABCD"),
        c.GrantRole(account="eva", role=Role.ARBITER, tournament="t"),
        c.GrantRole(account="max", role=Role.ARBITER),
    )  # fmt: skip
    return ledger


def events(ledger: Ledger) -> list[tuple[str, str]]:
    return [(each.type, each.payload) for each in ledger.journal.events()]


def pair(desk: TestClient, event: str = "t") -> Answer:
    """Publishes the next round as it is shown."""
    page = desk.get(f"/desk/{event}/pair").text
    shown = re.search(r'name="shown" value="([0-9a-f]{64})"', page)
    assert shown, page
    return sent(desk, form_of(page, f"/desk/{event}/pair", shown=shown[1]))


def tap(
    desk: TestClient, round_: int, board: int, result: str, event: str = "t", act: str = "record"
) -> Answer:
    """Taps a button of a board."""
    here = f"/desk/{event}/rounds/{round_}"
    form = form_of(desk.get(here).text, f"{here}/boards/{board}", act=act)
    return sent(desk, form, result=result)


def about(desk: TestClient, player: str, act: str, event: str = "t", **said: str) -> Answer:
    """Fills in a form about a participant."""
    here = f"/desk/{event}/entries/{player}"
    form = form_of(desk.get(here).text, here, act=act)
    return sent(desk, form, **said)


def told(answer: Answer) -> str:
    """Returns what a page tells of a form that was sent."""
    found = re.findall(
        r'<(?:div|p) class="(?:problem|done)".*?</(?:div|p)>', answer.text, re.DOTALL
    )
    return " ".join(found)


@pytest.mark.slow
class TestAWholeTournament:
    """The example of the command line, by forms."""

    @pytest.fixture
    def typed(self, tmp_path: Path) -> Iterator[Ledger]:
        """The example as the command line makes it."""
        assert run("demo-tournament", "typed", cwd=tmp_path).code == 0
        yield from opened(tmp_path / "typed" / "rating-ledger.db")

    @pytest.fixture
    def tapped(self, tmp_path: Path) -> Iterator[Ledger]:
        """The list of the example and its players, before the tournament."""
        players = files("ledger.examples").joinpath(EXAMPLE, "players.csv")
        for words in (
            ("init",),
            ("list", "define", LIST, "--regulation", "fenamac-1973", "--calendar", "monthly",
             "--first", "1975-11-01"),
            ("import", str(players), "--list", LIST),
        ):  # fmt: skip
            assert run(*words, cwd=tmp_path).code == 0
        yield from opened(tmp_path / "rating-ledger.db")

    def test_has_the_same_events_as_on_the_command_line(
        self, typed: Ledger, tapped: Ledger, sign_in: Open
    ) -> None:
        desk = sign_in(tapped)
        self.open(desk)
        self.first_rounds(desk)
        self.adjourned_game(desk)
        self.protest(desk, tapped)
        self.last_rounds(desk)
        assert of_event(tapped) == of_event(typed)

    def open(self, desk: TestClient) -> None:
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        answer = sent(
            desk, form, tournament=EVENT, name="Abierto Regiomontano", place="Monterrey",
            start="1975-11-15", end="1975-11-21", rounds="7", pairing="fenamac-1975",
            tie_breaks="median,solkoff,sonneborn-berger", prizes="3000,2000,1500,1000",
        )  # fmt: skip
        assert answer.url.path == f"/desk/{EVENT}", told(answer)
        entries = files("ledger.examples").joinpath(EXAMPLE, "entries.csv").read_text("utf-8")
        here = f"/desk/{EVENT}/entries"
        answer = sent(desk, form_of(desk.get(here).text, here), list=entries)
        assert "Ibáñez Robles" in answer.text

    def results(self, desk: TestClient, round_: int) -> None:
        here = f"/desk/{EVENT}/rounds/{round_}"
        page = desk.get(here).text
        for board, result in enumerate(RESULTS[round_].split(), start=1):
            if result != "…":
                form = form_of(page, f"{here}/boards/{board}", act="record")
                answer = desk.post(
                    form.action, data=dict(form.filled({"result": result})), headers=PART
                )
                assert answer.status_code == 200, answer.text

    def first_rounds(self, desk: TestClient) -> None:
        pair(desk, EVENT)
        self.results(desk, 1)
        here = f"/desk/{EVENT}/entries"
        found = desk.get(here, params={"search": "martinez solorzano"}).text
        sent(desk, form_of(found, here), player=LATE, from_round="2")
        pair(desk, EVENT)
        self.results(desk, 2)
        about(desk, AWAY, "absent", EVENT, round="3")
        why = "the bus from Saltillo broke down"
        about(desk, MISSED, "excuse", EVENT, from_round="3", reason=why)
        pair(desk, EVENT)
        self.results(desk, 3)

    def adjourned_game(self, desk: TestClient) -> None:
        here = f"/desk/{EVENT}/rounds/3"
        sent(desk, form_of(desk.get(here).text, f"{here}/boards/2", act="adjourn"))
        waits = text_of(desk.get(f"/desk/{EVENT}/pair").text)
        assert "1 board has no result yet. Results of round 3" in waits
        tap(desk, 3, 2, "1-1", EVENT, act="temporary")
        pair(desk, EVENT)
        tap(desk, 3, 2, "1-0", EVENT)
        self.results(desk, 4)
        about(desk, LEAVES, "withdraw", EVENT, from_round="5")
        pair(desk, EVENT)
        self.results(desk, 5)

    def protest(self, desk: TestClient, ledger: Ledger) -> None:
        pair(desk, EVENT)
        seats = PROTESTED[2:]
        (board,) = (
            each.place
            for each in round_desk(ledger, EVENT, 5).boards
            if (each.white, each.black) == seats
        )
        here = f"/desk/{EVENT}/rounds/5"
        form = form_of(desk.get(here).text, f"{here}/boards/{board}", act="correct")
        sent(desk, form, result="1-0", reason="the protest is upheld: Black's flag had fallen")
        here = f"/desk/{EVENT}/rounds/6"
        form = form_of(desk.get(here).text, f"{here}/withdraw")
        sent(desk, form, reason="paired before the protest was decided")
        pair(desk, EVENT)

    def last_rounds(self, desk: TestClient) -> None:
        self.results(desk, 6)
        pair(desk, EVENT)
        self.results(desk, 7)
        here = f"/desk/{EVENT}/standings"
        sent(desk, form_of(desk.get(here).text, here))
        here = f"/desk/{EVENT}"
        answer = sent(desk, form_of(desk.get(here).text, f"{here}/close"))
        assert "The report is handed in" in answer.text


def opened(path: Path) -> Iterator[Ledger]:
    journal = open_journal(str(path))
    yield Ledger(journal, lambda: dt.datetime.now(dt.UTC))
    journal.close()


def of_event(ledger: Ledger) -> list[tuple[str, str]]:
    return [each for each in events(ledger) if f'"tournament":"{EVENT}"' in each[1]]


def test_a_page_of_every_kind_is_shown_to_the_arbiter_in_both_languages(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    paths = [
        "/desk", "/desk/new", "/desk/t", "/desk/t/rules", "/desk/t/entries",
        "/desk/t/entries?search=player", "/desk/t/found?search=player", "/desk/t/entries/A",
        "/desk/t/teams", "/desk/t/numbers", "/desk/t/numbers?way=lot&seed=x", "/desk/t/rounds/1",
        "/desk/t/standings", "/desk/t/report", "/desk/t/report.trf",
    ]  # fmt: skip
    for path in paths:
        for lang in ("en", "es"):
            who = sign_in(event) if path == "/desk/new" else desk
            answer = who.get(path, headers={"accept-language": lang})
            assert answer.status_code == 200, path
            assert answer.headers["cache-control"] == "no-store", path
            assert path.endswith(".trf") or "<i>" not in answer.text, path
            assert " style=" not in answer.text, path
            assert "onclick" not in answer.text, path


def test_the_report_is_checked_for_fide_and_fetched_by_rounds(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    for board in (1, 2):
        tap(desk, 1, board, "1-0")
    assert 'href="/desk/t/report"' in desk.get("/desk/t").text
    check = fide_check_of_tournament(event, "t", None)
    assert check.refusals
    page = unescape(desk.get("/desk/t/report").text)
    for refusal in check.refusals:
        assert refusal.sentence.within("en") in page
    part = desk.get("/desk/t/report.trf?from=1&to=1")
    assert part.content == tournament_report(event, "t", None, None, "1-1")
    assert desk.get("/desk/t/report.trf?from=&to=").content == tournament_report(event, "t", None)
    refused = desk.get("/desk/t/report.trf?from=8&to=9")
    assert refused.status_code == 422
    assert "8-9" in refused.text


def test_what_the_report_lacks_is_completed_at_the_desk(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    tap(desk, 1, 1, "1-0")
    here = "/desk/t/report"
    assert "the record 102 (chief arbiter) is missing" in unescape(desk.get(here).text)
    form = form_of(desk.get(here).text, here)
    said = {"place": "Club", "federation": "CHI", "chief_arbiter": "3400001 Soto, Ana"}
    assert sent(desk, form, **said, time_control="90 min + 30 s").status_code == 200
    codes = {"022", "032", "102", "122"}
    lines = tournament_report(event, "t", None).decode().splitlines()
    assert {line[:3]: line[4:] for line in lines if line[:3] in codes} == {
        "022": "Club", "032": "CHI", "102": "3400001 Soto, Ana", "122": "90 min + 30 s",
    }  # fmt: skip
    again = form_of(desk.get(here).text, here)
    assert again.value("chief_arbiter") == "3400001 Soto, Ana"
    refused = sent(desk, again, federation="Chile")
    assert refused.status_code == 422
    assert len(round_desk(event, "t", 1).boards) == 2, "nothing else of it is another one"


@pytest.mark.parametrize(
    ("name", "roles", "status"),
    [
        ("", (), 404),  # this site has no accounts: there is nowhere to sign in
        ("eva", (Role.ARBITER,), 200),
        ("max", (Role.ARBITER,), 200),
        ("bob", (Role.ARBITER,), 403),
        ("ana", (Role.OFFICER,), 200),
        ("kim", (Role.AUDITOR,), 403),
        ("pat", (Role.ADMINISTRATOR,), 403),
    ],
)
def test_an_arbiter_stands_at_his_tournaments_only(
    event: Ledger, sign_in: Open, name: str, roles: tuple[Role, ...], status: int
) -> None:
    desk = sign_in(event, name, *roles)
    desk.follow_redirects = False
    before = events(event)
    assert desk.get("/desk/t").status_code == status
    assert desk.get("/desk/t/pair").status_code == status
    if status != 200:
        said = {"key": "k", "list": "E", "act": "withdraw", "from_round": "1", "result": "1-0"}
        for path in ("entries", "entries/A", "rules", "close", "numbers", "pair", "standings"):
            assert desk.post(f"/desk/t/{path}", data=said).status_code == status, path
        assert desk.post("/desk/t/rounds/1/boards/1", data=said).status_code == status
        assert events(event) == before


def test_what_was_handed_in_is_changed_by_officers_only(event: Ledger, sign_in: Open) -> None:
    arbiter = sign_in(event, "eva", Role.ARBITER)
    pair(arbiter)
    tap(arbiter, 1, 1, "1-0")
    right = form_of(
        arbiter.get("/desk/t/rounds/1").text, "/desk/t/rounds/1/boards/1", act="correct"
    )
    turned = {"result": "0-1", "reason": "score sheet"}
    close = form_of(arbiter.get("/desk/t").text, "/desk/t/close")
    anyway = {"anyway": "1", "reason": "the hall is on fire"}
    assert sent(arbiter, close, **anyway).status_code == 200
    closed = events(event)
    again = sent(arbiter, close, **anyway)
    assert again.status_code == 200, "the same form again is the same request"
    other_tab = sent(arbiter, close, key="another", **anyway)
    assert "The report of t was handed in already" in text_of(other_tab.text)
    said = {"key": "k", "list": "E", "act": "withdraw", "from_round": "2", "after": "1"}
    said |= {
        "pairing": "fenamac-1975",
        "reason": "why",
        "way": "rating",
        "round": "1",
        "result": "1-0",
    }
    for path in ("entries", "entries/A", "rules", "close", "numbers", "rounds/1/withdraw",
                 "standings"):  # fmt: skip
        assert arbiter.post(f"/desk/t/{path}", data=said).status_code == 403, path
    said["by_hand"], said["boards"] = "1", "A B"
    assert arbiter.post("/desk/t/pair", data=said).status_code == 403
    assert sent(arbiter, right, **turned).status_code == 403
    for act in ("adjourn", "temporary", "record"):
        answer = arbiter.post("/desk/t/rounds/1/boards/2", data=said | {"act": act})
        assert answer.status_code == 403, act
    assert events(event) == closed
    for page in ("rounds/1", "standings", "entries/A"):
        assert 'action="/desk/' not in arbiter.get(f"/desk/t/{page}").text, page
    assert sent(sign_in(event), right, **turned).status_code == 200
    assert events(event)[-1][0] == "result.corrected"


def test_a_round_that_numbers_all_anew_is_told_and_not_the_one_after_it(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    for board in (1, 2):
        page = desk.get("/desk/t/pair")
        assert page.status_code == 200
        assert "no result yet" in text_of(page.text)
        assert 'href="/desk/t/rounds/1"' in page.text
        tap(desk, 1, board, "1-0")
    do(
        event,
        c.EnterPlayer(tournament="t", player="E"),
        c.DescribeEntry(tournament="t", player="E", from_round=2, pairing_rating=2400),
    )
    assert "Starting numbers that change: 5" in text_of(desk.get("/desk/t/pair").text)
    answer = pair(desk)
    assert answer.status_code == 200, told(answer)
    assert "somebody entered late" in text_of(answer.text)
    assert "Pair round 3" not in text_of(answer.text)
    for path in ("/desk/t/standings", "/tournaments/t"):
        assert f"Player E {MARKUP} entered late, for round 2." in text_of(desk.get(path).text)
    assert "has no result" not in text_of(answer.text)
    assert 'href="/desk/t/rounds/2"' in answer.text


def test_who_left_comes_back_by_the_form_that_stands_in_its_place(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    page = desk.get("/desk/t/entries/A").text
    assert 'value="withdraw"' in page
    assert 'value="return"' not in page
    about(desk, "A", "withdraw", from_round="2")
    page = desk.get("/desk/t/entries/A").text
    assert 'value="withdraw"' not in page
    answer = about(desk, "A", "return", reason="it was B")
    assert answer.status_code == 200
    record = require_tournament(event, "t", event.journal.head().seq)
    assert not record.withdrawn
    assert not record.away


def test_what_is_not_over_is_handed_in_for_a_reason_and_reopened_by_an_officer(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    page = desk.get("/desk/t").text
    refused = sent(desk, form_of(page, "/desk/t/close"))
    assert refused.status_code == 422
    assert "handed in all the same, and say why" in told(refused)
    assert "round 1: 2 games have no result" in text_of(refused.text)
    assert "1 of 3 announced rounds are paired" in text_of(refused.text)
    assert sent(desk, form_of(page, "/desk/t/close"), anyway="1").status_code == 422
    closed = sent(desk, form_of(page, "/desk/t/close"), anyway="1", reason="the hall is on fire")
    assert closed.status_code == 200
    assert event.facts().is_closed.tolist() == [True]
    assert 'value="reopen"' not in desk.get("/desk/t").text
    assert "have an officer reopen the event" in text_of(desk.get("/desk/t").text)
    officer = sign_in(event, "ana", Role.OFFICER)
    form = form_of(officer.get("/desk/t").text, "/desk/t/ruling", reopen="1")
    assert sent(officer, form, reason="it went on in another hall").status_code == 200
    assert event.facts().is_closed.tolist() == [False]
    page = text_of(desk.get("/desk/t").text)
    assert "handed back by ana" in page
    assert "it went on in another hall" in page
    before = events(event)
    again = sent(officer, form, reason="in a <third> hall", key="another")
    assert again.status_code == 422
    rating = form_of(again.text, "/desk/t/ruling")
    assert rating.value("reason") == "", "what was sent by one form stands in no other"
    unsaid = sent(officer, rating, reason="no word of what is ruled")
    assert unsaid.status_code == 422
    assert "say something under Is it rated?" in told(unsaid)
    assert events(event) == before


def test_an_arbiter_who_is_limited_opens_no_tournament(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    before = events(event)
    assert "/desk/new" not in desk.get("/desk").text
    for answer in (
        desk.get("/desk/new"),
        desk.post("/desk/new", data={"key": "k", "name": "U", "start": "2026-01-02"}),
    ):
        assert answer.status_code == 403
        assert "limited to some tournaments" in text_of(answer.text)
    assert events(event) == before


def test_other_arbiters_and_officers_open_tournaments(event: Ledger, sign_in: Open) -> None:
    for name, role in (("max", Role.ARBITER), ("ana", Role.OFFICER)):
        desk = sign_in(event, name, role)
        assert 'href="/desk/new"' in desk.get("/desk").text
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        answer = sent(desk, form, tournament=f"u {name}", name="U", start="2026-01-02")
        assert "<h1><bdi>U</bdi></h1>" in answer.text
        assert answer.status_code == 200
        assert events(event)[-1][0] == "tournament.opened"


def test_a_round_is_published_as_it_was_shown_or_shown_anew(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    page = desk.get("/desk/t/pair").text
    do(event, c.EnterPlayer(tournament="t", player="E"), c.EnterPlayer(tournament="t", player="F"))
    before = events(event)
    answer = sent(desk, form_of(page, "/desk/t/pair"))
    assert answer.status_code == 409
    assert "not what was shown any more" in told(answer)
    assert events(event) == before
    assert "Player E" in answer.text
    assert sent(desk, form_of(answer.text, "/desk/t/pair")).url.path == "/desk/t/rounds/1"
    assert len(round_desk(event, "t", 1).boards) == 3


def test_a_round_that_is_sent_twice_is_published_once(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    form = form_of(desk.get("/desk/t/pair").text, "/desk/t/pair")
    first = sent(desk, form)
    head = event.journal.head()
    again = sent(desk, form)
    assert first.status_code == again.status_code == 200
    assert again.url.path == "/desk/t/rounds/1"
    assert "recorded already" in told(again)
    assert event.journal.head() == head


def test_boards_by_hand_need_a_reason_and_are_kept_in_the_form(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    form = form_of(desk.get("/desk/t/pair").text, "/desk/t/pair", by_hand="1")
    refused = sent(desk, form, boards="1 4\n3 2")
    assert refused.status_code == 422
    assert "1 4\n3 2" in refused.text
    form = form_of(refused.text, "/desk/t/pair", by_hand="1")
    long = sent(desk, form, boards="1 4\n3 2", reason="x" * 2_001)
    assert (long.status_code, "too long: of 2001 characters" in told(long)) == (422, True)
    assert sent(desk, form, boards="1 4\n3 2", reason="a promise").status_code == 200
    boards = [(each.white, each.black) for each in round_desk(event, "t", 1).boards]
    assert boards == [("A", "D"), ("C", "B")]


def test_a_bye_of_half_a_point_is_called_one(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    about(desk, "D", "absent", round="1", half="1")
    assert "Bye of half a point in round 1." in text_of(desk.get("/desk/t/entries/D").text)
    assert "Bye of half a point, asked for: 4 Player D" in text_of(desk.get("/desk/t/pair").text)


def test_who_looks_for_a_usual_name_is_told_that_there_are_more(
    event: Ledger, sign_in: Open
) -> None:
    import_text(event, "id;name\n" + "".join(f"V{n};Vega, {n}\n" for n in range(21)))
    desk = sign_in(event, "eva", Role.ARBITER)
    assert "The first 20: write more of the name" in desk.get("/desk/t/found?search=vega").text
    assert "1 player found" in desk.get("/desk/t/found?search=vega 20").text


def test_what_was_recorded_is_named_for_who_recorded_it(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    here = "/desk/t/entries"
    entered = sent(desk, form_of(desk.get(here).text, here), list="E\nF")
    assert "2 entries." in told(entered)
    assert "2 inscripciones." in told(desk.get(f"{entered.url}&lang=es"))
    other = told(sign_in(event, "max", Role.ARBITER).get(str(entered.url)))
    assert "Recorded." in other
    assert "entries" not in other


def test_an_entry_that_was_a_mistake_is_taken_back(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    entries = "/desk/t/entries"
    assert about(desk, "D", "undo").url.path == entries
    assert [each.id for each in event_desk(event, "t").entries] == ["A", "B", "C"]
    assert not corrections(event)
    sent(desk, form_of(desk.get(entries).text, entries), list="D\nE")
    page = desk.get(f"{entries}/E").text
    undo = form_of(page, f"{entries}/E", act="undo")
    about(desk, "E", "absent", round="1")
    late = sent(desk, undo)
    assert late.status_code == 422
    assert "withdraw the player instead" in told(late)
    twice = sent(desk, form_of(desk.get(entries).text, entries), list="E")
    assert f"Player E {MARKUP} (E) is entered in T {MARKUP} already" in text_of(twice.text)
    pair(desk)
    assert 'value="undo"' not in desk.get(f"{entries}/A").text


def test_who_leaves_a_board_without_a_result_leads_to_it(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event, "eva", Role.ARBITER)
    pair(desk)
    board = round_desk(event, "t", 1).board("1")
    page = about(desk, board.white, "withdraw", from_round="1", reason="ill").text
    assert 'href="/desk/t/rounds/1#board-1"' in page
    assert "Say at the board who was there" in page
    tap(desk, 1, 1, "-/+")
    assert "#board-1" not in desk.get(f"/desk/t/entries/{board.white}").text


class TestABoard:
    """Taps: one each, by one or several arbiters."""

    @pytest.fixture
    def desk(self, event: Ledger, sign_in: Open) -> TestClient:
        """The desk of eva, with round 1 published."""
        desk = sign_in(event, "eva", Role.ARBITER)
        pair(desk)
        return desk

    def test_a_tap_is_one_commit_of_the_account(self, event: Ledger, desk: TestClient) -> None:
        before = event.journal.head().commit_id
        answer = tap(desk, 1, 1, "1-0")
        assert answer.url.path == "/desk/t/rounds/1"
        assert "<b>1–0</b>" in answer.text
        assert event.journal.head().commit_id == before + 1
        assert commit_of(event, event.journal.head().seq).actor == "eva"

    def test_htmx_is_answered_with_the_row(self, desk: TestClient) -> None:
        here = "/desk/t/rounds/1"
        form = form_of(desk.get(here).text, f"{here}/boards/2", act="record")
        answer = desk.post(form.action, data=dict(form.filled({"result": "0-1"})), headers=PART)
        assert answer.text.lstrip().startswith("<li")
        assert "<html" not in answer.text
        assert "<b>0–1</b>" in answer.text

    @pytest.mark.parametrize("headers", [{}, PART])
    def test_what_was_tapped_when_others_sat_there_is_not_recorded(
        self, event: Ledger, desk: TestClient, headers: Mapping[str, str]
    ) -> None:
        here = "/desk/t/rounds/1"
        page = desk.get(here).text
        sent(desk, form_of(page, f"{here}/withdraw"), reason="A and D promised to meet")
        by_hand = form_of(desk.get("/desk/t/pair").text, "/desk/t/pair", by_hand="1")
        sent(desk, by_hand, boards="1 4\n3 2", reason="A and D promised to meet")
        before = events(event)
        form = form_of(page, f"{here}/boards/1", act="record")
        answer = desk.post(form.action, data=dict(form.filled({"result": "1-0"})), headers=headers)
        assert answer.status_code == 409
        assert "other players sit at board 1" in told(answer)
        assert events(event) == before
        assert tap(desk, 1, 1, "1-0").status_code == 200, "on the page as it is now"

    def test_a_double_tap_records_once(self, event: Ledger, desk: TestClient) -> None:
        here = "/desk/t/rounds/1"
        form = form_of(desk.get(here).text, f"{here}/boards/1", act="record")
        with ThreadPoolExecutor(4) as many:
            answers = list(many.map(lambda _: sent(desk, form, result="1-0"), range(8)))
        assert {answer.status_code for answer in answers} == {200}
        assert [each for each, _ in events(event)].count("result.recorded") == 1

    def test_the_same_result_of_two_arbiters_is_no_quarrel(
        self, event: Ledger, desk: TestClient, sign_in: Open
    ) -> None:
        here = "/desk/t/rounds/1"
        page = desk.get(here).text
        tap(sign_in(event, "max", Role.ARBITER), 1, 1, "1-0")
        answer = sent(desk, form_of(page, f"{here}/boards/1", act="record"), result="1-0")
        assert answer.status_code == 200
        assert "problem" not in told(answer)
        assert "<b>1–0</b>" in answer.text

    @pytest.mark.parametrize("headers", [{}, PART])
    def test_another_result_is_told_with_who_recorded_it(
        self, event: Ledger, desk: TestClient, sign_in: Open, headers: Mapping[str, str]
    ) -> None:
        here = "/desk/t/rounds/1"
        page = desk.get(here).text
        tap(sign_in(event, "max", Role.ARBITER), 1, 1, "1-0")
        before = events(event)
        form = form_of(page, f"{here}/boards/1", act="record")
        answer = desk.post(form.action, data=dict(form.filled({"result": "0-1"})), headers=headers)
        assert answer.status_code == 409
        assert "max recorded 1–0" in told(answer)
        assert "<b>1–0</b>" in answer.text
        assert events(event) == before

    def test_two_arbiters_at_many_boards_lose_nothing(
        self, event: Ledger, desk: TestClient, sign_in: Open
    ) -> None:
        desks = [desk, sign_in(event, "max", Role.ARBITER)]
        here = "/desk/t/rounds/1"
        pages = [each.get(here).text for each in desks]

        def said(place: int) -> int:
            form = form_of(pages[place % 2], f"{here}/boards/{place}", act="record")
            return int(sent(desks[place % 2], form, result="1/2-1/2").status_code)

        with ThreadPoolExecutor(2) as both:
            assert list(both.map(said, (1, 2))) == [200, 200]
        assert {each.result for each in round_desk(event, "t", 1).boards} == {"1/2-1/2"}

    def test_a_slip_is_typed_anew_without_a_reason_and_without_a_mark(
        self, event: Ledger, desk: TestClient
    ) -> None:
        tap(desk, 1, 1, "1-0")
        here = "/desk/t/rounds/1"
        form = form_of(desk.get(here).text, f"{here}/boards/1", act="correct")
        assert sent(desk, form, result="0-1", reason="").status_code == 200
        assert round_desk(event, "t", 1).board("1").result == "0-1"
        assert "corrected" not in text_of(desk.get("/tournaments/t/rounds/1").text)

    def test_the_newest_tap_is_taken_back(
        self, event: Ledger, desk: TestClient, sign_in: Open
    ) -> None:
        here = "/desk/t/rounds/1"
        first = form_of(desk.get(here).text, f"{here}/boards/1", act="record")
        row = desk.post(first.action, data=dict(first.filled({"result": "1-0"})), headers=PART)
        undo = form_of(row.text, f"{here}/boards/1", act="undo")
        tap(desk, 1, 2, "0-1")
        page = desk.get(here).text
        assert page.count('value="undo"') == 1
        assert page.index('id="board-2"') < page.index('id="board-1"'), "the newest is first"
        assert 'value="undo"' not in sign_in(event, "max", Role.ARBITER).get(here).text
        row = desk.post(undo.action, data=dict(undo.filled({})), headers=PART)
        assert 'value="record"' in row.text
        assert [each.result for each in round_desk(event, "t", 1).boards] == [None, "0-1"]
        again = desk.post(undo.action, data=dict(undo.filled({})), headers=PART)
        assert (again.status_code, again.text.count("alert")) == (200, 0)
        tap(desk, 1, 1, "1-0")
        late = sent(desk, undo, key="another form")
        assert late.status_code == 409
        assert "was recorded meanwhile" in told(late)
        assert not corrections(event)

    def test_a_correction_needs_a_reason_and_what_was_seen(
        self, event: Ledger, desk: TestClient, sign_in: Open
    ) -> None:
        tap(sign_in(event, "max", Role.ARBITER), 1, 1, "1-0")
        here = "/desk/t/rounds/1"
        page = desk.get(here).text
        form = form_of(page, f"{here}/boards/1", act="correct")
        refused = sent(desk, form, result="0-1", reason=" ")
        assert refused.status_code == 422
        assert "say why" in told(refused)
        assert sent(desk, form, result="0-1", reason="score sheet").status_code == 200
        late = sent(desk, form, result="1/2-1/2", reason="a draw after all")
        assert late.status_code == 409
        assert "meanwhile" in told(late)
        assert 'value="a draw after all"' in late.text
        assert round_desk(event, "t", 1).board("1").result == "0-1"
        again = sent(desk, form, result="0-1", reason="score sheet")
        assert again.status_code == 200
        assert "recorded already" in told(again)

    def test_colours_that_were_reversed_are_one_form(self, event: Ledger, desk: TestClient) -> None:
        tap(desk, 1, 1, "1-0")
        here = "/desk/t/rounds/1"
        seen = round_desk(event, "t", 1).board("1")
        form = form_of(desk.get(here).text, f"{here}/boards/1", act="colours")
        refused = sent(desk, form, reason=" ")
        assert refused.status_code == 422
        assert sent(desk, form, reason="both say so").status_code == 200
        now = round_desk(event, "t", 1).board("1")
        assert (now.white, now.black, now.result) == (seen.black, seen.white, "0-1")
        page = desk.get(here).text
        assert "Played with other colours than published: board 1." in text_of(page)
        # The same form again turns nothing back.
        again = sent(desk, form, reason="both say so")
        assert "recorded already" in told(again)
        assert round_desk(event, "t", 1).board("1") == now
        tap(desk, 1, 2, "+/-")
        assert page.count('value="colours"') == 1
        assert desk.get(here).text.count('value="colours"') == 1

    @pytest.mark.parametrize(
        ("board", "said"),
        [
            ("1", {"act": "colours", "reason": "r"}),
            ("1", {"act": "colours", "reason": "r", "seats": "A B"}),
            ("1", {"act": "record"}),
            ("1", {"act": "record", "result": "2-0"}),
            ("1", {"act": "record", "result": "1-1"}),
            ("1", {"act": "temporary", "result": "1-0aa"}),
            ("1", {"act": "correct", "result": "1-0", "seen": "x", "reason": "r"}),
            ("1", {"act": "correct", "result": "1-0", "seen": "9" * 99, "reason": "r"}),
            ("1", {"act": "steal", "result": "1-0"}),
            ("1", {}),
            ("3", {"act": "record", "result": "1-0"}),
            ("1.1", {"act": "record", "result": "1-0"}),
            ("0", {"act": "record", "result": "1-0"}),
            ("x", {"act": "record", "result": "1-0"}),
        ],
    )
    def test_what_cannot_be_is_refused(
        self, event: Ledger, desk: TestClient, board: str, said: dict[str, str]
    ) -> None:
        before = events(event)
        answer = desk.post(f"/desk/t/rounds/1/boards/{board}", data={"key": "k", **said})
        assert answer.status_code in {404, 422}
        assert events(event) == before

    def test_a_field_that_was_left_empty_is_called_as_the_page_calls_it(
        self, desk: TestClient
    ) -> None:
        typed = {"key": "k", "act": "absent", "round": ""}
        answer = desk.post("/desk/t/entries/A", data=typed)
        assert answer.status_code == 422
        assert "say something under Round" in told(answer)
        answer = desk.post("/desk/t/entries/A?lang=es", data=typed)
        assert "Ronda" in told(answer)

    def test_a_form_of_another_site_is_turned_away(self, event: Ledger, desk: TestClient) -> None:
        before = events(event)
        foreign = {"sec-fetch-site": "cross-site"}
        said = {"key": "k", "act": "record", "result": "1-0"}
        answer = desk.post("/desk/t/rounds/1/boards/1", data=said, headers=foreign)
        assert answer.status_code == 403
        assert events(event) == before


class TestRefusals:
    """What was typed stays in the form."""

    def test_of_an_opening(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        said = {"tournament": "t", "name": "Twice <b>", "start": "2026-01-02", "prizes": "5,6"}
        answer = sent(desk, form, **said, system="round-robin")
        assert answer.status_code == 422
        assert told(answer)
        kept = form_of(answer.text, "/desk/new")
        assert {name: kept.value(name) for name in said} == said
        assert kept.value("system") == "round-robin"

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"rounds": "five"}, "Rounds: &#39;five&#39; is no whole number from 1"),
            (
                {"pairing": "berger", "cycles": "9x"},
                "How often all meet (all-play-all): &#39;9x&#39;",
            ),
            (
                {"pairing": "dutch", "rounds": "3", "system": "team-swiss"},
                "a Swiss of teams by the manual of 1975",
            ),
        ],
    )
    def test_say_which_field_is_wrong_and_no_code(
        self, event: Ledger, sign_in: Open, said: dict[str, str], words: str
    ) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        answer = sent(desk, form, tournament="u", name="Open", start="2026-01-02", **said)
        assert answer.status_code == 422
        assert words in told(answer)
        assert "team-1975" not in told(answer)

    def test_leave_letters_that_nobody_sees_as_they_were_sent(
        self, event: Ledger, sign_in: Open
    ) -> None:
        desk = sign_in(event)
        before = events(event)
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        said = {"tournament": "u", "name": "Sur\u200eUno", "start": "2026-01-02"}
        refused = sent(desk, form, **said)
        assert refused.status_code == 422
        kept = form_of(refused.text, "/desk/new")
        assert kept.value("name") == said["name"]
        assert "Sur\\u200eUno" in told(refused)
        assert sent(desk, kept).status_code == 422, "sent as it was shown it is what it was"
        assert events(event) == before
        here = "/desk/t/entries"
        pasted = "no\xadbody\nnor\u200bhe"
        refused = sent(desk, form_of(desk.get(here).text, here), list=pasted)
        assert form_of(refused.text, here).value("list") == pasted

    @pytest.mark.parametrize("tournament", ["club@2026", "liga:a", "a/b", "año nuevo"])
    def test_stay_whatever_an_id_is_made_of(
        self, event: Ledger, sign_in: Open, tournament: str
    ) -> None:
        desk = sign_in(event)
        opened = form_of(desk.get("/desk/new").text, "/desk/new")
        sent(desk, opened, tournament=tournament, name="T", start="2026-01-02")
        here = f"/desk/{quote(tournament, safe='')}/entries"
        refused = sent(desk, form_of(desk.get(here).text, here), list="nobody")
        assert refused.status_code == 422
        assert form_of(refused.text, here).value("list") == "nobody"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"start": "soon"}, {"rounds": "many"}, {"prizes": "a lot"}, {"tournament": "new"},
            {"name": " "}, {"system": "knockout"}, {"end": "2025-01-01"},
            {"pairing": "dutch", "first_colour": "lot"}, {"pairing": "dutch", "forbid": "A"},
            {"pairing": "berger"}, {"pairing": "dutch", "tie_breaks": "luck"},
        ],
    )  # fmt: skip
    def test_of_what_makes_no_sense(
        self, event: Ledger, sign_in: Open, wrong: dict[str, str]
    ) -> None:
        desk = sign_in(event)
        before = events(event)
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        said = {"tournament": "u", "name": "U", "start": "2026-01-02"} | wrong
        answer = sent(desk, form, **said)
        assert answer.status_code == 422
        assert told(answer)
        assert events(event) == before

    def test_of_entries(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/t/entries").text, "/desk/t/entries")
        answer = sent(desk, form, list="E;2000\nnobody of that name\nF;x", from_round="2")
        assert answer.status_code == 422
        kept = form_of(answer.text, "/desk/t/entries")
        assert kept.value("list") == "E;2000\nnobody of that name\nF;x"
        assert kept.value("from_round") == "2"

    @pytest.mark.parametrize(
        ("act", "said"),
        [
            ("absent", {"round": "9"}),
            ("absent", {"round": "x"}),
            ("excuse", {"from_round": "1", "reason": "none was needed"}),
            ("expel", {"from_round": "1", "reason": ""}),
            ("expel", {"from_round": "9", "reason": "late <again>"}),
        ],
    )
    def test_about_a_participant(
        self, event: Ledger, sign_in: Open, act: str, said: dict[str, str]
    ) -> None:
        desk = sign_in(event)
        before = events(event)
        answer = about(desk, "A", act, **said)
        assert answer.status_code == 422
        kept = form_of(answer.text, "/desk/t/entries/A", act=act)
        assert {name: kept.value(name) for name in said} == said
        assert events(event) == before

    def test_of_rules_that_are_in_use(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        pair(desk)
        form = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        refused = sent(desk, form, tie_breaks="solkoff")
        assert refused.status_code == 422
        form = form_of(refused.text, "/desk/t/rules")
        assert form.value("tie_breaks") == "solkoff"
        assert sent(desk, form, reason="the players agreed").status_code == 200

    def test_of_an_opening_without_the_rounds_that_its_system_pairs_by(
        self, event: Ledger, sign_in: Open
    ) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/new").text, "/desk/new")
        said = {"name": "U", "tournament": "u", "start": str(DAY), "pairing": "dutch"}
        refused = sent(desk, form, **said)
        assert refused.status_code == 422
        assert "number of rounds" in told(refused)
        assert sent(desk, form, **said, rounds="3").status_code == 200
        announced_ = json.loads(events(event)[-1][1])["tie_breaks"]
        assert announced_ == [*PROPOSED[PairingMethod.DUTCH]]

    def test_an_arbiter_does_not_decide_what_is_rated(self, event: Ledger, sign_in: Open) -> None:
        said = {"key": "k", "reject": "1", "reason": "no"}
        arbiter = sign_in(event, "eva", Role.ARBITER)
        assert arbiter.post("/desk/t/ruling", data=said).status_code == 403
        officer = sign_in(event)
        assert officer.post("/desk/t/ruling", data=said).status_code == 200
        assert events(event)[-1][0] == "tournament.rejected"
        page = officer.get("/desk/t").text
        sent(officer, form_of(page, "/desk/t/ruling"), accept="1", reason="after all")
        assert events(event)[-1][0] == "tournament.accepted"


def test_a_form_that_says_something_else_is_another_request(event: Ledger, sign_in: Open) -> None:
    """Back, then filled in otherwise: recorded as what it says, not refused as a twin."""
    desk = sign_in(event)
    form = form_of(desk.get("/desk/t/entries/A").text, "/desk/t/entries/A", act="absent")
    assert sent(desk, form, round="2").status_code == 200
    assert sent(desk, form, round="3").status_code == 200
    absences = [payload for each, payload in events(event) if each == "absence.announced"]
    assert len(absences) == 2


def test_numbers_are_shown_before_they_are_given(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    before = events(event)
    page = desk.get("/desk/t/numbers?way=lot&seed=may").text
    assert events(event) == before
    form = form_of(page, "/desk/t/numbers", way="lot")
    assert sent(desk, form).status_code == 200
    kind, payload = events(event)[-1]
    assert kind == "numbers.assigned"
    assert '"seed":"may"' in payload


def test_a_team_event_is_run_by_forms(sign_in: Open) -> None:
    ledger = empty_ledger()
    import_text(ledger, "id,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 9)))
    desk = sign_in(ledger)
    form = form_of(desk.get("/desk/new").text, "/desk/new")
    sent(
        desk, form, tournament="l", name="Liga", start="2025-01-02", system="team-swiss",
        rounds="1", pairing="team-1975", team_boards="2",
    )  # fmt: skip
    for team, players in (("X", "1\n2\n3"), ("Y", "4\n5\nPlayer 6")):
        form = form_of(desk.get("/desk/l/teams").text, "/desk/l/teams")
        answer = sent(desk, form, team=team, name=f"Team {team}", players=players)
        assert answer.status_code == 200, told(answer)
    pair(desk, "l")
    form = form_of(desk.get("/desk/l/teams").text, "/desk/l/teams/Y/lineup")
    assert sent(desk, form, round="1", players="4\n6").status_code == 200
    here = "/desk/l/rounds/1"
    for place in ("1.1", "1.2"):
        page = desk.get(here).text
        answer = sent(desk, form_of(page, f"{here}/boards/{place}", act="record"), result="1-0")
        assert answer.status_code == 200, told(answer)
    assert [each.result for each in round_desk(ledger, "l", 1).boards] == ["1-0", "1-0"]
    assert desk.get("/desk/l").text.count("All rounds are played") == 1


def test_a_pasted_list_is_refused_at_the_line_that_was_pasted(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    form = form_of(desk.get("/desk/t/entries").text, "/desk/t/entries")
    for header, line in (("", 2), ("player\n", 3)):
        for wrong in ("nobody of that name", "F;;first"):
            answer = sent(desk, form, list=f"{header}E\n{wrong}")
            assert answer.status_code == 422
            assert "1 problem in the list" in told(answer)
            assert f"<b>Line {line}:</b>" in answer.text


def test_a_short_name_is_made_where_none_is_said(sign_in: Open) -> None:
    desk = sign_in(empty_ledger())
    form = form_of(desk.get("/desk/new").text, "/desk/new")
    answer = sent(desk, form, name="Club Ñuñoa", start="2026-03-01")
    assert answer.url.path == "/desk/club-nunoa-2026-03-01", told(answer)


def test_candidates_for_a_name_are_no_problems_of_the_list(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    form = form_of(desk.get("/desk/t/entries").text, "/desk/t/entries")
    answer = sent(desk, form, list="F\nPlayer")
    assert "1 problem in the list" in told(answer)
    assert answer.text.count("<li><b>Line 2:</b>") == 1 < answer.text.count("Player A")


def test_who_is_ticked_stays_so_when_others_are_looked_for(event: Ledger, sign_in: Open) -> None:
    desk, here = sign_in(event), "/desk/t/entries"
    page = sent(desk, form_of(desk.get(here).text, here), search="E", look="yes").text
    page = sent(desk, form_of(page, here), player="E", search="F", look="yes", from_round="2").text
    form = form_of(page, here)
    assert form.value("from_round") == "2"
    assert [said for said in form.fields if said[0] == "player"] == [("player", "E")]
    assert "1 player chosen" in text_of(page)
    part = desk.get("/desk/t/found", params={"search": "F", "player": ["E", "nobody"]}).text
    assert re.findall(r'name="player" value="([EF])"( checked)?', part) == [
        ("E", " checked"),
        ("F", ""),
    ]
    assert form.value("search") == "F"
    assert sent(desk, form, player=["E", "F"]).url.path == here
    assert {"E", "F"} <= {each.id for each in event_desk(event, "t").entries}


def test_enter_enters_where_what_is_searched_for_was_found(event: Ledger, sign_in: Open) -> None:
    desk, here = sign_in(event), "/desk/t/entries"
    form = form_of(desk.get(f"{here}?search=E").text, here)
    assert form.buttons[0] == ("pressed", "yes"), "Enter presses the first button"
    page = sent(desk, form, player="E", search="F", from_round="2", pressed="yes").text
    form = form_of(page, here)
    assert (form.value("searched"), form.value("from_round")) == ("F", "2")
    assert [said for said in form.fields if said[0] == "player"] == [("player", "E")]
    assert "E" not in {each.id for each in event_desk(event, "t").entries}
    sent(desk, form, player=["E", "F"], pressed="yes")
    entries = {each.id: each.from_round for each in event_desk(event, "t").entries}
    assert (entries["E"], entries["F"]) == (2, 2)


def test_whoever_was_just_registered_is_found_though_the_register_is_being_made_ready(
    event: Ledger, sign_in: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_text(event, "id;name\nN;Nueva Ana\n")
    monkeypatch.setattr(ModelStore, "model", lambda *_: None)
    assert "Nueva" in sign_in(event).get("/desk/t/entries?search=nueva").text


def test_who_gets_another_number_with_the_first_round_is_told(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    page = desk.get("/desk/t/pair").text
    assert "another number" not in page
    do(event, c.DescribeEntry(tournament="t", player="D", pairing_rating=2400))
    page = desk.get("/desk/t/pair").text
    assert "another number" in page
    assert "1 Player D" in text_of(page)
    assert "(was 4)" in text_of(page)


class TestTieBreaks:
    """They are chosen from a list, in their order, or said by their codes."""

    def test_are_chosen_in_their_order(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        chosen = ["BH/C1", "", "solkoff"]
        assert sent(desk, form, tie_break=chosen, pairing="fenamac-1975").status_code == 200
        assert '"tie_breaks":["BH/C1","solkoff"]' in events(event)[-1][1]
        assert "Buchholz without the lowest, Solkoff" in text_of(desk.get("/desk/t").text)
        again = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        said = [value for name, value in again.fields if name == "tie_break"]
        assert [code for code in said if code] == ["BH/C1", "solkoff"]

    def test_codes_that_are_in_no_list_are_kept(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        sent(desk, form, tie_breaks="KS/L+1,SB", pairing="fenamac-1975")
        assert '"tie_breaks":["KS/L+1","SB"]' in events(event)[-1][1]
        again = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        assert again.value("tie_breaks") == "KS/L+1,SB"

    def test_a_refused_choice_stays(self, event: Ledger, sign_in: Open) -> None:
        desk = sign_in(event)
        form = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
        answer = sent(desk, form, tie_break=["SB", "SB"], pairing="fenamac-1975")
        assert answer.status_code == 422
        kept = form_of(answer.text, "/desk/t/rules")
        assert [value for name, value in kept.fields if name == "tie_break"][:2] == ["SB", "SB"]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_one_of_the_list_exists_and_has_a_name(self, language: str) -> None:
        for of, codes in USUAL.items():
            assert saying(language)(f"tie.of_{of}")
            system = System.TEAM_SWISS if of == "teams" else System.SWISS
            for code in codes:
                assert announced(f"{code}:seed" if code == "lots" else code, system=system)
                assert choice_name(code, saying(language))
                assert code_name(code, saying(language))


def test_a_report_is_handed_in_once_a_round_was_published(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    assert "/desk/t/close" not in desk.get("/desk/t").text
    pair(desk)
    assert "/desk/t/close" in desk.get("/desk/t").text


def test_a_tournament_that_came_with_its_results_is_not_asked_to_begin(
    event: Ledger, sign_in: Open
) -> None:
    import_text(event, games("come", "1,,A,B,1-0", "1,,C,D,0-1", "2,,A,C,1-0", "3,,A,,U"))
    page = sign_in(event).get("/desk/come").text
    assert "recorded together with its results: 3 rounds, 3 games." in page
    assert 'href="/corrections/new?tournament=come"' in page
    assert "Announce the rules of the event before" not in page
    assert "<dt>Rounds</dt><dd>3</dd>" in page
    spanish = sign_in(event).get("/desk/come?lang=es").text
    assert "junto con sus resultados: 3 rondas, 3 partidas." in spanish
    for link in set(re.findall(r'href="(/(?:desk|corrections|tournaments)/[^"#]*)"', page)):
        assert sign_in(event).get(unescape(link)).status_code == 200, link


def test_after_the_last_round_no_other_one_is_paired(sign_in: Open) -> None:
    ledger = empty_ledger()
    import_text(ledger, "id;name\n" + "".join(f"{one};Player {one}\n" for one in "AB"))
    opened = c.OpenTournament(
        tournament="u", name="U", starts_on=DAY, ends_on=DAY, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL, rounds=1,
    )  # fmt: skip
    rules = c.AnnounceRules(tournament="u", pairing=PairingMethod.FENAMAC_1975)
    do(ledger, opened, rules, *(c.EnterPlayer(tournament="u", player=player) for player in "AB"))
    desk = sign_in(ledger)
    assert 'href="/desk/u/pair"' in desk.get("/desk/u").text
    pair(desk, "u")
    for result in (None, "1-0"):
        if result is not None:
            tap(desk, 1, 1, result, "u")
        for page in ("", "/rounds/1"):
            assert 'href="/desk/u/pair"' not in desk.get(f"/desk/u{page}").text, (page, result)
        for lang, said in (("en", "has 1 round, and all"), ("es", "tiene 1 ronda y todas")):
            answer = desk.get("/desk/u/pair", headers={"accept-language": lang})
            assert answer.status_code == 200
            assert said in text_of(answer.text)
            assert 'action="/desk/u/pair"' not in answer.text


def test_what_is_next_follows_the_standings_that_go_out(event: Ledger, sign_in: Open) -> None:
    do(event, c.ChangeRounds(tournament="t", rounds=1))
    desk = sign_in(event)
    pair(desk)
    tap(desk, 1, 1, "1-0")
    tap(desk, 1, 2, "1-0")
    here = "/desk/t/standings"

    def waits_for_them() -> bool:
        page = desk.get("/desk/t").text
        is_next = "Publish the standings, then hand the report in" in text_of(page)
        assert is_next != ('href="#hand-in"' in page)
        return is_next

    assert waits_for_them()
    assert sent(desk, form_of(desk.get(here).text, here)).status_code == 200
    assert not waits_for_them()
    out = desk.get(here).text
    assert f'action="{here}"' not in out
    assert 'href="/desk/t#hand-in"' in out
    tap(desk, 1, 1, "0-1", act="correct")
    assert waits_for_them(), "those that went out hold no more"


def test_an_event_is_shortened_by_the_form_of_its_rules(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    pair(desk)
    form = form_of(desk.get("/desk/t/rules").text, "/desk/t/rules")
    assert form.value("rounds") == "3"
    for lang, says in (("en", "shortened or extended"), ("es", "se acorta o se alarga")):
        desk.headers["accept-language"] = lang
        refused = sent(desk, form, rounds="2", pairing="", reason="")
        assert refused.status_code == 422
        assert says in told(refused)
    assert sent(desk, form, rounds="1", reason="the hall closes").status_code == 200
    assert events(event)[-1][0] == "tournament.corrected"
    assert '"rounds":1' in events(event)[-1][1]
    assert sent(desk, form, rounds="2", pairing="", reason="it does not").status_code == 200
    assert sent(desk, form, rounds="", pairing="", reason="none").status_code == 422


def test_an_id_that_looks_like_another_is_told(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    form = form_of(desk.get("/desk/new").text, "/desk/new")
    for other in ("T", "\uff34"):
        answer = sent(desk, form, tournament=other, name="Other", start="2026-01-02")
        assert f"{other} and t, which is there already" in text_of(answer.text)
    answer = sent(desk, form, tournament="other", name="Other", start="2026-01-02")
    assert "which is there already" not in answer.text


def test_ids_may_hold_slashes(sign_in: Open) -> None:
    ledger = empty_ledger()
    import_text(ledger, "id,name\na/1,One\na/2,Two\n")
    desk = sign_in(ledger)
    form = form_of(desk.get("/desk/new").text, "/desk/new")
    sent(
        desk, form, tournament="club/2025?#", name="C", start="2025-01-02", rounds="1",
        pairing="fenamac-1975",
    )  # fmt: skip
    home = "/desk/club%2F2025%3F%23"
    form = form_of(desk.get(f"{home}/entries?search=one").text, f"{home}/entries")
    sent(desk, form, player="a/1", list="a/2")
    page = desk.get(f"{home}/entries/a%2F1")
    assert page.status_code == 200
    assert sent(desk, form_of(page.text, f"{home}/entries/a%2F1", act="describe"),
                pairing_rating="2000").status_code == 200  # fmt: skip
    answer = sent(desk, form_of(desk.get(f"{home}/pair").text, f"{home}/pair"))
    assert "board-1" in answer.text
    form = form_of(answer.text, f"{home}/rounds/1/boards/1", act="record")
    assert "<b>0–1</b>" in sent(desk, form, result="0-1").text
    assert desk.get("/tournaments/club%2F2025%3F%23/forms/round").status_code == 200
    player = desk.get("/players/a%2F1").text
    assert "One" in text_of(player)
    assert 'href="/players/a%2F1?lang=es"' in player
    assert desk.get("/api/v1/players/a%2F1").json()["id"] == "a/1"
    assert desk.get("/players/a/1").status_code == 404
    assert "All rounds are played" in desk.get(home).text


def test_namesakes_have_their_ids_beside_them(event: Ledger, sign_in: Open) -> None:
    import_text(event, "id;name\nN1;Player N\nN2;Player N\n")
    do(event, *(c.EnterPlayer(tournament="t", player=player) for player in ("N1", "N2")))
    desk = sign_in(event)
    for page in ("entries", "check-in", "pair"):
        said = text_of(desk.get(f"/desk/t/{page}").text)
        for one in ("N1", "N2"):
            assert re.search(rf"Player N (\d · )?{one}\b", said), page
    pair(desk)
    boards = text_of(desk.get("/desk/t/rounds/1").text)
    assert "('/" not in boards, "what is below the boards is no link of the foot"
    assert "Player N N1 (0)" in boards
    assert re.search(r"Player A \S+ \(0\)", boards)


def test_the_desk_says_of_an_event_with_results_that_it_is_not_handed_in(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event)
    assert "4 players · not begun" in text_of(desk.get("/desk").text)
    pair(desk)
    tap(desk, 1, 1, "1-0")
    assert "1 July 2010 · 4 players · not handed in" in text_of(desk.get("/desk").text)


def test_a_rare_result_is_said_in_words(event: Ledger, sign_in: Open) -> None:
    desk = sign_in(event)
    pair(desk)
    tap(desk, 1, 1, "1-0s")
    page = desk.get("/desk/t/rounds/1").text
    assert re.search(r'<b>1–0</b> <span class="small">\w', page)
    assert "<b>1-0s" not in page


def test_the_tie_breaks_of_habit_are_named_where_none_was_announced(
    event: Ledger, sign_in: Open
) -> None:
    page = sign_in(event).get("/desk/t").text
    said = page.partition("<dt>Tie-breaks</dt>")[2].partition("</dd>")[0]
    assert "none announced: the usual ones" in said
    names = said.partition("<span")[0].removeprefix("<dd>").strip()
    assert "–" not in names
    assert "," in names


@pytest.mark.parametrize("said", ["1", "9" * 5000 + "-1", "a-b", "-", "1-²", "0-0", "1-2-again-x"])
def test_an_address_that_says_nonsense_was_recorded_does_no_harm(
    event: Ledger, sign_in: Open, said: str
) -> None:
    answer = sign_in(event).get("/desk/t", params={"recorded": said})
    assert answer.status_code == 200


@pytest.mark.parametrize("odd", ["\x00", "\ud800", "\u202e", "x" * 5000, "<script>", "%ff"])
def test_odd_text_in_any_field_is_refused_or_recorded_and_never_a_fault(
    event: Ledger, sign_in: Open, odd: str
) -> None:
    desk = sign_in(event)
    pair(desk)
    fields = ("key", "act", "reason", "result", "seen", "round", "from_round", "list", "player",
              "name", "tournament", "start", "seed", "order", "boards", "shown", "team",
              "pairing_rating", "prizes", "tie_breaks", "lot", "forbid")  # fmt: skip
    said = {name: odd.encode("utf-8", "surrogatepass") for name in fields}
    for path in (
        "new", "t/rules", "t/entries", "t/entries/A", "t/teams", "t/teams/X/lineup", "t/numbers",
        "t/pair", "t/rounds/1/withdraw", "t/rounds/1/boards/1", "t/ruling",
    ):  # fmt: skip
        for more in ({}, {"act": b"expel", "from_round": b"2"}, {"way": b"lot"}):
            body = urlencode(said | more)
            form = {"content-type": "application/x-www-form-urlencoded"}
            answer = desk.post(f"/desk/{path}", content=body, headers=form)
            assert answer.status_code < 500, (path, answer.text)
            assert "<script>" not in answer.text


def test_who_is_not_here_is_left_out_of_the_next_round_and_comes_back(
    event: Ledger, sign_in: Open
) -> None:
    desk = sign_in(event)
    here = "/desk/t/check-in"

    def save(**said: str | list[str]) -> Answer:
        answer = sent(desk, form_of(desk.get(here).text, here), **said)
        assert answer.status_code == 200, told(answer)
        return answer

    def absences() -> dict[str, tuple[int, ...]]:
        return {each.id: each.absences for each in event_desk(event, "t").entries}

    assert desk.get(here).text.count(" checked>") == 4
    assert desk.get(f"{here}?none=true").text.count(" checked>") == 0
    save(here=["B", "C", "D"])
    assert absences() == {"A": (1,), "B": (), "C": (), "D": ()}
    page = desk.get(here).text
    assert "3 of 4 are expected to play" in text_of(page)
    assert page.count(" checked>") == 3
    before = events(event)
    assert "who is ticked plays round 1" in told(save(here=["B", "C", "D"]))
    assert events(event) == before
    save(here=["A", "B", "C", "D"])
    assert not any(absences().values())
    save(here=["B", "C", "D"], missing="leave")
    assert {each.id: each.withdrawn_from for each in event_desk(event, "t").entries} == {
        "A": 1, "B": None, "C": None, "D": None,
    }  # fmt: skip


def test_who_cannot_play_the_next_round_is_not_expected(event: Ledger, sign_in: Open) -> None:
    do(
        event,
        c.WithdrawPlayer(tournament="t", player="A", from_round=1),
        c.DescribeEntry(tournament="t", player="B", from_round=2),
        c.WithdrawPlayer(tournament="t", player="C", from_round=2),
    )
    page = sign_in(event).get("/desk/t/check-in").text
    assert "2 of 2 are expected to play" in text_of(page)
    assert re.findall(r'name="here" value="(.)"', page) == ["C", "D"]
    assert re.findall(r'href="/desk/t/entries/(.)"', page) == ["A", "B"]
    assert "enters in round 2" in text_of(page)
