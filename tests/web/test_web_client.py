"""The small client of the examples, against a real site."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.service.accounts import grant_role
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.ledgers import request
from tests.web.serving import served
from web.office import accounts, tokens
from web.office.store import Office, open_office, utc_now

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "web_client.py"))
CORRECTION = {
    "tournament": "agosto-2010", "round": 1, "white": "3404510", "black": "3400190",
    "result": "0-1", "reason": "score sheet",
}  # fmt: skip
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running(demo_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A site over a copy of the shipped example: its origin, and the token of an officer."""
    folder = tmp_path_factory.mktemp("client")
    db = folder / "club.db"
    shutil.copy(demo_db, db)
    journal = open_ledger(str(db))
    grant_role(Ledger(journal, utc_now), "ana", Role.OFFICER, request=request())
    journal.close()
    token = token_of(open_office(str(folder / "club-office.db")), db)
    with served(db, log=folder / "log") as site:
        yield site.origin, token


def token_of(office: Office, db: Path, *scopes: str) -> str:
    """Returns a token of ana's, for correcting tournaments unless scopes are named."""
    journal = open_ledger(str(db))
    now = int(time.time())
    with office.writing() as connection:
        accounts.add(connection, "ana", now)
        made = tokens.add(
            connection, "ana", "robot", frozenset(scopes or {"tournaments"}),
            seq=journal.head().seq, now=now, expires_at=now + 3600,
        )  # fmt: skip
    journal.close()
    return made


def client(running: tuple[str, str], *, signed: bool = True) -> Any:
    origin, token = running
    return EXAMPLE["Client"](origin, token if signed else None)


def test_it_prints_what_a_list_says(
    running: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    EXAMPLE["main"]([running[0], "ENF"])
    printed = capsys.readouterr().out
    assert printed.startswith("ENF 2010-08, in force from 2010-09-01\n")
    assert "Salinas Herrera, Pablo" in printed
    assert "2010-07 -> 2010-08" in printed
    assert "account.granted by" in printed


def test_it_reads_all_pages(running: tuple[str, str]) -> None:
    site = client(running)
    events = list(site.rows("events", "events", limit=7))
    assert [each["seq"] for each in events] == list(range(1, site.get("head")["seq"] + 1))


def test_it_previews_and_records_once(running: tuple[str, str]) -> None:
    site = client(running)
    before = site.get("head")["seq"]
    board = next(
        each["payload"]
        for each in site.rows("events", "events", tournament="agosto-2010")
        if each["type"] == "result.recorded"
    )
    said = CORRECTION | {name: board[name] for name in ("round", "white", "black")}
    assert site.preview("correct-result", said)["dry_run"]
    assert site.get("head")["seq"] == before
    first = site.record("correct-result", said, key="k-1")
    again = site.record("correct-result", said, key="k-1")
    assert first["first_seq"] == again["first_seq"] == before + 1
    assert site.get("head")["seq"] == before + 1


def test_it_is_told_why_it_is_refused(running: tuple[str, str]) -> None:
    stranger = client(running, signed=False)
    with pytest.raises(EXAMPLE["Refused"], match="404") as refused:
        stranger.get("lists", "NONE")
    assert "there is no list 'NONE'" in refused.value.problem["detail"]
    with pytest.raises(EXAMPLE["Refused"], match="401"):
        stranger.record("correct-result", CORRECTION)
    late = client(running)
    late.seq = 3
    with pytest.raises(EXAMPLE["Refused"], match="412"):
        late.record("correct-result", CORRECTION)


def test_the_example_says_what_it_wants_to_be_told() -> None:
    path = Path(__file__).parents[2] / "examples" / "web_client.py"
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "usage: python examples/web_client.py ORIGIN LIST\n"
