"""No question about one tournament reads the identities of the whole ledger."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sql import SqlJournal
from ledger.service.ledger import Ledger
from tests.cli.running import run_here
from tests.ledgers import NOW
from tests.web.api import ASKED, BYTES, address
from tests.web.conftest import ORIGIN
from tests.web.examples import EXAMPLES
from tests.web.test_tap_costs import ENTERED, desk_of, with_event

OF_API = [
    path for path in (*ASKED, *BYTES)
    if path.startswith("/tournaments/") or "/performance/" in path or "?tournament=" in path
]  # fmt: skip
PAGES = [
    *(page for route, pages in EXAMPLES.items() if "{tournament" in route for page in pages),
    "/tournaments/pairs", "/tournaments/pairs/rounds/1", "/tournaments/pairs/crosstable",
    "/tournaments/pairs/gains?list=ENF", "/tournaments/pairs/forms/cards",
    "/tournaments/pairs/forms/round?round=1",
    "/tournaments/teams/teams", "/tournaments/teams/rounds/1", "/tournaments/teams",
    "/tournaments/pairs?as-known-at=100000",
]  # fmt: skip
AT_DESK = [
    "/desk/pairs", "/desk/pairs/rules", "/desk/pairs/entries", "/desk/pairs/entries/3404510",
    "/desk/pairs/numbers", "/desk/pairs/pair", "/desk/pairs/rounds/1", "/desk/pairs/standings",
    "/desk/pairs/report", "/desk/pairs/report.trf", "/desk/teams", "/desk/teams/teams",
    "/desk/teams/rounds/1",
]  # fmt: skip
COMMANDS = [
    *(words for words in (*ASKED.values(), *BYTES.values())
      if words.startswith(("tournament ", "performance ")) and words != "tournament list"),
    "tournament check pairs", "tournament check ymca-2010", "tournament cards pairs --format html",
    "tournament round pairs --format html", "tournament standings pairs --format html",
    "tournament team-tables teams --format html", "log --tournament pairs",
    "tournament result pairs 1 2 0-1 --dry-run",
]  # fmt: skip


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns how many identities were read each time; reading all of them fails the test."""
    documents = SqlJournal.personal_documents
    found: list[int] = []

    def watched(self: SqlJournal, digests: Iterable[str] | None = None) -> dict[str, str]:
        assert digests is not None, "all identities were read"
        wanted = list(digests)
        found.append(len(wanted))
        return documents(self, wanted)

    def everybody(_self: SqlJournal) -> Iterator[object]:
        raise AssertionError("all identities were read")

    monkeypatch.setattr(SqlJournal, "personal_documents", watched)
    monkeypatch.setattr(SqlJournal, "personal", everybody)
    return found


@pytest.mark.parametrize("page", [*map(address, OF_API), *PAGES])
def test_no_page_and_no_answer_reads_all(rich_app: FastAPI, read: list[int], page: str) -> None:
    site = TestClient(rich_app, base_url=ORIGIN)
    answer = site.get(page)
    if "as-known-at" in page:
        seq = rich_app.state.site.head() - 1
        answer = site.get(page.replace("100000", str(seq)))
    assert answer.status_code == 200, answer.text
    assert len(read) <= 2, read


@pytest.mark.parametrize("page", AT_DESK)
def test_no_page_of_the_desk_reads_all(
    rich_db: Path, tmp_path: Path, read: list[int], page: str
) -> None:
    with closing(open_journal(str(shutil.copy(rich_db, tmp_path / "rich.db")))) as journal:
        answer = desk_of(Ledger(journal, lambda: NOW), tmp_path).get(page)
        assert answer.status_code in {200, 422}, answer.text
        assert 1 <= len(read) <= 3, read


@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_reads_all(rich_db: Path, read: list[int], words: str) -> None:
    done = run_here(*shlex.split(words), "--db", str(rich_db))
    assert done.code in {0, 3, 8}, done.err  # 8: no pairing system is known to check it by
    assert len(read) <= 2, read


def test_a_hundred_are_paired_and_shown_without_reading_others(
    sqlite_url: str, tmp_path: Path, read: list[int]
) -> None:
    with closing(open_journal(sqlite_url)) as journal:
        ledger = with_event(Ledger(journal, lambda: NOW), 10)
        assert {*read} == {ENTERED}
        read.clear()
        site = desk_of(ledger, tmp_path)
        for page in (
            "/tournaments/t",
            "/tournaments/t/rounds/1",
            "/tournaments/t/crosstable",
            "/tournaments/t/forms/cards",
            "/desk/t",
            "/desk/t/rounds/2",
            "/desk/t/entries",
            "/desk/t/standings",
            address("/tournaments/t/gains"),
            address("/tournaments/t/standings"),
            address("/tournaments/t/cards"),
        ):
            assert site.get(page).status_code == 200, page
        assert read == [ENTERED], "one view reads them once"
