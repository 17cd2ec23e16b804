"""Signing in by a password and a code: what lets somebody in, and what does not."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from argon2 import PasswordHasher

from ledger.terms import Role
from tests.web.accounts.conftest import PASSWORD, Town
from web.accounts import password_setup as passwords
from web.office import credentials
from web.office.attempts import OF_ACCOUNT, OF_ADDRESS, forget_attempts
from web.office.credentials import STEP_SECONDS


def test_a_password_and_a_code_let_somebody_in(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    fresh = town.browser()
    assert not fresh.is_signed_in()
    assert ana.sign_in(fresh, next="/account").headers["location"] == "/account"
    page = fresh.get("/account").text
    assert "ana" in page
    assert "officer" in page


@pytest.mark.parametrize(
    "wrong",
    [{"password": "wrong wrong wrong"}, {"code": "000000"}, {"code": ""}, {"account": "luis"}],
)
def test_anything_less_does_not(town: Town, wrong: dict[str, str]) -> None:
    ana, fresh = town.person("ana", Role.OFFICER), town.browser()
    assert ana.sign_in(fresh, **wrong).status_code == 422
    assert not fresh.is_signed_in()


def test_a_code_is_used_once_and_so_are_those_before_it(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    before = ana.code()
    town.clock.pass_by(seconds=STEP_SECONDS)
    now = ana.code()
    assert ana.sign_in(town.browser(), code=now).status_code == 303
    assert ana.sign_in(town.browser(), code=now).status_code == 422
    assert ana.sign_in(town.browser(), code=before).status_code == 422


def test_a_code_used_while_the_clock_was_ahead_locks_nobody_out(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    before = ana.code()
    town.clock.pass_by(days=365)
    assert ana.sign_in(town.browser()).status_code == 303
    town.clock.pass_by(days=-365)
    assert ana.sign_in(town.browser(), code=before).status_code == 303
    assert ana.sign_in(town.browser(), code=before).status_code == 422
    town.clock.pass_by(seconds=STEP_SECONDS)
    assert ana.sign_in(town.browser()).status_code == 303


def test_a_code_of_a_clock_that_is_a_step_ahead_is_used_once(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    now = ana.code()
    town.clock.pass_by(seconds=STEP_SECONDS)
    ahead = ana.code()
    town.clock.pass_by(seconds=-STEP_SECONDS)
    assert ana.sign_in(town.browser(), code=ahead).status_code == 303
    assert ana.sign_in(town.browser(), code=now).status_code == 422
    assert ana.sign_in(town.browser(), code=ahead).status_code == 422


def test_a_recovery_code_stands_for_a_code_once(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    typed = ana.recovery[0].lower().replace("-", " ")
    assert ana.sign_in(town.browser(), code=typed).status_code == 303
    assert ana.sign_in(town.browser(), code=typed).status_code == 422
    assert "7 recovery codes left" in ana.browser.get("/account").text


def test_nobody_is_told_which_accounts_there_are(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.person("ana", Role.OFFICER)
    hashes: list[str] = []
    verify = passwords._hasher.verify

    class Counting:
        def verify(self, hash_: str, password: bytes) -> bool:
            hashes.append(hash_)
            return verify(hash_, password)

    passwords._nobodys()
    monkeypatch.setattr(passwords, "_hasher", Counting())
    answers = []
    for account in ("ana", "nobody", "ana' --", ""):
        hashes.clear()
        answer = town.browser().post(
            "/sign-in", account=account, password=PASSWORD + "!", code="123456"
        )
        assert len(hashes) == (1 if account else 0)
        answers.append((answer.status_code, answer.text.replace(f'value="{account}"', "")))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("full_hashes")
def test_both_hashes_cost_the_same(town: Town) -> None:
    town.person("ana", Role.OFFICER)
    with town.office.reading() as connection:
        kept = credentials.password_of(connection, "ana")
    assert kept is not None
    parameters = [hash_.split("$")[1:4] for hash_ in (kept.hash, passwords._nobodys())]
    assert parameters[0] == parameters[1] == ["argon2id", "v=19", "m=19456,t=3,p=1"]


@pytest.mark.usefixtures("full_hashes")
def test_a_password_of_other_parameters_is_hashed_again(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    old = PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1).hash(PASSWORD)
    with town.office.writing() as connection:
        kept = credentials.password_of(connection, "ana")
        assert kept is not None
        credentials.rehash(connection, "ana", kept.hash, old)
    assert ana.sign_in(town.browser()).status_code == 303
    with town.office.reading() as connection:
        again = credentials.password_of(connection, "ana")
    assert again is not None
    assert "m=19456" in again.hash


def test_who_tries_too_often_has_to_wait(town: Town) -> None:
    ana, stranger = town.person("ana", Role.OFFICER), town.browser()
    for _ in range(OF_ACCOUNT.amount):
        assert ana.sign_in(stranger, password="guess guess guess").status_code == 422
    refused = ana.sign_in(stranger)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "900"
    assert not stranger.is_signed_in()
    town.clock.pass_by(minutes=15)
    assert ana.sign_in(stranger).status_code == 303


def test_who_tries_does_not_keep_the_owner_out_of_a_browser_that_is_known(town: Town) -> None:
    ana, stranger = town.person("ana", Role.OFFICER), town.browser()
    for _ in range(OF_ACCOUNT.amount + 5):
        ana.sign_in(stranger, password="guess guess guess")
    ana.browser.post("/sign-out")
    assert not ana.browser.is_signed_in()
    assert ana.sign_in().status_code == 303
    assert ana.browser.is_signed_in()


def test_an_account_that_is_unlocked_waits_in_no_browser(town: Town) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    for person in (ana, luis):
        for _ in range(11):
            person.sign_in(code="000000")
        assert person.sign_in().status_code == 429
    forget_attempts(town.office, "ana")
    assert ana.sign_in().status_code == 303
    assert luis.sign_in().status_code == 429, "another one's are not forgotten"


def exhaust(town: Town) -> None:
    """Has a stranger try as often as may be tried from an address, which is everybody's here."""
    stranger = town.browser()
    for number in range(OF_ADDRESS.amount + 1):
        last = stranger.post("/sign-in", account=f"a{number}", password="x", code="1")
    assert last.status_code == 429


