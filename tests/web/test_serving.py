"""``serve`` as a process: where it listens, what it refuses, what it survives, how it ends."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from ledger.derived import private_folders
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.hostile.mutations import NASTY
from tests.ledgers import NOW
from tests.web.serving import Served, served, started
from web import server
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

PATIENCE = 120.0  # seconds: a worker loads the program anew, while a busy machine does other things
EVERYWHERE = "0.0.0.0"  # noqa: S104 - it is refused
NOT_HERE = "192.0.2.1"  # nobody's address
HEADERS = {"Host": "ratings.example.org"}
WORDS = [word for word in NASTY if "\0" not in word]


def get(address: str, headers: dict[str, str] | None = None) -> httpx.Response:
    """Asks a site, whose workers may still begin."""
    return httpx.get(address, headers=headers, timeout=PATIENCE)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the shared site writes down."""
    return tmp_path_factory.mktemp("served") / "log"


@pytest.fixture(scope="module")
def site(demo_db: Path, log: Path) -> Iterator[Served]:
    """The site of the shipped example, which believes a proxy on this machine."""
    options = ("--origin", "https://Ratings.example.org", "--proxy", "127.0.0.1")
    with served(demo_db, *options, log=log) as running:
        yield running


def test_it_says_where_it_is_and_ends_when_it_is_told_to(demo_db: Path, tmp_path: Path) -> None:
    with started(demo_db, log=tmp_path / "log") as running:
        assert get(running.origin).status_code == 200
        assert running.stop() == 0
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_it_ends_by_ctrl_c_even_before_anybody_came(demo_db: Path, tmp_path: Path) -> None:
    with started(demo_db, log=tmp_path / "log") as running:
        assert running.stop(signal.SIGINT) == 0
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_several_workers_answer_as_one_site(demo_db: Path, tmp_path: Path) -> None:
    with served(demo_db, "--workers", "2", log=tmp_path / "log") as running:
        for _ in range(20):
            assert get(running.origin).status_code == 200
        counted = get(f"{running.origin}/metrics").text
        assert 'route="/",status="200"' in counted
        assert running.stop() == 0
    lines = (tmp_path / "log").read_text("utf-8").splitlines()
    assert sum(json.loads(line).get("route") == "/" for line in lines) == 20


