"""Sessions: where they begin and end, and that nobody else can use one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from ledger.operations import commands as c
from ledger.operations.commands import PairRound
from ledger.service.accounts import entrust_account, grant_role, revoke_all, revoke_role
from ledger.service.desk import publish_round
from ledger.terms import PairingMethod, Rate, Role, System
from tests.ledgers import define, do, import_text, request
from tests.reports.test_standings import DAY
from tests.web.accounts.conftest import Clock, Town, made_town
from web.accounts import sign_in
from web.office import sessions
from web.office.credentials import STEP_SECONDS
from web.office.sessions import IDLE_SECONDS, LONGEST_SECONDS


@pytest.fixture
def secure_town(tmp_path: Path, clock: Clock) -> Iterator[Town]:
    """A site that is called by HTTPS."""
    yield from made_town(tmp_path, clock, "https://ratings.example.org")


def test_a_session_is_for_this_host_and_for_no_script(secure_town: Town) -> None:
    ana = secure_town.person("ana", Role.OFFICER)
    made = ana.sign_in(secure_town.browser()).headers.get_list("set-cookie")
    names = {f"__Host-{name}" for name in ("session", "browser", "typed")}
    assert {cookie.split("=")[0] for cookie in made} == names
    for cookie in made:
        words = {word.strip().lower() for word in cookie.split(";")}
        assert {"httponly", "secure", "samesite=lax", "path=/"} <= words
        assert not [word for word in words if word.startswith("domain")]


def test_a_session_that_was_there_before_signing_in_is_worth_nothing(town: Town) -> None:
    ana, victim = town.person("ana", Role.OFFICER), town.browser()
    victim.client.cookies.set("session", "chosen by a stranger")
    assert not victim.is_signed_in()
    ana.sign_in(victim)
    thief = town.browser()
    thief.client.cookies.set("session", "chosen by a stranger")
    assert not thief.is_signed_in()


def test_signing_in_again_is_another_session_and_ends_the_one_before(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    before = ana.browser.client.cookies["session"]
    ana.sign_in()
    assert ana.browser.client.cookies["session"] != before
    thief = town.browser()
    thief.client.cookies.set("session", before)
    assert not thief.is_signed_in()


def test_a_stolen_cookie_is_worth_nothing_after_signing_out(town: Town) -> None:
    ana, thief = town.person("ana", Role.OFFICER), town.browser()
    thief.client.cookies.set("session", ana.browser.client.cookies["session"])
    assert thief.is_signed_in()
    answer = ana.browser.post("/sign-out")
    assert answer.status_code == 303
    assert "session=" in answer.headers["set-cookie"]
    assert not thief.is_signed_in()


def test_a_session_ends_when_it_is_not_used_and_at_last(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    town.clock.pass_by(seconds=IDLE_SECONDS - 60)
    assert ana.browser.is_signed_in()
    town.clock.pass_by(seconds=IDLE_SECONDS - 60)
    assert ana.browser.is_signed_in()
    town.clock.pass_by(seconds=IDLE_SECONDS)
    assert not ana.browser.is_signed_in()
    ana.sign_in()
    for _ in range(LONGEST_SECONDS // IDLE_SECONDS * 2 - 1):
        town.clock.pass_by(seconds=IDLE_SECONDS // 2)
        assert ana.browser.is_signed_in()
    town.clock.pass_by(seconds=IDLE_SECONDS // 2)
    assert not ana.browser.is_signed_in()


def test_sessions_are_listed_and_ended_one_by_one(town: Town) -> None:
    ana, phone = (
        town.person("ana", Role.OFFICER),
        town.browser("Mozilla/5.0 (Linux; Android 14) Chrome/120 Mobile Safari/537"),
    )
    ana.sign_in(phone)
    page = ana.browser.get("/account").text
    assert "Firefox, Linux" in page
    assert "Chrome, Android" in page
    with town.office.reading() as connection:
        newest = sessions.sessions_of(connection, "ana", town.office.now())
    (its,) = [each for each in newest if each.agent == "Chrome, Android"]
    ana.browser.post("/account/sessions/end", session=its.id)
    assert not phone.is_signed_in()
    assert ana.browser.is_signed_in()


def test_all_other_sessions_are_ended_at_once(town: Town) -> None:
    ana, phone, tablet = town.person("ana", Role.OFFICER), town.browser(), town.browser()
    ana.sign_in(phone)
    town.clock.pass_by(seconds=30)
    ana.sign_in(tablet)
    ana.browser.post("/account/sessions/end")
    assert [each.is_signed_in() for each in (ana.browser, phone, tablet)] == [True, False, False]


def test_nobody_ends_the_session_of_somebody_else(town: Town) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    with town.office.reading() as connection:
        (its,) = sessions.sessions_of(connection, "ana", town.office.now())
    luis.browser.post("/account/sessions/end", session=its.id)
    assert ana.browser.is_signed_in()
    assert luis.browser.post("/account/sessions/end", session="no digits").status_code == 404


def test_a_revocation_ends_sessions_at_once_whoever_records_it(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER, Role.ARBITER)
    revoke_role(town.ledger, "ana", Role.ARBITER, request=request())
    grant_role(town.ledger, "ana", Role.ARBITER, request=request())
    assert not ana.browser.is_signed_in()
    ana.sign_in()
    assert ana.browser.is_signed_in()


def test_an_account_that_is_reset_while_somebody_signs_in_is_not_theirs(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, thief = town.person("ana", Role.OFFICER), town.browser()
    proved = sign_in.is_proved

    def late(*said: Any) -> bool:
        is_right = proved(*said)
        entrust_account(town.ledger, "ana", "link", request())
        return is_right

    monkeypatch.setattr(sign_in, "is_proved", late)
    assert ana.sign_in(thief).status_code == 303
    assert not thief.is_signed_in()


def test_a_new_role_wants_a_new_session(town: Town) -> None:
    ana = town.person("ana", Role.ARBITER)
    grant_role(town.ledger, "ana", Role.OFFICER, request=request())
    assert not ana.browser.is_signed_in()
    ana.sign_in()
    assert "officer" in ana.browser.get("/account").text


def test_what_else_is_recorded_ends_no_session(town: Town) -> None:
    ana = town.person("ana", Role.ARBITER)
    define(town.ledger)
    town.link("luis", Role.OFFICER)
    assert ana.browser.is_signed_in()


def test_who_lost_every_role_may_sign_in_and_do_nothing(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    revoke_all(town.ledger, "ana", request())
    ana.sign_in()
    assert "No roles" in ana.browser.get("/account").text
    assert ana.browser.get("/accounts").status_code == 403


def test_what_somebody_sees_who_signed_in_is_kept_nowhere(town: Town) -> None:
    define(town.ledger)
    ana = town.person("ana", Role.OFFICER)
    for path in ("/account", "/", "/?as-known-at=1", "/no-such-page", "/sign-in"):
        answer = ana.browser.get(path)
        assert answer.headers["cache-control"] == "no-store", path
        assert "etag" not in answer.headers
    style = town.browser().get("/").text.split('rel="stylesheet" href="')[1].split('"')[0]
    assert "immutable" in ana.browser.get(style).headers["cache-control"]


def test_who_signed_in_is_not_answered_from_what_was_kept_before(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    tag = town.browser().get("/").headers["etag"]
    assert town.browser().get("/", **{"if-none-match": tag}).status_code == 304
    answer = ana.browser.get("/", **{"if-none-match": tag})
    assert answer.status_code == 200
    assert "Sign out" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "null"},
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:8001"},
        {},
    ],
)
@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/account/sessions/end", "/accounts"])
def test_no_other_site_sends_our_forms(town: Town, path: str, headers: dict[str, str]) -> None:
    ana = town.person("ana", Role.ADMINISTRATOR)
    del ana.browser.client.headers["sec-fetch-site"]
    assert ana.browser.client.post(path, data={}, headers=headers).status_code == 403
    assert ana.browser.is_signed_in()


def test_nothing_is_changed_by_opening_a_page(town: Town) -> None:
    ana = town.person("ana", Role.ADMINISTRATOR)
    for path in ("/sign-out", "/account/sessions/end", "/accounts/ana/revoke", "/account/tokens"):
        assert ana.browser.get(path).status_code in {404, 405}
    assert ana.browser.is_signed_in()


def test_a_tap_from_a_page_of_an_earlier_session_is_not_recorded(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    import_text(town.ledger, "id;name\nA;Ana Ruiz\nB;Berta Sol\n")
    do(
        town.ledger,
        c.OpenTournament(
            tournament="t", name="T", starts_on=DAY, ends_on=DAY, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=1,
        ),
        c.AnnounceRules(tournament="t", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="t", player=player) for player in "AB"),
    )  # fmt: skip
    publish_round(town.ledger, PairRound(tournament="t", round=1), request())
    here, typed = "/desk/t/rounds/1", {"act": "record", "by": "ana", "key": "k", "result": "1-0"}

    def label() -> str:
        """Returns the label of the session in the page of the round."""
        page = ana.browser.get(here).text
        (in_page,) = re.findall(r'data-session="([0-9a-f]{16})"', page)
        assert f'"Desk-Session": "{in_page}"' in page
        assert ana.browser.client.cookies["session"] not in page
        return str(in_page)

    def tap(session: str) -> Response:
        headers = {"hx-request": "true", "desk-session": session}
        return ana.browser.client.post(f"{here}/boards/1", data=typed, headers=headers)

    earlier = label()
    assert label() == earlier
    town.clock.pass_by(seconds=STEP_SECONDS)
    ana.sign_in()
    assert label() != earlier
    head = town.ledger.journal.head()
    refused = tap(earlier)
    assert (refused.status_code, refused.headers["hx-redirect"]) == (401, here)
    assert town.ledger.journal.head() == head
    assert tap(label()).status_code == 200
    assert town.ledger.journal.head().seq == head.seq + 1
