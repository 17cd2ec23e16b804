"""The colour that leads on a federation's site: readable wherever it stands, and on every link."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from ledger.errors import InputRefused
from ledger.service.ledger import Ledger
from ledger.views.accent import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    SIGNALS,
    WHITE,
    Accent,
    Rgb,
)
from ledger.views.federation import FederationFace
from tests.web.browser import chromium, violations, window
from tests.web.conftest import Browse
from tests.web.serving import in_thread
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

PURPLE = Accent.read("#5b2d8e")


def test_black_on_white_has_the_largest_contrast_and_a_known_grey_the_least_that_is_read() -> None:
    assert Rgb.of("#000000").contrast(WHITE) == pytest.approx(21)
    assert Rgb.of("#767676").contrast(WHITE) == pytest.approx(4.54, abs=0.005)


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_what_is_not_refused_can_be_read_everywhere(parts: tuple[int, int, int]) -> None:
    try:
        accent = Accent.read(str(Rgb(*parts)))
    except InputRefused as refusal:
        darker = dict(refusal.message.values).get("darker")
        assert darker is None or Rgb.of(str(darker)).contrast(WHITE) >= 4.5
        return
    assert accent.light.accent == Rgb(*parts)
    assert accent.light.least_contrast(LIGHT_GROUNDS) >= 4.5
    assert accent.dark.least_contrast(DARK_GROUNDS) >= 4.5


def test_it_is_read_on_the_grounds_that_the_style_has() -> None:
    style = files("web").joinpath("static", "style.css").read_text(encoding="utf-8")
    light, dark, good, bad = (
        re.findall(rf"--{name}: (#[0-9a-f]{{6}});", style)
        for name in ("surface", "sunk", "good", "bad")
    )
    assert list(zip(light, dark, strict=True)) == [
        tuple(map(str, grounds)) for grounds in (LIGHT_GROUNDS, DARK_GROUNDS)
    ]
    assert (good[0], bad[0]) == tuple(map(str, SIGNALS))


def test_without_a_colour_no_page_asks_for_one(demo_ledger: Ledger, browse: Browse) -> None:
    assert "accent.css" not in browse(demo_ledger).get("/").text


def test_a_link_has_the_colour_of_the_federation(demo_ledger: Ledger, tmp_path: Path) -> None:
    def application(here: str) -> FastAPI:
        face = FederationFace(accent=PURPLE)
        settings = WebSettings(ledger="", origin=here, cache=tmp_path, face=face)
        return create_app(Site(demo_ledger, settings))

    with in_thread(application) as origin, chromium() as browser, window(browser, origin) as opened:
        found = opened.open("/lists")
        for scheme, tones in (("light", PURPLE.light), ("dark", PURPLE.dark)):
            found.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            link = found.page.locator("main a").first
            red, green, blue = tones.accent
            expect(link).to_have_css("color", f"rgb({red}, {green}, {blue})")
            assert violations(found.page) == [], scheme
        assert found.troubles == []


def test_its_style_is_kept_for_ever_under_its_digest(demo_ledger: Ledger, tmp_path: Path) -> None:
    face = FederationFace(accent=PURPLE)
    origin = "http://localhost"
    settings = WebSettings(ledger="", origin=origin, cache=tmp_path, face=face)
    site = TestClient(create_app(Site(demo_ledger, settings)), base_url=origin)
    address = re.findall(r'href="(/static/[0-9a-f]+/accent.css)"', site.get("/").text)[0]
    answer = site.get(address)
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert "--accent: #5b2d8e" in answer.text
    assert site.get("/static/0/accent.css").status_code == 404
