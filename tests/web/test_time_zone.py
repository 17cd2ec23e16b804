"""The site and its jobs go by the federation's time zone."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from starlette.applications import Starlette

from tests.ledgers import with_july_published, with_officers
from tests.web.submitting import staffed
from web import server
from web.settings import WebSettings
from web.site import Site

AUGUST = "/lists/ENF/2010-08/publish"
SANTIAGO = "America/Santiago"


@pytest.mark.parametrize(
    ("local", "is_over"),
    [
        ("2010-08-30T21:01", False),  # in UTC it is the 31st
        ("2010-08-31T21:01", False),  # in UTC it is September
        ("2010-09-01T00:00", True),
    ],
)
def test_a_month_is_offered_when_it_is_over_where_the_federation_is(
    tmp_path: Path, local: str, *, is_over: bool
) -> None:
    now = dt.datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(SANTIAGO))
    ledger = with_officers(with_july_published(), "ana", "luis")
    ledger.clock = lambda: now
    with staffed(ledger, tmp_path) as site:
        assert (f'href="{AUGUST}"' in site.ana.get("/lists/ENF").text) is is_over
        page = site.ana.get(AUGUST)
        assert site.ana.offers(page, "/publish") is is_over
        assert page.status_code == 200
        assert ("from 1 September 2010" in page.text) is not is_over


def test_a_site_that_is_served_has_the_federations_clock(
    july_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites: list[Site] = []
    monkeypatch.setattr(server, "be_sparing", lambda: None)
    monkeypatch.setattr(server, "keep_what_is_there", lambda: None)

    def made(site: Site, _: object) -> Starlette:
        sites.append(site)
        return Starlette()

    monkeypatch.setattr(server, "create_app", made)
    settings = WebSettings(
        ledger=str(july_db), origin="http://testserver", cache=tmp_path, time_zone=SANTIAGO
    )
    server.site_app(settings)
    assert sites[0].record(lambda of: of.clock().tzinfo) == ZoneInfo(SANTIAGO)
