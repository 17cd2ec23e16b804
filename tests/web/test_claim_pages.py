"""Claims in a real browser: on a phone, in the dark, in both languages, without scripts."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ledger.wording import LANGUAGES
from tests.web.browser import address_of, keeps_nobody_out, window
from tests.web.killing import KilledSite
from tests.web.offices import new_office
from web.office.player_ties import tie_player

STATEMENT = "/players/A/ENF/2010-07"


@pytest.fixture
def site(july_db: Path, tmp_path: Path) -> KilledSite:
    return KilledSite(str(july_db), tmp_path)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_claim_is_made_followed_and_decided_without_scripts(
    browser: Browser, site: KilledSite, lang: str
) -> None:
    with site.running() as people:
        origin = str(people["eva"].client.base_url).rstrip("/")
        with window(browser, origin, scripts=False, lang=lang, account="nobody") as opened:
            page = opened.open(STATEMENT).page
            page.locator("a[href*='/claims/new'][href*='game=']").first.click()
            expect(page.locator("#result")).to_be_visible()
            page.locator("#result").select_option("0-1")
            page.locator("#words").fill("I have the score sheet.")
            page.locator("form.claim button").click()
            link = address_of(page, "**/claim/*").removeprefix(origin)
            expect(page.locator("main")).to_contain_text("I have the score sheet.")
        pages = {
            "nobody": (STATEMENT, "/claims/new?player=A&list=ENF&period=2010-07", link),
            "ana": ("/claims", "/office"),
        }
        for who, addresses in pages.items():
            with window(browser, origin, lang=lang, account=who) as opened:
                for address in addresses:
                    keeps_nobody_out(opened.open(address), lang, address)
        with window(browser, origin, scripts=False, lang=lang, account="ana") as opened:
            page = opened.open("/claims").page
            page.locator(".todo .button").first.click()
            expect(page.locator("#reason")).to_be_visible()
            claim = address_of(page, "**/claims/*").removeprefix(origin)
            with window(browser, origin, lang=lang, account="ana") as scripted:
                keeps_nobody_out(scripted.open(claim), lang, claim)
            page.locator("form[action$='/accept'] button").click()
            page.wait_for_url("**/submissions/*")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_form_opens_in_the_statement_beside_what_is_wrong(
    browser: Browser, site: KilledSite, lang: str
) -> None:
    with site.running() as people:
        origin = str(people["eva"].client.base_url).rstrip("/")
        with window(browser, origin, lang=lang, account="nobody") as opened:
            seen = opened.open(STATEMENT)
            page = seen.page
            page.locator("a[href*='/claims/new'][href*='game=']").first.click()
            expect(page.locator("#claim form")).to_be_visible()
            expect(page.locator("#game")).to_be_focused()
            expect(page).to_have_url(f"{origin}{STATEMENT}")
            expect(page).to_have_title(re.compile("^A, ENF .*2010"))
            expect(page.locator("#claim #game option:checked")).to_contain_text("T1")
            keeps_nobody_out(seen, lang, "the form in the statement")
            page.locator("#result").select_option("0-1")
            page.locator("#words").fill("I have the score sheet.")
            page.locator("form.claim button").click()
            page.wait_for_url("**/claim/*")
            expect(page.locator("main")).to_contain_text("I have the score sheet.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_opponent_answers_without_scripts(
    browser: Browser, site: KilledSite, lang: str
) -> None:
    with closing(new_office(site.folder)) as office, office.writing() as connection:
        for account, player in (("pia", "A"), ("bea", "B")):
            tie_player(connection, account, player, {player}, office.now())
    with site.running() as people:
        origin = str(people["eva"].client.base_url).rstrip("/")
        with window(browser, origin, scripts=False, lang=lang, account="pia") as opened:
            page = opened.open("/tournaments/T1/rounds/1").page
            page.locator("a[href*='/claims/new'][href*='round=1']").first.click()
            page.locator("#wrong-colours").check()
            page.locator("form.claim button").click()
            page.wait_for_url("**/claim/*")
        with window(browser, origin, lang=lang, account="bea") as opened:
            keeps_nobody_out(opened.open("/"), lang, "/")
            keeps_nobody_out(opened.open("/account/claims"), lang, "/account/claims")
        with window(browser, origin, scripts=False, lang=lang, account="bea") as opened:
            page = opened.open("/").page
            page.locator("a[href='/account/claims']").click()
            page.locator("details summary").last.click()
            page.locator("form.stacked input[name=words]").fill("I had White.")
            page.locator("form.stacked button").click()
            expect(page.locator(".done")).to_contain_text("I had White.")
        with window(browser, origin, lang=lang, account="ana") as opened:
            for address in ("/player-accounts?q=A", "/claims", "/claims/new?tournament=T1"):
                keeps_nobody_out(opened.open(address), lang, address)