def test_strangers_at_an_address_keep_nobody_out_of_a_browser_that_is_known(town: Town) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    ana.browser.post("/sign-out")
    exhaust(town)
    assert ana.sign_in().status_code == 303
    assert ana.browser.is_signed_in()
    assert luis.sign_in(ana.browser).status_code == 429, "it is not known for another account"


def test_an_account_that_is_unlocked_waits_for_no_address(town: Town) -> None:
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    exhaust(town)
    fresh = town.browser()
    assert ana.sign_in(fresh).status_code == 429
    forget_attempts(town.office, "ana")
    assert ana.sign_in(fresh).status_code == 303
    assert luis.sign_in(town.browser()).status_code == 429, "another one's has to wait"
    guesses = [
        ana.sign_in(town.browser(), password="guess guess guess").status_code
        for _ in range(OF_ACCOUNT.amount + 1)
    ]
    assert guesses == [422] * OF_ACCOUNT.amount + [429], "its own attempts are counted"
    town.clock.pass_by(minutes=15)
    exhaust(town)
    assert ana.sign_in(town.browser()).status_code == 429, "it is unlocked for a while"


def test_a_browser_that_is_known_for_one_account_is_a_stranger_to_others(town: Town) -> None:
    town.person("eva", Role.ARBITER)
    luis = town.person("luis", Role.ARBITER)
    eva = town.browser()
    for _ in range(OF_ACCOUNT.amount):
        luis.browser.post("/sign-in", account="eva", password="guess guess guess", code="1")
    answer = eva.post("/sign-in", account="eva", password="guess guess guess", code="1")
    assert answer.status_code == 429


def test_many_accounts_are_not_tried_from_one_address(town: Town) -> None:
    stranger = town.browser()
    codes = [
        stranger.post("/sign-in", account=f"a{n}", password="x", code="1").status_code
        for n in range(OF_ADDRESS.amount + 1)
    ]
    assert codes == [422] * OF_ADDRESS.amount + [429]


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/", "//evil.example", r"/\evil.example", "/\t/evil.example",
        "javascript:alert(1)", "/\n/evil", "evil", "", r"\\evil", "/%0d%0aset-cookie:a\r\nb",
    ],
)  # fmt: skip
def test_nobody_is_sent_to_another_site(town: Town, wanted: str) -> None:
    ana = town.person("ana", Role.OFFICER)
    answer = ana.sign_in(town.browser(), next=wanted)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    page = town.browser().client.get("/sign-in", params={"next": wanted}).text
    assert 'name="next" value="/"' in page


def test_who_must_sign_in_comes_to_the_page_afterwards(town: Town) -> None:
    ana, fresh = town.person("ana", Role.ADMINISTRATOR), town.browser()
    sent = fresh.get("/accounts?lang=es").headers["location"]
    assert sent == "/sign-in?next=%2Faccounts%3Flang%3Des"
    assert 'name="next" value="/accounts?lang=es"' in fresh.get(sent).text
    assert ana.sign_in(fresh, next="/accounts?lang=es").headers["location"] == "/accounts?lang=es"


def test_nothing_that_lets_somebody_in_is_kept_as_it_is(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    ana.browser.post("/account/tokens", name="t", days="3", scope="x")
    kept: list[Any] = []
    with town.office.reading() as connection:
        for table in ("sessions", "devices", "passwords", "recovery_codes", "ceremonies"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            kept += [value for row in rows for value in row]
    session = ana.browser.client.cookies["session"]
    known_by = [ana.browser.client.cookies[name] for name in ("browser", "typed")]
    for secret in (session, PASSWORD, *ana.recovery, *known_by):
        assert not [value for value in kept if secret in str(value)]
    assert hashlib.sha256(session.encode()).digest() in kept


def test_what_is_counted_of_attempts_names_nobody(town: Town) -> None:
    town.browser().post("/sign-in", account="ana", password="x", code="1")
    with town.office.reading() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM attempts").all()
    assert len(rows) == 2
    assert "ana" not in str(rows)
    assert "testclient" not in str(rows)
