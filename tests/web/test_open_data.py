"""Open data on the site: the page, its files in parts, and what happens when somebody is erased."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.intake.data_package import DataPackage, write_data_package
from ledger.operations.players import ErasePlayer
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationFace
from ledger.views.past import newest_of
from ledger.wording import Wording
from tests.ledgers import (
    NOW,
    define,
    empty_ledger,
    games,
    import_text,
    publish_period,
    request,
    with_july_published,
)
from tests.web.conftest import ORIGIN
from tests.web.offices import new_office
from tests.web.support import read
from web.app import create_app
from web.jobs.kinds import KINDS, Assignment
from web.jobs.open_data import DataWatch
from web.office.jobs import claim, finish
from web.settings import WebSettings
from web.site import Site


@pytest.fixture
def ledger() -> Ledger:
    return with_july_published()


@pytest.fixture
def package(ledger: Ledger, tmp_path: Path) -> DataPackage:
    return write_data_package(newest_of(ledger), tmp_path / "open", "Ratings", "CC-BY-4.0")


@pytest.fixture
def site(ledger: Ledger, tmp_path: Path) -> TestClient:
    settings = WebSettings(
        ledger="", origin=ORIGIN, cache=tmp_path / "cache", data=tmp_path / "open",
        checkpoint=tmp_path / "page.txt", face=FederationFace(name=Wording("Town", "Ciudad")),
    )  # fmt: skip
    app = create_app(Site(ledger, settings))
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def test_the_page_says_what_there_is(site: TestClient, package: DataPackage) -> None:
    page = read(site, "/data")
    assert "CC-BY-4.0" in page
    for each in package.resources:
        assert each.sha256 in page
    assert "Town. Ratings. As known on" in page
    assert f"state {package.seq}" in page
    spanish = read(site, "/data?lang=es")
    assert "Datos abiertos" in spanish
    assert "Ciudad. Ratings." in spanish
    assert "/data" in site.get("/lists").text
    found = re.search(r"<script type=.application/ld.json.>(.*?)</script>", site.get("/data").text)
    assert found
    dataset = json.loads(found[1])
    assert dataset["@type"] == "Dataset"
    assert dataset["license"] == "https://creativecommons.org/licenses/by/4.0/"
    for each in dataset["distribution"]:
        path = each["contentUrl"].removeprefix(ORIGIN)
        assert f"{len(site.get(path).content)} B" == each["contentSize"]


@pytest.mark.usefixtures("package")
def test_the_signed_page_is_named_once_it_is_there(site: TestClient, tmp_path: Path) -> None:
    link = 'href="/checkpoint"'
    assert link not in site.get("/data").text
    (tmp_path / "page.txt").touch()
    assert link in site.get("/data").text


def test_a_download_goes_on_where_it_broke_off(site: TestClient, package: DataPackage) -> None:
    for each in package.resources:
        if not each.rows:
            continue  # of the corrections, which there are none of, there is no hundredth byte
        address = f"/data/{each.path}"
        whole = site.get(address)
        assert whole.headers["accept-ranges"] == "bytes"
        first = whole.content[:100]
        rest = site.get(address, headers={"Range": "bytes=100-", "If-Range": whole.headers["etag"]})
        assert rest.status_code == 206
        assert first + rest.content == whole.content
        other = site.get(address, headers={"Range": "bytes=100-", "If-Range": '"another"'})
        assert (other.status_code, other.content) == (200, whole.content)
        beyond = site.get(address, headers={"Range": f"bytes={each.bytes}-"})
        assert beyond.status_code == 416


def test_only_what_the_package_names_is_given(
    site: TestClient, package: DataPackage, tmp_path: Path
) -> None:
    assert site.get("/data/datapackage.json").json()["version"] == str(package.seq)
    (tmp_path / "open" / "secret.csv").write_text("x")
    assert site.get("/data/secret.csv").status_code == 404
    assert site.get("/data/..%2Fsecret").status_code == 404


def test_nothing_is_given_with_the_name_of_who_is_erased(
    site: TestClient, ledger: Ledger, package: DataPackage, tmp_path: Path
) -> None:
    assert site.get(f"/data/{package.resources[0].path}").status_code == 200
    erase_player(ledger, ErasePlayer(player="A", on=NOW.date()), request())
    assert site.get(f"/data/{package.resources[0].path}").status_code == 404
    assert site.get("/data/datapackage.json").status_code == 404
    assert "no open data" in read(site, "/data").lower()
    anew = write_data_package(newest_of(ledger), tmp_path / "open", "Ratings", "CC-BY-4.0")
    assert site.get(f"/data/{anew.resources[0].path}").status_code == 200


def test_a_site_says_when_there_will_be_some(ledger: Ledger, tmp_path: Path) -> None:
    def page(ledger: Ledger, **settings: Any) -> str:
        made = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path, **settings)
        site = TestClient(create_app(Site(ledger, made)), base_url=ORIGIN)
        assert site.get("/data/datapackage.json").status_code == 404
        link = '<p class="links"><a href="/data">'
        assert (link in site.get("/lists").text) is made.has_data
        return read(site, "/data")

    jobs = {"office": f"sqlite:///{tmp_path / 'office.db'}"}
    unpublished = empty_ledger()
    define(unpublished)
    assert "once the first list is published" in page(unpublished, **jobs)
    assert "The files are being made" in page(ledger, **jobs)
    for nothing in ({}, jobs | {"has_data": False}, jobs | {"data": tmp_path / "empty"}):
        assert "No open data" in page(ledger, **nothing)


def test_the_site_makes_them_after_a_publication_and_an_erasure(
    ledger: Ledger, tmp_path: Path
) -> None:
    settings = WebSettings(
        ledger="", origin=ORIGIN, cache=tmp_path / "cache", data_licence="CC0-1.0",
        face=FederationFace(name=Wording("Town", "Ciudad")),
    )  # fmt: skip
    office = new_office(tmp_path)
    watch = DataWatch(settings, office)

    def made() -> Any:
        watch.look_at(ledger.journal)
        job = claim(office, "runner")
        if job is None:
            return None
        given = Assignment(ledger, office, settings, job.parameters, None)
        result = KINDS[job.kind].do(given)
        assert finish(office, job, "runner", result)
        return result["seq"]

    first = made()
    assert first == ledger.facts().seq
    site = TestClient(create_app(Site(ledger, settings)), base_url=ORIGIN)
    assert "Town. Chess ratings. As known on" in read(site, "/data")
    package = site.get("/data/datapackage.json").json()
    assert package["contributors"] == [{"title": "Town", "role": "publisher"}]
    assert package["licenses"][0]["name"] == "CC0-1.0"
    assert made() is None
    import_text(ledger, games("V", "1,,A,B,0-1", day="2010-08-12"))
    assert made() is None
    DataWatch(settings, office).look_at(ledger.journal)
    assert claim(office, "runner") is None  # a site that starts again finds them
    publish_period(ledger, "2010-08")
    assert made() == ledger.facts().seq
    assert site.get(f"/data/{package['resources'][0]['path']}").status_code == 404
    erase_player(ledger, ErasePlayer(player="A", on=NOW.date()), request())
    folder = settings.data_folder
    assert folder is not None
    assert len(list(folder.iterdir())) > 1
    assert site.get("/data/datapackage.json").status_code == 404
    assert [each.name for each in folder.iterdir()] == ["datapackage.json"]
    assert made() == ledger.facts().seq
    assert site.get("/data/datapackage.json").json()["version"] == str(ledger.facts().seq)
    (folder / "lists-1.csv").touch()  # of a job that was killed
    for damaged in ("{", (folder / "datapackage.json").read_text().replace("CC0", "CC1")):
        (folder / "datapackage.json").write_text(damaged)
        watch = DataWatch(settings, office)
        assert made() is not None
    assert site.get("/data/datapackage.json").json()["licenses"][0]["name"] == "CC0-1.0"
    assert len(list(folder.iterdir())) == 11


def test_nothing_is_made_before_a_list_is_published(tmp_path: Path) -> None:
    unpublished, office = empty_ledger(), new_office(tmp_path)
    define(unpublished)
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path / "cache")
    DataWatch(settings, office).look_at(unpublished.journal)
    assert claim(office, "runner") is None


def test_ledgers_of_one_name_in_two_folders_share_no_folder_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = WebSettings(ledger="rating-ledger.db", origin=ORIGIN, cache=tmp_path / "cache")
    folders = []
    for name in ("federation", "trial"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        folders.append((site.data_folder, site.folder_of("models")))
    assert set(folders[0]).isdisjoint(folders[1])
    by_path = replace(site, ledger=str(tmp_path / "trial" / "rating-ledger.db"))
    assert by_path.data_folder == site.data_folder
