"""Least privilege on PostgreSQL: who appends cannot change, who reads cannot append."""

from __future__ import annotations

import psycopg
import pytest

from ledger.errors import DatabaseError, InputRefused
from ledger.journal.records import KeptSnapshot, SealedSegment
from ledger.journal.stores.database import grant_roles, open_journal, planned_roles, upgrade
from ledger.journal.stores.roles import Roles
from ledger.journal.verify.check import check
from ledger.service import archives
from tests.journal.databases import connected
from tests.journal.drafts import append, draft, fill
from tests.postgres import READER, WRITER, PostgresServer

SEGMENT = SealedSegment(1, 3, 3, "0" * 64, "0" * 64, b"heading", b"rows")
SNAPSHOT = KeptSnapshot("ENF", 0, 3, "k", "0" * 64, "0" * 64, b"data")
ACTS = {
    "commits": "INSERT",
    "events": "INSERT",
    "personal": "INSERT",
    "signatures": "INSERT",
    "segments": "INSERT DELETE",
    "snapshots": "INSERT DELETE",
    "writer_lock": "UPDATE",
    "alembic_version": "",
}


def privileges(url: str, role: str) -> dict[str, str]:
    """Returns what a role may do with each table, beyond SELECT."""
    with connected(url) as driver:
        granted = driver.execute(
            "SELECT c.relname, p.name FROM pg_class c CROSS JOIN unnest(ARRAY["
            "'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS p (name) "
            f"WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace "
            f"AND has_table_privilege('{role}', c.oid, p.name) ORDER BY p.name DESC"
        ).fetchall()
    found: dict[str, list[str]] = {table: [] for table, _ in granted}
    for table, name in granted:
        found[table].append(name)
    assert all("SELECT" in names for names in found.values())
    order = ("INSERT", "DELETE", "UPDATE", "TRUNCATE", "TRIGGER")
    return {table: " ".join(n for n in order if n in names) for table, names in found.items()}


def test_each_role_may_do_what_it_needs(postgres_url: str) -> None:
    assert privileges(postgres_url, WRITER) == ACTS
    assert privileges(postgres_url, READER) == dict.fromkeys(ACTS, "")


def test_the_writer_appends_and_keeps_what_is_disposable(postgres_url: str) -> None:
    journal = open_journal(postgres_url)
    fill(journal)
    assert check(journal).findings == ()
    assert journal.keep_segment(SEGMENT)
    assert journal.keep_snapshots([SNAPSHOT])
    assert journal.drop_segments()
    assert journal.drop_snapshots()
    assert not upgrade(postgres_url)
    assert archives.look_at(postgres_url)[1] is None
    journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = ''",
        "DELETE FROM personal",
        "TRUNCATE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TRIGGER events_dense ON events",
        "CREATE OR REPLACE FUNCTION journal_refuse() RETURNS trigger LANGUAGE sql AS ''",
        "CREATE INDEX quick ON events (effective_on)",
        "UPDATE snapshots SET data = ''",
        "SET ROLE rating_ledger_owner",
    ],
)
def test_the_writer_changes_nothing(postgres_url: str, statement: str) -> None:
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        psycopg.connect(postgres_url) as session,
    ):
        session.execute(statement.encode())


def test_the_reader_reads_and_keeps_nothing(postgres_url: str) -> None:
    journal = open_journal(postgres_url)
    fill(journal)
    journal.close()
    url = postgres_url.replace(WRITER, READER)
    journal = open_journal(url)
    assert sum(1 for _ in journal.events()) == 10
    assert check(journal).findings == ()
    assert not journal.keep_segment(SEGMENT)
    assert not journal.keep_snapshots([SNAPSHOT])
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft())
    assert caught.value.message.key == "database.no_privilege"
    assert journal.head().seq == 10
    journal.close()
    assert not upgrade(url)
    assert archives.look_at(url)[1] is None


def test_roles_are_made_by_who_may_make_roles(postgres_server: PostgresServer) -> None:
    """An administrator who is no superuser; and once more, which comes to the same."""
    name = postgres_server.create()
    admin = f"admin_{name}"
    with connected(postgres_server.url(name)) as driver:
        driver.execute(f"CREATE ROLE {admin} LOGIN CREATEROLE")
        driver.execute(f"ALTER DATABASE {name} OWNER TO {admin}")
    url = postgres_server.url(name, admin)
    upgrade(url)
    roles = planned_roles(url, f"r_{name}")
    for _ in range(2):
        grant_roles(url, roles)
        assert privileges(postgres_server.url(name), roles.writer) == ACTS
        assert privileges(postgres_server.url(name), roles.reader) == dict.fromkeys(ACTS, "")
    assert not upgrade(url)
    journal = open_journal(url)
    fill(journal)
    assert check(journal).findings == ()
    journal.close()
    with pytest.raises(DatabaseError) as caught:
        grant_roles(postgres_server.url(name, WRITER), Roles.of("others"))
    assert caught.value.message.key == "database.no_privilege"
    postgres_server.drop(name)


def test_a_file_has_no_roles(sqlite_url: str) -> None:
    with pytest.raises(InputRefused) as caught:
        planned_roles(sqlite_url, "rating_ledger")
    assert caught.value.message.key == "database.no_roles"


@pytest.mark.parametrize("prefix", ["", "1st", "Club", "a b", 'a"; DROP', "x" * 51, "ñ"])
def test_a_prefix_is_a_plain_name(prefix: str) -> None:
    with pytest.raises(InputRefused) as caught:
        Roles.of(prefix)
    assert caught.value.message.key == "database.bad_prefix"
    assert prefix in str(caught.value)
