"""Submissions in a real browser: every page in both languages, the whole way without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ledger.wording import LANGUAGES
from tests import profile
from tests.ledgers import GAMES_HEADER, about
from tests.web.browser import address_of, keeps_nobody_out, window
from tests.web.killing import KilledSite
from tests.web.submitting import OF_AUGUST
from web.api.submission_intake import _id_of
from web.submissions.forms import new_id


@pytest.fixture
def site(july_db: Path, tmp_path: Path) -> KilledSite:
    return KilledSite(str(july_db), tmp_path)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_keeps_nobody_out(browser: Browser, site: KilledSite, lang: str) -> None:
    with site.running() as people:
        eva = people["eva"]
        wrong = eva.drafted(OF_AUGUST.replace("0-1", "7-1"))
        correction = eva.drafted_correction()
        eva.step(correction, "hand-in")
        back = eva.handed_in(GAMES_HEADER + about("T5", "2010-08-21", "A,B,0-1"))
        people["ana"].step(back, "hand-back", comment="<b>who</b>?")
        done = eva.handed_in(GAMES_HEADER + about("T6", "2010-08-22", "A,B,0-1"))
        people["ana"].step(done, "accept")
        own = people["ana"].handed_in(GAMES_HEADER + about("T7", "2010-08-23", "A,B,0-1"))
        shared = eva.post(f"/submissions/{correction}/share").text
        link = re.findall(r"/previews/[\w-]+", shared)[0]
        pages = {
            "eva": (
                "/submissions", "/submissions?done=true", "/submissions/new", "/corrections/new",
                "/corrections/new?tournament=T1&round=1", f"/submissions/{wrong}",
                f"/submissions/{back}",
            ),
            "ana": tuple(f"/submissions/{each}" for each in (correction, done, own)),
            "nobody": (link,),
        }  # fmt: skip
        origin = str(eva.client.base_url).rstrip("/")
        for who, addresses in pages.items():
            with window(browser, origin, lang=lang, account=who) as opened:
                for address in profile.share(addresses, lang, LANGUAGES):
                    keeps_nobody_out(opened.open(address), lang, address)


def test_the_whole_way_of_a_report_without_scripts(browser: Browser, site: KilledSite) -> None:
    report = site.folder / "report.csv"
    report.write_text(OF_AUGUST, "utf-8")
    with site.running() as people:
        origin = str(people["eva"].client.base_url).rstrip("/")
        with window(browser, origin, scripts=False, account="eva") as opened:
            page = opened.open("/submissions/new").page
            page.locator("#file").set_input_files(report)
            page.get_by_role("button", name="Look at what it would do").click()
            expect(page.locator("main")).to_contain_text("T3")
            page.get_by_role("button", name="Hand in").click()
            expect(page.locator("main")).to_contain_text("handed in")
            address = address_of(page, f"{origin}/submissions/*").removeprefix(origin)
        with window(browser, origin, scripts=False, account="ana") as opened:
            page = opened.open(address).page
            page.get_by_role("button", name="Accept and record").click()
            expect(page.locator("main")).to_contain_text("It is recorded")
    assert [actor for _, actor in site.commits] == ["eva + ana"]


def test_no_id_of_a_submission_looks_like_an_option() -> None:
    of_keys = (_id_of("ana", str(number)) for number in range(2_000))
    assert not [id_ for id_ in (*of_keys, *(new_id() for _ in range(2_000))) if "-" in id_]
