"""The office on PostgreSQL belongs to the writers, whoever made it and in whatever order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.journal.stores.database import grant_roles, upgrade
from ledger.journal.stores.roles import Roles
from tests.journal.databases import connected
from tests.postgres import WRITER, PostgresServer
from web.office import accounts
from web.office.schema import ERASURES, METADATA
from web.office.store import Office, office_beside, open_office

ROLES = Roles.of("rating_ledger")


@pytest.fixture
def database(postgres_server: PostgresServer) -> Iterator[str]:
    """The name of a new database with a ledger."""
    name = postgres_server.create()
    yield name
    postgres_server.drop(name)


@pytest.fixture
def second(postgres_server: PostgresServer, postgres_template: str) -> str:
    """Another user who may append; the roles are there."""
    assert postgres_template
    postgres_server.login("second_clerk", "rating_ledger_writer")
    return "second_clerk"


def opened(url: str) -> Office:
    return open_office(str(office_beside(url)))


def owners(url: str) -> set[str]:
    """Returns to whom the tables of the office belong."""
    with connected(url) as driver:
        rows = driver.execute("SELECT tableowner FROM pg_tables WHERE schemaname = 'office'")
        return {owner for (owner,) in rows.fetchall()}


def check_writes(url: str) -> None:
    """Fails unless the user of a URL does everything that a site does."""
    office = opened(url)
    with office.writing() as connection:
        accounts.add(connection, url.partition("@")[0].rpartition("/")[2].replace("_", "-"), 1)
    office.compact([ERASURES.name])
    office.close()


def test_what_its_owner_made_before_is_given_to_the_writers(
    postgres_server: PostgresServer, database: str, second: str
) -> None:
    """As after ``restore``, and then ``init --roles``; done again it comes to the same."""
    url = postgres_server.url(database)
    upgrade(url)
    check_writes(url)
    for _ in range(2):
        grant_roles(url, ROLES)
    assert owners(url) == {"rating_ledger_writer"}
    for user in (WRITER, second):
        check_writes(postgres_server.url(database, user))


@pytest.mark.parametrize("first", ["postgres", WRITER])
def test_what_is_made_afterwards_belongs_to_the_writers(
    postgres_server: PostgresServer, database: str, second: str, first: str
) -> None:
    """As after ``init --roles``, and then ``restore`` or ``serve``: by an owner, or a writer."""
    url = postgres_server.url(database)
    upgrade(url)
    grant_roles(url, ROLES)
    check_writes(postgres_server.url(database, first))
    assert owners(url) == {"rating_ledger_writer"}
    for user in {"postgres", WRITER, second} - {first}:
        check_writes(postgres_server.url(database, user))


def test_what_one_writer_made_before_is_given_to_all(
    postgres_server: PostgresServer, database: str, second: str
) -> None:
    """As the manual had it: a schema for the role, in which a site made tables of its own."""
    url = postgres_server.url(database)
    upgrade(url)
    grant_roles(url, ROLES)
    check_writes(postgres_server.url(database, WRITER))
    with connected(url) as driver:
        for table in (*METADATA.tables, "alembic_version"):
            driver.execute(f"ALTER TABLE office.{table} OWNER TO {WRITER}")
        driver.execute("UPDATE office.alembic_version SET version_num = 'o0006'")
        for table in (
            "unfinished_copies", "webhooks", "webhook_deliveries", "claim_answers", "claims",
            "player_ties",
        ):  # fmt: skip
            driver.execute(f"DROP TABLE office.{table}")
    opened(postgres_server.url(database, WRITER)).close()
    assert owners(url) == {"rating_ledger_writer"}
    check_writes(postgres_server.url(database, second))
