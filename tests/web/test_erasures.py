"""Who was erased is named nowhere on the site, whatever it had kept before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.derived.store import DerivedStore, EntryKey
from ledger.errors import DatabaseError
from ledger.identifiers import Seq
from ledger.service.ledger import Ledger
from tests.ledgers import PLAYERS_HEADER, games, import_text, ledger_of, publish_period
from tests.web.conftest import ORIGIN, Browse
from tests.web.offices import new_office
from tests.web.test_players import erase
from tests.web.test_read_models import files, published, store_of, view_of
from web.app import create_app
from web.calculations import Calculations
from web.office import submissions as kept
from web.office.erasures import forget_names, sweep_of
from web.office.jobs import beat, claim, finish, jobs, start
from web.office.store import Office, open_office
from web.office.submissions import (
    KeptPreview,
    Submission,
    SubmissionState,
    SubmittedFile,
    keep_preview,
)
from web.read_models import model_store
from web.read_models.answers import ShownList
from web.settings import WebSettings
from web.site import Site

PATIENCE = 30.0  # seconds
CANARY = "Zzyzx Quillfeather"


def named() -> Ledger:
    """A ledger with an edition and a person whose name stands nowhere else."""
    ledger = ledger_of("a,1500,,50", "b,1600,,50")
    import_text(ledger, PLAYERS_HEADER + f"gone,{CANARY},CHI,m,1990,1700,,50\n", list_="ENF")
    import_text(ledger, games("t", "1,,gone,a,1-0", "2,,gone,b,1-0"))
    publish_period(ledger, "2010-07")
    return ledger


@pytest.mark.parametrize(
    "page",
    [
        "/lists/ENF/2010-07@1", "/lists/ENF/2010-07@1/json", "/players/gone/ENF/2010-07?edition=1",
        "/players/gone?as-known-at=SEQ", "/players?as-known-at=SEQ",
        "/api/v1/lists/ENF/2010-07@1", "/api/v1/players/gone?as-known-at=SEQ",
    ],
)  # fmt: skip
def test_no_browser_may_keep_a_name_without_asking_and_is_told_when_it_is_gone(
    browse: Browse, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    ledger = named()
    site, address = browse(ledger), page.replace("SEQ", str(ledger.journal.head().seq))
    before = site.get(address)
    assert CANARY.split()[1] in before.text
    assert before.headers["cache-control"] == "public, no-cache"
    tag = {"if-none-match": before.headers["etag"]}
    assert site.get(address, headers=tag).status_code == 304
    erase(ledger, "Zzyzx", monkeypatch)
    after = site.get(address, headers=tag)
    assert after.status_code == 200, "it is another answer"
    assert "Zzyzx" not in after.text
    assert after.headers["etag"] != before.headers["etag"]
    assert site.get(address, headers={"if-none-match": after.headers["etag"]}).status_code == 304


def test_what_was_calculated_is_forgotten(browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = named()
    site, page = browse(ledger), "/compare/ENF/fide-1972"
    assert site.get(page).status_code == 200
    calculations: Calculations = site.app.state.calculations  # type: ignore[attr-defined]
    assert len(calculations._kept) == 1
    erase(ledger, "Zzyzx", monkeypatch)
    site.get("/")
    assert not calculations._kept
    assert "Zzyzx" not in site.get(page).text


# The office


@pytest.fixture
def office(office_url: str) -> Iterator[Office]:
    """An office in which a name stands wherever one can."""
    opened = open_office(office_url)
    with opened.writing() as connection:
        for id_, state in (("open", SubmissionState.HANDED_IN), ("old", SubmissionState.REFUSED)):
            made = Submission(
                id=id_, kind="document", state=state, account="ana", turn=1, version=1, title="r",
                content="{}", sha256=id_ * 16, made_at=1, changed_at=1, decided_by=None,
                commit_id=None,
            )  # fmt: skip
            data = f"{CANARY} {id_}".encode() * 500
            kept.add(connection, made, SubmittedFile(id_ * 16, data))
            keep_preview(connection, made, KeptPreview(1, Seq(7), "d", CANARY * 500))
    for kind in ("compare", "verification"):
        start(opened, kind, {"seq": 7})
        job = claim(opened, "r1")
        assert job is not None
        finish(opened, job, "r1", {"largest": CANARY})
    yield opened
    opened.close()


def found(office: Office) -> tuple[list[bytes], int, list[str]]:
    """Returns the files that are kept, how many previews, and the kinds of jobs."""
    with office.reading() as connection:
        rows = connection.exec_driver_sql("SELECT data FROM submission_files").all()
        count = connection.exec_driver_sql("SELECT count(*) FROM submission_previews").scalar_one()
    return [bytes(data) for (data,) in rows], count, [job.kind for job in jobs(office)]


def test_the_office_keeps_no_name_but_in_what_awaits_its_decision(office: Office) -> None:
    forget_names(office, 0)
    assert found(office)[1:] == (2, ["verification", "compare"])
    forget_names(office, 1)
    data, previews, kinds = found(office)
    assert [each.split()[2][:4] for each in data] == [b"open"]
    assert (previews, kinds) == (0, ["verification"])


def test_it_is_done_once_for_each_who_is_erased(office: Office) -> None:
    forget_names(office, 1)
    start(office, "compare", {"seq": 8})
    job = claim(office, "r1")
    assert job is not None
    finish(office, job, "r1", {})
    forget_names(office, 1)
    assert len(jobs(office)) == 2
    forget_names(office, 2)
    assert len(jobs(office)) == 1


def test_a_job_in_hand_does_not_bring_the_name_back(office: Office) -> None:
    start(office, "compare", {"seq": 8})
    job = claim(office, "r1")
    assert job is not None
    forget_names(office, 1)
    assert not finish(office, job, "r1", {"largest": CANARY})
    assert not beat(office, job, "r1", ("", 0, 0)), "its process ends"
    left = [each.result for each in jobs(office) if each.kind == "compare"]
    assert left == [None]
    again = claim(office, "r2")
    assert again is not None
    assert (again.id, again.kind) == (job.id, "compare")
    assert finish(office, again, "r2", {})


def test_a_preview_that_is_made_meanwhile_is_not_kept(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.reading() as connection:
        before = sweep_of(connection)
    seen = list[int]()

    def looked(_self: Office, _tables: object) -> None:
        with office.reading() as connection:
            seen.append(sweep_of(connection))

    monkeypatch.setattr(Office, "compact", looked)
    forget_names(office, 1)
    with office.reading() as connection:
        seen.append(sweep_of(connection))
    assert len({before, *seen}) == 3, "while it is done, and afterwards"


def test_what_was_interrupted_is_done_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(_self: Office, _tables: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Office, "compact", dies)
        with pytest.raises(KeyboardInterrupt):
            forget_names(office, 1)
    done: list[object] = []
    monkeypatch.setattr(Office, "compact", lambda _self, tables: done.append(tables))
    forget_names(office, 1)
    forget_names(office, 1)
    assert len(done) == 1


def test_no_byte_of_a_name_is_left_in_the_files_of_the_office(tmp_path: Path) -> None:
    office = new_office(tmp_path)
    start(office, "compare", {"seq": 7})
    job = claim(office, "r1")
    assert job is not None
    finish(office, job, "r1", {"largest": CANARY})

    def is_there() -> bool:
        return any(CANARY.encode() in path.read_bytes() for path in tmp_path.glob("office*"))

    assert is_there()
    forget_names(office, 1)
    assert not is_there()
    office.close()


def test_whoever_looks_first_has_the_office_forget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, office = named(), new_office(tmp_path)
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    site = TestClient(create_app(Site(ledger, settings), office), base_url=ORIGIN)
    site.get("/")
    start(office, "compare", {"seq": 7})
    job = claim(office, "r1")
    assert job is not None
    finish(office, job, "r1", {"largest": CANARY})
    erase(ledger, "Zzyzx", monkeypatch)
    site.get("/")
    assert not jobs(office)
    office.close()


def test_where_it_cannot_be_forgotten_now_the_next_one_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = named()
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))
    told: list[int] = []

    def forget(gone: int) -> None:
        told.append(gone)
        if len(told) == 2:
            raise DatabaseError("database.locked", url="x")

    site.when_erased(forget)
    site.newest()
    erase(ledger, "Zzyzx", monkeypatch)
    for _ in range(3):
        assert site.newest().gone == 1
    assert told == [0, 1, 1]


# Read models


def test_a_file_that_is_read_stops_nobody_who_asks_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, store = published(), store_of(tmp_path)
    view = view_of(ledger)
    edition = ShownList(store, view, "ENF", "2010-07", 1)
    other = store_of(tmp_path)
    other_view = view_of(ledger)
    ShownList(other, other_view, "ENF", "2010-08")
    begun, go_on, find = Event(), Event(), DerivedStore.find

    def slow(self: DerivedStore, key: EntryKey) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        return find(self, key)

    monkeypatch.setattr(DerivedStore, "find", slow)
    waiting = Thread(target=lambda: ShownList(other, other_view, "ENF", "2010-07", 1))
    waiting.start()
    assert begun.wait(PATIENCE)
    assert ShownList(other, other_view, "ENF", "2010-08").count == edition.count
    assert waiting.is_alive()
    go_on.set()
    waiting.join(PATIENCE)


def test_models_that_nobody_asks_for_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_store, "_OPEN", 1)
    store, view = store_of(tmp_path), view_of(published())

    def open_files() -> int:
        links = [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
        return sum(str(tmp_path) in str(link) for link in links)

    for period in ("2010-07", "2010-08", "2010-09"):
        shown = ShownList(store, view, "ENF", period)
        assert shown.count
    assert len(files(tmp_path)) == 3
    assert open_files() == 1


def test_a_model_in_use_is_closed_as_soon_as_it_is_not(tmp_path: Path) -> None:
    shown = ShownList(store_of(tmp_path), view_of(published()), "ENF", "2010-07", 1)
    model = shown._model
    with model.one() as connection:
        model.close()
        assert connection.execute("SELECT count(*) FROM rows").fetchone() == (8,)
    assert model._free == []
