"""A round on a phone of 320 pixels: by touch, by keyboard, offline, without scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from itertools import count
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from playwright.sync_api import Browser, Page, expect

from ledger.answers.event_desk import event_desk, round_desk
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, Role, System
from ledger.wording import LANGUAGES
from tests import profile
from tests.ledgers import copied, define, do, empty_ledger, import_text
from tests.reports.test_standings import DAY
from tests.web.browser import (
    LOOKS,
    PHONE,
    box_of,
    boxes_of,
    clipped,
    context_of,
    keep,
    look_at,
    overhang,
    small,
    unfold,
    violations,
    wait_for_kept,
    window,
)
from tests.web.offices import new_office
from tests.web.serving import in_thread
from web.access import Account
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

HOST = "127.0.0.1"
_sessions = count(1)
THUMB = 44  # pixels
HEAVIEST = 50_000  # bytes of a page, with style and scripts
PLAYERS = 40
OFFICE = (
    "/office", "/office/duplicates", "/newcomers", "/calendar", "/calendar/announce", "/jobs",
    "/submissions", "/submissions/new", "/corrections/new", "/corrections/new?what=define-list",
    "/corrections/new?what=correct-result", "/lists/NAT/2010-07/publish",
    "/lists/NAT/restated/publish", "/t/t/live",
    "/desk/t/check-in", "/tournaments/t/forms/round?round=1", "/tournaments/t/forms/seats?round=1",
)  # fmt: skip
PATHS = (
    "/desk", "/desk/new", "/desk/t", "/desk/t/rules", "/desk/t/entries", "/desk/t/entries/1",
    "/desk/t/teams", "/desk/t/numbers", "/desk/t/pair", "/desk/t/rounds/1", "/desk/t/standings",
    "/desk/t/report",
)  # fmt: skip


@pytest.fixture
def event() -> Ledger:
    """A Swiss of forty with long names, ready to be paired."""
    return empty_ledger(copied(ready()))


@cache
def ready() -> MemoryJournal:
    """Returns the journal of the event, to make others from."""
    journal = MemoryJournal()
    ledger = empty_ledger(journal)
    names = (f"{n},Ñandú-Etxeberria Gutiérrez {n}, María de los Ángeles" for n in range(PLAYERS))
    import_text(ledger, "id;name\n" + "".join(f"{name.replace(',', ';', 1)}\n" for name in names))
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="Campeonato Iberoamericano de la Tercera Edad", starts_on=DAY,
            ends_on=DAY, system=System.SWISS, rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=str(n)) for n in range(PLAYERS)),
    )  # fmt: skip
    return journal


@pytest.fixture
def origin(event: Ledger, tmp_path: Path) -> Iterator[str]:
    """The site of the event, for officers who signed in."""
    office = new_office(tmp_path)

    def application(here: str) -> FastAPI:
        settings = WebSettings(ledger="", origin=here, cache=tmp_path)
        return create_app(Site(event, settings), office, identify=whoever)

    with in_thread(application) as here:
        yield here
    office.close()


def whoever(request: Request) -> Account | None:
    """Returns who the browser shows, usually ana; nobody where it is empty.

    All are officers, but ivan, who is an arbiter.
    """
    name, _, session = request.cookies.get("who", "ana").partition(".")
    role = Role.ARBITER if name == "ivan" else Role.OFFICER
    return Account(name, frozenset({role}), session=session) if name else None


def sign_in(page: Page, name: str) -> None:
    """Gives a browser a new session of an account; an empty name ends its session."""
    who = f"{name}.{next(_sessions)}" if name else ""
    page.context.add_cookies([{"name": "who", "value": who, "domain": HOST, "path": "/"}])


@contextmanager
def phone(
    browser: Browser, origin: str, *, scripts: bool = True, locale: str = "en"
) -> Iterator[Page]:
    """A phone that complains of nothing, at the site."""
    context = context_of(
        browser,
        base_url=origin,
        viewport={"width": PHONE, "height": 640},
        has_touch=True,
        java_script_enabled=scripts,
        locale=locale,
    )
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    yield page
    context.close()
    assert troubles == []


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_menu_of_an_officer_stands_in_one_line(
    browser: Browser, origin: str, locale: str
) -> None:
    screen = browser.new_page(
        base_url=origin, viewport={"width": 1200, "height": 700}, locale=locale
    )
    screen.goto("/desk")
    assert len({box["y"] for box in boxes_of(screen.locator("header.site nav.bar a"), 6)}) == 1
    screen.close()


def test_the_officers_page_keeps_its_title_when_the_next_list_is_loaded(
    browser: Browser, origin: str, event: Ledger
) -> None:
    define(event)
    screen = browser.new_page(base_url=origin, locale="en")
    screen.goto("/office")
    expect(screen.locator("#next table")).to_be_visible()
    expect(screen).to_have_title(re.compile("^What waits"))
    screen.close()


def publish(page: Page) -> None:
    page.goto("/desk/t/pair")
    page.get_by_role("button", name="Publish round 1").first.tap()
    page.wait_for_url("**/desk/t/rounds/1?*")


def results(event: Ledger) -> list[str | None]:
    return [each.result for each in round_desk(event, "t", 1).boards]


def test_a_round_is_paired_and_played_by_touch(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        recorded = page.locator("#recorded")
        expect(recorded).to_have_count(1)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        expect(page.locator("#board-1.over")).to_be_visible()
        expect(recorded).to_have_count(0)  # the round is no longer what was recorded last
        page.get_by_label("Other results of board 2", exact=True).tap()
        page.get_by_role("button", name="Board 2: +/-", exact=True).tap()
        expect(page.locator("#board-2.over")).to_be_visible()
        assert results(event)[:3] == ["1-0", "+/-", None]
        page.get_by_role("button", name="Undo board 2: +/-", exact=True).tap()
        expect(page.locator("#board-2.over")).to_have_count(0)
        expect(page.locator("#done")).to_contain_text("1 of ")
        page.get_by_label("Other results of board 2", exact=True).tap()
        page.get_by_role("button", name="Board 2: +/-", exact=True).tap()
        expect(page.locator("#board-2.over.new")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Correct the result of board 1", exact=True).tap()
        board = page.locator("#board-1 form", has=page.get_by_label("Right result"))
        board.get_by_label("Right result").select_option("0-1")
        board.get_by_label("Reason").fill("score sheet")
        board.get_by_role("button", name="Correct").tap()
        expect(page.locator("#board-1 b")).to_contain_text("0–1")
        page.wait_for_url("**/desk/t/rounds/1*")
    assert results(event)[:3] == ["0-1", "+/-", None]


def test_the_next_step_is_in_reach_on_a_phone(browser: Browser, origin: str, event: Ledger) -> None:
    with phone(browser, origin) as page:
        page.goto("/desk/t")
        expect(page.get_by_role("heading", name="What is next")).to_be_visible()
        expect(page.get_by_role("link", name="Check-in")).to_be_visible()
        publish(page)
        boards = round_desk(event, "t", 1).boards
        for board in boards:
            expect(page.get_by_role("link", name="Pair round 2")).to_have_count(0)
            page.locator(f"#board-{board.place} > .taps button").first.tap()
            expect(page.locator(f"#board-{board.place}.over")).to_be_visible()
        expect(page.get_by_role("link", name="Pair round 2")).to_be_visible()
        expect(page.locator(".board.new, .board .undo")).to_have_count(2)  # the last board and its
        assert violations(page) == []


def test_nothing_is_still_played_once_the_last_board_was_tapped(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        boards = round_desk(event, "t", 1).boards
        for left, board in zip(range(len(boards), 1, -1), boards, strict=False):
            expect(page.get_by_role("heading", name=f"Still playing: {left}")).to_be_visible()
            page.locator(f"#board-{board.place} > .taps button").first.tap()
            expect(page.locator(f"#board-{board.place}.over")).to_be_visible()
        page.reload()
        heading = page.get_by_role("heading", name="Still playing")
        expect(heading).to_be_visible()
        last = page.locator(f"#board-{boards[-1].place}")
        last.locator("> .taps button").first.tap()
        expect(heading).to_be_hidden()
        expect(last).to_be_visible()


def test_a_round_is_played_by_keyboard(browser: Browser, origin: str, event: Ledger) -> None:
    with phone(browser, origin) as page:
        publish(page)
        page.get_by_role("button", name="Board 1: ½", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#board-1.over")).to_be_visible()
        page.get_by_role("button", name="Board 2: 1–0", exact=True).focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(page.locator("#board-2.over")).to_be_visible()
    assert results(event)[:3] == ["1/2-1/2", "0-1", None]


def test_what_is_tapped_without_a_connection_is_sent_when_there_is_one(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        hint = page.locator(".offline")
        expect(hint).not_to_be_visible()
        page.context.set_offline(True)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        expect(page.locator("#board-1.unsent")).to_be_visible()
        page.get_by_role("button", name="Board 2: 0–1", exact=True).tap()
        expect(page.locator("#board-2.unsent")).to_be_visible()
        expect(hint).to_be_visible()
        unsent, pressed = "Board 2: 0–1, not sent yet", page.locator("#board-2 [aria-pressed=true]")
        expect(page.locator("#board-2").get_by_text(unsent, exact=True)).to_be_visible()
        expect(page.get_by_role("status").filter(has_text=unsent)).to_have_count(1)
        expect(pressed).to_have_text("0–1")
        page.get_by_role("button", name="Board 2: ½", exact=True).tap()
        expect(page.get_by_text("Board 2: ½, not sent yet").first).to_be_visible()
        page.get_by_role("button", name="Board 2: 0–1", exact=True).tap()
        expect(page.get_by_text(unsent).first).to_be_visible()
        expect(pressed).to_have_count(1)
        page.get_by_label("Other results of board 3", exact=True).tap()
        page.get_by_label("Rare results").and_(page.locator("#rare-3")).select_option("0-0")
        page.locator("#board-3").get_by_role("button", name="Record", exact=True).tap()
        unsent = "Board 3: 0–0, not sent yet"
        expect(page.locator("#board-3").get_by_text(unsent)).to_be_visible()
        assert results(event)[:3] == [None, None, None]
        assert overhang(page) == 0
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == [], scheme
        page.context.set_offline(False)
        expect(page.locator("#board-1.over")).to_be_visible()
        expect(page.locator("#board-2.over")).to_be_visible()
        expect(page.locator("#board-3.over")).to_be_visible()
        expect(hint).not_to_be_visible()
        expect(page.locator("#unsent")).to_have_text("")
    assert results(event)[:3] == ["1-0", "0-1", "0-0"]


def test_what_is_tapped_waits_for_the_sign_in_of_who_tapped_it(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        page.context.set_offline(True)
        for board in range(1, 5):
            page.get_by_role("button", name=f"Board {board}: 1–0", exact=True).tap()
            expect(page.locator(f"#board-{board}.unsent")).to_be_visible()
        sign_in(page, "")
        page.context.set_offline(False)
        page.wait_for_url("**/sign-in?next=%2Fdesk%2Ft%2Frounds%2F1*")
        sign_in(page, "eva")
        page.goto("/desk/t/rounds/1")
        expect(page.locator(".offline")).not_to_be_visible()
        assert results(event)[:4] == [None] * 4, "they are ana's"
        sign_in(page, "ana")
        page.goto("/desk/t")
        assert violations(page) == []
        page.get_by_role("button", name="Record 4 results").tap()
        for board in range(1, 5):
            expect(page.locator(f"#board-{board}.over")).to_be_visible()
        expect(page.locator(".offline")).not_to_be_visible()
    assert results(event)[:5] == ["1-0"] * 4 + [None]


CLOSE = c.CloseTournament(tournament="t", on=DAY, anyway=True)
CLOSED = [("ivan", "The report of t was handed in already"), ("ana", "Tercera Edad is closed")]


@pytest.mark.parametrize(("name", "why"), CLOSED)
def test_a_tap_after_closing_says_what_was_refused(
    browser: Browser, origin: str, event: Ledger, name: str, why: str
) -> None:
    with phone(browser, origin) as page:
        sign_in(page, name)
        publish(page)
        do(event, CLOSE)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        board = page.locator("#board-1")
        expect(board).to_contain_text("Board 1: 1–0 is not recorded")
        expect(board.get_by_role("alert")).to_contain_text(why)
        wait_for_kept(page, f"unsent {name}", "{}")
        expect(page.locator(".offline")).not_to_be_visible()
        assert violations(page) == []
        assert overhang(page) == 0
    assert results(event)[0] is None


@pytest.mark.parametrize(("name", "why"), CLOSED)
def test_what_was_tapped_before_closing_and_is_sent_after_it_says_what_was_refused(
    browser: Browser, origin: str, event: Ledger, name: str, why: str
) -> None:
    with phone(browser, origin) as page:
        sign_in(page, name)
        publish(page)
        page.context.set_offline(True)
        for number, result in ((1, "1–0"), (2, "0–1")):
            page.get_by_role("button", name=f"Board {number}: {result}", exact=True).tap()
            expect(page.locator(f"#board-{number}.unsent")).to_be_visible()
        do(event, CLOSE)
        page.context.set_offline(False)
        for number, result in ((1, "1–0"), (2, "0–1")):
            board = page.locator(f"#board-{number}:not(.unsent)")
            expect(board).to_contain_text(f"Board {number}: {result} is not recorded")
            expect(board.get_by_role("alert")).to_contain_text(why)
            expect(board).not_to_contain_text("not sent yet")
        wait_for_kept(page, f"unsent {name}", "{}")
        expect(page.locator(".offline")).not_to_be_visible()
    assert results(event)[:2] == [None, None]


def test_what_is_sent_from_the_page_of_a_closed_round_says_what_was_refused(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        sign_in(page, "ivan")
        publish(page)
        sign_in(page, "")
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        page.wait_for_url("**/sign-in?next=*")
        do(event, CLOSE)
        sign_in(page, "ivan")
        page.goto("/desk/t/rounds/1")
        page.get_by_role("button", name="Record 1 result").tap()
        board = page.locator("#board-1:not(.unsent)")
        expect(board.get_by_role("alert")).to_contain_text("Board 1: 1–0 is not recorded")
        expect(board.get_by_role("alert")).to_contain_text("was handed in already")
    assert results(event)[0] is None


def test_what_waits_for_a_round_that_is_gone_is_thrown_away(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        page.context.set_offline(True)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        expect(page.locator("#board-1.unsent")).to_be_visible()
        do(event, c.WithdrawRound(tournament="t", round=1))
        page.context.set_offline(False)
        board = page.locator("#board-1:not(.unsent)")
        expect(board.get_by_role("alert")).to_contain_text(
            "Board 1: 1–0 is not recorded: T round 1"
        )
        wait_for_kept(page, "unsent ana", "{}")
        page.goto("/desk/t")
        expect(page.locator(".offline")).not_to_be_visible()


def test_what_is_not_to_be_sent_is_thrown_away(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        sign_in(page, "")
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        page.wait_for_url("**/sign-in?next=*")
        sign_in(page, "ana")
        page.goto("/desk/t")
        page.get_by_role("button", name="Discard 1 result").tap()
        wait_for_kept(page, "unsent ana", "{}")
        expect(page.locator(".offline")).not_to_be_visible()
        page.goto("/desk/t/rounds/1")
        expect(page.locator("#board-1:not(.unsent)")).to_be_visible()
        expect(page.locator(".offline")).not_to_be_visible()
    assert results(event)[0] is None


BOARD = "/desk/t/rounds/1/boards/1"
MADE = "2026-11-29T14:05:00.000Z"
TAP = {
    "act": "record", "by": "ana", "key": "k", "result": "1-0", "session": "", "made": MADE
}  # fmt: skip
NO_TAPS: dict[str, dict[str, object]] = {
    "null": {BOARD: None},
    "a figure": {BOARD: 7},
    "a list": {BOARD: ["1-0"]},
    "no texts": {BOARD: {**TAP, "result": {"of": "1-0"}}},
    "nobody's": {BOARD: {"act": "record", "key": "k", "result": "1-0"}},
    "another's": {BOARD: {**TAP, "by": "eva"}},
    "of no time": {BOARD: {**TAP, "made": "once"}},
    "a script": {"javascript:alert(1)//boards/1": TAP},
    "another site's": {"https://evil.example/desk/t/rounds/1/boards/1": TAP},
    "another site's, as a path": {"//evil.example/desk/t/rounds/1/boards/1": TAP},
    "another site's, by a backslash": {"/\\evil.example/desk/t/rounds/1/boards/1": TAP},
    "another form's": {"/desk/t/rounds/1/withdraw": TAP},
    "another form's, above": {"/desk/t/rounds/1/boards/../../../rules/rounds/1/boards/1": TAP},
    "with a query": {f"{BOARD}?by=eva": TAP},
}


@pytest.mark.parametrize("place", ["/desk/t", "/desk/t/rounds/1"])
@pytest.mark.parametrize("kept", NO_TAPS)
def test_a_queue_edited_by_hand_is_refused_and_not_followed(
    browser: Browser, origin: str, event: Ledger, kept: str, place: str
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        keep(page, "unsent ana", json.dumps(NO_TAPS[kept]))
        page.goto(place)
        expect(page.get_by_role("alert")).to_contain_text("is no tap of your account")
        wait_for_kept(page, "unsent ana", "{}")
        expect(page.locator(".offline")).not_to_be_visible()
        page.goto("/desk/t/rounds/1")
        expect(page.get_by_role("alert")).not_to_be_visible()
        page.get_by_role("button", name="Board 2: 0–1", exact=True).tap()
        expect(page.locator("#board-2.over")).to_be_visible()
    assert results(event)[:2] == [None, "0-1"]


def test_taps_beside_what_was_edited_by_hand_are_sent(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        keep(page, "unsent ana", json.dumps({**NO_TAPS["a script"], BOARD: TAP}))
        page.goto("/desk/t/rounds/1")
        expect(page.locator("#board-1.over")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("is no tap of your account")
        wait_for_kept(page, "unsent ana", "{}")
    assert results(event)[0] == "1-0"


@pytest.mark.parametrize("kept", ["{", "null", "7", '"text"'])
def test_what_is_kept_and_cannot_be_read_is_begun_anew(
    browser: Browser, origin: str, event: Ledger, kept: str
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        keep(page, "unsent ana", kept)
        page.goto("/desk/t/rounds/1")
        expect(page.locator(".offline")).not_to_be_visible()
        page.context.set_offline(True)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        expect(page.locator("#board-1.unsent")).to_be_visible()
        page.context.set_offline(False)
        expect(page.locator("#board-1.over")).to_be_visible()
        expect(page.locator(".offline")).not_to_be_visible()
    assert results(event)[0] == "1-0"


def test_what_one_account_tapped_is_not_sent_by_another(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        sign_in(page, "eva")  # on another page of the same browser
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        page.wait_for_url("**/sign-in?next=*")
        assert results(event)[0] is None
        sign_in(page, "ana")
        page.goto("/desk/t/rounds/1")
        page.get_by_role("button", name="Record 1 result").tap()
        expect(page.locator("#board-1.over")).to_be_visible()
    assert results(event)[0] == "1-0"


ANSWERS = {
    "Record 2 results": (
        "en", "2 results tapped in this browser before you signed in.",
        "t, round 1, board {}, tapped", ["1-0", "0-1"],
    ),
    "Descartar 2 resultados": (
        "es", "2 resultados pulsados en este navegador antes de su ingreso.",
        "t, ronda 1, tablero {}, pulsado el", [None, None],
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", ["/desk/t/rounds/1", "/desk/t"])
@pytest.mark.parametrize("button", ANSWERS)
def test_taps_of_an_earlier_session_wait_for_a_button(
    browser: Browser, origin: str, event: Ledger, button: str, path: str
) -> None:
    locale, text, tap, recorded = ANSWERS[button]
    with phone(browser, origin, locale=locale) as page:
        page.goto("/desk/t/pair")
        page.locator("button.big").first.tap()
        page.wait_for_url("**/desk/t/rounds/1?*")
        page.context.set_offline(True)
        for board, value in ((1, "1-0"), (2, "0-1")):
            page.locator(f"#board-{board} > .taps [value='{value}']").tap()
            expect(page.locator(f"#board-{board}.unsent")).to_be_visible()
        sign_in(page, "ana")
        page.context.set_offline(False)
        page.wait_for_url("**/desk/t/rounds/1")  # what it sends is refused: it is loaded anew
        page.goto(path)
        question = page.locator("#earlier")
        expect(question).to_contain_text(text)
        taps = [f"^{tap.format(said)} .*\\d\\d:\\d\\d$" for said in ("1: 1–0", "2: 0–1")]
        expect(question.locator("li")).to_have_text([re.compile(said) for said in taps])
        expect(page.locator(".unsent")).to_have_count(0)
        assert small(page, THUMB) == []
        assert overhang(page) == 0
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, "color-contrast") == []
        if path != "/desk/t":  # what is tapped now is sent, and what was tapped before is not
            page.locator("#board-3 > .taps [value='1-0']").tap()
            expect(page.locator("#board-3.over")).to_be_visible()
            expect(question).to_contain_text(text)
        assert results(event)[:2] == [None, None]
        page.get_by_role("button", name=button).focus()
        page.keyboard.press("Enter")
        wait_for_kept(page, "unsent ana", "{}")
        expect(question).to_be_hidden()
    assert results(event)[:2] == recorded


def test_each_round_of_an_earlier_session_is_asked_about(
    browser: Browser, origin: str, event: Ledger
) -> None:
    elsewhere = "/desk/t/rounds/2/boards/1"
    with phone(browser, origin) as page:
        publish(page)
        keep(page, "unsent ana", json.dumps({elsewhere: TAP, BOARD: TAP}))
        sign_in(page, "ana")
        page.goto("/desk/t/rounds/1")
        question = page.locator("#earlier li")
        expect(question).to_contain_text(["t, round 1, board 1: 1–0, tapped "])
        page.get_by_role("button", name="Record 1 result").tap()
        expect(page.locator("#board-1.over")).to_be_visible()
        expect(question).to_contain_text(["t, round 2, board 1: 1–0, tapped "])
        page.get_by_role("button", name="Discard 1 result").tap()
        wait_for_kept(page, "unsent ana", "{}")
    assert results(event)[0] == "1-0"


def test_a_round_is_paired_and_played_without_scripts(
    browser: Browser, origin: str, event: Ledger
) -> None:
    with phone(browser, origin, scripts=False) as page:
        publish(page)
        page.get_by_role("button", name="Board 20: 1–0", exact=True).tap()
        page.wait_for_url("**/rounds/1?*#board-20")
        expect(page.locator("#board-20.over")).to_be_visible()
        page.goto("/desk/t/entries")
        page.get_by_label("Search the register").fill("nandu etxeberria 7")
        page.get_by_role("button", name="Search").tap()
        expect(page.get_by_text("is entered").first).to_be_visible()
    assert results(event)[19] == "1-0"


def test_a_pairing_system_brings_its_tie_breaks_unless_others_were_chosen(
    browser: Browser, origin: str
) -> None:
    with phone(browser, origin) as page:
        page.goto("/desk/new")
        pairing, first = page.locator("#pairing"), page.get_by_label("Tie-break 1")
        pairing.select_option("dutch")
        expect(first).to_have_value("BH/C1")
        expect(page.get_by_label("Tie-break 7")).to_have_value("BWG")
        pairing.select_option("fenamac-1975")
        expect(first).to_have_value("")
        first.select_option("solkoff")
        pairing.select_option("dutch")
        expect(first).to_have_value("solkoff")
        expect(page.get_by_label("Tie-break 2")).to_have_value("")


@pytest.mark.parametrize("scripts", [True, False])
def test_enter_searches_in_the_search_and_enters_elsewhere(
    browser: Browser, origin: str, event: Ledger, *, scripts: bool
) -> None:
    import_text(event, "id;name\nL;Late Ana\nM;Later Eva\n")
    with phone(browser, origin, scripts=scripts) as page:
        page.goto("/desk/t/entries")
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(f"{message.type} {message.text}"))
        search, first = page.get_by_label("Search the register"), page.get_by_label("Late Ana")
        search.press_sequentially("late")
        if scripts:
            expect(first).to_be_visible()
        assert complaints == []
        with page.expect_navigation():
            search.press("Enter")
        first.check()
        search.fill("later")
        with page.expect_navigation():
            search.press("Enter")
        expect(page.get_by_text("1 player chosen")).to_be_visible()
        expect(page.get_by_label("Later Eva")).to_be_visible()
        page.locator("#from_round").fill("2")
        page.locator("#from_round").press("Enter")
        expect(page.locator("#recorded")).to_be_visible()
    entries = {each.id: each.from_round for each in event_desk(event, "t").entries}
    assert entries["L"] == 2
    assert "M" not in entries


def test_names_at_a_board_that_was_tapped_keep_their_width(browser: Browser, origin: str) -> None:
    with phone(browser, origin) as page:
        publish(page)
        page.locator("#board-1 summary").tap()
        page.get_by_role("button", name="Board 1: -/-", exact=True).tap()
        expect(page.locator("#board-1.over.new")).to_be_visible()
        assert box_of(page.locator("#board-1 .seat.white"))["width"] > PHONE / 3


def test_surnames_are_whole_in_the_hall_and_on_the_sheets(browser: Browser, origin: str) -> None:
    with phone(browser, origin) as page:
        publish(page)
        for width, height in ((1280, 720), (PHONE, 640)):
            page.set_viewport_size({"width": width, "height": height})
            for path, names in (
                ("/t/t/live", ".boards-and-leaders bdi"),
                ("/tournaments/t/forms/round?round=1", "td.name"),
                ("/tournaments/t/forms/seats?round=1", "td.name"),
            ):
                page.goto(path)
                expect(page.locator(names).first).to_contain_text("Etxeberria")
                assert clipped(page, names) == [], (path, width)


@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_fits_a_phone_and_keeps_nobody_out(
    browser: Browser, origin: str, locale: str
) -> None:
    with phone(browser, origin) as page:
        publish(page)
        page.get_by_role("button", name="Board 1: 1–0", exact=True).tap()
        expect(page.locator("#board-1.over")).to_be_visible()
    with window(browser, origin, lang=locale, touch=True) as opened:
        for path in profile.share(PATHS, locale, LANGUAGES):
            found = opened.open(path)
            page = found.page
            expect(page.locator("html")).to_have_attribute("lang", locale)
            assert 0 < found.bytes <= HEAVIEST, path
            assert overhang(page) == 0, path
            assert small(page, THUMB) == [], path
            unfold(page)
            assert overhang(page) == 0, path
            assert small(page, THUMB) == [], path
            assert violations(page) == [], path
            page.emulate_media(color_scheme="dark")
            assert violations(page, "color-contrast") == [], path
            assert found.troubles == [] or found.status == HTTPStatus.UNPROCESSABLE_ENTITY, path


def test_every_page_of_who_works_keeps_nobody_out_and_is_light(
    browser: Browser, origin: str, event: Ledger
) -> None:
    """On both screens, by day and by night; a page is looked at in one of the ways, in turn."""
    define(event, "NAT", first_on=DAY.replace(day=1))
    with phone(browser, origin) as page:
        publish(page)
    with window(browser, origin) as opened:
        for look in LOOKS:
            for path in profile.share((*PATHS, *OFFICE), look, LOOKS):
                found = opened.open(path)
                assert 0 < found.bytes <= HEAVIEST, (path, found.bytes)
                look_at(found.page, look)
                assert violations(found.page) == [], (path, look)
                expect(found.page.locator("[style]")).to_have_count(0)
                assert overhang(found.page) == 0, path
                assert found.status in (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY), path
