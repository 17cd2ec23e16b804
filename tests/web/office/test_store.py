"""The office's database: beside the ledger's, made when it is opened, one writer at a time."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, insert, select, update

from ledger.errors import DatabaseError
from ledger.journal.stores.database import diagnose, open_journal, upgrade
from tests.postgres import PostgresServer
from web.office.schema import ACCOUNTS, ATTEMPTS, METADATA, REVISIONS
from web.office.store import Office, office_beside, open_office

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a ledger."""
    if request.param == "sqlite":
        url = str(tmp_path / "club.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        url = server.url(server.create())
    upgrade(url)
    return url


def opened(ledger_url: str) -> Office:
    url = office_beside(ledger_url)
    assert url is not None
    return open_office(url)


def test_it_is_made_once_and_leaves_the_ledger_as_it_is(ledger_url: str) -> None:
    opened(ledger_url).close()
    office = opened(ledger_url)
    with office.writing() as connection:
        connection.execute(insert(ACCOUNTS).values(account="ana", user_handle=b"1", created_at=1))
    with office.reading() as connection:
        assert connection.scalars(select(ACCOUNTS.c.account)).all() == ["ana"]
    office.close()
    assert diagnose(ledger_url).trouble is None
    open_journal(ledger_url).close()


def test_the_migrations_end_where_the_tables_are(ledger_url: str) -> None:
    office = opened(ledger_url)
    with office.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    office.close()


def test_the_revisions_are_those_of_the_scripts() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations" / "office"))
    scripts = ScriptDirectory.from_config(config)
    newest_first = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(newest_first)) == REVISIONS


def test_many_may_open_it_at_once(ledger_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for office in pool.map(opened, [ledger_url] * 4):
            office.close()


def test_those_who_write_at_once_wait_for_one_another(ledger_url: str) -> None:
    office = opened(ledger_url)
    with office.writing() as connection:
        connection.execute(insert(ATTEMPTS).values(key=b"k", count=0, ends_at=1))

    def add_one(_: int) -> None:
        with office.writing() as connection:
            count = connection.execute(select(ATTEMPTS.c.count)).scalar_one()
            connection.execute(update(ATTEMPTS).values(count=count + 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(40)))
    with office.reading() as connection:
        assert connection.scalar(select(ATTEMPTS.c.count)) == 40
    office.close()


def test_what_fails_half_way_is_not_done(ledger_url: str) -> None:
    office = opened(ledger_url)
    row = {"account": "ana", "user_handle": b"1", "created_at": 1}

    def add_twice() -> None:
        with office.writing() as connection:
            connection.execute(insert(ACCOUNTS).values(row))
            connection.execute(insert(ACCOUNTS).values(row))

    with pytest.raises(DatabaseError):
        add_twice()
    with office.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(ACCOUNTS)) == 0
    office.close()


def test_what_newer_software_made_is_refused(ledger_url: str) -> None:
    office = opened(ledger_url)
    with office.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'o9999'")
    office.close()
    with pytest.raises(DatabaseError) as refusal:
        opened(ledger_url)
    assert refusal.value.message.key == "database.newer"


def test_a_site_that_runs_writes_no_more_after_newer_software_has_migrated(ledger_url: str) -> None:
    office = opened(ledger_url)
    with office.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'o9999'")
    with pytest.raises(DatabaseError) as refusal, office.writing():
        pytest.fail("it was let in")
    assert refusal.value.message.key == "database.newer"
    with office.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(ACCOUNTS)) == 0
    office.close()


def test_its_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    upgrade(str(tmp_path / "club.db"))
    opened(str(tmp_path / "club.db")).close()
    assert stat.S_IMODE((tmp_path / "club-office.db").stat().st_mode) == 0o600


def test_an_archive_has_none() -> None:
    assert office_beside("archive:2026-07") is None
