"""Accounts in a real browser: a link, a passkey, a password without scripts, every page for all."""

from __future__ import annotations

import base64
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.cli.running import run
from tests.web.accounts.conftest import PASSWORD
from tests.web.browser import (
    PHONE,
    address_of,
    context_of,
    overhang,
    text_of,
    texts_of,
    violations,
)
from tests.web.serving import served

BY = ("--actor", "operator", "--reason", "founding meeting")
_CODE = re.compile(r"/enrol/([\w-]{43})")


@pytest.fixture(scope="module")
def ledger(demo_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shipped example, in a folder of its own."""
    return Path(shutil.copy(demo_db, tmp_path_factory.mktemp("town") / "club.db"))


@pytest.fixture(scope="module")
def origin(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site, by a name: browsers make passkeys for no number."""
    log = tmp_path_factory.mktemp("served") / "log"
    with served(ledger, "--host", "localhost", log=log) as site:
        yield site.origin


def link_of(ledger: Path, account: str, role: str) -> str:
    """Makes an account; returns the path of its link."""
    made = run(
        "--db", str(ledger), "account", "create", account, "--role", role, *BY, cwd=ledger.parent
    )
    found = _CODE.search(made.out)
    assert found, made.err
    return found[0]


@contextmanager
def telephone(context: BrowserContext, page: Page) -> Iterator[None]:
    """Gives a browser an authenticator that knows its owner."""
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield
    session.detach()


def test_a_passkey_is_made_and_used_and_every_page_is_for_all(
    browser: Browser, ledger: Path, origin: str
) -> None:
    context = context_of(browser, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    with telephone(context, page):
        page.goto(origin + link_of(ledger, "ana", "administrator"))
        assert violations(page) == []
        page.get_by_role("button", name="Make a passkey").click()
        page.wait_for_url(f"{origin}/account")
        page.get_by_role("button", name="Make a passkey").click()  # there is one: it is refused
        refused = page.get_by_text("your account already has a passkey on this device")
        expect(refused).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{origin}/")
        page.goto(f"{origin}/accounts")
        page.wait_for_url("**/sign-in?next=%2Faccounts*")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url(f"{origin}/accounts")
        assert troubles == []
        page.goto(f"{origin}/account")
        page.locator("#token-name").fill("my own program")
        page.locator("[name=scope]").first.check()
        page.get_by_role("button", name="Make a token").click()
        page.wait_for_url(f"{origin}/account/tokens")
        page.goto(f"{origin}/account")
        expect(page.get_by_text("my own program")).to_be_visible()
        for path in (
            "/accounts", "/accounts/ana", "/account", "/sign-in", "/webhooks", "/jobs",
            "/player-accounts",
        ):  # fmt: skip
            for lang in ("en", "es"):
                page.goto(f"{origin}{path}?lang={lang}")
                page.set_viewport_size({"width": 1000, "height": 800})
                page.emulate_media(color_scheme="light")
                assert violations(page) == [], (path, lang)
                page.emulate_media(color_scheme="dark")
                assert violations(page, "color-contrast") == [], (path, lang)
                for width in (1000, PHONE):
                    page.set_viewport_size({"width": width, "height": 800})
                    assert overhang(page) == 0, (path, lang, width)
    context.close()


def test_without_scripts_a_password_is_chosen_and_used(
    browser: Browser, ledger: Path, origin: str
) -> None:
    context = browser.new_context(locale="en-GB", java_script_enabled=False)
    page = context.new_page()
    page.goto(origin + link_of(ledger, "luis", "officer"))
    expect(page.get_by_role("button", name="Make a passkey")).to_have_count(0)
    page.get_by_label("New password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("First code")).to_be_visible()
    typed = text_of(page.locator("code")).replace(" ", "")
    codes = TOTP(base64.b32decode(typed), 6, SHA1(), 30)
    expect(page.locator("figure svg")).to_be_visible()
    page.get_by_label("First code").fill(codes.generate(time.time()).decode())
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="I have kept it safe")).to_be_visible()
    recovery = texts_of(page.locator("code"), 8)
    page.get_by_role("link", name="I have kept it safe").click()
    page.wait_for_url(f"{origin}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{origin}/")
    page.goto(f"{origin}/account")
    page.get_by_label("Account").fill("luis")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code", exact=True).fill("000000")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("are not right")
    expect(page.get_by_label("Account")).to_have_value("luis")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code", exact=True).fill(recovery[0])
    page.keyboard.press("Enter")
    page.wait_for_url(f"{origin}/account")
    expect(page.locator("h1")).to_contain_text("luis")
    context.close()


def grant(page: Page, origin: str, role: str) -> str:
    """Fills in and sends the form that gives otto a role; returns where it is to be signed."""
    page.goto(f"{origin}/accounts/otto")
    page.get_by_label("Role", exact=True).select_option(role)
    page.locator("form[action$='/grant'] [name=reason]").fill("season 2026")
    page.locator("form[action$='/grant'] button").click()
    return address_of(page, f"{origin}/sign/*")


def test_what_is_recorded_is_signed_with_a_bound_passkey(
    browser: Browser, ledger: Path, origin: str
) -> None:
    context = context_of(browser, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    link_of(ledger, "otto", "arbiter")
    with telephone(context, page):
        page.goto(origin + link_of(ledger, "mona", "administrator"))
        page.get_by_role("button", name="Make a passkey").click()
        page.wait_for_url(f"{origin}/account")
        page.locator("#bind-reason").fill("my telephone")
        page.get_by_role("button", name="Sign with this passkey from now on").click()
        expect(page.locator("#unbind")).to_be_visible()
        assert violations(page) == []
        to_sign = grant(page, origin, "auditor")
        for lang in ("es", "en"):
            page.goto(f"{to_sign.partition('?')[0]}?lang={lang}")
            assert violations(page) == []
            assert overhang(page) == 0
        page.set_viewport_size({"width": 320, "height": 640})
        page.emulate_media(color_scheme="dark")
        assert (violations(page), overhang(page)) == ([], 0)
        expect(page.locator("table")).to_contain_text("Role granted")
        page.set_viewport_size({"width": 1280, "height": 720})
        expect(page.locator("pre")).to_contain_text("rating-ledger commit signature")
        page.get_by_role("button", name="Sign with a passkey").click()
        page.wait_for_url(f"{origin}/accounts/otto")
        grant(page, origin, "officer")
        link_of(ledger, "ivan", "arbiter")  # somebody else records meanwhile
        page.get_by_role("button", name="Sign with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("Somebody else recorded something")
        page.get_by_role("button", name="Sign with a passkey").click()
        page.wait_for_url(f"{origin}/accounts/otto")
        to_sign = grant(page, origin, "administrator")
        kept = context.storage_state()
    context.close()
    assert troubles == []
    without_scripts = browser.new_context(
        locale="en-GB", java_script_enabled=False, storage_state=kept
    )
    page = without_scripts.new_page()
    page.goto(to_sign)
    expect(page.locator("noscript .problem")).to_contain_text("needs JavaScript")
    expect(page.get_by_role("button", name="Sign with a passkey")).to_have_count(0)
    without_scripts.close()
    found = run("--db", str(ledger), "verify", "--format", "json", cwd=ledger.parent)
    assert found.code == 0, found.err
    assert found.json()["signed"] == 2


def test_what_was_typed_before_a_sign_in_is_sent_with_one_press(
    browser: Browser, ledger: Path, origin: str
) -> None:
    context = context_of(browser, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    link_of(ledger, "rosa", "arbiter")
    with telephone(context, page):
        page.goto(origin + link_of(ledger, "nora", "administrator"))
        page.get_by_role("button", name="Make a passkey").click()
        page.wait_for_url(f"{origin}/account")
        page.goto(f"{origin}/accounts/rosa")
        page.get_by_label("Role", exact=True).select_option("auditor")
        page.locator("form[action$='/grant'] [name=reason]").fill("a long reason")
        with closing(sqlite3.connect(ledger.parent / "club-office.db")) as office, office:
            office.execute("UPDATE sessions SET fresh_at = fresh_at - 3600")
        page.locator("form[action$='/grant'] button").click()
        page.wait_for_url(f"{origin}/sign-in?*")
        expect(page.locator("main")).to_contain_text("kept for ten minutes")
        page.get_by_role("button", name="Sign in with a passkey").click()
        kept = address_of(page, f"{origin}/accounts/rosa?again=*")
        secret = kept.rpartition("=")[2].partition("#")[0]
        for address in ("accounts/rosa?again={}&", "again/{}?plain=true&"):
            for lang in ("es", "en"):
                page.goto(f"{origin}/{address.format(secret)}lang={lang}#again")
                assert (violations(page), overhang(page)) == ([], 0)
        page.goto(kept)
        page.set_viewport_size({"width": 320, "height": 640})
        page.emulate_media(color_scheme="dark")
        assert (violations(page), overhang(page)) == ([], 0)
        form = page.locator("#again")
        expect(form).to_contain_text("had to sign in")
        expect(form.get_by_label("Reason")).to_have_value("a long reason")
        expect(form.get_by_label("Role", exact=True)).to_have_value("auditor")
        form.get_by_role("button").click()
        page.wait_for_url(f"{origin}/accounts/rosa")
        expect(page.locator("main")).to_contain_text("auditor")
    context.close()
