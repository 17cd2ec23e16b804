"""Opening a database, and everything that can be wrong with one: each has its own sentence."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from filelock import FileLock
from sqlalchemy import event

from ledger.errors import DatabaseError
from ledger.journal.stores import database, revisions
from ledger.journal.stores.database import diagnose, dialect_of, normalise, open_journal, upgrade
from ledger.journal.stores.postgres import PostgresDialect
from ledger.journal.stores.schema import METADATA, REVISIONS, WRITER_LOCK
from ledger.journal.stores.sqlite import SqliteDialect
from tests.journal.databases import connected, is_sqlite
from tests.journal.drafts import append, draft, fill, game
from tests.journal.users import without_privileges
from tests.postgres import PostgresServer

ROOT = Path(__file__).parents[2]
SECRET = "hunter-2"  # noqa: S105 - to find it again where it must not be


def refused(key: str, act: Callable[..., object], *given: object, **options: object) -> str:
    """Returns the sentence with which an act is refused; it never quotes a password."""
    with pytest.raises(DatabaseError) as caught:
        act(*given, **options)
    message = caught.value.message
    assert message.key == f"database.{key}"
    assert message.within("en") != message.within("es")
    assert SECRET not in str(caught.value)
    return str(caught.value)


# Names


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("club.db", "sqlite:///club.db"),
        ("/data/club 1.db", "sqlite:////data/club 1.db"),
        ("what?mode=memory#x%20.db", "sqlite:///what?mode=memory#x%20.db"),
        ("sqlite:///club.db", "sqlite:///club.db"),
        ("sqlite:////data/club.db", "sqlite:////data/club.db"),
        ("postgres://ana@host/club", "postgresql+psycopg://ana@host/club"),
        ("postgresql://ana:x@host:5433/club", "postgresql+psycopg://ana:x@host:5433/club"),
        ("postgresql+psycopg://host/club", "postgresql+psycopg://host/club"),
        (
            "postgresql:///club?host=%2Ftmp&sslmode=require",
            "postgresql+psycopg:///club?host=%2Ftmp&sslmode=require",
        ),
    ],
)
def test_a_database_is_named_by_a_path_or_a_url(given: str, url: str) -> None:
    assert normalise(given) == url
    assert normalise(url) == url


def test_messages_name_a_server_as_people_do() -> None:
    shown = dialect_of("postgresql://ana:x@host:5433/club").shown
    assert shown == "postgresql://ana:***@host:5433/club"


@pytest.mark.parametrize(
    ("free", "key"), [(24_000, "database.full"), (1 << 30, "database.io_error")]
)
def test_a_disk_with_hardly_any_room_is_full(
    free: int, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert SqliteDialect(tmp_path / "l.db", 1).meaning(error).message.key == key


@pytest.mark.parametrize(
    "url",
    [
        "",
        ":memory:",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        f"mysql://ana:{SECRET}@host/club",
        f"postgresql+psycopg2://ana:{SECRET}@host/club",
        f"postgresql://ana:{SECRET}@host",
        f"postgresql://ana:{SECRET}@host:port/club",
        f"postgresql://ana:x@{SECRET}@host:port/club",
        "https://chess.example/club",
        "://",
        "a\0b",
    ],
)
def test_anything_else_is_no_database(url: str) -> None:
    assert "is neither a file nor a database URL" in refused("bad_url", normalise, url)


def test_a_home_folder_is_meant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert normalise("~/club.db") == f"sqlite:///{tmp_path}/club.db"


def test_a_file_of_any_name_is_that_file(tmp_path: Path) -> None:
    path = tmp_path / "club ?mode=memory&x=%20#ñ.db"
    assert upgrade(str(path))
    assert path.exists()
    journal = open_journal(f"sqlite:///{path}")
    fill(journal)
    journal.close()
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, f"{path.name}.lock"]


# Making and upgrading


def test_upgrading_creates_once(tmp_path: Path, postgres_server: PostgresServer) -> None:
    for url in (str(tmp_path / "new.db"), postgres_server.url(postgres_server.create())):
        assert upgrade(url)
        assert not upgrade(url)
        assert diagnose(url).trouble is None


def test_many_may_upgrade_at_once(tmp_path: Path, postgres_server: PostgresServer) -> None:
    for url in (str(tmp_path / "new.db"), postgres_server.url(postgres_server.create())):
        with ThreadPoolExecutor(4) as pool:
            done = [one.result() for one in [pool.submit(upgrade, url) for _ in range(4)]]
        assert sorted(done) == [False, False, False, True]
        open_journal(url).close()


def test_the_write_ahead_log_is_set_by_one_after_another(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    dialect = SqliteDialect(path, 0.05)
    engine = dialect.engine(create=True)
    with engine.connect() as connection:
        with FileLock(f"{path}.lock"):
            refused("locked", dialect.make_durable, connection)
        dialect.make_durable(connection)
        with FileLock(f"{path}.lock"):  # once it is set, nobody is waited for
            dialect.make_durable(connection)
    engine.dispose()


def test_the_migrations_end_where_the_tables_are(database_url: str) -> None:
    dialect = database.dialect_of(database_url)
    engine = dialect.engine()
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        more = [] if is_sqlite(database_url) else [WRITER_LOCK.name]
        found = compare_metadata(context, METADATA)
        assert [(what, table.name) for what, table in found] == [("remove_table", m) for m in more]
    engine.dispose()


def test_the_revisions_are_those_of_the_scripts() -> None:
    config = Config(ROOT / "alembic.ini")
    config.set_main_option("script_location", str(ROOT / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    newest_first = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(newest_first)) == REVISIONS


def test_migrating_by_hand_does_the_same(tmp_path: Path) -> None:
    path = tmp_path / "hand.db"
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "-x", f"url={path}", "upgrade", "head"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not upgrade(str(path))
    open_journal(str(path)).close()


def test_there_is_no_way_back(database_url: str) -> None:
    config = Config(ROOT / "alembic.ini", cmd_opts=Namespace(x=[f"url={database_url}"]))
    config.set_main_option("script_location", str(ROOT / "migrations"))
    with pytest.raises(RuntimeError, match="the journal cannot be downgraded"):
        command.downgrade(config, "base")
    open_journal(database_url).close()


# What is not there, or is something else


def test_opening_never_creates_a_file(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert str(path) in refused("missing", open_journal, str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    refused("is_folder", open_journal, str(tmp_path))
    refused("is_folder", upgrade, str(tmp_path))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert f"'{tmp_path}/none'" in refused("no_folder", upgrade, f"{tmp_path}/none/new.db")
    refused("missing", open_journal, f"{tmp_path}/none/new.db")


def test_another_file_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("id,name\n" * 1000)
    refused("not_a_database", open_journal, str(path))
    refused("not_a_database", upgrade, str(path))
    assert path.read_text() == "id,name\n" * 1000


@pytest.mark.parametrize("statement", [None, "CREATE TABLE other (x)"])
def test_a_database_without_a_ledger_is_not_initialised(
    tmp_path: Path, statement: str | None
) -> None:
    path = tmp_path / "other.db"
    path.touch()
    if statement:
        with connected(f"sqlite:///{path}") as driver:
            driver.execute(statement)
    assert "run 'rating-ledger init'" in refused("not_initialised", open_journal, str(path))


def test_a_server_without_a_ledger_is_not_initialised(postgres_server: PostgresServer) -> None:
    refused("not_initialised", open_journal, postgres_server.url(postgres_server.create()))


def test_a_damaged_file_is_told(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    journal = open_journal(sqlite_url)
    append(journal, draft(*(game(number) for number in range(500))))
    journal.close()
    data = path.read_bytes()
    # All but the schema and the last page, which the opening looks at.
    path.write_bytes(data[:65536] + bytes(len(data) - 65536))
    journal = open_journal(sqlite_url)
    refused("malformed", list, journal.events())
    journal.close()


# Older and newer software


def test_a_newer_database_needs_newer_software(database_url: str) -> None:
    with connected(database_url) as driver:
        driver.execute("UPDATE alembic_version SET version_num = '0099'")
    assert "0099" in refused("newer", open_journal, database_url)
    refused("newer", upgrade, database_url)
    found = diagnose(database_url)
    assert found.trouble is not None
    assert found.facts["revision"] == "0099"


def test_an_older_database_waits_for_an_upgrade(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "REVISIONS", (*REVISIONS, "9999"))
    monkeypatch.setattr(revisions, "NEWEST", "9999")
    assert "run 'rating-ledger init'" in refused("older", open_journal, database_url)


# Locked, full, read-only, not durable


@contextlib.contextmanager
def somebody_writing(url: str) -> Iterator[None]:
    journal = open_journal(url)
    with journal._dialect.writing(journal._engine):
        yield
    journal.close()


def test_a_locked_database_is_told_and_nothing_is_lost(database_url: str) -> None:
    with somebody_writing(database_url):
        journal = open_journal(database_url, lock_timeout=0.05)
        if is_sqlite(database_url):
            refused("locked", append, journal, draft(key="k"))
        else:
            who = refused("locked_by", append, journal, draft(key="k"))
            assert f"clerk (rating-ledger {os.getpid()}@" in who
        journal.close()
    journal = open_journal(database_url)
    append(journal, draft(key="k"))
    assert journal.head().seq == 1
    journal.close()


def test_another_program_may_have_locked_the_file(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url, lock_timeout=0.05)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused("locked", append, journal, draft())
    assert journal.head().seq == 0
    other.close()
    with FileLock(f"{sqlite_url.removeprefix('sqlite:///')}.lock"):
        refused("locked", append, journal, draft())
    append(journal, draft())
    journal.close()


def test_a_full_disk_is_told_and_nothing_is_stored(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    fill(journal)
    before = journal.head()

    @event.listens_for(journal._engine, "checkout")
    def _(driver: sqlite3.Connection, *_: object) -> None:
        pages = driver.execute("PRAGMA page_count").fetchone()[0]
        driver.execute(f"PRAGMA max_page_count = {pages}")

    many = draft(*(game(number) for number in range(5_000)))
    assert "nothing was recorded" in refused("full", append, journal, many)
    assert journal.head() == before
    append(journal, draft())
    journal.close()


def test_a_file_that_can_only_be_read_is_read(shared_folder: Path) -> None:
    path = shared_folder / "club.db"
    upgrade(str(path))
    journal = open_journal(str(path))
    fill(journal)
    journal.close()
    path.chmod(0o444)
    shared_folder.chmod(0o555)
    try:
        with without_privileges():
            journal = open_journal(str(path))
            assert sum(1 for _ in journal.events()) == 10
            refused("read_only", append, journal, draft())
            journal.close()
            refused("cannot_open", upgrade, str(shared_folder / "new.db"))
    finally:
        shared_folder.chmod(0o755)


def test_a_file_that_cannot_be_read_is_told(shared_folder: Path) -> None:
    path = shared_folder / "club.db"
    upgrade(str(path))
    path.chmod(0)
    with without_privileges():
        refused("cannot_open", open_journal, str(path))
    shared_folder.chmod(0)
    with without_privileges():
        refused("cannot_open", open_journal, str(path))
        refused("cannot_open", upgrade, str(path))
    shared_folder.chmod(0o755)


def test_a_file_without_its_log_is_not_durable(sqlite_url: str) -> None:
    with connected(sqlite_url) as driver:
        driver.execute("PRAGMA journal_mode = DELETE")
    assert "journal_mode=delete" in refused("not_durable", open_journal, sqlite_url)
    assert not upgrade(sqlite_url)
    open_journal(sqlite_url).close()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_commits_is_refused(
    postgres_url: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = PostgresDialect.settings
    monkeypatch.setattr(
        PostgresDialect, "settings", lambda *given: settings(*given) | {setting: "off"}
    )
    assert f"{setting}=off" in refused("not_durable", open_journal, postgres_url)


@pytest.mark.parametrize("setting", ["off", "local", "remote_apply"])
def test_every_append_waits_for_the_disk(postgres_url: str, setting: str) -> None:
    with connected(postgres_url) as driver:
        name = driver.execute("SELECT current_database()").fetchall()[0][0]
        driver.execute(f"ALTER DATABASE {name} SET synchronous_commit = {setting}")
    journal = open_journal(postgres_url)
    with journal._dialect.writing(journal._engine) as connection:
        found = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
    assert found == ("remote_apply" if setting == "remote_apply" else "on")
    journal.close()


def test_every_sqlite_connection_waits_for_the_disk(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    with journal._engine.connect() as one, journal._engine.connect() as other:
        for connection in (one, other):
            settings = journal._dialect.settings(connection)
            assert (settings["journal_mode"], settings["synchronous"]) == ("wal", "2")
            assert settings["foreign_keys"] == "1"
    journal.close()


# Servers


def test_a_server_that_is_not_there_is_told() -> None:
    nobody = f"postgresql://ana:{SECRET}@127.0.0.1:1/club"
    assert "127.0.0.1:1" in refused("no_connection", open_journal, nobody)
    nowhere = f"postgresql://ana:{SECRET}@nowhere.invalid/club"
    assert "nowhere.invalid" in refused("no_connection", open_journal, nowhere)
    refused("no_connection", upgrade, nobody)


def test_a_database_that_is_not_there_is_told(postgres_server: PostgresServer) -> None:
    assert "nodb" in refused("no_database", open_journal, postgres_server.url("nodb"))


def test_a_user_that_is_not_there_is_told(postgres_server: PostgresServer) -> None:
    url = postgres_server.url("postgres", user=f"nobody:{SECRET}")
    assert "nobody" in refused("no_login", open_journal, url)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (psycopg.OperationalError('FATAL:  password authentication failed for "a"'), "no_login"),
        (psycopg.OperationalError("failed: fe_sendauth: no password supplied"), "no_login"),
        (psycopg.OperationalError('FATAL:  no pg_hba.conf entry for host "h"'), "no_login"),
        (psycopg.errors.DiskFull("could not extend file"), "full"),
        (psycopg.errors.ReadOnlySqlTransaction("read-only"), "read_only"),
        (psycopg.errors.LockNotAvailable("lock timeout"), "locked"),
        (psycopg.errors.AdminShutdown("terminating"), "no_connection"),
        (psycopg.errors.TooManyConnections("too many"), "too_many"),
        (psycopg.errors.ConnectionFailure("gone"), "no_connection"),
        (psycopg.errors.DivisionByZero("never"), "failed"),
    ],
)
def test_what_a_server_says_has_a_meaning(error: psycopg.Error, key: str) -> None:
    dialect = database.dialect_of(f"postgresql://ana:{SECRET}@host/club")

    def fail() -> None:
        raise dialect.meaning(error) from error

    refused(key, fail)


def test_a_connection_that_was_cut_is_made_anew(postgres_url: str) -> None:
    journal = open_journal(postgres_url)
    fill(journal)
    with connected(postgres_url) as driver:
        driver.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert journal.head().seq == 10
    journal.close()


def test_a_user_with_few_rights_can_record_but_not_change(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    with connected(postgres_url) as driver:
        database_name = driver.execute("SELECT current_database()").fetchall()[0][0]
        role = f"app_{database_name}"
        driver.execute(f"CREATE ROLE {role} LOGIN")
        driver.execute(f"GRANT SELECT, INSERT ON commits, events, personal TO {role}")
        driver.execute(f"GRANT SELECT ON alembic_version TO {role}")
        driver.execute(f"GRANT UPDATE ON writer_lock TO {role}")
    url = postgres_server.url(database_name, user=role)
    journal = open_journal(url)
    fill(journal)
    assert journal.head().seq == 10
    assert not upgrade(url)
    journal.close()
    with pytest.raises(psycopg.errors.InsufficientPrivilege), connected(url) as driver:
        driver.execute("ALTER TABLE events DISABLE TRIGGER ALL")
    with connected(postgres_url) as driver:
        driver.execute(f"REVOKE INSERT ON events FROM {role}")
    journal = open_journal(url)
    refused("no_privilege", append, journal, draft())
    assert journal.head().seq == 10
    journal.close()
    with connected(postgres_url) as driver:
        driver.execute(f"DROP OWNED BY {role}")
        driver.execute(f"DROP ROLE {role}")


def test_a_database_that_cannot_hold_every_name_is_refused(
    postgres_server: PostgresServer,
) -> None:
    postgres_server.execute(
        psycopg.sql.SQL("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    )
    refused("not_unicode", upgrade, postgres_server.url("latin"))
    postgres_server.drop("latin")


# Looking


def test_a_diagnosis_says_what_there_is(database_url: str) -> None:
    found = diagnose(database_url)
    assert found.trouble is None
    assert found.facts["revision"] == found.facts["newest_revision"] == REVISIONS[-1]
    assert found.facts["missing_triggers"] == "-"
    assert int(found.facts["size_bytes"]) > 0
    if is_sqlite(database_url):
        assert found.facts["library"] == f"SQLite {sqlite3.sqlite_version}"
        assert int(found.facts["free_disk_bytes"]) > 0
        assert found.facts["journal_mode"] == "wal"
    else:
        assert found.facts["library"].startswith("PostgreSQL ")
        assert found.facts["fsync"] == "on"


def test_a_diagnosis_changes_nothing(tmp_path: Path) -> None:
    for name in ("none.db", "no/where.db"):
        found = diagnose(str(tmp_path / name))
        assert found.trouble is not None
        assert found.trouble.message.key == "database.missing"
    assert list(tmp_path.iterdir()) == []
    assert diagnose("mysql://x/y").trouble is not None


# Imports


def test_the_core_does_not_load_the_database() -> None:
    loaded = (
        "import sys, importlib\n"
        "for name in 'records', 'stores.memory', 'verify.check', 'checkpoint', 'envelope':\n"
        "    importlib.import_module(f'ledger.journal.{name}')\n"
        "    print(name, {'sqlalchemy', 'alembic', 'psycopg'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    assert all(line.endswith(" set()") for line in lines), done.stdout


def test_opening_does_not_load_alembic(sqlite_url: str) -> None:
    loaded = (
        "import sys; from ledger.journal.stores.database import open_journal, upgrade;"
        f"open_journal({sqlite_url!r}).close(); upgrade({sqlite_url!r});"
        "print({'alembic', 'psycopg'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
