"""The one writer's lock on PostgreSQL: nobody else stops it, and nobody keeps it standing still."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection

from ledger.errors import DatabaseError
from ledger.journal.records import Draft, Head
from ledger.journal.stores import postgres
from ledger.journal.stores.database import dialect_of, grant_roles, open_journal, upgrade
from ledger.journal.stores.postgres import end_standstill
from ledger.journal.stores.roles import Roles
from ledger.journal.verify.check import check
from tests.journal.databases import connected
from tests.journal.drafts import NOON, append, draft, fill, game, with_people
from tests.journal.test_concurrency import check_nothing_lost
from tests.journal.test_first_events import migrated
from tests.journal.writer import write
from tests.postgres import READER, WRITER, PostgresServer
from web.office.store import office_beside, open_office

STANDSTILL = 0.3  # seconds
MODES = ("EXCLUSIVE", "ACCESS EXCLUSIVE", "SHARE", "ROW EXCLUSIVE", "ROW SHARE")


def test_a_reader_stops_neither_the_journal_nor_the_office(postgres_url: str) -> None:
    url = str(office_beside(postgres_url))
    with psycopg.connect(postgres_url.replace(WRITER, READER)) as reader:
        for number in (0x7261_7469_6E67, 0x6F66_6669_6365):  # by which writers took turns before
            reader.execute("SELECT pg_advisory_lock(%s)", [number])
            reader.execute("SELECT pg_advisory_xact_lock(%s)", [number])
        reader.commit()
        for mode in MODES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                reader.execute(f"LOCK TABLE writer_lock IN {mode} MODE".encode())
            reader.rollback()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute("LOCK TABLE office.alembic_version IN SHARE MODE")
        reader.rollback()
        reader.execute("SELECT * FROM writer_lock")
        reader.execute("LOCK TABLE writer_lock IN ACCESS SHARE MODE")
        reader.execute("SELECT pg_advisory_unlock(%s)", [0x6F66_6669_6365])  # it is made once
        with closing(open_journal(postgres_url, lock_timeout=0.2)) as journal:
            assert append(journal, draft()).last_seq == 1
        open_office(url).close()
        reader.execute("SELECT pg_advisory_lock(%s)", [0x6F66_6669_6365])
        with closing(open_office(url)) as office, office.writing():
            pass


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_everybody_reads_what_was_committed_last(postgres_url: str, level: str) -> None:
    with connected(postgres_url) as driver:
        ((name,),) = driver.execute("SELECT current_database()").fetchall()
        driver.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'")
    journals = [open_journal(postgres_url) for _ in range(3)]
    with journals[0]._dialect.writing(journals[0]._engine) as connection:
        shown = connection.exec_driver_sql("SHOW transaction_isolation").scalar()
    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(write, each, f"w{n}", 6) for n, each in enumerate(journals)]:
            done.result()
    check_nothing_lost(journals[0], 3, 6)
    assert shown == "read committed"
    for each in journals:
        each.close()


def test_every_name_is_stored_whatever_the_encoding_of_the_user(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(postgres_url) as driver:
        ((name,),) = driver.execute("SELECT current_database()").fetchall()
        driver.execute(f"ALTER ROLE {WRITER} IN DATABASE {name} SET client_encoding = 'LATIN1'")
    monkeypatch.setenv("PGCLIENTENCODING", "SQL_ASCII")
    for number, url in enumerate((postgres_url, f"{postgres_url}&client_encoding=latin1")):
        with closing(open_journal(url)) as journal:
            append(journal, with_people(f"Łucja 棋{number}"))
            documents = "".join(journal.personal_documents().values())
            assert f"Łucja 棋{number}" in documents
            assert check(journal).findings == ()


# Standing still


def others_append(url: str, patience: float) -> None:
    with closing(open_journal(url, lock_timeout=patience)) as other:
        append(other, draft(game(2)))


def test_who_stands_still_loses_the_lock_and_records_nothing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "STANDSTILL_SECONDS", STANDSTILL)
    journal = open_journal(postgres_url)

    def draft_at(_: Head) -> Draft:
        monkeypatch.undo()  # others have the usual time
        others_append(postgres_url, 60)  # gets the lock when the server takes it away here
        return draft(game(1))

    with pytest.raises(DatabaseError) as refused:
        journal.append_in_turn(draft_at, lambda: NOON)
    assert refused.value.message.key == "database.stood_still"
    assert journal.head().seq == 1
    assert check(journal).findings == ()
    journal.close()


def test_who_stands_still_in_the_middle_of_a_copy_is_ended_by_who_waits(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_journal(postgres_url)
    insert = journal._dialect.insert
    refusals: list[str] = []

    def end_soon(connection: Connection, table: str, _: float) -> bool:
        return end_standstill(connection, table, STANDSTILL)

    def slow(connection: Any, table: Any, pages: Any) -> None:
        insert(connection, table, standing(pages) if table.name == "events" else pages)

    def standing(pages: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        for page in pages:
            yield page
            while True:
                try:
                    others_append(postgres_url, STANDSTILL / 3)
                except DatabaseError as error:  # it is not told from work yet
                    refusals.append(error.message.key)
                else:
                    break

    monkeypatch.setattr(journal._dialect, "insert", slow)
    monkeypatch.setattr(postgres, "end_standstill", end_soon)
    with pytest.raises(DatabaseError):
        append(journal, draft(game(1)))
    monkeypatch.undo()
    assert {*refusals} == {"database.locked_by"}
    assert [json.loads(event.payload)["white"] for event in journal.events()] == ["w2"]
    assert check(journal).findings == ()
    journal.close()


def test_who_works_is_not_ended_and_is_named(postgres_url: str) -> None:
    journal = open_journal(f"{postgres_url}&application_name=import of July")

    def draft_at(_: Head) -> Draft:
        with pytest.raises(DatabaseError, match=r"clerk \(import of July, process \d+ of the"):
            others_append(postgres_url, 0.05)
        return draft(game(1))

    assert journal.append_in_turn(draft_at, lambda: NOON).last_seq == 1
    journal.close()


def test_a_large_commit_is_copied_in_parts(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_COPIED_ROWS", 700)
    journal = open_journal(postgres_url)
    append(journal, draft(*(game(number) for number in range(2_500))))
    assert journal.head().seq == 2_500
    assert check(journal).findings == ()
    journal.close()


def test_a_server_that_ends_long_statements_lets_a_commit_take_its_time(postgres_url: str) -> None:
    dialect = dialect_of(f"{postgres_url}&options=-cstatement_timeout=10000")
    engine = dialect.engine()
    with dialect.writing(engine) as connection:
        assert connection.exec_driver_sql("SHOW statement_timeout").scalar() == "10min"
    engine.dispose()


# What a session makes for itself

SHADOWS = """
CREATE TEMP TABLE commits AS SELECT * FROM public.commits;
CREATE TEMP TABLE events AS SELECT * FROM public.events;
UPDATE commits SET last_seq = 99 WHERE commit_id = 3;
INSERT INTO events SELECT 11, event_id, 3, type, version, effective_on, stream, payload, leaf_hash
  FROM public.events WHERE seq = 10;
