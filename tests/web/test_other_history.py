"""A ledger that was restored, or another one at the address: no old tag holds, and it is told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.identifiers import Seq
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.views.past import PastLedger
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    copied,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)
from tests.web.conftest import Browse
from web.app import create_app
from web.metrics import Metrics
from web.observation import Observer
from web.settings import WebSettings
from web.shown_head import ShownHead
from web.site import Site

ORIGIN = "http://testserver"
ADDRESSES = (
    "/", "/lists/ENF", "/lists/ENF/2010-07@1", "/lists/ENF/2010-08", "/lists/ENF/2010-07@1/csv",
    "/players", "/players/A", "/players/A/ENF/2010-07", "/players/A/ENF/2010-07?edition=1",
    "/tournaments", "/tournaments/T1", "/audit", "/corrections", "/?as-known-at=5",
    "/api/v1/head", "/api/v1/lists/ENF", "/api/v1/lists/ENF/2010-07@1", "/api/v1/commits",
    "/api/v1/lists/ENF/2010-07@1/bytes", "/api/v1/players/A", "/api/v1/events",
)  # fmt: skip
ENDS_BEFORE = "the ledger ends before what was shown already"
OTHER = "the ledger has another history than was shown already"


def history(name: str, ledger: Ledger | None = None) -> Ledger:
    """Returns a ledger in which a tournament has a name: as many events, and the same ratings."""
    ledger = ledger or empty_ledger()
    define(ledger)
    rated = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "ABC")
    import_text(ledger, f"{PLAYERS_HEADER}{rated}", list_="ENF")
    played = about("T1", "2010-07-10", "A,B,1-0", "C,A,1/2-1/2").replace("T1,T1", f"T1,{name}")
    import_text(ledger, GAMES_HEADER + played)
    publish_period(ledger, "2010-07")
    import_text(ledger, GAMES_HEADER + about("T2", "2010-08-10", "A,B,1-0"))
    return ledger


def test_a_tag_of_another_ledger_holds_at_no_address(tmp_path: Path) -> None:
    sites = []
    for name in ("one", "other"):
        settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path / name)
        app = create_app(Site(history(name), settings))
        sites.append(TestClient(app, base_url=ORIGIN, raise_server_exceptions=False))
    one, other = sites
    digests = [
        site.get("/api/v1/lists/ENF/2010-07@1/bytes").headers["ledger-sha256"] for site in sites
    ]
    assert digests[0] == digests[1], "the edition is the same to the byte"
    for address in ADDRESSES:
        answer = one.get(address)
        assert answer.status_code == 200, address
        known = {"if-none-match": answer.headers["etag"]}
        assert one.get(address, headers=known).status_code == 304, address
        assert other.get(address, headers=known).status_code == 200, address


def test_an_edition_is_answered_with_304_though_more_is_recorded(browse: Browse) -> None:
    ledger = history("one")
    site = browse(ledger)
    pages = ("/lists/ENF/2010-07@1/json", "/lists/ENF/2010-07@1/csv", "/api/v1/lists/ENF/2010-07@1")
    tags = {page: site.get(page).headers["etag"] for page in pages}
    do(ledger, c.GrantRole(account="ana", role=Role.OFFICER))
    for page, tag in tags.items():
        assert site.get(page, headers={"if-none-match": tag}).status_code == 304


# A site that goes on, or is started again


@contextmanager
def served(file: Path, cache: Path) -> Iterator[TestClient]:
    """A site over a file, with what says whether it is well."""
    with closing(open_ledger(str(file))) as journal:
        settings = WebSettings(ledger=str(file), origin=ORIGIN, cache=cache)
        site = Site(Ledger(journal, lambda: NOW), settings)
        app = Observer(create_app(site), site, Metrics())
        yield TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def well(site: TestClient) -> tuple[int, str]:
    answer = site.get("/health/ready")
    return answer.status_code, answer.text


@dataclass
class Club:
    """A ledger in a file, and its site."""

    file: Path
    cache: Path

    def recorded(self, account: str) -> None:
        with closing(open_ledger(str(self.file))) as journal:
            do(Ledger(journal, lambda: NOW), c.GrantRole(account=account, role=Role.AUDITOR))

    def replace_by(self, other: Path) -> None:
        for suffix in ("-wal", "-shm"):
            self.file.with_name(self.file.name + suffix).unlink(missing_ok=True)
        shutil.copy(other, self.file)


@pytest.fixture
def club(tmp_path: Path, sqlite_template: Path) -> Club:
    file = Path(shutil.copy(sqlite_template, tmp_path / "club.db"))
    made = Club(file, tmp_path / "cache")
    made.recorded("ana")
    return made


def test_an_older_state_in_its_place_is_told_also_after_a_restart(
    club: Club, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    older = Path(shutil.copy(club.file, tmp_path / "older.db"))
    club.recorded("luis")
    with served(club.file, club.cache) as site:
        assert site.get("/audit").status_code == 200
        assert well(site) == (200, "ready")
        club.recorded("mar")
        assert site.get("/audit").status_code == 200
        assert well(site) == (200, "ready")
    club.replace_by(older)
    with served(club.file, club.cache) as site:
        assert well(site) == (503, ENDS_BEFORE)
        assert site.get("/audit").status_code == 200, "it is shown all the same"
        assert [well(site) for _ in range(3)] == [(503, ENDS_BEFORE)] * 3
        (said,) = [each for each in caplog.messages if each.startswith(ENDS_BEFORE)]
        assert "seq 3, root" in said
        assert f"delete {club.cache}/shown/" in said
        for account in ("eva", "max"):
            club.recorded(account)
        assert site.get("/audit").status_code == 200
        assert well(site) == (503, OTHER), "as long as before, it is not the same"
    with served(club.file, club.cache) as site:
        assert well(site) == (503, OTHER)
    for file in (club.cache / "shown").iterdir():
        file.unlink()
    with served(club.file, club.cache) as site:
        assert site.get("/audit").status_code == 200
        assert well(site) == (200, "ready")


def test_another_ledger_in_its_place_is_told(
    club: Club, tmp_path: Path, sqlite_template: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(club.file, club.cache) as site:
        tag = site.get("/api/v1/head").headers["etag"]
    another = Club(Path(shutil.copy(sqlite_template, tmp_path / "another.db")), club.cache)
    another.recorded("zoe")
    with served(another.file, club.cache) as site:
        assert well(site) == (200, "ready"), "at another place it is another one"
    club.replace_by(another.file)
    with served(club.file, club.cache) as site:
        answer = site.get("/api/v1/head", headers={"if-none-match": tag})
        assert (answer.status_code, answer.json()["seq"]) == (200, 1)
        assert well(site) == (503, OTHER)
    assert any(each.startswith(OTHER) for each in caplog.messages)


def test_another_history_under_a_site_that_goes_on_is_shown_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger, other = history("one"), history("other")
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))
    client = TestClient(Observer(create_app(site), site, Metrics()), base_url=ORIGIN)
    tags = {page: client.get(page).headers["etag"] for page in ADDRESSES}
    assert well(client) == (200, "ready")
    assert isinstance(other.journal, MemoryJournal)
    for name, value in vars(copied(other.journal)).items():
        setattr(ledger.journal, name, value)
    assert well(client) == (503, OTHER)
    for page, tag in tags.items():
        assert client.get(page, headers={"if-none-match": tag}).status_code == 200, page
    assert "other" in client.get("/tournaments/T1").text
    assert "other" in client.get("/tournaments/T1?as-known-at=21").text
    assert len([each for each in caplog.messages if each.startswith(OTHER)]) == 1


def test_a_ledger_that_begins_is_no_other_history(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = empty_ledger()
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))
    assert site.newest().seq == 0
    history("one", ledger)
    assert site.newest().seq > 0
    assert site.history_fault() is None
    assert not caplog.messages


def test_an_earlier_state_that_is_shown_for_a_while_is_no_other_history(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As that before a long commit, which readers see until it was read back."""
    ledger = history("one")
    shown = ShownHead(ledger.journal, tmp_path)
    assert shown.take(ledger.journal.head())
    assert shown.take(PastLedger(ledger, Seq(5)).journal.head())
    assert shown.fault() is None
    assert not caplog.messages


