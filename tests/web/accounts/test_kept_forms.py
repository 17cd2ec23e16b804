"""A form that has to wait for a sign-in is kept, shown, and sent again by who typed it."""

from __future__ import annotations

import html
import re
from http import HTTPStatus

import pytest
from fastapi.routing import APIRoute
from httpx2 import Response
from sqlalchemy import delete, select

from ledger.answers.event_desk import round_desk
from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.service.accounts import grant_role, rights_of
from ledger.service.desk import publish_round
from ledger.service.erasures import erase_player
from ledger.terms import PairingMethod, Rate, Role, System
from tests.ledgers import do, import_text, request
from tests.reports.test_standings import DAY
from tests.web.accounts.conftest import Browser, Person, Town, ceremony_in, code_of, secret_in
from tests.web.accounts.test_signing import draft, signatory
from tests.web.accounts.test_two_people import HIDDEN, REPORT, with_players
from tests.web.filling import form_of, forms_of
from tests.web.support import text_of
from web.access import known_scopes
from web.accounts.identity import FRESH_SECONDS
from web.app import ROOMS
from web.fields import is_secret
from web.office import sessions
from web.office.ceremonies import SECONDS
from web.office.schema import CEREMONIES, SESSIONS
from web.office.sessions import IDLE_SECONDS
from web.office.tokens import tokens_of

WHY = "elected by the assembly of March, of which the minutes say more than fits into a line"
NOT_KEPT = "/sign-in?next=%2Fagain%3Fpage%3D%252F"
GRANT = {"role": "auditor", "reason": WHY, "key": "once"}


@pytest.fixture
def boss(town: Town) -> Person:
    boss = town.person("boss", Role.ADMINISTRATOR)
    town.person("ana", Role.OFFICER)
    return boss


def after_sign_in(answer: Response) -> str:
    """Returns where a browser goes that was sent to the sign-in with a form."""
    found = re.fullmatch(r"/sign-in\?next=%2Fagain%2F([\w-]+)", answer.headers["location"])
    assert found, answer.headers
    return f"/again/{found[1]}"


def page_of(browser: Browser, where: str) -> str:
    """Returns the page to which a browser is led after the sign-in, or the form without one."""
    answer = browser.get(where)
    if answer.status_code == HTTPStatus.SEE_OTHER:
        address, _, anchor = answer.headers["location"].partition("#")
        assert anchor == "again"
        answer = browser.get(address)
    assert answer.status_code == HTTPStatus.OK
    return answer.text


def sent_again(browser: Browser, where: str) -> Response:
    """Presses the first button of the form that waited, where no file is to be chosen."""
    page = page_of(browser, where)
    (form,) = [each for each in forms_of(page) if each.id == "again"] or forms_of(page)[-1:]
    fields = [*form.fields]
    data = {name: [value for each, value in fields if each == name] for name, _ in fields}
    return browser.client.post(html.unescape(form.action), data=data)


def kept(town: Town) -> list[str]:
    with town.office.reading() as connection:
        return list(connection.scalars(select(CEREMONIES.c.data)))


def test_what_was_typed_is_there_after_proving_once_more_who_one_is(
    town: Town, boss: Person
) -> None:
    town.clock.pass_by(seconds=FRESH_SECONDS)
    origin = {"referer": f"{town.origin}/accounts/ana"}
    sent = boss.browser.client.post("/accounts/ana/grant", data=GRANT, headers=origin)
    where = after_sign_in(sent)
    assert "kept for ten minutes" in boss.browser.get(sent.headers["location"]).text
    assert boss.sign_in(next=where).headers["location"] == where
    assert WHY in page_of(boss.browser, where)
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER}, "nothing is sent by itself"
    for _ in range(2):  # a second press of the button is the same commit
        assert sent_again(boss.browser, where).headers["location"] == "/accounts/ana"
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER, Role.AUDITOR}
    assert [each.reason for each in town.ledger.journal.commits()][-1] == WHY
    assert [each.reason for each in town.ledger.journal.commits()].count(WHY) == 1


