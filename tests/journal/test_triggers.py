"""The database itself refuses to change history, whoever asks."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest

from ledger.errors import DatabaseError
from ledger.journal.records import Commit, CommitSignature
from ledger.journal.stores.database import open_journal, upgrade
from ledger.journal.verify.check import check
from tests.journal.databases import connected, drop_triggers, is_sqlite
from tests.journal.drafts import append, draft, fill

REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError)
COMMIT = (
    "SELECT {id}, recorded_at, actor, reason, source_name, source_sha256, '{key}', body_sha256, "
    "{first}, {last}, peaks, root FROM commits WHERE commit_id = 3"
)
EVENT = (
    "SELECT {seq}, event_id, {commit}, type, version, effective_on, stream, payload, leaf_hash "
    "FROM events WHERE seq = 10"
)

CHANGES = {
    "an event": "UPDATE events SET payload = '' WHERE seq = 7",
    "an event's number": "UPDATE events SET seq = 70 WHERE seq = 7",
    "a commit": "UPDATE commits SET actor = 'Eva' WHERE commit_id = 2",
    "an event away": "DELETE FROM events WHERE seq = 7",
    "the last event away": "DELETE FROM events WHERE seq = 10",
    "all events away": "DELETE FROM events",
    "a commit away": "DELETE FROM commits WHERE commit_id = 3",
    "a document": "UPDATE personal SET document = ''",
    "a document's player": "UPDATE personal SET player = '9'",
    "an event far on": "INSERT INTO events " + EVENT.format(seq=12, commit=3),
    "an event over another": "INSERT INTO events " + EVENT.format(seq=10, commit=3),
    "an event before the first": "INSERT INTO events " + EVENT.format(seq=0, commit=1),
    "an event beyond its commit": "INSERT INTO events " + EVENT.format(seq=11, commit=3),
    "an event of no commit": "INSERT INTO events " + EVENT.format(seq=11, commit=4),
    "a commit far on": "INSERT INTO commits " + COMMIT.format(id=5, key="x", first=11, last=11),
    "a commit over another": "INSERT INTO commits "
    + COMMIT.format(id=3, key="x", first=11, last=11),
    "a commit before the first": "INSERT INTO commits "
    + COMMIT.format(id=0, key="x", first=1, last=1),
    "a commit that overlaps": "INSERT INTO commits "
    + COMMIT.format(id=4, key="x", first=10, last=11),
    "a commit that leaves a gap": "INSERT INTO commits "
    + COMMIT.format(id=4, key="x", first=12, last=12),
    "a commit of nothing": "INSERT INTO commits " + COMMIT.format(id=4, key="x", first=11, last=10),
    "a document over another": "INSERT INTO personal SELECT * FROM personal",
}
SQLITE_CHANGES = {
    "replacing an event": "INSERT OR REPLACE INTO events " + EVENT.format(seq=10, commit=3),
    "replacing an event early": "INSERT OR REPLACE INTO events " + EVENT.format(seq=7, commit=2),
    "ignoring a clash": "INSERT OR IGNORE INTO events " + EVENT.format(seq=7, commit=2),
    "replacing a commit": "INSERT OR REPLACE INTO commits "
    + COMMIT.format(id=3, key="x", first=9, last=10),
    "replacing a commit by its key": "INSERT OR REPLACE INTO commits SELECT 4, recorded_at, actor, "
    "reason, source_name, source_sha256, idempotency_key, body_sha256, 11, 11, peaks, root "
    "FROM commits WHERE commit_id = 3",
    "replacing a document": "INSERT OR REPLACE INTO personal "
    "SELECT digest, player, '' FROM personal",
    "upserting an event": "INSERT INTO events "
    + EVENT.format(seq=7, commit=2)
    + " ON CONFLICT DO UPDATE SET payload = ''",
    "updating with replace": "UPDATE OR REPLACE events SET seq = 7 WHERE seq = 8",
}
POSTGRESQL_CHANGES = {
    "emptying events": "TRUNCATE events CASCADE",
    "emptying commits": "TRUNCATE commits CASCADE",
    "emptying documents": "TRUNCATE personal",
    "upserting an event": "INSERT INTO events "
    + EVENT.format(seq=7, commit=2)
    + " ON CONFLICT (seq) DO UPDATE SET payload = ''",
    "upserting a document": "INSERT INTO personal SELECT * FROM personal "
    "ON CONFLICT (digest) DO UPDATE SET document = ''",
    "two commits at once": "INSERT INTO commits "
    + COMMIT.format(id=4, key="x", first=11, last=11)
    + " UNION ALL "
    + COMMIT.format(id=5, key="y", first=12, last=12),
    "merging": "MERGE INTO events e USING commits c ON c.commit_id = e.commit_id "
    "WHEN MATCHED THEN DELETE",
}


SIGNATURE_CHANGES = {
    "a signature": "UPDATE signatures SET signature = 'forged'",
    "a signature's commit": "UPDATE signatures SET commit_id = 3",
    "a signature away": "DELETE FROM signatures",
    "one of an older commit": "INSERT INTO signatures VALUES (3, 'eva', 'key', 'late')",
    "one of no commit": "INSERT INTO signatures VALUES (5, 'eva', 'key', 'early')",
    "one over another": "INSERT INTO signatures VALUES (4, 'ana', 'key', 'second')",
    "replacing a signature": "INSERT OR REPLACE INTO signatures VALUES (4, 'ana', 'key', 'x')",
    "emptying signatures": "TRUNCATE signatures",
}
SQLITE_ONLY, POSTGRESQL_ONLY = "replacing a signature", "emptying signatures"


@pytest.fixture
def filled(database_url: str) -> str:
    """A ledger of three commits and ten events."""
    journal = open_journal(database_url)
    fill(journal)
    journal.close()
    return database_url


def refuses(url: str, statement: str) -> None:
    with pytest.raises(REFUSED), connected(url) as driver:
        driver.execute(statement)
    journal = open_journal(url)
    assert check(journal).findings == ()
    assert journal.head().seq == 10
    journal.close()


def test_no_change_is_let_through(filled: str) -> None:
    own = SQLITE_CHANGES if is_sqlite(filled) else POSTGRESQL_CHANGES
    for what, statement in (CHANGES | own).items():
        try:
            refuses(filled, statement)
        except BaseException as error:
            error.add_note(what)
            raise


def test_no_change_is_let_through_in_a_replica_session(postgres_url: str) -> None:
    """Without ENABLE ALWAYS the setting would switch every trigger off."""
    journal = open_journal(postgres_url)
    fill(journal)
    journal.close()
    for statement in ("UPDATE events SET payload = ''", "DELETE FROM commits", "TRUNCATE events"):
        refuses(postgres_url, f"SET session_replication_role = replica; {statement}")


def test_documents_can_be_deleted(filled: str) -> None:
    with connected(filled) as driver:
        driver.execute("DELETE FROM personal WHERE player = '2'")
    journal = open_journal(filled)
    found = check(journal)
    assert (found.findings, found.lost) == ((), 1)
    journal.close()


def test_without_triggers_a_journal_is_read_but_not_written(filled: str) -> None:
    drop_triggers(filled)
    journal = open_journal(filled)
    assert sum(1 for _ in journal.events()) == 10
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft())
    assert caught.value.message.key == "database.triggers"
    assert "events_dense" in str(caught.value)
    assert journal.head().seq == 10
    journal.close()


@pytest.mark.parametrize(
    "replaced",
    [
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END",
        (
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON commits "
            "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
        ),
    ],
)
def test_a_trigger_that_does_nothing_is_missing_on_sqlite(sqlite_url: str, replaced: str) -> None:
    with connected(sqlite_url) as driver:
        driver.execute("DROP TRIGGER events_no_update")
        driver.execute(replaced)
    journal = open_journal(sqlite_url)
    assert journal.missing_triggers() == ["events_no_update"]
    journal.close()


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("ALTER TABLE events DISABLE TRIGGER events_dense", ["events_dense"]),
        ("ALTER TABLE events ENABLE TRIGGER events_dense", ["events_dense"]),
        ("ALTER TABLE events DISABLE TRIGGER USER", ["events_dense", "events_no_change"]),
        (
            (
                "CREATE OR REPLACE FUNCTION journal_refuse() RETURNS trigger LANGUAGE plpgsql "
                "AS 'BEGIN RETURN NULL; END'"
            ),
            ["commits_no_change", "events_no_change", "personal_no_change", "signatures_no_change"],
        ),
        (
            (
                "DROP TRIGGER events_no_change ON events; CREATE TRIGGER events_no_change "
                "BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse(); "
                "ALTER TABLE events ENABLE ALWAYS TRIGGER events_no_change"
            ),
            ["events_no_change"],
        ),
    ],
)
def test_a_trigger_that_does_nothing_is_missing_on_postgresql(
    postgres_url: str, change: str, missing: list[str]
) -> None:
    with connected(postgres_url) as driver:
        driver.execute(change)
    journal = open_journal(postgres_url)
    assert journal.missing_triggers() == missing
    journal.close()


def test_an_upgrade_notices_a_missing_trigger(database_url: str) -> None:
    drop_triggers(database_url)
    with pytest.raises(DatabaseError) as caught:
        upgrade(database_url)
    assert caught.value.message.key == "database.triggers"


@pytest.mark.parametrize("change", SIGNATURE_CHANGES)
def test_signatures_stand_with_their_commit_or_never(filled: str, change: str) -> None:
    """Whatever else the statement is, where it is one at all, it is refused."""
    row = CommitSignature(4, "ana", "key", "signature")

    def sign(_: Commit) -> tuple[CommitSignature, ...]:
        return (row,)

    journal = open_journal(filled)
    append(journal, draft(sign=sign))
    journal.close()
    other = POSTGRESQL_ONLY if is_sqlite(filled) else SQLITE_ONLY
    refused = (sqlite3.Error, psycopg.Error) if change == other else REFUSED
    with pytest.raises(refused), connected(filled) as driver:
        driver.execute(SIGNATURE_CHANGES[change])
    journal = open_journal(filled)
    assert list(journal.signatures()) == [row]
    journal.close()
