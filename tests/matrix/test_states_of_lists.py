"""Every file and print of a list says of what state the list is, where it was not published."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient

from ledger.service.ledger import Ledger
from ledger.wording import LANGUAGES, Message
from tests.ledgers import GAMES_HEADER, about, import_text, with_july_published
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

STATES = {
    "published": "/lists/ENF/2010-07{}",
    "recalculated": "/lists/ENF/2010-07{}?recalculated=true",
    "preview": "/lists/ENF/2010-08{}",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return site_of(with_july_corrected(), tmp_path_factory.mktemp("site"))


def with_july_corrected() -> Ledger:
    """Return a ledger whose July was published and corrected afterwards."""
    ledger = with_july_published()
    corrected = GAMES_HEADER + about("T1", "2010-07-10", "A,B,0-1", "C,A,1/2-1/2")
    import_text(ledger, corrected, as_correction=True)
    return ledger


def site_of(ledger: Ledger, folder: Path) -> TestClient:
    return TestClient(
        create_app(Site(ledger, WebSettings(ledger="", origin="http://testserver", cache=folder)))
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_a_file_or_print_says_its_state(site: TestClient, state: str, lang: str) -> None:
    notice = Message.of(f"player.state_{state}", on="").within(lang)
    answers = {
        form: site.get(STATES[state].format(f"/{form}"), headers={"accept-language": lang})
        for form in ("print", "csv", "xlsx", "json")
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    is_marked = state != "published"
    for form in ("csv", "xlsx", "json"):
        named = answers[form].headers["content-disposition"]
        assert (f"{state}-not-official.{form}" in named) is is_marked, named
    head, _, body = answers["print"].text.partition("</thead>")
    assert (notice in head[head.index("<thead>") :]) is is_marked
    assert "<tr>" in body
    with ZipFile(io.BytesIO(answers["xlsx"].content)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        tabs = book.read("xl/workbook.xml").decode()
    assert (notice in sheet) is is_marked
    assert (notice[:20] in tabs) is is_marked
    assert json.loads(answers["json"].text)["state"] == state
