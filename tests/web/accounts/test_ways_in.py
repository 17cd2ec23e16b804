"""A way in that is taken away: all other sessions end with it, and tokens where that is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from httpx2 import Response

from ledger.terms import Role
from tests.web.accounts.authenticator import Authenticator
from tests.web.accounts.conftest import ORIGIN, Person, Town, ceremony_in, code_of, secret_in
from tests.web.accounts.test_passkeys import register
from tests.web.accounts.test_tokens import made
from tests.web.filling import forms_of
from tests.web.support import text_of
from web.office import tokens
from web.office.credentials import STEP_SECONDS

KEY = Authenticator(ORIGIN)
Taken = Callable[[Person, dict[str, str]], Response]


def new_password(ana: Person, said: dict[str, str]) -> Response:
    """Takes another password and its codes, as the two pages do."""
    page = ana.browser.post("/account/password", password="quite another one").text
    first = code_of(secret_in(page), ana.browser.town.clock)
    return ana.browser.post("/account/codes", ceremony=ceremony_in(page), first=first, **said)


WAYS: dict[str, Taken] = {
    "passkey": lambda ana, said: ana.browser.post(
        "/account/passkeys/end", passkey=KEY.id.hex(), **said
    ),
    "password": lambda ana, said: ana.browser.post("/account/password/end", **said),
    "recovery codes": lambda ana, said: ana.browser.post("/account/recovery-codes", **said),
    "new password": new_password,
}


@pytest.fixture
def ana(town: Town) -> Person:
    """Somebody with a password, a passkey and a token."""
    person = town.person("ana", Role.OFFICER)
    register(person.browser, KEY, "/account/passkeys")
    made(person)
    return person


def tokens_left(town: Town) -> int:
    with town.office.reading() as connection:
        return len(tokens.tokens_of(connection, "ana"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("said", "left"), [({}, 1), ({"end_tokens": "yes"}, 0)])
def test_what_is_taken_away_ends_all_other_sessions(
    town: Town, ana: Person, way: str, said: dict[str, str], left: int
) -> None:
    luis, thief = town.person("luis", Role.OFFICER), town.browser()
    assert ana.sign_in(thief).status_code == 303
    town.clock.pass_by(seconds=STEP_SECONDS)
    assert WAYS[way](ana, said).status_code in {200, 303}
    assert (thief.is_signed_in(), ana.browser.is_signed_in()) == (False, True)
    assert tokens_left(town) == left
    assert luis.browser.is_signed_in(), "another one's go on"


@pytest.mark.parametrize("way", ["passkey", "password"])
def test_what_is_not_taken_away_ends_nothing(town: Town, way: str) -> None:
    ana, phone = town.person("ana", Role.OFFICER), town.browser()
    made(ana)
    ana.sign_in(phone)
    said = {"end_tokens": "yes"}
    assert WAYS[way](ana, said).status_code in {404, 422}, "there is no other way in, or none such"
    assert phone.is_signed_in()
    assert tokens_left(town) == 1


def test_the_page_offers_to_end_tokens_where_there_are_some(town: Town, ana: Person) -> None:
    page = ana.browser.get("/account").text
    assert page.count('name="end_tokens"') == 3
    assert "all other sessions end" in text_of(page)
    codes = ana.browser.post("/account/password", password="quite another one").text
    assert codes.count('name="end_tokens"') == 1
    assert ana.browser.post("/account/tokens/end").status_code == 303
    assert tokens_left(town) == 0
    assert 'name="end_tokens"' not in ana.browser.get("/account").text


def test_a_wrong_code_leaves_the_box_as_it_was_ticked(ana: Person) -> None:
    for said in ({}, {"end_tokens": "yes"}):
        page = ana.browser.post("/account/password", password="quite another one").text
        wrong = {"ceremony": ceremony_in(page), "first": "000000", **said}
        again = ana.browser.post("/account/codes", **wrong)
        assert again.status_code == 422
        (form,) = [each for each in forms_of(again.text) if each.action == "/account/codes"]
        assert form.value("end_tokens") == said.get("end_tokens")
