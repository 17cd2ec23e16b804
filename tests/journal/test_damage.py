"""Damaged indexes and pages are found and named; a damaged index has nothing recorded twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from ledger.errors import DatabaseError
from ledger.journal.stores.database import diagnose, open_journal, upgrade
from ledger.journal.stores.objects import (
    _BY_TABLE,
    TABLES,
    _allow,
    _sum,
    damage,
    table_indexes,
)
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.verify.check import check
from tests.journal.databases import connected, is_sqlite, tamper
from tests.journal.drafts import append, draft, fill, game, with_people
from tests.postgres import PostgresServer

INDEX = "CREATE INDEX events_stream ON events (stream, seq)"
ON_SQLITE = (
    "PRAGMA writable_schema = ON",
    f"UPDATE sqlite_schema SET sql = '{INDEX}' WHERE name = 'events_stream'",
)
ON_POSTGRESQL = (
    "UPDATE pg_index SET indpred = NULL WHERE indexrelid = 'events_stream'::regclass",
)  # fmt: skip


def hollow(url: str, stream: str) -> None:
    """Takes a stream's rows out of the index by which streams are found, and nothing else."""
    with connected(url) as driver:
        driver.execute("DROP INDEX events_stream")
        driver.execute(f"{INDEX} WHERE stream <> '{stream}'")
        for statement in ON_SQLITE if is_sqlite(url) else ON_POSTGRESQL:
            driver.execute(statement)


def told(url: str) -> list[str]:
    """Returns what a verification finds, in English."""
    journal = open_journal(url)
    found = [str(finding.message) for finding in check(journal).findings]
    journal.close()
    return found


@pytest.fixture
def filled(database_url: str) -> str:
    """A ledger of three commits and ten events."""
    journal = open_journal(database_url)
    fill(journal)
    journal.close()
    return database_url


def test_an_index_without_the_rows_of_a_stream_is_named(filled: str) -> None:
    assert told(filled) == []
    hollow(filled, "tournament:open")
    found = told(filled)
    assert found
    assert all("events_stream" in sentence for sentence in found)
    trouble = diagnose(filled).trouble
    assert trouble is not None
    assert trouble.message.key == "database.damaged"
    assert "events_stream" in str(trouble)
    assert trouble.message.within("en") != trouble.message.within("es")


def test_a_stream_that_the_index_does_not_find_is_not_begun_again(database_url: str) -> None:
    journal = open_journal(database_url)
    append(journal, with_people("1", "2"))
    hollow(database_url, "player:2")
    if is_sqlite(database_url):  # PostgreSQL does not ask an index for so few rows
        assert journal.recorded(["player:2"]) == set()
    with pytest.raises(DatabaseError) as caught:
        append(journal, with_people("2"))
    assert caught.value.message.key == "database.begun_twice"
    assert "player:2" in str(caught.value)
    assert journal.head().seq == 2
    journal.close()


@pytest.mark.parametrize("sql", ["DROP INDEX events_stream", "DROP INDEX events_beginning"])
def test_an_index_that_is_gone_is_named(filled: str, sql: str) -> None:
    with connected(filled) as driver:
        driver.execute(sql)
    found = told(filled)
    assert any(
        "is missing" in sentence and sql.removeprefix("DROP INDEX ") in sentence
        for sentence in found
    )


