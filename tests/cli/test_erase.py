"""``player erase`` on the command line, and what other commands say afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from ledger.errors import DatabaseError
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sqlite import SqliteDialect
from ledger.wording import Message
from tests.cli.event import do, opened, played
from tests.cli.running import Ran, run
from tests.hidden_names import NAME, files_with, found_in
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    empty_ledger,
    import_text,
    publish_period,
)
from web.office.jobs import claim, finish, start
from web.office.store import open_office


@pytest.fixture
def folder(sqlite_url: str, tmp_path: Path) -> Path:
    """A folder with a ledger in which July is published, with the name."""
    ledger = empty_ledger(open_journal(sqlite_url))
    define(ledger)
    said = f'A,"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\n'
    import_text(ledger, PLAYERS_HEADER + said, list_="ENF")
    publish_period(ledger, "2010-07")
    ledger.journal.close()
    return tmp_path


def ran(folder: Path, *words: str, code: int = 0, **environment: str) -> Ran:
    done = run(*words, cwd=folder, RATING_LEDGER_DB="ledger.db", **environment)
    assert done.code == code, done.err
    return done


def test_it_destroys_and_says_what_it_cannot_reach(folder: Path) -> None:
    done = ran(folder, "player", "erase", "A", "--reason", "a letter")
    assert "1 player erased" in done.out
    assert "destroyed: 1 identity document of A" in done.out
    assert "Beyond the reach of this command:" in done.err
    assert "- archives, backups and exports made before" in done.err
    assert found_in((done.out + done.err).encode()) == []
    assert files_with(folder) == {}


def test_what_a_site_kept_beside_it_is_forgotten_too(folder: Path) -> None:
    with closing(open_office(f"sqlite:///{folder}/ledger-office.db")) as office:
        start(office, "compare", {"seq": 8})
        job = claim(office, "r1")
        assert job is not None
        finish(office, job, "r1", {"largest": NAME})
    assert "ledger-office.db" in {Path(each).name for each in files_with(folder)}
    ran(folder, "player", "erase", "A", "--reason", "a letter", "--dry-run")
    assert "ledger-office.db" in {Path(each).name for each in files_with(folder)}
    ran(folder, "player", "erase", "A", "--reason", "a letter")
    assert files_with(folder) == {}


def test_no_office_is_made_to_forget(folder: Path) -> None:
    ran(folder, "player", "erase", "A", "--reason", "a letter")
    assert not (folder / "ledger-office.db").exists()


def test_a_person_is_meant_by_name_too(folder: Path) -> None:
    ran(folder, "player", "erase", NAME, "--reason", "a letter")
    assert files_with(folder) == {}


def test_a_dry_run_says_what_would_go(folder: Path) -> None:
    done = ran(folder, "player", "erase", "A", "--reason", "a letter", "--dry-run")
    assert "would be destroyed: 1 identity document of A" in done.out
    assert NAME in ran(folder, "player", "show", "A").out


def test_it_answers_programs(folder: Path) -> None:
    made = ran(folder, "player", "erase", "A", "--reason", "x", "--format", "json").json()
    assert [event["type"] for event in made["events"]] == ["player.erased"]
    assert (made["player"], made["documents"], made["destroyed"]) == ("A", 1, True)
    again = ran(folder, "player", "erase", "A", "--reason", "x", "--format", "json").json()
    assert (again["events"], again["documents"], again["destroyed"]) == ([], 0, True)


def test_given_again_it_says_that_nothing_was_left(folder: Path) -> None:
    ran(folder, "player", "erase", "A", "--reason", "a letter")
    done = ran(folder, "player", "erase", "A", "--reason", "a letter")
    assert "A was erased before" in done.out


def test_a_reason_is_needed(folder: Path) -> None:
    ran(folder, "player", "erase", "A", code=2)


def test_it_speaks_spanish(folder: Path) -> None:
    done = ran(folder, "--lang", "es", "player", "erase", "A", "--reason", "carta")
    assert "destruidos: 1 documento de identidad de A" in done.out
    assert "Fuera del alcance de esta orden:" in done.err


class TestAfterwards:
    @pytest.fixture
    def erased(self, folder: Path) -> Path:
        ran(folder, "player", "erase", "A", "--reason", "a letter")
        return folder

    def test_verify_ends_well_and_says_so(self, erased: Path) -> None:
        out = ran(erased, "verify").out
        assert "erased people: 1 identity document is gone, as recorded; 1 list" in out

    def test_a_list_is_written_without_the_name(self, erased: Path) -> None:
        done = ran(erased, "list", "regenerate", "ENF", "2010-07")
        assert ",A,,CHI,1800," in done.out
        assert "1 person of this list erased since" in done.err

    def test_the_id_is_never_given_again(self, erased: Path) -> None:
        done = ran(erased, "player", "add", "A", "Nueva, Eva", code=4)
        assert "A is the id of a person who was erased" in done.err

    def test_a_person_is_found_by_id_alone(self, erased: Path) -> None:
        ran(erased, "player", "find", NAME, code=7)
        assert ran(erased, "player", "show", "A", "--format", "json").json()["name"] is None


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("full", "no room to write"),
        ("locked", "another writer held"),
        ("read_on", "went on reading"),
    ],
)
def test_one_that_is_not_finished_says_so_and_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, said: str
) -> None:
    def scrub(self: SqliteDialect, _engine: Engine) -> Sequence[Message]:
        raise DatabaseError(f"database.{key}", url=self.shown)

    monkeypatch.setattr(SqliteDialect, "scrub", scrub)
    done = ran(folder, "player", "erase", "A", "--reason", "a letter", code=6)
    assert "1 player erased" in done.out
    assert "destroyed:" not in done.out
    assert "the erasure is recorded" in done.err
    assert said in done.err
    assert "nothing was recorded" not in done.err


def test_a_reason_that_holds_the_name_is_refused(folder: Path) -> None:
    done = ran(folder, "player", "erase", "A", "--reason", f"from {NAME}", code=4)
    assert "the reason seems to hold the name" in done.err
    assert not done.out


@pytest.mark.parametrize(
    "words",
    [
        "import more.csv",
        "publish L 2025-06 --anyway",
        "tournament pair T",
        "tournament standings T --publish",
        "player title P1 FM",
    ],
)
def test_whatever_records_finishes_what_was_interrupted(tmp_path: Path, words: str) -> None:
    opened(tmp_path)
    played(tmp_path, 1, "1-0", "0-1")
    (tmp_path / "more.csv").write_text(PLAYERS_HEADER + "Z,Zoe,MEX,,,,,\n")
    (file,) = tmp_path.glob("*.db")
    with closing(sqlite3.connect(file)) as driver:
        driver.execute("PRAGMA user_version = 1")  # as one that was killed leaves it
    do(tmp_path, *words.split(), "--dry-run")
    assert not scrubbed(file)
    do(tmp_path, *words.split())
    assert scrubbed(file)


def scrubbed(file: Path) -> bool:
    with closing(open_journal(f"sqlite:///{file}")) as journal:
        return journal.is_scrubbed()


def test_a_file_that_was_named_after_somebody_is_masked_from_then_on(folder: Path) -> None:
    """In every answer, and in what is restored of the ledger."""
    called = f"{NAME.replace(', ', '_')}.csv"
    (folder / called).write_text(GAMES_HEADER + about("T9", "2010-08-01", "A,B,1-0"))
    (folder / "august.csv").write_text(GAMES_HEADER + about("T10", "2010-08-02", "B,A,1-0"))
    ran(folder, "import", called)
    ran(folder, "import", "august.csv")
    assert called in sources(folder)
    ran(folder, "player", "erase", "A", "--reason", "a letter", "--dry-run")
    assert called in sources(folder)
    ran(folder, "player", "erase", "A", "--reason", "a letter")
    (event,) = ran(folder, "log", "--player", "A", "--format", "json").json()["events"][-1:]
    assert (event["type"], event["version"]) == ("player.erased", 2)
    for words in ((), ("--player", "B")):
        assert {"***.csv", "august.csv"} <= sources(folder, *words)
        assert not any("Zyx" in each for each in sources(folder, *words))
    ran(folder, "verify")
    ran(folder, "backup", "B")
    ran(folder, "restore", "B", "--db", "new.db")
    assert {"***.csv", "august.csv"} <= sources(folder, "--db", "new.db")
    assert "***.csv" in sources(folder, "--db", "archive:B/ledger")


def sources(folder: Path, *words: str) -> set[str]:
    """Returns the files that a log names."""
    rows = ran(folder, "log", *words, "--format", "json").json()["events"]
    return {row["source"] for row in rows if row["source"]}
