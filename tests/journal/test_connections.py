"""Connections to PostgreSQL are bounded, and a server that takes no more is named as that."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from psycopg import sql

from ledger.errors import Unreachable
from ledger.journal.stores import postgres
from ledger.journal.stores.database import dialect_of, open_journal
from ledger.journal.stores.row_reader import translated
from tests.postgres import WRITER, PostgresServer


def test_a_server_that_takes_no_more_is_named(
    postgres_server: PostgresServer, postgres_template: str
) -> None:
    name = postgres_server.create(postgres_template)
    limited = sql.SQL("ALTER DATABASE {} CONNECTION LIMIT 0").format(sql.Identifier(name))
    postgres_server.execute(limited)
    with pytest.raises(Unreachable) as refusal:
        open_journal(postgres_server.url(name, WRITER))
    postgres_server.drop(name)
    assert refusal.value.message.key == "database.too_many"


def test_a_process_takes_no_more_than_fifteen(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_FREE_SECONDS", 0.1)
    dialect = dialect_of(postgres_url)
    engine = dialect.engine()
    with ExitStack() as held:
        held.callback(engine.dispose)
        for _ in range(15):
            held.enter_context(engine.connect())
        with pytest.raises(Unreachable) as refusal, translated(dialect):
            engine.connect()
    assert refusal.value.message.key == "database.too_many"