@pytest.fixture(scope="module")
def pair(demo_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """A site of two workers over a copy of the shipped example, and the copy."""
    folder = tmp_path_factory.mktemp("pair")
    database = Path(shutil.copy(demo_db, folder / "club.db"))
    cache = str(folder / "cache")
    with served(database, "--workers", "2", "--cache", cache, log=folder / "log") as running:
        yield running, database


def test_two_workers_never_contradict_each_other_while_somebody_records(
    pair: tuple[Served, Path], tmp_path: Path
) -> None:
    running, database = pair
    addresses = ("/players/3404510/ENF/2010-07", "/tournaments", "/corrections", "/audit")
    heard: dict[tuple[str, str], set[str]] = {}
    newest: dict[int, int] = {}
    done = threading.Event()

    def ask(client: int) -> None:
        while not done.is_set():
            for address in addresses:
                answer = get(f"{running.origin}{address}", headers={"Connection": "close"})
                assert answer.status_code == 200, address
                *_, seq = re.findall(r"as-known-at=(\d+)", answer.text)
                heard.setdefault((address, seq), set()).add(answer.text)
                assert int(seq) >= newest.get(client, 0), "it went back"
                newest[client] = int(seq)

    with ThreadPoolExecutor(4) as clients:
        assert get(running.origin).status_code == 200
        asking = [clients.submit(ask, client) for client in range(4)]
        try:
            for place in range(6):
                said = ("player", "add", f"N-{place}", f"New, {place}")
                assert run("--db", str(database), *said, cwd=tmp_path).code == 0
        finally:
            done.set()
        for each in asking:
            each.result()
    assert {len(texts) for texts in heard.values()} == {1}
    assert len({seq for _, seq in heard}) > 1


def test_workers_end_with_a_parent_that_is_killed(demo_db: Path, tmp_path: Path) -> None:
    with served(demo_db, "--workers", "2", log=tmp_path / "log") as running:
        assert get(running.origin).status_code == 200
        running.stop(signal.SIGKILL)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                get(running.origin)
            except httpx.TransportError:
                return
            time.sleep(0.1)
    raise AssertionError("somebody still answers")


def test_it_is_called_by_its_origin_and_by_nothing_else(site: Served) -> None:
    here = site.here
    assert site.origin == "https://ratings.example.org"
    assert get(here).status_code == 421
    answer = get(here, headers={"Host": "ratings.example.org"})
    assert answer.status_code == 200
    assert "strict-transport-security" in answer.headers
    assert "server" not in answer.headers


def test_nothing_of_a_request_is_written_down(site: Served, log: Path) -> None:
    here = site.here
    secret = {"Host": "ratings.example.org", "X-Forwarded-For": "203.0.113.77"}
    get(f"{here}/lists/SECRET-LIST?q=SECRET-NAME", headers=secret)
    get(f"{here}/%00%ff/SECRET-PATH", headers=secret | {"Cookie": "session=SECRET"})
    with socket.create_connection(("127.0.0.1", int(here.rpartition(":")[2]))) as nonsense:
        nonsense.sendall(b"SECRET / nonsense\r\n\r\n")
        nonsense.recv(1000)
    get(f"{here}/health/live")
    written = log.read_text("utf-8")
    assert "/lists/{name}" in written
    for secret_word in ("SECRET", "203.0.113.77"):
        assert secret_word not in written
    for line in written.splitlines():
        json.loads(line)


def test_a_head_that_is_too_long_is_turned_away(site: Served) -> None:
    here = site.here
    long = {"Host": "ratings.example.org", "X-Long": "x" * 60_000}
    with suppress(httpx.TransportError):  # it may be closed while this is still being sent
        assert get(here, headers=long).status_code in {400, 431}
    assert get(f"{here}/health/live").text == "live"


def test_a_port_that_is_taken_is_named(demo_db: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = run("serve", "--port", str(port), "--db", str(demo_db), cwd=tmp_path)
    assert ran.code == 4
    assert f"127.0.0.1:{port} already" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", NOT_HERE), "192.0.2.1 is no address of this machine"),
        (("--host", EVERYWHERE), "say how they call the site with --origin"),
        (("--host", EVERYWHERE, "--origin", "http://x.org"), "0.0.0.0 is open to others"),
        (("--origin", "ratings.example.org"), "ratings.example.org is no origin"),
        (("--origin", "https://x.org/ratings"), "is no origin"),
        (("--origin", "https://ana:secret@x.org"), "is no origin"),
        (("--proxy", "0.0.0.0/0"), "neither an address nor a network"),
        (("--proxy", "*"), "neither an address nor a network"),
        (("--office", "/nowhere/at/all.db"), "/nowhere/at"),
    ],
)  # fmt: skip
def test_what_would_be_a_mistake_is_refused(
    options: tuple[str, ...], said: str, demo_db: Path, tmp_path: Path
) -> None:
    ran = run("serve", "--port", "0", "--db", str(demo_db), *options, cwd=tmp_path)
    assert ran.code in {4, 6}
    assert said in ran.err


@pytest.mark.parametrize("option", ["--port", "--origin", "--proxy", "--workers", "--cache"])
def test_nonsense_is_refused(option: str, demo_db: Path, tmp_path: Path) -> None:
    for word in WORDS:
        line = ("serve", "--host", NOT_HERE, option, word, "--db", str(demo_db))
        ran = run(*line, cwd=tmp_path)
        assert ran.code in {2, 4}, word
        assert "Traceback" not in ran.err, word


def test_a_cache_of_others_is_not_used(demo_db: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o777)
    (tmp_path / "shared").chmod(0o777)
    line = ("serve", "--port", "0", "--db", str(demo_db), "--cache", "shared")
    ran = run(*line, cwd=tmp_path)
    assert ran.code == 4
    assert "others may write into shared" in ran.err


