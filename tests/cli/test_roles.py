"""A ledger on PostgreSQL as its users meet it: who made it, who records, who only reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.postgres import READER, WRITER, PostgresServer

RUIZ = "3404510"
MADE: tuple[tuple[str, ...], ...] = (
    ("list", "define", "ENF", "--regulation", "enf-2010", "--calendar", "monthly",
     "--first", "2010-07-01"),
    ("import", "players.csv", "--list", "ENF"),
    ("import", "ymca.csv"),
    ("publish", "ENF", "2010-07"),
    ("import", "agosto.csv"),
    ("record", "result", "ymca-2010", "9", "3407128", "3413446", "1-0", "--anyway",
     "--dry-run"),
)  # fmt: skip
READING: tuple[tuple[str, ...], ...] = (
    ("verify",),
    ("doctor",),
    ("checkpoint",),
    ("segments",),
    ("list", "list"),
    ("list", "show", "ENF"),
    ("list", "show", "ENF", "2010-08"),
    ("list", "regenerate", "ENF", "2010-07"),
    ("explain", RUIZ, "--list", "ENF", "--period", "2010-07"),
    ("history", RUIZ, "--list", "ENF"),
    ("player", "show", RUIZ),
    ("live", "ENF"),
    ("tournament", "show", "ymca-2010"),
    ("replay", "ENF"),
    ("init",),
)


def test_a_writer_records_and_a_reader_reads(
    postgres_url: str, made_once: Path, tmp_path: Path
) -> None:
    for words in MADE:
        done = run("--db", postgres_url, *words, cwd=made_once)
        assert done.code == 0, (words, done.err)
    url = postgres_url.replace(WRITER, READER)
    for words in READING:
        done = run("--db", url, *words, cwd=tmp_path)
        assert done.code == 0, (words, done.err)
    refused = run("--db", url, "publish", "ENF", "2010-08", cwd=tmp_path)
    assert refused.code == 6
    assert "Traceback" not in refused.err


def test_roles_are_made_and_named(postgres_server: PostgresServer, tmp_path: Path) -> None:
    url = postgres_server.url(postgres_server.create())
    words = ("--db", url, "init", "--roles", "--prefix", "club_ana")
    for _ in range(2):
        done = run(*words, cwd=tmp_path)
        assert done.code == 0, done.err
        assert "GRANT club_ana_writer TO the_user_who_records;" in done.out
    assert run("--db", url, "verify", cwd=tmp_path).code == 0


@pytest.mark.parametrize("prefix", ["rating_ledger", "Club"])
def test_a_file_has_no_roles(tmp_path: Path, prefix: str) -> None:
    done = run("--db", "club.db", "init", "--roles", "--prefix", prefix, cwd=tmp_path)
    assert done.code == 4
    assert "club.db" in done.err
    assert list(tmp_path.iterdir()) == []