def test_what_was_typed_is_there_after_a_session_has_ended(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=IDLE_SECONDS)
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))
    boss.sign_in()
    sent_again(boss.browser, where)
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER, Role.AUDITOR}


def test_somebody_else_who_signs_in_meanwhile_does_not_end_what_was_typed(
    town: Town, boss: Person
) -> None:
    town.clock.pass_by(seconds=IDLE_SECONDS)
    town.person("eva", Role.ARBITER)
    after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))


def test_what_was_typed_is_there_where_a_new_role_ended_the_session(
    town: Town, boss: Person
) -> None:
    grant_role(town.ledger, "boss", Role.OFFICER, request=request())
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))
    boss.sign_in()
    assert WHY in page_of(boss.browser, where)


def test_a_form_is_shown_to_nobody_else_and_not_for_long(town: Town, boss: Person) -> None:
    eva = town.person("eva", Role.ADMINISTRATOR)
    town.clock.pass_by(seconds=FRESH_SECONDS)
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))
    assert eva.browser.get(where).status_code == 404
    assert town.browser().get(where).headers["location"].startswith("/sign-in")
    boss.sign_in()
    assert boss.browser.get(where).status_code == 200
    town.clock.pass_by(seconds=SECONDS)
    gone = boss.browser.get(where)
    assert (gone.status_code, "took too long" in gone.text) == (404, True)


def test_of_a_stranger_nothing_is_kept(town: Town, boss: Person) -> None:
    stranger = town.browser()
    stranger.client.cookies.set("session", "chosen by a stranger")
    for browser in (town.browser(), stranger):
        sent = browser.post("/accounts/ana/grant", **GRANT)
        assert sent.headers["location"] == NOT_KEPT
    boss.browser.post("/sign-out")  # who signed out did not mean to go on
    assert boss.browser.post("/accounts/ana/grant", **GRANT).headers["location"] == NOT_KEPT
    assert kept(town) == []


def test_no_password_and_no_code_is_kept(town: Town, boss: Person) -> None:
    page = boss.browser.post("/account/password", password="another good password").text
    first = code_of(secret_in(page), town.clock)
    with town.office.writing() as connection:
        connection.execute(delete(CEREMONIES))
    town.clock.pass_by(seconds=FRESH_SECONDS)
    for path, typed in {
        "/account/password": {"password": "yet another password"},
        "/account/codes": {"ceremony": ceremony_in(page), "first": first},
    }.items():
        sent = boss.browser.client.post(
            path, data=typed, headers={"referer": f"{town.origin}/account/password"}
        )
        where = sent.headers["location"]
        assert where == "/sign-in?next=%2Fagain%3Fpage%3D%252Faccount", "no page answers the other"
        assert "it is not kept" in boss.browser.get(where).text
    assert kept(town) == []
    after = boss.sign_in(next="/again?page=%2Faccount").headers["location"]
    page = boss.browser.get(after).text
    assert "a new password was not set" in page
    assert 'href="/account"' in page
    away = boss.browser.get("/again?page=//evil.example").text
    assert 'href="//evil' not in away


def test_what_asks_for_a_password_or_a_code_says_so() -> None:
    secret = {"password", "code", "first", "ceremony"}
    routes = [each for room in ROOMS for each in room.router.routes if isinstance(each, APIRoute)]
    fields = [field for route in routes for field in route.dependant.body_params]
    named = {field.name for field in fields if is_secret(field.field_info)}
    assert named == secret
    assert [each for each in fields if each.name in secret and not is_secret(each.field_info)] == []


def test_what_is_no_form_or_too_long_for_one_is_not_kept(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=FRESH_SECONDS)
    client = boss.browser.client
    for sent, after in (
        (client.post("/account/passkeys/begin", json={}), "/sign-in?next=%2F"),
        (client.post("/accounts/ana/grant", data={**GRANT, "reason": "x" * 200_000}), NOT_KEPT),
        (
            client.post(
                "/accounts/ana/grant", content=b"x", headers={"content-type": "multipart/form-data"}
            ),
            NOT_KEPT,
        ),
    ):
        assert sent.status_code == 400 or sent.headers["location"] == after
    assert kept(town) == []


