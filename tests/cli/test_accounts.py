"""Accounts from the command line: the first administrator, and whoever was locked out."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from sqlalchemy import Connection, func, insert, select

from ledger.identifiers import Seq
from tests.cli.running import run
from web.accounts.attempts import Attempts
from web.accounts.codes import matching_step
from web.office import accounts, credentials, sessions
from web.office.schema import TOKENS
from web.office.store import Office, open_office

BY = ("--actor", "operator", "--reason", "founding meeting")
_LINK = re.compile(r"https://ratings\.example\.org/enrol/([\w-]{43})")
SECRET = b"a telephone's secret"
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
    assert made.out.startswith("1 role granted, 1 way to sign in given (ana).\n")
    assert owner_of(club, link_in(made.out)) == "ana"
    listed = run("account", "list", "--format", "json", cwd=club).json()
    assert [(each["account"], each["grants"][0]["role"]) for each in listed] == [
        ("ana", "administrator")
    ]
    assert "administrador" in run("--lang", "es", "account", "list", cwd=club).out
    log = run("log", "--format", "json", cwd=club).json()
    assert "operator" in str(log)
    assert link_in(made.out) not in str(log)


def test_a_link_that_browsers_could_not_open_is_refused_before_anything_is_recorded(
    club: Path,
) -> None:
    bad = ("--origin", "ratings.example.org")
    for words in (("create", "ana", "--role", "administrator"), ("reset", "ana")):
        refused = run("account", *words, *bad, *BY, cwd=club)
        assert refused.code == 4, refused.out
        assert "ratings.example.org is no origin: write scheme and host" in refused.err
    assert run("account", "list", "--format", "json", cwd=club).json() == []


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


def test_an_account_is_made_with_all_its_roles(club: Path) -> None:
    both = ("--role", "arbiter", "--role", "officer", "--role", "officer")
    done = run("account", "create", "ana", *both, *_ORIGIN, *BY, cwd=club)
    assert done.code == 0, done.err
    (made,) = run("account", "list", "--format", "json", cwd=club).json()
    assert [each["role"] for each in made["grants"]] == ["arbiter", "officer"]


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
    assert again.out.startswith("1 way to sign in given (ana).\n")


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
        (("reset", "eva", *BY), 7),
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


class TestSignOut:
    """What an earlier state of the database brings back lets nobody in."""

    @pytest.fixture
    def revived(self, club: Path) -> Path:
        """Two accounts with sessions, codes, tokens and an invitation, as a dump brings them."""
        for name in ("ana", "luis"):
            assert run("account", "create", name, "--role", "officer", *BY, cwd=club).code == 0
        with closing(office_of(club)) as office, office.writing() as connection:
            now = office.now()
            for name in ("ana", "luis"):
                password = credentials.Password("hash", SECRET, 0, now)
                credentials.set_password(connection, name, password)
                credentials.set_recovery_codes(connection, name, [f"{name} code"])
                sessions.begin(connection, name, seq=Seq(9), agent="", now=now)
                connection.execute(
                    insert(TOKENS).values(
                        hash=name.encode(), account=name, seq=9, name="t", scopes="",
                        created_at=now, expires_at=now + 9_999,
                    )
                )  # fmt: skip
        return club

    def left(self, club: Path) -> dict[str, tuple[int, bool, bool, int]]:
        """Returns of each account its sessions, whether codes are good, and its tokens."""
        found = {}
        with closing(office_of(club)) as office, office.reading() as connection:
            now = office.now()
            for name in ("ana", "luis"):
                lasting = len(sessions.sessions_of(connection, name, now))
                code = TOTP(SECRET, 6, SHA1(), 30).generate(now).decode()  # noqa: S303 - theirs
                step = matching_step(SECRET, code, now)
                assert step is not None
                mine = select(func.count()).where(TOKENS.c.account == name)
                found[name] = (
                    lasting,
                    password_step(connection, name) < step,
                    bool(credentials.recovery_codes_left(connection, name)),
                    connection.scalar(mine) or 0,
                )
        return found

    def test_everybody_is_signed_out(self, revived: Path) -> None:
        with closing(office_of(revived)) as office, office.reading() as connection:
            pending = accounts.pending_link(connection, "ana", office.now())
        assert pending is not None
        assert self.left(revived) == dict.fromkeys(("ana", "luis"), (1, True, True, 1))
        done = run("account", "sign-out", "--all", cwd=revived)
        assert (done.code, done.out.partition(";")[0]) == (
            0, "ended: 2 sessions, 2 recovery codes, 2 invitations, 0 tokens"
        )  # fmt: skip
        assert self.left(revived) == dict.fromkeys(("ana", "luis"), (0, False, False, 1))
        with closing(office_of(revived)) as office, office.reading() as connection:
            assert accounts.pending_link(connection, "ana", office.now()) is None
            assert credentials.password_of(connection, "ana") is not None, "it stays"
        assert run("account", "sign-out", "--all", "--tokens", cwd=revived).code == 0
        assert self.left(revived) == dict.fromkeys(("ana", "luis"), (0, False, False, 0))

    def test_one_is_signed_out_and_no_other(self, revived: Path) -> None:
        assert run("account", "sign-out", "ana", "--tokens", cwd=revived).code == 0
        left = {"ana": (0, False, False, 0), "luis": (1, True, True, 1)}
        assert self.left(revived) == left

    @pytest.mark.parametrize("words", [(), ("ana", "--all")])
    def test_it_is_said_who(self, revived: Path, words: tuple[str, ...]) -> None:
        refused = run("account", "sign-out", *words, cwd=revived)
        assert (refused.code, "--all" in refused.err) == (2, True)
        assert self.left(revived) == dict.fromkeys(("ana", "luis"), (1, True, True, 1))

    def test_nobody_else_is(self, revived: Path) -> None:
        assert run("account", "sign-out", "zoe", cwd=revived).code == 7


def password_step(connection: Connection, account: str) -> int:
    """Returns the last step of time of which a code of an account was used."""
    password = credentials.password_of(connection, account)
    assert password is not None
    return password.last_step


def with_players(club: Path) -> None:
    for id_, name in (("A", "Ruiz, Ana"), ("B", "Soto, Luis")):
        assert run("player", "add", id_, name, "--born", "1990", cwd=club).code == 0


def listed(club: Path) -> dict[str, str | None]:
    found = run("account", "list", "--format", "json", cwd=club).json()
    return {each["account"]: each["player"] for each in found}


def test_a_player_is_invited_without_a_role_and_without_an_event(club: Path) -> None:
    with_players(club)
    before = run("log", "--format", "json", cwd=club).json()
    made = run("account", "invite", "ana", "Ruiz, Ana", *_ORIGIN, cwd=club)
    assert made.code == 0, made.err
    assert owner_of(club, link_in(made.out)) == "ana"
    assert run("log", "--format", "json", cwd=club).json() == before
    assert listed(club) == {"ana": "A"}
    again = run("account", "invite", "ana", "A", *_ORIGIN, cwd=club)
    assert owner_of(club, link_in(again.out)) == "ana"
    assert owner_of(club, link_in(made.out)) is None, "the first link is void"
    as_officer = run("account", "create", "ana", "--role", "officer", *BY, cwd=club)
    assert as_officer.code == 5, "whoever has the way in would become an officer"
    assert run("account", "unlock", "ana", cwd=club).code == 0
    assert run("account", "unlock", "nobody", cwd=club).code == 7


def test_an_account_is_tied_to_one_player_and_untied(club: Path) -> None:
    with_players(club)
    assert run("account", "tie", "eva", "A", cwd=club).code == 7, "there is no such account"
    assert run("account", "create", "eva", "--role", "arbiter", *BY, cwd=club).code == 0
    name = run("player", "show", "A", "--format", "json", cwd=club).json()["name"]
    tied = run("account", "tie", "eva", "A", cwd=club).out
    assert f"eva is the account of {name} (A)" in tied
    assert name in run("account", "list", cwd=club).out
    other = run("account", "tie", "eva", "B", cwd=club)
    assert (other.code, "is that of A already" in other.err) == (5, True)
    second = run("account", "invite", "ana", "A", cwd=club)
    assert (second.code, "has the account eva already" in second.err) == (5, True)
    assert run("account", "invite", "eva", "A", cwd=club).code == 5, "it has a role"
    assert run("account", "invite", "3va!", "B", cwd=club).code == 4
    assert run("account", "tie", "eva", "nobody", cwd=club).code == 7
    assert listed(club) == {"eva": "A"}
    assert run("account", "untie", "eva", cwd=club).code == 0
    assert run("account", "untie", "eva", cwd=club).code == 7
    assert listed(club) == {"eva": None}


def test_who_is_erased_has_no_account(club: Path) -> None:
    with_players(club)
    assert run("account", "invite", "ana", "A", cwd=club).code == 0
    assert run("player", "erase", "A", "--reason", "a letter", cwd=club).code == 0
    assert listed(club) == {}
    assert run("account", "invite", "ana", "A", cwd=club).code == 7
