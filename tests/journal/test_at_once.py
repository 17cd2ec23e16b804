"""What is kept beside the events never waits: not for another writer, nor for another program."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TypeAlias

import pytest

from ledger.journal.records import KeptSnapshot, SealedSegment
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sql import SqlJournal
from tests.journal.databases import connected, is_sqlite
from tests.journal.drafts import append, draft, fill

SEGMENT = SealedSegment(1, 10, 10, "r", "s", b"heading", b"rows")
SNAPSHOT = KeptSnapshot("ENF", 1, 10, "key", "r", "s", b"data")
AT_ONCE = 5.0  # seconds; a writer would wait for 30

Work: TypeAlias = Callable[[SqlJournal], bool]
WORKS: dict[str, Work] = {
    "keep_segment": lambda journal: journal.keep_segment(SEGMENT),
    "keep_snapshots": lambda journal: journal.keep_snapshots([SNAPSHOT]),
    "drop_segments": lambda journal: journal.drop_segments(),
    "drop_snapshots": lambda journal: journal.drop_snapshots(),
}


@contextmanager
def another_program(url: str) -> Iterator[None]:
    """Locks what a ledger keeps, without its lock file and its advisory lock."""
    if is_sqlite(url):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as one:
            one.execute("BEGIN IMMEDIATE")
            yield
    else:
        with connected(url) as session:
            session.execute("LOCK TABLE segments, snapshots IN EXCLUSIVE MODE")
            yield


@pytest.fixture
def journal(database_url: str) -> Iterator[SqlJournal]:
    opened = open_journal(database_url)
    fill(opened)
    yield opened
    opened.close()


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_it_gives_up_at_once(journal: SqlJournal, database_url: str, work: Work) -> None:
    begun = time.monotonic()
    with another_program(database_url):
        assert not work(journal)
    assert time.monotonic() - begun < AT_ONCE
    assert work(journal)


def test_a_command_still_waits_afterwards(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    with another_program(sqlite_url):
        assert not journal.drop_segments()
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000
    append(journal, draft())
    assert journal.keep_segment(SEGMENT)
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000
    journal.close()
