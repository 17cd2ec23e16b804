"""Many writers: seqs are dense, nothing is lost, every writer gets its turn.

The same check is made of a store whose lock was taken away, and must fail: otherwise it would
prove nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection, Engine

from ledger.errors import DatabaseError, LedgerError
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.records import Draft, Head
from ledger.journal.spool import Spool
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.stores.postgres import PostgresDialect
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.stores.sqlite import SqliteDialect
from ledger.journal.verify.check import check
from tests.forked import forked
from tests.journal.databases import is_sqlite
from tests.journal.drafts import NOON, draft, game
from tests.journal.writer import write, write_at

WRITERS = 4
COMMITS = 12
# A barrier that one writer never passes while the other has the lock.
PATIENCE_SECONDS = 0.5
LONG_PATIENCE_SECONDS = 60.0  # of writers whom nothing keeps apart: the other one comes


def check_nothing_lost(journal: Journal, writers: int, commits: int) -> None:
    """Fails unless every commit of every writer is there, whole and in one dense order."""
    found = check(journal)
    assert found.findings == ()
    keys = {commit.idempotency_key for commit in journal.commits()}
    assert keys == {f"w{who} {number}" for who in range(writers) for number in range(commits)}
    assert [event.seq for event in journal.events()] == list(range(1, found.events + 1))


def test_threads_append_in_one_dense_order(journal: Journal) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        for done in [pool.submit(write, journal, f"w{who}", COMMITS) for who in range(WRITERS)]:
            done.result()
    check_nothing_lost(journal, WRITERS, COMMITS)


def test_processes_append_in_one_dense_order(database_url: str) -> None:
    writers = [forked(write_at, database_url, f"w{who}", COMMITS) for who in range(WRITERS)]
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    journal = open_journal(database_url)
    check_nothing_lost(journal, WRITERS, COMMITS)
    journal.close()


def test_twins_of_a_request_are_recorded_once(database_url: str) -> None:
    journals = [open_journal(database_url) for _ in range(WRITERS)]
    twin = draft(game(1), game(2), key="twin")
    with ThreadPoolExecutor(WRITERS) as pool:
        commits = {
            done.result()
            for done in [
                pool.submit(journal.append, twin, expected_seq=0, recorded_at=NOON)
                for journal in journals
            ]
        }
    assert len(commits) == 1
    assert journals[0].head().seq == 2
    for journal in journals:
        journal.close()


class Meeting:
    """Two writers meet once between reading the head and writing, when nothing keeps them apart."""

    def __init__(self, store: Callable[..., None], seconds: float) -> None:
        self._store = store
        self._seconds = seconds
        self._barrier = threading.Barrier(2)
        self._is_over = False

    def __call__(self, *given: Any) -> None:
        if not self._is_over:
            with contextlib.suppress(threading.BrokenBarrierError):
                self._barrier.wait(self._seconds)
            self._is_over = True
        self._store(*given)


def race(journal: Journal, seconds: float = PATIENCE_SECONDS) -> None:
    """Lets two writers write at the same moment, if they can; fails when anything goes wrong.

    ``seconds`` is how long one waits for the other.
    """
    journal._store = Meeting(journal._store, seconds)  # type: ignore[attr-defined]
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(write, journal, f"w{who}", 1) for who in range(2)]:
            done.result()
    check_nothing_lost(journal, 2, 1)


@contextlib.contextmanager
def unlocked_sqlite(_self: SqliteDialect, engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN DEFERRED")
        try:
            yield connection
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            with contextlib.suppress(Exception):
                connection.exec_driver_sql("ROLLBACK")
            raise


def test_with_its_lock_a_store_survives_the_race(journal: Journal) -> None:
    race(journal)


def test_without_its_lock_a_store_in_memory_does_not() -> None:
    journal = MemoryJournal()
    journal._writer = contextlib.nullcontext()
    with pytest.raises(AssertionError):
        race(journal, LONG_PATIENCE_SECONDS)


def test_without_its_lock_sqlite_does_not(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteDialect, "writing", unlocked_sqlite)
    fails_the_race(open_journal(sqlite_url, lock_timeout=0.1))


def test_without_its_lock_postgresql_does_not(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDialect, "_lock", lambda *_: None)
    fails_the_race(open_journal(postgres_url, lock_timeout=0.1))


def fails_the_race(journal: SqlJournal) -> None:
    try:
        with pytest.raises((AssertionError, LedgerError)):
            race(journal, LONG_PATIENCE_SECONDS)
    finally:
        journal.close()


def test_reading_does_not_wait_for_a_writer(database_url: str) -> None:
    journal = open_journal(database_url, lock_timeout=0.1)
    write(journal, "w0", 3)
    with journal._dialect.writing(journal._engine) as connection:
        journal._store(connection, *_next(journal))
        assert journal.head().commit_id == 3
        assert sum(1 for _ in journal.events()) == 6
    assert journal.head().commit_id == 4
    journal.close()


def test_nobody_else_appends_in_a_turn(journal: Journal) -> None:
    """A writer who races for the head meanwhile comes after it, and must draft again."""
    drafting, raced = threading.Event(), threading.Event()

    def draft_at(_: Head) -> Draft:
        drafting.set()
        assert not raced.wait(PATIENCE_SECONDS)
        return draft(game(1), game(2))

    def race_for_the_head() -> None:
        assert drafting.wait(60)
        with pytest.raises(HeadMoved):
            journal.append(draft(game(3)), expected_seq=0, recorded_at=NOON)
        raced.set()

    with ThreadPoolExecutor(1) as pool:
        racing = pool.submit(race_for_the_head)
        commit = journal.append_in_turn(draft_at, lambda: NOON)
        racing.result()
    assert (commit.first_seq, commit.last_seq, journal.head().seq) == (1, 2, 2)


def test_whoever_waits_in_vain_for_the_end_of_a_turn_is_told_why(database_url: str) -> None:
    journal = open_journal(database_url)
    impatient = open_journal(database_url, lock_timeout=0.05)

    def draft_at(_: Head) -> Draft:
        with pytest.raises(DatabaseError) as refusal:
            impatient.append(draft(game(1)), expected_seq=0, recorded_at=NOON)
        by = "" if is_sqlite(database_url) else "_by"
        assert refusal.value.message.key == f"database.locked{by}"
        assert "large import" in str(refusal.value)
        with pytest.raises(DatabaseError):
            impatient.append_in_turn(lambda _: draft(game(1)), lambda: NOON)
        assert not impatient.head().seq
        return draft(game(2))

    assert journal.append_in_turn(draft_at, lambda: NOON).last_seq == 1
    assert impatient.append(draft(game(1)), expected_seq=1, recorded_at=NOON).last_seq == 2
    journal.close()
    impatient.close()


def test_postgresql_lets_a_turn_take_longer_than_idle_sessions(postgres_url: str) -> None:
    journal = open_journal(f"{postgres_url}&options=-cidle_in_transaction_session_timeout=250")

    def draft_at(_: Head) -> Draft:
        time.sleep(0.5)
        return draft(game(1))

    assert journal.append_in_turn(draft_at, lambda: NOON).last_seq == 1
    journal.close()


def _next(journal: Journal) -> tuple[Any, ...]:
    """Returns the next commit of the journal, not stored yet."""
    reference = MemoryJournal()
    write(reference, "w0", 4)
    commit = reference.commit_with_key("w0 3")
    assert commit is not None
    events = Spool()
    for page in reference.pages(after=journal.head().seq):
        events.extend(page)
    return commit, events, draft(game(1), game(2))


def test_a_writer_decides_again_after_the_head_moved_under_the_lock(database_url: str) -> None:
    """Between reading the head and getting the lock somebody else may append."""
    journal, other = open_journal(database_url), open_journal(database_url)
    writing = journal._dialect.writing

    def late(engine: Engine) -> contextlib.AbstractContextManager[Connection]:
        write(other, "w1", 1)
        return writing(engine)

    journal._dialect.writing = late  # type: ignore[method-assign, assignment]
    with pytest.raises(HeadMoved):
        journal.append(draft(game(1)), expected_seq=0, recorded_at=NOON)
    assert other.head().seq == 1
    journal.close()
    other.close()
