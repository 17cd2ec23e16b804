"""Killed at work, a journal is as it was before or as it is after, never between."""

from __future__ import annotations

from pathlib import Path

from ledger.journal.stores.database import diagnose, open_journal, upgrade
from ledger.journal.verify.check import check
from tests.journal.crasher import crash
from tests.journal.databases import is_sqlite
from tests.journal.drafts import append, draft, fill, game
from tests.postgres import PostgresServer


def points_of_an_append(url: str) -> list[str]:
    """Two readings for the head and the key, then what a writer does under the lock."""
    return ["5", "7", "commit"] if is_sqlite(url) else ["6", "8", "10", "commit"]


def test_a_killed_append_leaves_nothing(database_url: str) -> None:
    journal = open_journal(database_url)
    fill(journal)
    before = journal.head()
    crash(database_url, "append", *points_of_an_append(database_url))
    assert journal.head() == before
    assert check(journal).findings == ()
    # Whoever comes next is not kept out, and the request can be repeated.
    again = append(journal, draft(*(game(number) for number in range(50)), key="crash"))
    assert (again.commit_id, again.last_seq) == (4, 60)
    assert check(journal).findings == ()
    journal.close()


def test_an_acknowledged_append_survives(database_url: str) -> None:
    crash(database_url, "append", "end")
    journal = open_journal(database_url)
    assert journal.head().seq == 50
    assert check(journal).findings == ()
    journal.close()


def check_upgrade(url: str) -> None:
    crash(url, "upgrade", "12", "20", "commit")
    assert diagnose(url).facts.get("revision") in {None, "-"}
    assert upgrade(url)
    journal = open_journal(url)
    fill(journal)
    assert check(journal).findings == ()
    journal.close()


def test_a_killed_upgrade_leaves_nothing_on_sqlite(tmp_path: Path) -> None:
    check_upgrade(f"sqlite:///{tmp_path}/new.db")


def test_a_killed_upgrade_leaves_nothing_on_postgresql(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()
    check_upgrade(postgres_server.url(name))
    postgres_server.drop(name)