def test_a_row_that_only_an_index_has_is_named(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    fill(journal)
    journal.close()
    keep = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = ?"
    path = sqlite_url.removeprefix("sqlite:///")
    names = ("events_stream", "events_no_delete")
    with closing(sqlite3.connect(path)) as driver, driver:
        kept = [driver.execute(keep, (name,)).fetchone() for name in names]
        driver.execute("PRAGMA writable_schema = ON")
        driver.execute("DELETE FROM sqlite_schema WHERE name IN (?, ?)", names)
    with closing(sqlite3.connect(path)) as driver, driver:
        driver.execute("DELETE FROM events WHERE seq = 7")
        driver.execute("PRAGMA writable_schema = ON")
        driver.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", kept)
    found = told(sqlite_url)
    assert any("events 7 to 7" in sentence for sentence in found)
    assert any("wrong # of entries in index events_stream" in sentence for sentence in found)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """A file of fifty pages."""
    path = tmp_path_factory.mktemp("sound") / "sound.db"
    path.write_bytes(sqlite_template.read_bytes())
    journal = open_journal(str(path))
    append(journal, with_people("1", "2", "3"))
    append(journal, draft(*(game(number, f"t{number % 9}") for number in range(300))))
    journal.close()
    return path


def outcome(path: Path) -> list[str]:
    """Returns what a verification finds, or why it cannot read anything."""
    try:
        return told(str(path))
    except DatabaseError as error:
        return [error.message.key] if error.message.key == "database.malformed" else []


@pytest.mark.parametrize("byte", [b"\0", b"\x0d"])
def test_any_page_that_is_overwritten_is_found(sound: Path, tmp_path: Path, byte: bytes) -> None:
    data, size = sound.read_bytes(), 4096
    path = tmp_path / "damaged.db"
    for start in range(size, len(data), size):
        path.write_bytes(data[:start] + byte * size + data[start + size :])
        assert outcome(path), start // size


# PostgreSQL


@pytest.fixture
def journal(postgres_url: str) -> Iterator[SqlJournal]:
    """A journal on PostgreSQL with a thousand events."""
    opened = open_journal(postgres_url)
    append(opened, with_people("1", "2", "3"))
    append(opened, draft(*(game(number, f"t{number % 9}") for number in range(1_000))))
    yield opened
    opened.close()


def test_every_index_is_read_by_itself(journal: SqlJournal, postgres_url: str) -> None:
    """An index that is not used would be a finding, in a table of few rows and of many."""
    assert journal.damage() == []
    with connected(postgres_url) as driver:
        driver.execute("ANALYZE")
    assert journal.damage() == []
    with journal._engine.connect() as connection:
        names = {index.name for table in TABLES for index in table_indexes(table)}
        found = connection.exec_driver_sql(
            "SELECT indexrelid::regclass::text FROM pg_index "
            "JOIN pg_class c ON c.oid = indrelid WHERE c.relnamespace = 'public'::regnamespace"
        )
        assert set(found.scalars()) == names


def test_the_rows_are_read_from_the_table(journal: SqlJournal) -> None:
    with journal._engine.connect() as connection:
        _allow(connection, _BY_TABLE)
        rows = _sum("stream, seq", "SELECT stream, seq FROM events")
        plan = str(connection.exec_driver_sql(f"EXPLAIN {rows}").all())
    assert "Seq Scan on events" in plan


def test_an_index_that_is_switched_off_is_named(journal: SqlJournal, postgres_url: str) -> None:
    with connected(postgres_url) as driver:
        driver.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'events_stream'::regclass"
        )
    (found,) = journal.damage()
    assert found.key == "verify.index_unused"
    assert "REINDEX INDEX events_stream" in str(found)


def test_a_constraint_that_is_gone_is_named(journal: SqlJournal, postgres_url: str) -> None:
    tamper(postgres_url, "ALTER TABLE events DROP CONSTRAINT events_commit_id_fkey")
    (found,) = journal.damage()
    assert "constraint events_commit_id_fkey on events is missing" in str(found)


AMCHECK = """
CREATE FUNCTION bt_index_check(index regclass, heapallindexed boolean) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
  IF heapallindexed AND index = 'events_stream'::regclass THEN
    RAISE EXCEPTION 'heap tuple (0,1) lacks matching index tuple' USING ERRCODE = 'XX002';
  END IF;
END
$body$;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
VALUES (99999, 'amcheck', 10, 'public'::regnamespace, true, '1.4');
INSERT INTO pg_depend VALUES ('pg_proc'::regclass, 'bt_index_check'::regproc, 0,
  'pg_extension'::regclass, 99999, 0, 'e')
"""


def test_the_servers_own_check_is_asked_where_it_is_installed(
    journal: SqlJournal, postgres_url: str
) -> None:
    with connected(postgres_url) as driver:
        driver.execute(AMCHECK)
    assert journal.foreign_objects() == []
    (found,) = journal.damage()
    assert "events_stream: heap tuple (0,1) lacks matching index tuple" in str(found)


def test_a_server_that_is_gone_has_damage_to_tell(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()
    url = postgres_server.url(name)
    upgrade(url)
    opened = open_journal(url)
    postgres_server.drop(name)
    assert [message.key for message in opened.damage()] == ["database.no_database"]
    opened.close()


def test_what_is_recorded_meanwhile_is_no_damage(journal: SqlJournal) -> None:
    """Index and table are read one after the other, as they were at one moment."""

    def busy(connection: Connection) -> None:
        del connection
        append(journal, with_people("9"))

    with journal._engine.connect() as connection:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.exec_driver_sql("SELECT count(*) FROM events")
        busy(connection)
        assert damage(connection) == []
