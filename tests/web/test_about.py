"""The pages about the site itself: help, privacy, whom to write to."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cli import settings
from ledger.errors import InputRefused
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationFace
from ledger.wording import LANGUAGES, Message, Wording
from tests.web.conftest import ORIGIN
from tests.web.support import read, text_of
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

PAGES = ("/help", "/privacy")


def site_with(face: FederationFace, ledger: Ledger, folder: Path) -> TestClient:
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=folder, face=face))
    return TestClient(create_app(site), base_url=ORIGIN)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_without_a_contact_the_pages_say_that_there_is_none(
    demo: TestClient, page: str, lang: str
) -> None:
    assert Message.of("help.no_contact").within(lang) in read(demo, f"{page}?lang={lang}")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("contact", "link"),
    [
        ("office@chess.example", 'href="mailto:office@chess.example"'),
        ("https://chess.example/contact", 'href="https://chess.example/contact"'),
        ("12 Main Street, <Nowhere>", "<bdi>12 Main Street, &lt;Nowhere&gt;</bdi>"),
    ],
)
def test_the_pages_name_the_federation_and_its_contact(
    demo_ledger: Ledger, tmp_path: Path, page: str, contact: str, link: str
) -> None:
    face = FederationFace(name=Wording("Chess of Nowhere", "Ajedrez"), contact=contact)
    answer = site_with(face, demo_ledger, tmp_path).get(page)
    assert answer.status_code == 200
    assert link in answer.text
    assert "Chess of Nowhere" in text_of(answer.text).partition("Chess of Nowhere")[2]  # the lead


def test_every_page_leads_to_them_and_to_the_documentation(
    demo: TestClient, demo_ledger: Ledger, tmp_path: Path
) -> None:
    foot = demo.get("/lists").text.partition("<footer")[2]
    for address in ("/help", "/privacy", "/help#documentation"):
        assert f'href="{address}"' in foot
    face = FederationFace(documentation="https://docs.example/")
    site = site_with(face, demo_ledger, tmp_path)
    for page in ("/lists", "/help"):
        assert 'href="https://docs.example/"' in site.get(page).text, page


def test_the_contact_of_claims_is_that_of_the_site_where_no_other_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settings.face().contact == ""
    monkeypatch.setenv("RATING_LEDGER_CLAIMS_TO", "claims@chess.example")
    assert settings.face().contact == "claims@chess.example"
    monkeypatch.setenv("RATING_LEDGER_CONTACT", "office@chess.example")
    assert settings.face().contact == "office@chess.example"
    monkeypatch.setenv("RATING_LEDGER_DOCUMENTATION", "docs")
    with pytest.raises(InputRefused, match="'docs' is no web address"):
        settings.face()