def test_a_form_for_a_part_of_a_page_sends_the_browser_to_the_sign_in(
    town: Town, boss: Person
) -> None:
    """The script of the page keeps what it could not send."""
    town.clock.pass_by(seconds=FRESH_SECONDS)
    part = {"hx-request": "true", "referer": f"{town.origin}/accounts/ana"}
    sent = boss.browser.client.post("/accounts/ana/grant", data=GRANT, headers=part)
    assert (sent.status_code, sent.text) == (401, "")
    assert sent.headers["hx-redirect"] == "/sign-in?next=%2Faccounts%2Fana"
    assert kept(town) == []


def test_a_part_of_a_page_leads_back_to_the_page(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=IDLE_SECONDS)
    part = {"hx-request": "true", "referer": f"{town.origin}/accounts"}
    sent = boss.browser.client.get("/accounts/ana", headers=part)
    assert sent.headers["hx-redirect"] == "/sign-in?next=%2Faccounts"


def test_forms_that_come_at_once_from_several_pages_are_all_kept(town: Town, boss: Person) -> None:
    """No answer makes the browser another one than it was when the others were sent."""
    town.clock.pass_by(seconds=IDLE_SECONDS)
    cookies = dict(boss.browser.client.cookies)
    sent = []
    for reason in ("one", "two", "three"):
        boss.browser.client.cookies.update(cookies)  # as it was for all three
        sent.append(boss.browser.post("/accounts/ana/grant", **{**GRANT, "reason": reason}))
    boss.sign_in()
    for reason, where in zip(("one", "two", "three"), map(after_sign_in, sent), strict=True):
        assert reason in page_of(boss.browser, where)


def test_a_browser_in_which_nobody_signed_in_has_nothing_kept(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=IDLE_SECONDS)
    thief = town.browser()
    thief.client.cookies.set("session", boss.browser.client.cookies["session"])
    assert thief.post("/accounts/ana/grant", **GRANT).headers["location"] == NOT_KEPT
    assert kept(town) == []


def test_a_file_is_chosen_again(town: Town) -> None:
    with_players(town)
    eva = town.person("eva", Role.ARBITER)
    key = dict(HIDDEN.findall(eva.browser.get("/submissions/new").text))
    town.clock.pass_by(seconds=IDLE_SECONDS)
    sent = eva.browser.client.post(
        "/submissions/new", data=key | {"reason": WHY, "list": "ENF"},
        files={"file": ("<report>.csv", REPORT.encode())},
        headers={"referer": f"{town.origin}/submissions/new"},
    )  # fmt: skip
    where = after_sign_in(sent)
    assert REPORT.splitlines()[-1] not in str(kept(town))
    eva.sign_in()
    page = page_of(eva.browser, where)
    assert "Choose the file again: &lt;report&gt;.csv" in page
    assert '<input id="file" name="file" type="file" required>' in page
    assert 'enctype="multipart/form-data"' in page
    (form,) = [each for each in forms_of(page) if each.id == "again"]
    assert (form.action, form.value("list"), form.value("reason")) == (
        "/submissions/new", "ENF", WHY,
    )  # fmt: skip
    files = {"file": ("report.csv", REPORT.encode())}
    done = eva.browser.client.post(form.action, data=dict(form.fields), files=files)
    assert done.headers["location"].startswith("/submissions/")


def test_a_comment_to_what_was_handed_in_is_kept(town: Town) -> None:
    with_players(town)
    eva, ana = town.person("eva", Role.ARBITER), town.person("ana", Role.OFFICER)
    page = draft(eva.browser)
    eva.browser.post(f"{page}/hand-in", turn="1")
    town.clock.pass_by(seconds=IDLE_SECONDS)
    sent = ana.browser.client.post(
        f"{page}/refuse", data={"turn": "2", "comment": WHY},
        headers={"referer": town.origin + page},
    )  # fmt: skip
    where = after_sign_in(sent)
    ana.sign_in()
    (form,) = [each for each in forms_of(page_of(ana.browser, where)) if each.id == "again"]
    assert form.value("comment") == WHY
    assert sent_again(ana.browser, where).headers["location"] == page
    assert WHY in ana.browser.get(page).text


