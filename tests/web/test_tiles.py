"""The tree from the site: what the folder has, kept for ever where it never changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.journal.checkpoint import Signer
from ledger.service.ledger import Ledger
from ledger.trust.proofs import signed_now
from ledger.trust.tiles import export_tiles
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

SIGNER = Signer("chess.example/ratings", bytes(32))


@pytest.fixture
def site(demo_ledger: Ledger, tmp_path: Path) -> TestClient:
    page = tmp_path / "page"
    page.write_text(signed_now(demo_ledger, SIGNER, None).note())
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path / "cache", checkpoint=page)
    app = create_app(Site(demo_ledger, settings))
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def test_the_site_gives_what_the_folder_has(
    site: TestClient, demo_ledger: Ledger, tmp_path: Path
) -> None:
    folder = tmp_path / "tiles"
    export_tiles(demo_ledger, folder, signed_now(demo_ledger, SIGNER, None))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    assert len(files) == 3
    for file in files:
        answer = site.get(f"/{file.relative_to(folder)}")
        assert answer.content == file.read_bytes()


def test_tiles_are_kept_for_ever_and_the_checkpoint_is_not(site: TestClient) -> None:
    seq = site.get("/checkpoint").text.split("\n")[1]
    tile = site.get(f"/tile/0/000.p/{seq}")
    assert tile.headers["content-type"] == "application/octet-stream"
    assert tile.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = site.get(f"/tile/0/000.p/{seq}", headers={"If-None-Match": tile.headers["etag"]})
    assert again.status_code == 304
    page = site.get("/checkpoint")
    assert page.headers["content-type"] == "text/plain; charset=utf-8"
    assert "no-cache" in page.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["0/001", "0/000", "9/000", "0/000.p/256", "entries/x001/000", "0/..%2f000", "entries"]
)
def test_a_tile_that_is_not_there_is_not_found(site: TestClient, path: str) -> None:
    assert site.get(f"/tile/{path}").status_code == 404


def test_a_site_without_a_signed_page_gives_no_checkpoint(demo: TestClient) -> None:
    assert demo.get("/checkpoint").status_code == 404
    assert demo.get("/tile/0/000.p/1").status_code == 200
