"""A stream begins once: the database refuses it, and so does the upgrade of one in which it did."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from ledger.errors import DatabaseError
from ledger.events.players import PlayerRegistered
from ledger.journal.stores import database
from ledger.journal.stores.database import diagnose, open_journal, upgrade
from ledger.journal.stores.revisions import NEWEST
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.stores.triggers import IS_BEGINNING
from tests.journal.databases import connected, is_sqlite
from tests.journal.drafts import append, draft, fill, with_people
from tests.postgres import PostgresServer

ROOT = Path(__file__).parents[2]
REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError)
BEFORE = "0004"
EVENT = (
    "INTO events SELECT 11, event_id, 4, 'player.registered', version, effective_on, 'player:2', "
    "payload, leaf_hash FROM events WHERE seq = 10"
)
COMMIT = (
    "INSERT INTO commits SELECT 4, recorded_at, actor, reason, source_name, source_sha256, 'x', "
    "body_sha256, 11, 11, peaks, root FROM commits WHERE commit_id = 3"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def old_url(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer
) -> Iterator[str]:
    """A database as the revision before made it, with three commits and ten events."""
    name = postgres_server.create() if request.param == "postgresql" else ""
    url = postgres_server.url(name) if name else f"sqlite:///{tmp_path / 'old.db'}"
    migrated(url, BEFORE)
    at_revision(url, NEWEST)  # which is what this program writes to
    dialect = database.dialect_of(url)
    journal = SqlJournal(dialect.engine(), dialect)
    journal._guarded = True  # by the triggers of its revision
    if name:  # by the lock of this program
        with connected(url) as driver:
            driver.execute("CREATE TABLE writer_lock ()")
    fill(journal)
    journal.close()
    at_revision(url, BEFORE)
    if name:
        with connected(url) as driver:
            driver.execute("DROP TABLE writer_lock")
    yield url
    if name:
        postgres_server.drop(name)


def migrated(url: str, revision: str) -> None:
    """Makes the tables as they were at a revision."""
    dialect = database.dialect_of(url)
    engine = dialect.engine(create=True)
    with engine.connect() as connection:
        dialect.make_durable(connection)
    with dialect.migrating(engine) as connection:
        config = Config()
        config.set_main_option("script_location", str(ROOT / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def at_revision(url: str, revision: str) -> None:
    with connected(url) as driver:
        driver.execute(f"UPDATE alembic_version SET version_num = '{revision}'")


def begins_again(url: str, insert: str = "INSERT") -> None:
    with connected(url) as driver:
        driver.execute(COMMIT)
        driver.execute(f"{insert} {EVENT}")


def test_a_database_of_the_revision_before_is_brought_up_to_date(old_url: str) -> None:
    assert diagnose(old_url).facts["revision"] == BEFORE
    assert upgrade(old_url)
    journal = open_journal(old_url)
    with pytest.raises(DatabaseError, match="player:2 has begun already"):
        append(journal, draft(PlayerRegistered(identity="0" * 64, player="2")))
    append(journal, with_people("4"))
    journal.close()


def test_a_database_in_which_a_stream_began_twice_stays_as_it_is(old_url: str) -> None:
    begins_again(old_url)
    with pytest.raises(DatabaseError) as caught:
        upgrade(old_url)
    assert caught.value.message.key == "database.begun_twice_before"
    assert "player:2" in str(caught.value)
    found = diagnose(old_url)
    assert (found.facts["revision"], found.trouble and found.trouble.message.key) == (
        BEFORE,
        "database.older",
    )


def test_whoever_goes_around_the_ledger_is_refused(database_url: str) -> None:
    journal = open_journal(database_url)
    fill(journal)
    journal.close()
    statements = ["INSERT", "INSERT OR REPLACE"] if is_sqlite(database_url) else ["INSERT"]
    for insert in statements:
        with pytest.raises(REFUSED):
            begins_again(database_url, insert)


def test_the_index_is_what_looks_for_a_beginning(sqlite_url: str) -> None:
    wanted = f"SELECT 1 FROM events WHERE stream = 'player:2' AND ({IS_BEGINNING})"
    journal = open_journal(sqlite_url)
    with journal._engine.connect() as connection:
        plan = str(connection.execute(text(f"EXPLAIN QUERY PLAN {wanted}")).all())
    assert "USING INDEX events_beginning" in plan
    journal.close()
