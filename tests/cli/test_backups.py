"""``backup``, ``restore`` and ``copy``, as a person uses them, on both databases."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli import main
from ledger.errors import DatabaseError
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.records import PersonalDocument
from ledger.journal.stores.database import open_journal
from ledger.journal.transfer import Transfer
from ledger.service import backups
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from tests.archive.club import everything
from tests.cli.killing import driven, kill_at
from tests.cli.running import COMMAND, run
from tests.forked import forked
from tests.postgres import PostgresServer
from tests.web.office.test_submissions import FILE, FIRST
from web.office import accounts
from web.office import copies as copies_of_offices
from web.office import submissions as kept
from web.office.claims import (
    ClaimAnswer,
    ClaimState,
    KeptClaim,
    add_claim,
    answers_to,
    claim_of_link,
    keep_answer,
)
from web.office.erasures import forget_names
from web.office.player_ties import tie_player, tied_players
from web.office.schema import METADATA
from web.office.store import digest_of, office_beside, open_office

DATABASES = ["sqlite", "postgresql"]
LINK = "of-the-link"
CLAIM = KeptClaim(
    id="claimed", about="game 7", title="YMCA, round 2", player="3404510", list="ENF",
    period="2010-07", tournament="ymca-2010", content="", words="I have the score sheet.",
    email="pia@example.org", account=None, state=ClaimState.OPEN, decided_by=None, reason="",
    commit_id=None, made_at=10, changed_at=10,
)  # fmt: skip
ANSWER = ClaimAnswer("eva", confirms=True, words="", at=20)
EACH = 5  # after every such step the work is done again; what is there is looked at after each


@pytest.fixture
def club(made_once: Path, tmp_path: Path) -> Path:
    """A folder with a ledger, and an office in which there is an account and a submission."""
    folder = Path(shutil.copytree(made_once, tmp_path / "club"))
    fill_office(folder / "rating-ledger.db")
    return folder


@pytest.fixture(params=DATABASES)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a database may be made, of either kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "new.db")
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = server.create()
    yield server.url(name)
    server.drop(name)


def fill_office(ledger: Path | str) -> None:
    """Makes an account with an invitation that ends by itself, a submission and a claim."""
    url = str(office_beside(str(ledger)))
    with closing(open_office(url)) as office, office.writing() as connection:
        accounts.add(connection, "eva", office.now())
        tie_player(connection, "eva", "3404510", {"3404510"}, office.now())
        accounts.enrol(connection, "eva", office.now())
        kept.add(connection, FIRST, FILE)
        add_claim(connection, CLAIM, digest_of(LINK))
        keep_answer(connection, CLAIM.id, ANSWER)


def add_account(club: Path) -> None:
    """Makes a second account."""
    url = str(club / "rating-ledger-office.db")
    with closing(open_office(url)) as office, office.writing() as connection:
        accounts.add(connection, "zoe", office.now())


def in_office(ledger: str) -> tuple[list[str], list[str], int]:
    """Returns accounts, submissions with the bytes of their files, and open invitations."""
    with closing(open_office(str(office_beside(ledger)))) as office, office.reading() as connection:
        names = [row[0] for row in connection.exec_driver_sql("SELECT account FROM accounts")]
        assert {*tied_players(connection)} == {*names} & {"eva"}, "whose it is goes with it"
        found = kept.find(connection, FIRST.id)
        files = [kept.data_of(connection, found).hex()] if found else []
        (count,) = connection.exec_driver_sql("SELECT count(*) FROM enrolments").one()
    return names, files, count


def claim_in_office(ledger: str) -> tuple[KeptClaim | None, list[ClaimAnswer]]:
    """Returns the claim that the link leads to, and what was said of it."""
    with closing(open_office(str(office_beside(ledger)))) as office, office.reading() as connection:
        return claim_of_link(connection, digest_of(LINK)), answers_to(connection, CLAIM.id)


def held(url: str) -> Any:
    """Returns all that a ledger holds but segments."""
    journal = open_ledger(url)
    try:
        return everything(journal)[:-1]
    finally:
        journal.close()


def backed_up(club: Path) -> dict[str, Any]:
    done = run("backup", "B", "--format", "json", cwd=club)
    assert done.code == 0, done.err
    made: dict[str, Any] = done.json()
    return made


def test_a_table_of_the_office_is_copied_or_ends_by_itself() -> None:
    copied = {table.name for table in copies_of_offices.COPIED}
    assert {*METADATA.tables} - copied == {
        "attempts", "ceremonies", "devices", "enrolments", "jobs", "sessions",
        "submission_links", "unfinished_copies", "webhook_deliveries",
    }  # fmt: skip


def test_what_was_written_since_somebody_was_erased_is_kept_by_a_copy(tmp_path: Path) -> None:
    urls = (f"sqlite:///{tmp_path / name}" for name in ("one.db", "other.db"))
    with closing(open_office(next(urls))) as one, closing(open_office(next(urls))) as other:
        forget_names(one, 1)
        forget_names(other, 3)
        with one.writing() as connection:
            add_claim(connection, CLAIM, digest_of(LINK))
        copies_of_offices.copy_office(one, other)
        found = []
        for gone in (1, 2):
            forget_names(other, gone)
            with other.reading() as connection:
                found.append(claim_of_link(connection, digest_of(LINK)))
    assert found == [CLAIM, replace(CLAIM, words="", email=None)]


class TestBackup:
    def test_it_is_restored_into_either_database(self, club: Path, empty: str) -> None:
        made = backed_up(club)
        assert (made["done"], made["office"]) == (True, {"accounts": 1, "submissions": 1})
        trial = run("restore", "B", "--dry-run", cwd=club)
        assert (trial.code, "could be restored" in trial.out) == (0, True)
        done = run("restore", "B", "--db", empty, "--format", "json", cwd=club).json()
        assert (done["root"], done["done"], done["office"]) == (made["root"], True, made["office"])
        assert held(empty) == held(str(club / "rating-ledger.db"))
        assert in_office(empty) == (["eva"], [FILE.data.hex()], 0), "an invitation ends"
        assert claim_in_office(empty) == (CLAIM, [ANSWER])
        assert run("verify", "--db", empty, cwd=club).code == 0
        again = run("restore", "B", "--db", empty, "--format", "json", cwd=club)
        assert (again.json()["done"], again.json()["office"]) == (False, None)
        assert "stays" in again.err

    def test_again_it_writes_only_what_is_new(self, club: Path) -> None:
        first = backed_up(club)
        files = {path: path.stat().st_ino for path in (club / "B/ledger").rglob("*.parquet")}
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        add_account(club)
        second = backed_up(club)
        assert second["events"] > first["events"]
        assert {path: path.stat().st_ino for path in files} == files
        assert len(list((club / "B").glob("office-*.db"))) == 1
        assert run("restore", "B", "--db", "new.db", cwd=club).code == 0
        assert sorted(in_office(str(club / "new.db"))[0]) == ["eva", "zoe"]
        third = backed_up(club)
        assert (third["done"], third["root"]) == (False, second["root"])

    def test_of_postgresql(self, club: Path, postgres_server: PostgresServer) -> None:
        name = postgres_server.create()
        url = postgres_server.url(name)
        assert run("init", "--db", url, cwd=club).code == 0
        assert run("import", "players.csv", "--on", "2010-07-01", "--db", url, cwd=club).code == 0
        fill_office(url)
        assert run("backup", "P", "--db", url, cwd=club).code == 0
        assert run("restore", "P", "--db", "new.db", cwd=club).code == 0
        assert held(str(club / "new.db")) == held(url)
        assert in_office(str(club / "new.db"))[:2] == in_office(url)[:2]
        postgres_server.drop(name)

    def test_an_earlier_state_has_the_accounts_and_nothing_that_names_later_commits(
        self, club: Path
    ) -> None:
        before = backed_up(club)
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        backed_up(club)
        late = run("restore", "B", "--upto", "9999", "--db", "old.db", cwd=club)
        assert (late.code, list(club.glob("old*"))) == (7, []), "nothing is made for it"
        words = ("restore", "B", "--upto", str(before["events"]), "--db", "old.db")
        done = run(*words, "--format", "json", cwd=club).json()
        assert (done["root"], done["office"]) == (
            before["root"],
            {"accounts": 1, "submissions": 0},
        )
        assert in_office(str(club / "old.db"))[:2] == (["eva"], [])
        assert claim_in_office(str(club / "old.db")) == (None, [])

    def test_without_an_office(self, club: Path) -> None:
        done = run("backup", "B", "--office", "none", "--format", "json", cwd=club).json()
        assert done["office"] is None
        assert not list((club / "B").glob("office*"))
        (club / "rating-ledger-office.db").unlink()
        assert run("backup", "C", "--format", "json", cwd=club).json()["office"] is None
        assert not (club / "rating-ledger-office.db").exists(), "none was made"

    def test_it_is_for_its_owner_alone(self, club: Path) -> None:
        backed_up(club)
        assert (club / "B").stat().st_mode & 0o777 == 0o700
        (office,) = (club / "B").glob("office-*.db")
        assert office.stat().st_mode & 0o777 == 0o600

    def test_an_empty_folder_that_is_there_is_for_its_owner_alone_too(self, club: Path) -> None:
        (club / "B").mkdir()
        (club / "B").chmod(0o755)
        backed_up(club)
        assert (club / "B").stat().st_mode & 0o777 == 0o700

    def test_a_changed_office_is_named(self, club: Path) -> None:
        backed_up(club)
        (office,) = (club / "B").glob("office-*.db")
        data = bytearray(office.read_bytes())
        data[-1] ^= 1
        office.write_bytes(data)
        done = run("restore", "B", "--db", "new.db", cwd=club)
        assert (done.code, office.name in done.err) == (3, True)
        assert not (club / "new.db").exists()

    def test_a_damaged_part_is_named_and_the_last_state_restores(self, club: Path) -> None:
        before = backed_up(club)
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        backed_up(club)
        part = max((club / "B/ledger/events").iterdir())
        part.write_bytes(part.read_bytes()[:-20])
        done = run("restore", "B", "--db", "new.db", cwd=club)
        assert (done.code, part.name in done.err) == (3, True)
        words = ("restore", "B", "--db", "new.db", "--upto", str(before["events"]))
        restored = run(*words, "--format", "json", cwd=club).json()
        assert restored["root"] == before["root"]
        assert run("backup", "B", cwd=club).code == 3

    @pytest.mark.parametrize("file", ["notes.txt", "manifest.json"])
    def test_a_folder_with_something_else_is_not_touched(self, club: Path, file: str) -> None:
        (club / "B").mkdir()
        (club / "B" / file).write_text("mine")
        assert run("backup", "B", cwd=club).code == 4
        assert [path.name for path in (club / "B").iterdir()] == [file]
        assert run("restore", "B", cwd=club).code == 6

    def test_into_a_ledger_that_has_another_history(self, club: Path) -> None:
        backed_up(club)
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        before = held(str(club / "rating-ledger.db"))
        done = run("restore", "B", cwd=club)
        assert done.code == 5
        assert held(str(club / "rating-ledger.db")) == before

    def test_it_keeps_the_names_that_the_ledger_has_lost_and_says_so(self, club: Path) -> None:
        backed_up(club)
        before = held(str(club / "rating-ledger.db"))
        with closing(sqlite3.connect(club / "rating-ledger.db")) as database:
            for (trigger,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            database.execute("DELETE FROM personal")
            database.commit()
        add_account(club)
        for _ in range(2):
            done = run("backup", "B", cwd=club)
            assert (done.code, "no event erased" in done.err) == (3, True)
        assert run("restore", "B", "--db", "new.db", cwd=club).code == 0
        assert held(str(club / "new.db")) == before
        assert sorted(in_office(str(club / "new.db"))[0]) == ["eva", "zoe"]
        assert run("backup", "C", cwd=club).err.count("no event erased") == 1

    def test_an_office_of_others_gets_no_other_ledger(self, club: Path) -> None:
        backed_up(club)
        (club / "rating-ledger.db").unlink()
        done = run("restore", "B", cwd=club)
        assert (done.code, "accounts" in done.err) == (5, True)


class TestCopy:
    def test_there_and_back_again(self, club: Path, postgres_server: PostgresServer) -> None:
        name = postgres_server.create()
        there, back = postgres_server.url(name), str(club / "back.db")
        source = str(club / "rating-ledger.db")
        before = (club / "rating-ledger.db").read_bytes()
        root = run("checkpoint", cwd=club).out
        for first, second in ((source, there), (there, back)):
            done = run("copy", first, second, "--format", "json", cwd=club)
            assert done.code == 0, done.err
            assert done.json()["office"] == {"accounts": 1, "submissions": 1}
        assert held(back) == held(there) == held(source)
        assert in_office(back) == (["eva"], [FILE.data.hex()], 0)
        assert claim_in_office(back) == (CLAIM, [ANSWER])
        assert run("checkpoint", "--db", back, cwd=club).out == root
        assert run("verify", "--db", there, cwd=club).code == 0
        assert (club / "rating-ledger.db").read_bytes() == before
        postgres_server.drop(name)

    def test_the_office_is_as_it_was_before_the_ledger_is_read(
        self, club: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def and_meanwhile(source: Ledger, target: Ledger) -> backups.LedgerCopy:
            made = copy_ledger(source, target)
            add_account(club)
            return made

        copy_ledger = backups.copy_ledger
        monkeypatch.setattr(backups, "copy_ledger", and_meanwhile)
        assert run("copy", "rating-ledger.db", "new.db", cwd=club).code == 0
        assert in_office(str(club / "new.db"))[0] == ["eva"]

    def test_who_is_erased_meanwhile_is_erased_there_too(
        self, club: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        personal = Transfer.personal
        erased: list[object] = []

        def and_meanwhile(self: Transfer) -> Iterator[PersonalDocument]:
            if not erased:
                words = ("player", "erase", "3404510", "--reason", "asked")
                erased.append(subprocess.run([COMMAND, *words], cwd=club, check=True))
            yield from personal(self)

        monkeypatch.setattr(Transfer, "personal", and_meanwhile)
        assert run("copy", "rating-ledger.db", "new.db", cwd=club).code == 0
        assert held(str(club / "new.db")) == held(str(club / "rating-ledger.db"))
        assert run("verify", "--db", "new.db", cwd=club).code == 0

    def test_out_of_an_archive(self, club: Path, empty: str) -> None:
        assert run("export", "archive", "A", cwd=club).code == 0
        done = run("copy", "archive:A", empty, "--format", "json", cwd=club).json()
        assert (done["done"], done["office"]) == (True, None)
        assert held(empty) == held(str(club / "rating-ledger.db"))

    def test_again_there_is_nothing_to_do(self, club: Path) -> None:
        assert run("copy", "rating-ledger.db", "new.db", cwd=club).code == 0
        again = run("copy", "rating-ledger.db", "new.db", cwd=club)
        assert (again.code, "nothing to do" in again.out) == (0, True)

    def test_a_ledger_with_something_in_it_is_refused(self, club: Path, empty: str) -> None:
        assert run("init", "--db", empty, cwd=club).code == 0
        assert run("import", "players.csv", "--on", "2010-07-01", "--db", empty, cwd=club).code == 0
        before = held(empty)
        assert run("copy", "rating-ledger.db", empty, cwd=club).code == 5
        assert held(empty) == before

    def test_a_ledger_that_was_changed_is_not_copied(self, club: Path) -> None:
        with closing(sqlite3.connect(club / "rating-ledger.db")) as database:
            for (trigger,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            database.execute("UPDATE events SET effective_on = '2001-01-01' WHERE seq = 9")
            database.commit()
        done = run("copy", "rating-ledger.db", "new.db", cwd=club)
        assert (done.code, "9" in done.err) == (3, True)
        assert run("log", "--db", "new.db", "--format", "json", cwd=club).json() == {"events": []}

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("UPDATE personal SET document = replace(document, '1', '2')", "was changed"),
            ("DELETE FROM personal WHERE rowid = 3", "no event erased"),
        ],
    )
    def test_names_that_were_changed_or_taken_away_are_not_copied(
        self, club: Path, change: str, said: str
    ) -> None:
        with closing(sqlite3.connect(club / "rating-ledger.db")) as database:
            for (trigger,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            assert database.execute(change).rowcount > 0
            database.commit()
        done = run("copy", "rating-ledger.db", "new.db", cwd=club)
        assert (done.code, said in done.err) == (3, True)
        assert run("log", "--db", "new.db", "--format", "json", cwd=club).json() == {"events": []}

    def test_a_copy_of_an_earlier_state_is_told_from_another_ledger(self, club: Path) -> None:
        assert run("copy", "rating-ledger.db", "new.db", cwd=club).code == 0
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        done = run("copy", "rating-ledger.db", "new.db", cwd=club)
        assert (done.code, "earlier state" in done.err) == (5, True)

    def test_what_is_not_there(self, club: Path) -> None:
        assert run("copy", "none.db", "new.db", cwd=club).code == 6
        assert not (club / "new.db").exists()


# Each child backs up into a copy of its own; its N-th look at a file there is the last it does.
KILLED = """
import gc, os, shutil, signal, sys
from itertools import count
from pathlib import Path
from cli.main import _run

