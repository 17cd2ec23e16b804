"""What the process says of itself: health, metrics and logs, without a word about anybody."""

from __future__ import annotations

import datetime as dt
import io
import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.errors import DatabaseError
from ledger.journal.stores.database import open_journal, upgrade
from ledger.service.ledger import Ledger
from tests.ledgers import empty_ledger
from tests.web.conftest import ORIGIN
from tests.web.offices import new_office
from web.app import create_app
from web.limits import RequestLimit
from web.metrics import Metrics
from web.observation import ACCESS, JsonLines, Observer
from web.office.jobs import STUCK, start
from web.office.store import Office
from web.settings import WebSettings
from web.site import Site

TOKEN = "quite-long"  # noqa: S105 - nobody uses it
HERE, THERE = ("127.0.0.1", 50_000), ("203.0.113.9", 50_000)


def watched(
    ledger: Ledger,
    cache: Path,
    *,
    token: str | None = None,
    client: tuple[str, int] = HERE,
    office: Office | None = None,
) -> TestClient:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=cache, metrics_token=token)
    site = Site(ledger, settings)
    app = Observer(RequestLimit(create_app(site)), site, Metrics(), office)
    return TestClient(app, ORIGIN, raise_server_exceptions=False, client=client)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is written down."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("rating_ledger")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_it_says_that_it_lives_under_any_name(demo_ledger: Ledger, tmp_path: Path) -> None:
    site = watched(demo_ledger, tmp_path, client=THERE)
    answer = site.get("/health/live", headers={"host": "10.0.0.3:8000"})
    assert (answer.status_code, answer.text) == (200, "live")
    assert answer.headers["cache-control"] == "no-store"
    assert site.get("/health/ready").text == "ready"
    assert site.get("/", headers={"host": "10.0.0.3:8000"}).status_code == 421


def test_it_is_not_ready_when_jobs_wait_and_nobody_does_them(
    demo_ledger: Ledger, tmp_path: Path
) -> None:
    times = [dt.datetime(2010, 7, 1, 12, 0, tzinfo=dt.UTC)]
    with closing(new_office(tmp_path, lambda: times[-1])) as office:
        site = watched(demo_ledger, tmp_path, office=office)
        start(office, "read_models", {})
        assert site.get("/health/ready").text == "ready"
        times.append(times[0] + dt.timedelta(seconds=STUCK + 1))
        answer = site.get("/health/ready")
    assert (answer.status_code, answer.text) == (503, "jobs wait and nobody does them")


def test_it_is_not_ready_when_the_disk_takes_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "l.db")
    upgrade(database)
    usage = shutil.disk_usage(tmp_path)
    with closing(new_office(tmp_path)) as office, closing(open_journal(database)) as journal:
        site = watched(empty_ledger(journal), tmp_path, office=office)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 30))
        assert site.get("/health/ready").text == "ready"
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=24_000))
        answer = site.get("/health/ready")
        assert (answer.status_code, answer.text) == (503, "the disk of the ledger is full")
        assert site.get("/health/live").status_code == 200
        public = watched(empty_ledger(journal), tmp_path)
        assert public.get("/health/ready").text == "ready", "a site that records nothing needs none"


def test_it_is_not_ready_when_the_office_cannot_be_read(
    demo_ledger: Ledger, tmp_path: Path
) -> None:
    with closing(new_office(tmp_path)) as office:
        site = watched(demo_ledger, tmp_path, office=office)
        with office.writing() as connection:
            connection.exec_driver_sql("DROP TABLE jobs")
        answer = site.get("/health/ready")
    assert (answer.status_code, answer.text) == (503, "the office cannot be read")


def test_it_is_not_ready_when_the_ledger_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_self: Site) -> int:
        raise DatabaseError("database.missing", url="x")

    monkeypatch.setattr(Site, "head", fails)
    site = watched(empty_ledger(), tmp_path)
    assert site.get("/health/ready").status_code == 503
    assert site.get("/health/live").status_code == 200