def test_a_tap_without_scripts_says_of_which_board_it_is(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    import_text(town.ledger, "id;name\nA;Ana\nB;Bruno\nC;Carla\nD;Dora\n")
    do(
        town.ledger,
        c.OpenTournament(
            tournament="t", name="Copa", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=3,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in "ABCD"),
    )  # fmt: skip
    publish_round(
        town.ledger, PairRound(tournament="t", boards=[("A", "C"), ("D", "B")]), request("a lot")
    )
    here = "/desk/t/rounds/1"
    form = form_of(ana.browser.get(here).text, f"{here}/boards/2", act="record")
    town.clock.pass_by(seconds=IDLE_SECONDS)
    tapped = dict(form.filled({"result": "1-0"}))
    sent = ana.browser.client.post(
        form.action, data=tapped, headers={"referer": town.origin + here}
    )
    where = after_sign_in(sent)
    ana.sign_in()
    shown = page_of(ana.browser, where)
    assert shown.count('id="again"') == 1
    assert 'aria-label="Board 2: 1–0" autofocus' in shown
    (form,) = [each for each in forms_of(shown) if each.id == "again"]
    assert form.action == f"{here}/boards/2"
    assert form.value("key") == tapped["key"], "sent twice it is one"
    done = ana.browser.client.post(form.action, data=dict(form.filled({"result": "1-0"})))
    assert done.headers["location"].endswith("#board-2")
    assert [each.result for each in round_desk(town.ledger, "t", 1).boards] == [None, "1-0"]
    gone = page_of(ana.browser, where)
    assert "not on this page any more" in gone
    assert f'href="{where}?plain=true"' in gone
    assert "1-0" in page_of(ana.browser, f"{where}?plain=true")
    from_refusal = {"referer": f"{town.origin}{here}/boards/1"}
    town.clock.pass_by(seconds=IDLE_SECONDS)
    sent = ana.browser.client.post(form.action, data=tapped, headers=from_refusal)
    above = after_sign_in(sent)
    ana.sign_in()
    led = ana.browser.client.get(above).headers["location"]
    assert led.startswith(f"{here}?"), "the page above a board, which has none"


def test_what_was_typed_goes_with_an_erasure(town: Town) -> None:
    with_players(town)
    ana = town.person("ana", Role.OFFICER)
    town.clock.pass_by(seconds=IDLE_SECONDS)
    where = after_sign_in(ana.browser.post("/corrections/new", reason="Quillfeather asked for it"))
    ana.sign_in()
    assert "Quillfeather" in page_of(ana.browser, where)
    erase_player(town.ledger, c.ErasePlayer(player="B", on=town.ledger.today), request("a letter"))
    assert ana.browser.get(where).status_code == 404
    assert kept(town) == []


@pytest.mark.parametrize("by", ["the owner", "an administrator"])
def test_what_was_typed_is_there_where_somebody_ended_the_session(
    town: Town, boss: Person, by: str
) -> None:
    if by == "the owner":
        boss.sign_in(town.browser())
        elsewhere = town.browser()
        town.clock.pass_by(seconds=60)
        boss.sign_in(elsewhere)
        assert elsewhere.post("/account/sessions/end").status_code == 303
    else:
        eva = town.person("eva", Role.ADMINISTRATOR)
        assert eva.browser.post("/accounts/boss/sessions/end").status_code == 303
    assert not boss.browser.is_signed_in()
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))
    assert town.browser().get(where).status_code == 303
    town.clock.pass_by(seconds=60)
    boss.sign_in()
    assert WHY in page_of(boss.browser, where)