folder, copies = sys.argv[1:]
WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}
seen, last, watched = count(1), 0, ""

def killed(event, given):
    if watched and event in WATCHED and watched in str(given[0]) and next(seen) == last:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(killed)
os.chdir(folder)
shutil.copytree("B", f"{copies}/warm")
told, sys.stdout = sys.stdout, open(os.devnull, "w")
if _run(["backup", f"{copies}/warm"]):
    sys.exit("it fails, whoever kills it")
sys.stdout = told
gc.freeze()
for last in range(1, 600):
    place = Path(shutil.copytree("B", f"{copies}/{last}"))
    child = os.fork()
    if not child:
        watched = str(place)
        sys.stdout = open(os.devnull, "w")
        os._exit(_run(["backup", str(place)]))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code != -signal.SIGKILL:
        break
"""


@pytest.mark.slow
def test_killed_at_any_step_a_backup_restores(club: Path, tmp_path: Path) -> None:
    before = backed_up(club)
    assert run("publish", "ENF", "2010-08", cwd=club).code == 0
    add_account(club)
    (tmp_path / "copies").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, club, tmp_path / "copies"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    codes = [int(line) for line in done.stdout.split()]
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0], done.stderr
    assert len(codes) > 30
    after = run("restore", str(tmp_path / "copies/warm"), "--dry-run", "--format", "json", cwd=club)
    states = {before["root"], after.json()["root"]}
    assert len(states) == 2
    for number in range(1, len(codes) + 1):
        place = str(tmp_path / "copies" / str(number))
        trial = run("restore", place, "--dry-run", "--format", "json", cwd=club)
        assert trial.json()["root"] in states, number
        if number % EACH:
            continue
        assert run("backup", place, cwd=club).code == 0
        left = {path.name for path in Path(place).iterdir() if path.name.startswith(".")}
        assert left == {".lock"}
        assert len(list(Path(place).glob("office-*.db"))) == 1
    for number in (EACH, len(codes) // EACH * EACH):
        place, new = str(tmp_path / "copies" / str(number)), str(tmp_path / f"{number}.db")
        assert run("restore", place, "--db", new, cwd=club).code == 0
        assert run("verify", "--db", new, cwd=club).code == 0
        assert in_office(new)[0] == ["eva", "zoe"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("restore", "B", "--db"), ("copy", "rating-ledger.db")])
def test_killed_anywhere_a_new_ledger_is_empty_or_whole(
    club: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    root = backed_up(club)["root"]
    assert run("init", "--db", "new.db", cwd=club).code == 0
    codes = driven(club, tmp_path / "copies", "after_cursor_execute", *words, "new.db")
    heads, says = [], 0
    for step in range(1, len(codes) + 1):
        copy = tmp_path / "copies" / str(step)
        with closing(open_journal(str(copy / "new.db"))) as journal:
            heads.append(journal.head().root)
        says += is_whole_or_says_so(str(copy / "new.db"))
        if step % EACH:
            continue
        assert run(*words, "new.db", cwd=copy).code == 0
        with closing(open_journal(str(copy / "new.db"))) as journal:
            assert journal.head().root == root
        assert in_office(str(copy / "new.db"))[:2] == (["eva"], [FILE.data.hex()])
    assert set(heads) == {EMPTY_ROOT.hex(), root}
    assert heads == sorted(heads, key=root.__eq__), "once restored, it stays"
    assert says, "it was killed between the ledger and the office, too"


def is_whole_or_says_so(url: str) -> bool:
    """Whether a ledger without its office says that it is not whole; fails unless one is true."""
    with closing(open_journal(url)) as journal:
        is_empty = not journal.head().seq
    try:
        names = in_office(url)[0]
    except DatabaseError as error:
        if error.message.key != "keeping.unfinished":
            raise
        return not is_empty
    assert names == ([] if is_empty else ["eva"])
    return False


@pytest.mark.slow
def test_killed_anywhere_a_new_ledger_on_postgresql_is_empty_or_whole(
    club: Path, postgres_server: PostgresServer
) -> None:
    root = backed_up(club)["root"]
    template = postgres_server.create()
    assert run("init", "--db", postgres_server.url(template), cwd=club).code == 0
    codes, says = [], 0
    for step in range(1, 400, 5):
        name = postgres_server.create(template)
        words = ("restore", "B", "--db", postgres_server.url(name))
        child = forked(restored_until, club, step, words)
        child.join()
        codes.append(child.exitcode)
        says += is_whole_or_says_so(words[-1])
        assert run(*words, cwd=club).code == 0
        with closing(open_journal(words[-1])) as journal:
            assert journal.head().root == root
        assert in_office(words[-1])[:2] == (["eva"], [FILE.data.hex()])
        postgres_server.drop(name)
        if not codes[-1]:
            break
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0]
    assert len(codes) > 5
    assert says, "it was killed between the ledger and the office, too"


def restored_until(folder: Path, step: int, words: tuple[str, ...]) -> None:
    """Gives a command that is killed behind one of its writing statements."""
    os.chdir(folder)
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until it ends
    kill_at(step, "after_cursor_execute")
    os._exit(main._run([*words]))


class TestUnfinished:
    """A restore that was killed between the ledger and the office."""

    @pytest.fixture
    def halved(self, club: Path, empty: str, monkeypatch: pytest.MonkeyPatch) -> str:
        def killed(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        backed_up(club)
        with monkeypatch.context() as patch:
            patch.setattr(copies_of_offices, "copy_from_file", killed)
            assert run("restore", "B", "--db", empty, cwd=club).code == 130
        return empty

    def test_nobody_works_in_its_office(self, club: Path, halved: str) -> None:
        for words in (("account", "unlock"), ("backup", "C")):
            done = run(*words, "--db", halved, cwd=club)
            assert (done.code, "is not filled yet" in done.err) == (6, True), words
            assert str(club / "B") in done.err

    def test_given_again_it_is_whole(self, club: Path, halved: str) -> None:
        done = run("restore", "B", "--db", halved, "--format", "json", cwd=club).json()
        assert (done["done"], done["office"]) == (False, {"accounts": 1, "submissions": 1})
        assert in_office(halved)[0] == ["eva"]

    def test_of_a_backup_that_went_on_the_accounts_are_restored(
        self, club: Path, halved: str
    ) -> None:
        with closing(open_journal(halved)) as journal:
            seq = journal.head().seq
        assert run("publish", "ENF", "2010-08", cwd=club).code == 0
        backed_up(club)
        refused = run("restore", "B", "--db", halved, cwd=club)
        assert refused.code == 5
        done = run("restore", "B", "--db", halved, "--upto", str(seq), cwd=club)
        assert done.code == 0, done.err
        assert in_office(halved)[0] == ["eva"]

    def test_it_can_go_without(self, club: Path, halved: str) -> None:
        assert run("restore", "B", "--db", halved, "--office", "none", cwd=club).code == 0
        assert in_office(halved)[0] == []

    def test_a_backup_that_cannot_be_restored_leaves_an_office_to_work_in(
        self, club: Path, empty: str
    ) -> None:
        backed_up(club)
        part = max((club / "B/ledger/events").iterdir())
        part.write_bytes(part.read_bytes()[:-20])
        assert run("restore", "B", "--db", empty, cwd=club).code == 3
        assert in_office(empty)[0] == []