def test_answers_are_counted_by_template(demo_ledger: Ledger, tmp_path: Path) -> None:
    site = watched(demo_ledger, tmp_path)
    for path in ("/", "/", "/lists/ENF", "/lists/secret-name", "/no/such/page?q=secret"):
        site.get(path)
    text = site.get("/metrics").text
    assert 'rating_ledger_answers_total{method="GET",route="/",status="200"} 2' in text
    assert 'route="/lists/{name}",status="404"} 1' in text
    assert 'route="none",status="404"} 1' in text
    assert 'rating_ledger_answer_seconds_count{route="/"} 2' in text
    assert 'rating_ledger_answer_seconds_bucket{route="/",le="+Inf"} 2' in text
    assert "secret" not in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_metrics_are_for_this_machine_alone(
    demo_ledger: Ledger, tmp_path: Path, header: str
) -> None:
    assert watched(demo_ledger, tmp_path).get("/metrics").status_code == 200
    handed_on = watched(demo_ledger, tmp_path).get("/metrics", headers={header: "127.0.0.1"})
    assert handed_on.status_code == 403
    assert watched(demo_ledger, tmp_path, client=THERE).get("/metrics").status_code == 403


def test_a_token_opens_the_metrics(demo_ledger: Ledger, tmp_path: Path) -> None:
    site = watched(demo_ledger, tmp_path, token=TOKEN, client=THERE)
    for given, status in (("Bearer quite-long", 200), ("Bearer other", 403), ("Bearer é", 403)):
        answer = site.get("/metrics", headers={b"Authorization": given.encode()})
        assert answer.status_code == status, given
    assert site.get("/metrics").status_code == 403


def test_workers_add_up_what_they_counted(tmp_path: Path) -> None:
    one = Metrics(tmp_path)
    one.count("GET", "/", 200, 0.003)
    (tmp_path / "1.json").write_text((next(tmp_path.glob("*.json"))).read_text("utf-8"), "utf-8")
    (tmp_path / "2.json").write_text("{", "utf-8")
    text = one.text()
    assert 'rating_ledger_answers_total{method="GET",route="/",status="200"} 2' in text
    assert 'rating_ledger_answer_seconds_bucket{route="/",le="0.005"} 2' in text


def test_a_line_tells_of_an_answer_and_of_nobody(
    demo_ledger: Ledger, tmp_path: Path, lines: io.StringIO
) -> None:
    watched(demo_ledger, tmp_path).get(
        "/lists/ENF?q=Montero", headers={"User-Agent": "Montero", "Cookie": "session=Montero"}
    )
    line = json.loads(lines.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line.pop("ms") > 0
    seq = demo_ledger.journal.head().seq
    assert line == {
        "level": "info", "method": "GET", "route": "/lists/{name}", "status": 200, "seq": seq,
    }  # fmt: skip


def test_a_method_that_nobody_knows_is_not_quoted(
    demo_ledger: Ledger, tmp_path: Path, lines: io.StringIO
) -> None:
    watched(demo_ledger, tmp_path).request("MONTERO", "/")
    assert "MONTERO" not in lines.getvalue()
    assert json.loads(lines.getvalue())["method"] == "other"


def test_a_fault_is_written_down_without_the_words_of_it(lines: io.StringIO) -> None:
    try:
        int("Montero, Ana was born in 1990")
    except ValueError:
        logging.getLogger("rating_ledger.web").exception("GET failed")
    line = json.loads(lines.getvalue())
    assert line["failure"] == "builtins.ValueError"
    assert "test_watch.py" in line["at"][0]
    assert "Montero" not in lines.getvalue()


def test_lines_are_one_line(lines: io.StringIO) -> None:
    ACCESS.warning("first\nsecond %s", "x\ny")
    assert lines.getvalue().count("\n") == 1
