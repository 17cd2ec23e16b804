"""An older program beside a newer one on one ledger: it says so, and damages nothing.

The newer one is this program with an event that the older one, also this program, does not know;
or it has migrated the database further.
"""

from __future__ import annotations

import gc
import warnings
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest
from sqlalchemy import create_engine

from ledger.errors import DatabaseError
from ledger.events.model import PlayerEvent, PlayerId
from ledger.journal.stores.database import dialect_of, open_journal
from ledger.journal.stores.revisions import NEWEST
from ledger.journal.verify.check import check
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.journal.drafts import append, draft
from tests.ledgers import NOW, do, with_july_published

NEWER = "newer software"
READING = (
    ("list", "show", "ENF"), ("list", "regenerate", "ENF", "2010-07"), ("live", "ENF"),
    ("player", "show", "A"), ("explain", "A", "--list", "ENF", "--period", "2010-07"),
    ("verify",), ("replay", "ENF"),
)  # fmt: skip
WRITING = (
    ("publish", "ENF", "2010-08"),
    ("correct", "result", "T1", "1", "A", "B", "0-1", "--reason", "score sheet"),
    ("player", "erase", "A", "--reason", "asked for"),
    ("k", "assign", "A", "20", "--list", "ENF", "--on", "2010-09-01", "--reason", "rule"),
)


class PlayerTeleported(PlayerEvent):
    """An event of a program that is not written yet."""

    TYPE: ClassVar[str] = "player.teleported"
    player: PlayerId


def read_whole(url: str) -> tuple[int, str]:
    """Returns the head; every hash verifies as far as this program can say."""
    with closing(open_journal(url)) as journal:
        head = journal.head()
        assert not [each for each in check(journal).findings if NEWER not in str(each.message)]
        return head.seq, head.root


@pytest.fixture
def teleported(database_url: str) -> str:
    """A ledger to which a newer program has added an event."""
    with closing(open_journal(database_url)) as journal:
        with_july_published(journal)
        append(journal, draft(PlayerTeleported(player="A")))
    return database_url


def test_what_an_older_program_does_not_understand_it_does_not_judge(
    teleported: str, tmp_path: Path
) -> None:
    before = read_whole(teleported)
    for words in (*READING, *WRITING):
        with warnings.catch_warnings():  # a process that ends lets go of its connection by itself
            warnings.simplefilter("ignore", ResourceWarning)
            done = run("--db", teleported, *words, cwd=tmp_path)
            gc.collect()
        # To verify is to say of every event what is wrong with it: here, that it is too new.
        assert done.code in ((3,) if words == ("verify",) else (0, 6)), (words, done.err)
        if done.code:
            assert NEWER in done.err + done.out, (words, done.err)
        if words in WRITING:
            assert done.code == 6, (words, done.code)
    assert read_whole(teleported) == before


def migrated(url: str, revision: str) -> None:
    """Lets newer (or older) software have brought a database to a revision."""
    engine = create_engine(dialect_of(url).address.replace("clerk@", "postgres@"))
    with engine.begin() as connection:
        changed = f"UPDATE alembic_version SET version_num = '{revision}'"
        connection.exec_driver_sql(changed)
    engine.dispose()


@pytest.mark.parametrize(
    ("revision", "key"), [("9999", "database.newer"), ("0005", "database.older")]
)
def test_a_program_that_runs_records_nothing_after_another_has_migrated(
    database_url: str, revision: str, key: str
) -> None:
    with closing(open_journal(database_url)) as journal:
        ledger = Ledger(with_july_published(journal).journal, lambda: NOW)
        do(ledger, c.AssignK(player="A", list="ENF", k=20, on=NOW.date()))
        before = journal.head()
        migrated(database_url, revision)
        with pytest.raises(DatabaseError) as refusal:
            do(ledger, c.AssignK(player="A", list="ENF", k=10, on=NOW.date()))
        assert refusal.value.message.key == key
        assert journal.head() == before
        assert (journal.drop_segments(), journal.drop_snapshots()) == (False, False)
        with pytest.raises(DatabaseError) as refusal:
            journal.scrub()
        assert refusal.value.message.key == key
        migrated(database_url, NEWEST)
        do(ledger, c.AssignK(player="A", list="ENF", k=10, on=NOW.date()))
        assert check(journal).findings == ()


@pytest.mark.parametrize("words", [*READING, *WRITING, ("backup", "B")])
def test_every_command_says_that_the_ledger_is_newer(
    migrated_ledger: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    done = run("--db", migrated_ledger, *words, cwd=tmp_path)
    assert done.code == 6, done.err
    assert NEWER in done.err


@pytest.fixture
def migrated_ledger(sqlite_url: str) -> str:
    """A ledger that a newer program has migrated."""
    migrated(sqlite_url, "9999")
    return sqlite_url