def test_nobody_is_led_to_what_was_typed_in_another_browser(town: Town, boss: Person) -> None:
    """Whoever has a session that its owner ended cannot have its owner send a form."""
    thief = town.browser()
    thief.client.cookies.set("session", boss.browser.client.cookies["session"])
    thief.client.cookies.set("typed", "the thief's own")
    boss.browser.post("/sign-out")
    where = after_sign_in(thief.post("/accounts/ana/grant", **GRANT))
    boss.sign_in()
    answer = boss.browser.get(where)
    assert (answer.status_code, WHY in answer.text) == (404, False)
    filled = boss.browser.get(f"/accounts/ana?again={where.rpartition('/')[2]}")
    assert (filled.status_code, WHY in filled.text) == (200, False)


def test_an_ended_session_stays_ended_where_it_was_in_use(town: Town, boss: Person) -> None:
    with town.office.writing() as connection:
        (used,) = sessions.sessions_of(connection, "boss", town.office.now())
        sessions.end(connection, "boss", used.hash)
        sessions.note(connection, used, town.office.now())
        assert not sessions.sessions_of(connection, "boss", town.office.now())
    assert not boss.browser.is_signed_in()


def test_another_account_is_told_to_sign_in_as_the_one_that_typed_it(
    town: Town, boss: Person
) -> None:
    eva = town.person("eva", Role.ADMINISTRATOR)
    town.clock.pass_by(seconds=FRESH_SECONDS)
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))
    eva.sign_in(boss.browser)
    answer = boss.browser.get(where)
    assert answer.status_code == 403
    assert "typed with another account" in answer.text
    assert WHY not in answer.text
    assert "boss" not in answer.text
    assert WHY not in boss.browser.get(f"/accounts/ana?again={where.rpartition('/')[2]}").text
    (link,) = re.findall(r'href="(/sign-in[^"]*)"', answer.text)
    to_sign_in = boss.browser.get(html.unescape(link)).text
    assert 'name="account" value=""' in to_sign_in
    assert "prove once more" not in to_sign_in
    town.clock.pass_by(seconds=60)
    assert boss.sign_in(next=where).headers["location"] == where
    assert WHY in page_of(boss.browser, where)


def test_it_is_shown_as_the_form_that_it_was_and_can_be_changed(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=FRESH_SECONDS)
    scopes = known_scopes()[:2]
    typed = {"name": "robot", "days": "3", "scope": scopes}
    sent = boss.browser.client.post(
        "/account/tokens", data=typed, headers={"referer": f"{town.origin}/account"}
    )
    where = after_sign_in(sent)
    boss.sign_in()
    shown = page_of(boss.browser, where)
    (form,) = [each for each in forms_of(shown) if each.id == "again"]
    assert form.filled({}) == [
        ("name", "robot"), *(("scope", each) for each in scopes), ("days", "3"),
    ]  # fmt: skip
    assert "Name of the token" in text_of(shown)
    changed = {"name": "other", "days": "3", "scope": scopes[1]}
    boss.browser.client.post(form.action, data=changed)
    with town.office.reading() as connection:
        (made,) = tokens_of(connection, "boss")
    assert (made.name, made.scopes) == ("other", frozenset({scopes[1]}))


def test_where_its_page_is_gone_all_that_was_sent_is_shown(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=FRESH_SECONDS)
    where = after_sign_in(boss.browser.post("/accounts/ana/grant", **GRANT))  # from no page
    boss.sign_in()
    assert f"role auditor reason {WHY} key once" in text_of(boss.browser.get(where).text)


def test_what_was_sent_again_may_be_signed_then(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.clock.pass_by(seconds=FRESH_SECONDS)
    where = after_sign_in(ana.browser.post("/accounts/ana/grant", **GRANT))
    ana.person.sign_in()
    to_sign = sent_again(ana.browser, where).headers["location"]
    assert to_sign.startswith("/sign/")
    ana.sign(to_sign)
    assert ana.again(to_sign).headers["location"] == "/accounts/ana"


def test_sessions_are_forgotten_when_no_browser_shows_them_any_more(
    town: Town, boss: Person
) -> None:
    town.clock.pass_by(days=8)
    boss.sign_in()
    with town.office.reading() as connection:
        assert len(connection.execute(select(SESSIONS.c.hash)).all()) == 1