def test_what_is_remembered_and_cannot_be_read_is_nothing(club: Club) -> None:
    with served(club.file, club.cache) as site:
        site.get("/audit")
    (file,) = (club.cache / "shown").iterdir()
    for text in ("", "{}", "[1]", '["x", "y"]', "null", "[1, 2, 3]"):
        file.write_text(text)
        with served(club.file, club.cache) as site:
            assert well(site) == (200, "ready")


def test_where_nothing_can_be_written_it_is_remembered_all_the_same(club: Club) -> None:
    club.cache.write_text("no folder")
    with served(club.file, club.cache) as site:
        assert well(site) == (200, "ready")
        assert site.get("/audit").status_code == 200
        assert well(site) == (200, "ready")


def test_a_slower_worker_does_not_take_back_what_another_has_shown(club: Club) -> None:
    club.recorded("luis")
    with closing(open_journal(str(club.file))) as journal:
        ledger = Ledger(journal, lambda: NOW)
        slower, faster = (ShownHead(journal, club.cache) for _ in range(2))
        head = journal.head()
        before = PastLedger(ledger, Seq(head.seq - 1)).journal.head()
        assert faster.take(head)
        assert slower.take(before)
        (file,) = (club.cache / "shown").iterdir()
        assert json.loads(file.read_text()) == [head.seq, head.root]


def test_what_cannot_be_written_down_leaves_nothing_behind(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_said: object) -> None:
        raise PermissionError("held by another program")

    monkeypatch.setattr(Path, "replace", fails)
    with closing(open_journal(str(club.file))) as journal:
        shown = ShownHead(journal, club.cache)
        assert shown.take(journal.head())
    assert list((club.cache / "shown").iterdir()) == []