def test_a_cache_that_cannot_be_written_is_made_elsewhere_until_the_site_stops(
    demo_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(dir: Path) -> None:  # noqa: A002 - its name
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(dir))

    used: list[Path] = []

    def answer(settings: WebSettings, *_: object, **__: object) -> None:
        ledger = Ledger(open_ledger(settings.ledger), lambda: NOW)
        with TestClient(create_app(Site(ledger, settings)), base_url=settings.origin) as browser:
            assert browser.get("/lists/ENF/2010-07").status_code == 200
        ledger.journal.close()
        assert list(settings.cache.rglob("*.entry"))
        used.append(settings.cache)

    monkeypatch.setattr(private_folders, "TemporaryFile", read_only)
    monkeypatch.setattr(server, "serve", answer)
    line = ("serve", "--port", "0", "--db", str(demo_db), "--office", "none", "--cache", "mine")
    ran = run("--lang", "es", *line, cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert f"la carpeta {tmp_path / 'mine'} (el disco es de solo lectura)" in ran.err
    assert list((tmp_path / "mine").iterdir()) == []
    assert not used[0].exists()


def test_a_ledger_that_is_not_there_is_not_served(tmp_path: Path) -> None:
    ran = run("serve", "--port", "0", "--db", "nothing.db", cwd=tmp_path)
    assert ran.code == 6
    assert "nothing.db" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_token_that_can_be_guessed_is_refused(demo_db: Path, tmp_path: Path) -> None:
    token = {"RATING_LEDGER_METRICS_TOKEN": "secret"}
    ran = run("serve", "--port", "0", "--db", str(demo_db), cwd=tmp_path, **token)
    assert ran.code == 4
    assert "RATING_LEDGER_METRICS_TOKEN has 6 characters and could be guessed" in ran.err
    assert "secret" not in ran.err


def test_what_is_named_and_is_not_there_is_noted(
    demo_db: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "serve", lambda *_, **__: None)
    site = ("serve", "--port", "0", "--db", str(demo_db), "--office", "none", "--cache", "mine")
    line = (*site, "--checkpoint", "page.txt", "--data", "open")
    ran = run(*line, cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert "page.txt is not there, which --checkpoint names" in ran.err
    assert "open is not there, which --data names" in ran.err
    (tmp_path / "page.txt").touch()
    (tmp_path / "open").mkdir()
    assert "is not there" not in run(*line, cwd=tmp_path).err


def test_an_archive_is_served_for_reading(demo_db: Path, tmp_path: Path) -> None:
    assert run("export", "archive", "taken", "--db", str(demo_db), cwd=tmp_path).code == 0
    with served(tmp_path / "taken", log=tmp_path / "log") as running:
        assert "ENF" in get(running.origin).text
        assert get(f"{running.origin}/health/ready").text == "ready"


def test_without_an_office_nobody_signs_in(demo_db: Path, tmp_path: Path) -> None:
    with served(demo_db, "--office", "none", log=tmp_path / "log") as running:
        assert get(running.origin).status_code == 200
        assert get(f"{running.origin}/jobs").status_code == 404


def test_what_is_recorded_by_others_is_seen_at_once(
    pair: tuple[Served, Path], tmp_path: Path
) -> None:
    running, database = pair
    seen = get(running.origin)
    known = {"If-None-Match": seen.headers["etag"]}
    assert get(running.origin, headers=known).status_code == 304
    added = ("player", "add", "991", "Nueva, Ana", "--db", str(database))
    assert run(*added, cwd=tmp_path).code == 0
    for _ in range(8):
        assert get(running.origin, headers=known).status_code == 200
    journal = open_ledger(str(database))
    assert f"seq {journal.head().seq}" not in seen.text
    journal.close()


def test_many_at_once_are_answered(site: Served) -> None:
    here = site.here
    codes: list[int] = []

    def ask() -> None:
        with httpx.Client(headers=HEADERS, timeout=PATIENCE) as client:
            codes.extend(client.get(here).status_code for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert codes == [200] * 40
