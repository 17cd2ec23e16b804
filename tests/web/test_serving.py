"""``serve`` as a process: where it listens, what it refuses, how it ends."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import httpx
import pytest

from tests.cli.running import run, start
from tests.hostile.mutations import NASTY
from tests.web.serving import served

WORDS = [word for word in NASTY if "\0" not in word]


def test_it_says_where_it_is_and_ends_when_it_is_told_to(demo_db: Path, tmp_path: Path) -> None:
    with served(demo_db, log=tmp_path / "log") as site:
        assert httpx.get(site.origin).status_code == 200
        assert site.stop() == 0
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_it_ends_by_ctrl_c(demo_db: Path, tmp_path: Path) -> None:
    with served(demo_db, log=tmp_path / "log") as site:
        assert httpx.get(site.origin).status_code == 200
        assert site.stop(signal.SIGINT) == 0
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_a_port_that_is_taken_is_named(demo_db: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = start("serve", "--port", str(port), "--db", str(demo_db), cwd=tmp_path)
    assert ran.code != 0
    assert f"127.0.0.1:{port} already" in ran.err


def test_an_address_of_another_machine_is_refused(demo_db: Path, tmp_path: Path) -> None:
    ran = start("serve", "--host", "192.0.2.1", "--port", "0", "--db", str(demo_db), cwd=tmp_path)
    assert ran.code != 0
    assert "192.0.2.1 is no address of this machine" in ran.err


@pytest.mark.parametrize("option", ["--port"])
def test_nonsense_is_refused(option: str, demo_db: Path, tmp_path: Path) -> None:
    for word in (word for word in WORDS if word not in {"0", "00"}):
        line = ("serve", "--host", "192.0.2.1", option, word, "--db", str(demo_db))
        ran = run(*line, cwd=tmp_path)
        assert ran.code, word
        assert "Traceback" not in ran.err, word


def test_a_ledger_that_is_not_there_is_not_served(tmp_path: Path) -> None:
    ran = start("serve", "--port", "0", "--db", "nothing.db", cwd=tmp_path)
    assert ran.code != 0
    assert "nothing.db" in ran.err
