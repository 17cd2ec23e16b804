"""Two people who really sign in: one hands a report in, the other one accepts it."""

from __future__ import annotations

import re

from ledger.service.accounts import revoke_role
from ledger.terms import Role
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, about, define, import_text, request
from tests.web.accounts.conftest import Browser, Town

REPORT = GAMES_HEADER + about("T1", "2010-07-10", "A,B,1-0")
HIDDEN = re.compile(r'name="(turn|digest|key)" value="([^"]*)"')


def with_players(town: Town) -> None:
    define(town.ledger)
    rated = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "AB")
    import_text(town.ledger, f"{PLAYERS_HEADER}{rated}", list_="ENF")


def handed_in(browser: Browser) -> str:
    """Hands the report in; returns the address of the submission."""
    key = dict(HIDDEN.findall(browser.get("/submissions/new").text))
    sent = browser.client.post(
        "/submissions/new", data=key, files={"file": ("report.csv", REPORT.encode())}
    )
    assert sent.status_code == 303, sent.text
    page: str = sent.headers["location"]
    assert browser.post(f"{page}/hand-in", turn="1").status_code == 303
    return page


def accepted(browser: Browser, page: str) -> int:
    """Accepts what the page shows; returns the status."""
    seen = dict(HIDDEN.findall(browser.get(page).text))
    return browser.post(f"{page}/accept", **seen).status_code


def test_a_report_is_handed_in_and_accepted(town: Town) -> None:
    with_players(town)
    eva, ana = town.person("eva", Role.ARBITER), town.person("ana", Role.OFFICER)
    page = handed_in(eva.browser)
    assert eva.browser.post(f"{page}/accept", turn="2").status_code == 403
    assert accepted(ana.browser, page) == 303
    commits = list(town.ledger.journal.commits())
    assert commits[-1].actor == "eva + ana"
    assert "It is recorded" in eva.browser.get(page).text


def test_an_officers_own_report_waits_for_another_officer(town: Town) -> None:
    with_players(town)
    ana, luis = town.person("ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    page = handed_in(ana.browser)
    assert "Accept and record" not in ana.browser.get(page).text
    assert accepted(luis.browser, page) == 303
    assert list(town.ledger.journal.commits())[-1].actor == "ana + luis"


def test_whose_role_was_revoked_decides_nothing_more(town: Town) -> None:
    with_players(town)
    town.person("maria", Role.ADMINISTRATOR)
    eva, ana = town.person("eva", Role.ARBITER), town.person("ana", Role.OFFICER)
    page = handed_in(eva.browser)
    seen = dict(HIDDEN.findall(ana.browser.get(page).text))
    revoke_role(town.ledger, "ana", Role.OFFICER, request=request())
    head = town.ledger.journal.head()
    assert ana.browser.post(f"{page}/accept", **seen).status_code in {303, 403}
    assert town.ledger.journal.head() == head


def test_who_did_not_sign_in_is_asked_to(town: Town) -> None:
    for path in ("/submissions", "/submissions/new", "/corrections/new"):
        assert town.browser().get(path).headers["location"].startswith("/sign-in?next=")
