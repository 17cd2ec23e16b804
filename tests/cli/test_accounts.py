"""Accounts from the command line: the first administrator, and whoever was locked out."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import run
from web.accounts.attempts import Attempts
from web.office import accounts, credentials
from web.office.store import Office, open_office

BY = ("--actor", "operator", "--reason", "founding meeting")
_LINK = re.compile(r"https://ratings\.example\.org/enrol/([\w-]{43})")
_ORIGIN = ("--origin", "https://ratings.example.org/")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with a ledger."""
    assert run("init", cwd=tmp_path).code == 0
    return tmp_path


def office_of(club: Path) -> Office:
    return open_office(str(club / "rating-ledger-office.db"))


def link_in(text: str) -> str:
    found = _LINK.search(text)
    assert found, text
    return found[1]


def owner_of(club: Path, link: str) -> str | None:
    with closing(office_of(club)) as office, office.reading() as connection:
        return accounts.enrolled_by(connection, link, office.now())


def test_the_first_administrator_comes_by_a_link(club: Path) -> None:
    made = run("account", "create", "ana", "--role", "administrator", *_ORIGIN, *BY, cwd=club)
    assert made.code == 0, made.err
    assert "account.granted" in made.out
    assert owner_of(club, link_in(made.out)) == "ana"
    listed = run("account", "list", "--format", "json", cwd=club).json()
    assert [(each["account"], each["grants"][0]["role"]) for each in listed] == [
        ("ana", "administrator")
    ]
    assert "administrador" in run("--lang", "es", "account", "list", cwd=club).out
    log = run("log", "--format", "json", cwd=club).json()
    assert "operator" in str(log)
    assert link_in(made.out) not in str(log)


def test_json_stays_json(club: Path) -> None:
    made = run("account", "create", "ana", "--role", "officer", *_ORIGIN, *BY, "--format", "json",
               cwd=club)  # fmt: skip
    assert made.json()["events"]
    assert owner_of(club, link_in(made.err)) == "ana"


def test_a_dry_run_makes_no_account_and_no_office(club: Path) -> None:
    tried = run("account", "create", "ana", "--role", "officer", *BY, "--dry-run", cwd=club)
    assert tried.code == 0
    assert "enrol" not in tried.out
    assert not (club / "rating-ledger-office.db").exists()
    assert run("account", "list", "--format", "json", cwd=club).json() == []


def test_a_reset_voids_what_there_was(club: Path) -> None:
    made = run("account", "create", "ana", "--role", "officer", *_ORIGIN, *BY, cwd=club)
    with closing(office_of(club)) as office, office.writing() as connection:
        accounts.use_enrolment(connection, link_in(made.out), office.now())
        credentials.set_password(
            connection, "ana", credentials.Password("hash", b"secret", 0, office.now())
        )
    again = run("account", "reset", "ana", *_ORIGIN, *BY, cwd=club)
    assert owner_of(club, link_in(again.out)) == "ana"
    with closing(office_of(club)) as office, office.reading() as connection:
        assert credentials.password_of(connection, "ana") is None
    assert "account.entrusted" in again.out


def test_roles_come_and_go(club: Path) -> None:
    run("account", "create", "ana", "--role", "administrator", *BY, cwd=club)
    run("account", "create", "luis", "--role", "officer", *BY, cwd=club)
    assert run("account", "grant", "luis", "auditor", *BY, cwd=club).code == 0
    assert run("account", "revoke", "luis", "officer", *BY, cwd=club).code == 0
    listed = run("account", "list", "--format", "csv", cwd=club).out
    assert "luis,auditor" in listed
    assert "luis,officer" not in listed
    assert run("account", "revoke", "luis", *BY, cwd=club).code == 0
    assert "luis" in run("account", "list", cwd=club).out


def test_the_first_administrator_is_replaced_before_the_next_one_signs_in(club: Path) -> None:
    for name in ("ana", "luis"):
        run("account", "create", name, "--role", "administrator", *BY, cwd=club)
    assert run("account", "revoke", "ana", "administrator", *BY, cwd=club).code == 0
    assert run("account", "revoke", "luis", "administrator", *BY, cwd=club).code == 4


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("create", "ana", "--role", "officer", *BY), 5),
        (("create", "Eva María", "--role", "officer", *BY), 4),
        (("create", "eva", "--role", "king", *BY), 2),
        (("create", "eva", "--role", "officer"), 2),
        (("revoke", "ana", "administrator", *BY), 4),
        (("revoke", "ana", *BY), 4),
        (("revoke", "eva", *BY), 7),
        (("reset", "eva", *BY), 4),
        (("grant", "ana", "officer", "--tournament", "x", *BY), 4),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    club: Path, words: tuple[str, ...], code: int
) -> None:
    run("account", "create", "ana", "--role", "administrator", *BY, cwd=club)
    before = run("log", "--format", "json", cwd=club).out
    assert run("account", *words, cwd=club).code == code
    assert run("log", "--format", "json", cwd=club).out == before


def test_an_archive_has_no_accounts(club: Path) -> None:
    assert run("export", "archive", "copy", cwd=club).code == 0
    refused = run("--db", "archive:copy", "account", "reset", "ana", *BY, cwd=club)
    assert refused.code == 7
    assert "no accounts" in refused.err


def test_whom_others_kept_out_by_trying_is_let_try_again(club: Path) -> None:
    assert run("account", "create", "ana", "--role", "administrator", *BY, cwd=club).code == 0
    with closing(office_of(club)) as office:
        attempts = Attempts(office)

        def may_try(account: str, address: str = "203.0.113.9") -> bool:
            return attempts.allow_password(address, account, None)

        while may_try("ana"):
            pass
        while may_try("luis", "203.0.113.8"):
            pass
        ran = run("account", "unlock", "ana", cwd=club)
        assert (ran.code, ran.out) == (0, "ana may try to sign in again at once\n")
        assert may_try("ana")
        assert not may_try("luis", "203.0.113.8"), "another one's are not forgotten"
        assert run("account", "unlock", cwd=club).code == 0
        assert may_try("luis", "203.0.113.8")


def test_nobody_is_unlocked_who_is_not_there(club: Path) -> None:
    assert run("account", "unlock", "nobody", cwd=club).code != 0
