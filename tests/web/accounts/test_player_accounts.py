"""Accounts of players: given by an officer or an administrator, and good for speaking alone."""

from __future__ import annotations

import re

import pytest

from ledger.operations import commands as c
from ledger.service.accounts import rights_of
from ledger.service.erasures import erase_player
from ledger.terms import Role
from tests.ledgers import PLAYERS_HEADER, define, do, import_text, request
from tests.web.accounts.conftest import Person, Town
from tests.web.support import text_of
from web.office import player_ties
from web.submissions.mentions import untie_erased

_LINK = re.compile(r"/enrol/([\w-]+)</code>")
ANA = 'A,"Ruiz, Ana",CHI,w,1985,1800,40,50\n'
LUIS = 'B,"Soto, Luis",CHI,m,1990,1700,40,50\n'


@pytest.fixture
def town(town: Town) -> Town:
    """With two players."""
    define(town.ledger)
    import_text(town.ledger, PLAYERS_HEADER + ANA + LUIS, list_="ENF")
    return town


@pytest.fixture
def officer(town: Town) -> Person:
    """An officer who has just signed in."""
    return town.person("olga", Role.OFFICER)


def given(by: Person, account: str, player: str) -> str:
    """Gives a player an account; returns the code of its link, "" of one that there was."""
    answer = by.browser.post("/player-accounts", account=account, player=player)
    found = _LINK.search(answer.text)
    assert found or answer.status_code == 303, text_of(answer.text)
    return found[1] if found else ""


def ties(town: Town) -> dict[str, str]:
    with town.office.reading() as connection:
        return player_ties.tied_players(connection)


def test_a_player_is_chosen_by_search_and_gets_an_account_without_a_role(
    town: Town, officer: Person
) -> None:
    found = officer.browser.get("/player-accounts?q=ruiz").text
    assert 'name="player" value="A"' in found
    assert 'value="B"' not in found
    before = town.ledger.journal.head()
    ana = town.browser().enrol("ana", given(officer, " Ana ", "A"))
    assert ana.browser.is_signed_in()
    assert town.ledger.journal.head() == before, "it is no event"
    assert not rights_of(town.ledger, "ana").roles
    assert "Ruiz, Ana" in text_of(officer.browser.get("/player-accounts").text)
    own = ana.browser.get("/account").text
    assert '<a href="/players/A">Your page as a player</a>' in own
    for page in ("/player-accounts", "/accounts", "/office", "/claims", "/submissions"):
        assert ana.browser.get(page).status_code == 403, page


def test_it_stands_on_the_pages_of_the_accounts(town: Town, officer: Person) -> None:
    boss = town.person("boss", Role.ADMINISTRATOR)
    given(officer, "ana", "A")
    assert re.search(r"ana\s+No roles\.\s+Ruiz, Ana", text_of(boss.browser.get("/accounts").text))
    page = boss.browser.get("/accounts/ana")
    assert "Ruiz, Ana" in text_of(page.text)
    assert "/accounts/ana/reset" not in page.text, "no event tells of it: a link is made elsewhere"
    assert boss.browser.get("/accounts/nobody").status_code == 404
    taken = boss.browser.post("/accounts", account="ana", role="officer", reason="x")
    assert taken.status_code == 409, "whoever has the way in would become an officer"
    boss.browser.post("/accounts/ana/grant", role="arbiter", reason="exam")
    *_, last = town.ledger.journal.commits()
    types = [event.type for event in town.ledger.journal.events(after=last.first_seq - 1)]
    assert types == ["account.granted", "account.entrusted"], "that she has the way in is told"
    assert "/accounts/ana/reset" in boss.browser.get("/accounts/ana").text


def test_an_account_that_there_is_gets_a_player_and_is_not_handed_over(
    town: Town, officer: Person
) -> None:
    arbiter = town.person("eva", Role.ARBITER)
    assert given(officer, "eva", "B") == ""
    assert ties(town) == {"eva": "B"}
    assert arbiter.browser.is_signed_in()
    refused = officer.browser.post("/player-accounts/link", account="eva")
    assert refused.status_code == 409, "an officer takes nobody's way in who has a role"
    assert arbiter.browser.is_signed_in()
    officer.browser.post("/player-accounts/untie", account="eva")
    assert ties(town) == {}
    assert officer.browser.post("/player-accounts/untie", account="eva").status_code == 404


@pytest.mark.parametrize(
    ("account", "player", "status", "said"),
    [
        ("ana", "B", 409, "is that of A already"),
        ("other", "A", 409, "has the account ana already"),
        ("0lga", "B", 422, "looks like that of the account olga"),
        ("Not a name", "B", 422, "small letters"),
        ("other", "", 422, "choose the player"),
        ("other", "nobody", 404, "nobody"),
    ],
)
def test_one_account_has_one_player_and_a_player_one_account(
    town: Town, officer: Person, account: str, player: str, status: int, said: str
) -> None:
    given(officer, "ana", "A")
    answer = officer.browser.post("/player-accounts", account=account, player=player)
    assert answer.status_code == status
    assert said in text_of(answer.text)
    assert ties(town) == {"ana": "A"}
    assert given(officer, "ana", "A") == "", "said again it is the same, and its link stays"


def test_a_link_that_was_lost_is_made_anew(town: Town, officer: Person) -> None:
    first = given(officer, "ana", "A")
    answer = officer.browser.post("/player-accounts/link", account="ana")
    second = _LINK.search(answer.text)
    assert second
    assert town.browser().get(f"/enrol/{first}").status_code == 404
    assert town.browser().get(f"/enrol/{second[1]}").status_code == 200
    officer.browser.post("/player-accounts/untie", account="ana")
    void = town.browser().get(f"/enrol/{second[1]}")
    assert void.status_code == 404, "an account of nobody and without a role is good for nothing"


def test_it_follows_a_merge_and_ends_with_an_erasure(town: Town, officer: Person) -> None:
    boss = town.person("boss", Role.ADMINISTRATOR)
    given(officer, "ana", "A")
    do(town.ledger, c.MergePlayers(player="A", into="B", on=town.ledger.today, seeds_of="B"))
    assert "Soto, Luis" in text_of(boss.browser.get("/accounts/ana").text)
    other = officer.browser.post("/player-accounts", account="luis", player="B")
    assert other.status_code == 409, "they are one person, who has an account"
    erase_player(town.ledger, c.ErasePlayer(player="B", on=town.ledger.today), request())
    site = town.app.state.site
    assert "/players/B" not in boss.browser.get("/accounts").text, "at once, whoever erased"
    untie_erased(town.office, site, "B")
    assert ties(town) == {}
    again = officer.browser.post("/player-accounts", account="luis", player="B")
    assert again.status_code == 404
    assert "was erased" in text_of(again.text)


def test_others_give_nobody_an_account(town: Town, officer: Person) -> None:
    arbiter = town.person("eva", Role.ARBITER)
    words = {"account": "ana", "player": "A"}
    assert arbiter.browser.post("/player-accounts", **words).status_code == 403
    assert town.browser().post("/player-accounts", **words).status_code in {303, 401}
    town.clock.pass_by(minutes=11)
    officer.browser.post("/player-accounts", **words)
    assert ties(town) == {}, "who gives one proves first who they are"
