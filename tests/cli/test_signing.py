"""Keys of accounts at the command line: bound, signed with, verified, revoked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.passkey import SoftPasskey

BY = ("--actor", "ana", "--reason", "season 2026")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with a ledger, an officer with a key, and another one without."""
    assert run("init", cwd=tmp_path).code == 0
    for name in ("ana", "luis"):
        run("account", "create", name, "--role", "officer", *BY, cwd=tmp_path)
        assert run("key", name, f"{name}.key", cwd=tmp_path).code == 0
    bound = run("account", "bind", "ana", "ana.key", *BY, cwd=tmp_path)
    assert bound.code == 0, bound.err
    return tmp_path


def grant(club: Path, role: str, *more: str) -> int:
    return run("account", "grant", "luis", role, *BY, *more, cwd=club).code


def forged(club: Path, *statements: str) -> None:
    """Changes the database past the program, its triggers put back as they were."""
    with closing(sqlite3.connect(club / "rating-ledger.db")) as database, database:
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            database.execute(statement)
        for _, made in triggers:
            database.execute(made)


def test_who_has_a_key_signs_with_it(club: Path) -> None:
    refused = run("account", "grant", "luis", "auditor", *BY, cwd=club)
    assert refused.code == 4
    assert "--sign-with" in refused.err
    assert grant(club, "auditor", "--sign-with", "luis.key") == 4
    assert grant(club, "auditor", "--sign-with", "ana.key") == 0
    by_environment = run(
        "account", "grant", "luis", "arbiter", *BY, cwd=club, RATING_LEDGER_SIGNING_KEY="ana.key"
    )
    assert by_environment.code == 0, by_environment.err
    rows = run("log", "--format", "json", cwd=club).json()["events"]
    assert [row["signed_by"] for row in rows][-3:] == [[], ["ana"], ["ana"]]
    assert "signed by" in run("log", cwd=club, COLUMNS="200").out
    assert "firmado por" in run("--lang", "es", "log", cwd=club, COLUMNS="200").out
    seen = run("verify", cwd=club)
    assert (seen.code, "2 commits are signed" in seen.out) == (0, True)
    assert run("verify", "--format", "json", cwd=club).json()["signed"] == 2


def test_the_secret_of_a_key_is_in_nothing_that_is_said_or_stored(club: Path) -> None:
    _, _, _, _, secret = (club / "ana.key").read_text(encoding="utf-8").strip().split("+", 4)
    said = run("account", "grant", "luis", "auditor", *BY, "--sign-with", "ana.key", cwd=club)
    listed = run("account", "keys", "--format", "json", cwd=club)
    assert [row["account"] for row in listed.json()] == ["ana"]
    for text in (said.out, said.err, listed.out, run("log", "--format", "json", cwd=club).out):
        assert secret not in text
    for path in club.glob("rating-ledger*"):
        assert secret.encode() not in path.read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM signatures", "did not sign it"),
        ("UPDATE signatures SET signature = 'AAAA'", "is not of this commit"),
        ("UPDATE signatures SET account = 'luis'", "who is not its actor"),
    ],
)
def test_verify_tells_what_was_done_to_signatures(club: Path, change: str, told: str) -> None:
    assert grant(club, "auditor", "--sign-with", "ana.key") == 0
    assert run("verify", cwd=club).code == 0
    forged(club, change)
    seen = run("verify", cwd=club)
    assert seen.code == 3
    assert told in " ".join(seen.out.split())


def test_a_revoked_key_signs_no_more(club: Path) -> None:
    undone = run(
        "account", "unbind", "ana", "ana.key", *BY, "--sign-with", "ana.key", cwd=club
    )  # fmt: skip
    assert undone.code == 0, undone.err
    assert grant(club, "auditor", "--sign-with", "ana.key") == 4
    assert grant(club, "auditor") == 0
    assert run("verify", cwd=club).code == 0
    (row,) = run("account", "keys", "--format", "json", cwd=club).json()
    assert row["revoked_seq"] > row["since_seq"]
    assert "revoked" in run("account", "keys", cwd=club).out


def test_what_is_no_key_binds_nothing(club: Path) -> None:
    for key in ("nowhere.key", "ana+00000000+AAAA", "rating-ledger.db"):
        assert run("account", "bind", "luis", key, *BY, cwd=club).code == 4


def test_a_dry_run_needs_no_signature(club: Path) -> None:
    assert grant(club, "auditor", "--dry-run") == 0


def test_a_backup_brings_the_signatures_back(club: Path) -> None:
    assert grant(club, "auditor", "--sign-with", "ana.key") == 0
    assert run("backup", "kept", cwd=club).code == 0
    restored = run("restore", "kept", "--db", "again.db", cwd=club)
    assert restored.code == 0, restored.err
    assert run("verify", "--db", "again.db", "--format", "json", cwd=club).json()["signed"] == 1


def test_a_passkey_is_bound_and_unbound_by_its_public_key(club: Path) -> None:
    key = SoftPasskey()
    said, signed = f"passkey+{key.host}+{key.public}", ("--sign-with", "ana.key")
    assert run("account", "bind", "ana", said, *BY, cwd=club).code == 4
    bound = run("account", "bind", "ana", said, *BY, *signed, cwd=club)
    assert bound.code == 0, bound.err
    _, row = run("account", "keys", "--format", "json", cwd=club).json()
    assert (row["key"], row["relying_party"]) == (key.public, key.host)
    assert key.host in run("account", "keys", cwd=club).out
    assert grant(club, "auditor", *signed) == 0
    assert run("account", "unbind", "ana", said, *BY, *signed, cwd=club).code == 0
    assert run("verify", cwd=club).code == 0


def test_a_lost_key_is_revoked_by_others_as_the_list_of_keys_says_it(club: Path) -> None:
    lost, passkey = club / "ana.key", SoftPasskey()
    by, signed = ("--actor", "luis", "--reason", "lost"), ("--sign-with", "ana.key")
    said = f"passkey+{passkey.host}+{passkey.public}"
    assert run("account", "bind", "ana", said, *BY, *signed, cwd=club).code == 0
    lost.unlink()
    for row in run("account", "keys", "--format", "json", cwd=club).json():
        undone = run("account", "unbind", "ana", row["key"], *by, cwd=club)
        assert undone.code == 0, undone.err
    assert grant(club, "auditor") == 0
    assert run("verify", cwd=club).code == 0


@pytest.mark.parametrize("said", ["passkey+", "passkey++", "passkey+x", "passkey+a b+AAAA"])
def test_what_is_no_passkey_is_refused(club: Path, said: str) -> None:
    assert run("account", "bind", "luis", said, *BY, cwd=club).code == 4


def test_who_has_a_passkey_alone_is_told_where_to_record(club: Path) -> None:
    key = SoftPasskey()
    said = f"passkey+{key.host}+{key.public}"
    assert run("account", "bind", "luis", said, *BY, "--sign-with", "ana.key", cwd=club).code == 0
    by = ("--actor", "luis", "--reason", "season 2026")
    refused = run("account", "grant", "ana", "auditor", *by, cwd=club)
    assert refused.code == 4
    assert f"on the pages of the site {key.host}" in refused.err.replace("\n", " ")