INSERT INTO public.events SELECT 12, event_id, 3, type, version, effective_on, stream, payload,
  leaf_hash FROM public.events WHERE seq = 10;
"""


def test_temporary_tables_of_the_same_names_mislead_no_trigger(postgres_url: str) -> None:
    with closing(open_journal(postgres_url)) as journal:
        fill(journal)
        with (
            pytest.raises(psycopg.errors.RestrictViolation),
            psycopg.connect(postgres_url) as writer,
        ):
            writer.execute(SHADOWS)
        assert journal.last_event() == 10


def test_temporary_tables_of_the_same_names_erase_nobody(postgres_url: str) -> None:
    """The owner's function deletes what the newest commit names, which is nobody here."""
    with closing(open_journal(postgres_url)) as journal:
        fill(journal)
        with psycopg.connect(postgres_url) as writer:
            writer.execute(
                "CREATE TEMP TABLE events AS SELECT seq, 'player.erased' AS type, "
                "jsonb_build_object('documents', (SELECT jsonb_agg(digest) FROM personal)) "
                "AS payload FROM public.events"
            )
            writer.execute("SELECT journal_forget()")
        assert journal.personal_count() == 3
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        psycopg.connect(postgres_url.replace(WRITER, READER)) as reader,
    ):
        reader.execute("SELECT journal_forget()")


# From before

BEFORE = """
ALTER TABLE {table} OWNER TO {owner};
REVOKE ALL ON {table} FROM PUBLIC, {writer}, {reader};
GRANT SELECT ON {table} TO {writer}, {reader}
"""


def test_roles_of_a_database_from_before_can_do_the_same(postgres_server: PostgresServer) -> None:
    """What ``init --roles`` granted at revision 0006 is what it takes, with what 0007 adds."""
    name = postgres_server.create()
    url = postgres_server.url(name)
    migrated(url, "0006")
    roles = Roles.of(f"r_{name}")
    with connected(url) as driver:
        for role in roles:
            driver.execute(f"CREATE ROLE {role}")
        driver.execute(f"CREATE ROLE w_{name} LOGIN IN ROLE {roles.writer}")
        driver.execute(f"CREATE ROLE o_{name} LOGIN IN ROLE {roles.owner}")
        driver.execute(f"GRANT USAGE, CREATE ON SCHEMA public TO {roles.owner}")
        for table in ("commits", "events", "personal", "signatures", "segments", "snapshots",
                      "alembic_version"):  # fmt: skip
            driver.execute(BEFORE.format(table=table, **roles._asdict()))
        for table in ("commits", "events", "personal", "signatures"):
            driver.execute(f"GRANT INSERT ON {table} TO {roles.writer}")
        for table in ("segments", "snapshots"):
            driver.execute(f"GRANT INSERT, DELETE ON {table} TO {roles.writer}")
        for function in ("refuse", "commits_dense", "events_dense", "signatures_newest"):
            driver.execute(f"ALTER FUNCTION journal_{function}() OWNER TO {roles.owner}")
    assert upgrade(postgres_server.url(name, f"o_{name}")), "by its owner, who is no superuser"
    with closing(open_journal(postgres_server.url(name, f"w_{name}"))) as journal:
        fill(journal)
        assert check(journal).findings == ()
        journal.check_may_record(erasing=True)
    grant_roles(url, roles)
    with closing(open_journal(postgres_server.url(name, f"w_{name}"))) as journal:
        append(journal, draft())
        assert check(journal).findings == ()
    with connected(url) as driver:
        driver.execute(f"DROP SCHEMA office; DROP OWNED BY {', '.join(roles)} CASCADE")
        driver.execute(f"DROP ROLE {', '.join((*roles, f'w_{name}', f'o_{name}'))}")
    postgres_server.drop(name)
