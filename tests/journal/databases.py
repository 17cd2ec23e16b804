"""Ways into a test database that go around the ledger, as an attacker's would."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

import psycopg

from tests.postgres import SUPERUSER, WRITER

TABLES = ("commits", "events", "personal")


class Cursor(Protocol):
    """What both drivers' cursors have."""

    def fetchall(self) -> list[Any]:
        """Returns the rows."""
        ...


class Driver(Protocol):
    """What both drivers' connections have."""

    def execute(self, statement: str, /) -> Cursor:
        """Carries out a statement."""
        ...


def is_sqlite(url: str) -> bool:
    return url.startswith("sqlite:///")


def as_superuser(url: str) -> str:
    """Returns the URL of a test's database for who may do everything there."""
    return url.replace(f"//{WRITER}@", f"//{SUPERUSER}@")


@contextmanager
def connected(url: str) -> Iterator[Driver]:
    """Gives a connection of the database's own driver; what was done is committed at the end."""
    if is_sqlite(url):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
            yield connection
    else:
        with psycopg.connect(as_superuser(url)) as session:
            yield session


def drop_triggers(url: str) -> None:
    """Takes all triggers away."""
    with connected(url) as driver:
        if is_sqlite(url):
            names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for (name,) in driver.execute(names).fetchall():
                driver.execute(f"DROP TRIGGER {name}")
        else:
            names = "SELECT tgname, tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal"
            for name, table in driver.execute(names).fetchall():
                driver.execute(f"DROP TRIGGER {name} ON {table}")


def tamper(url: str, *statements: str) -> None:
    """Carries out statements that the triggers would refuse."""
    drop_triggers(url)
    with connected(url) as driver:
        for statement in statements:
            driver.execute(statement)
