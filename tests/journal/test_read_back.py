"""What a database took is read back before the commit: what it swallowed was not recorded."""

from __future__ import annotations

import pytest

from ledger.errors import DatabaseError
from ledger.journal.records import Draft
from ledger.journal.stores.database import diagnose, open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.verify.check import check
from ledger.journal.verify.walk import Walk
from tests.journal.databases import connected, is_sqlite
from tests.journal.drafts import append, draft, fill, game, with_people

SWALLOW = "CREATE TRIGGER aaa BEFORE INSERT ON {table} WHEN {when} BEGIN SELECT RAISE(IGNORE); END"
FUNCTION = "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN {body} END'"
TRIGGER = (
    "CREATE TRIGGER aaa BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
    "EXECUTE FUNCTION swallow()"
)


def swallow(url: str, table: str, when: str, body: str = "RETURN NULL;") -> None:
    """Makes a trigger that lets rows of a table vanish, where the ledger looked already."""
    with connected(url) as driver:
        if is_sqlite(url):
            driver.execute(SWALLOW.format(table=table, when=when))
        else:
            driver.execute(FUNCTION.format(body=body))
            driver.execute(TRIGGER.format(table=table, when=when))


@pytest.mark.parametrize(
    ("table", "when", "asked"),
    [
        ("events", "NEW.seq > 0", draft(game(11), game(12))),
        ("events", "NEW.seq > 11", draft(game(11), game(12))),
        ("personal", "NEW.player = '5'", with_people("4", "5", "6")),
        ("personal", "NEW.player <> ''", with_people("4", "5", "6")),
    ],
)
def test_what_vanishes_is_not_recorded(
    database_url: str, table: str, when: str, asked: Draft
) -> None:
    journal = open_journal(database_url)
    fill(journal)
    before = journal.head()
    swallow(database_url, table, when)
    with pytest.raises(DatabaseError) as caught:
        append(journal, asked)
    assert caught.value.message.key == "database.not_stored"
    assert "nothing was recorded" in str(caught.value)
    assert caught.value.message.within("en") != caught.value.message.within("es")
    assert journal.head() == before
    assert {finding.message.key for finding in check(journal).findings} == {"verify.foreign"}
    journal.close()
    trouble = diagnose(database_url).trouble
    assert trouble is not None
    assert f"trigger aaa on {table}" in str(trouble)


def test_a_commit_that_vanishes_is_not_recorded(database_url: str) -> None:
    """Its events then have none: the triggers refuse them before anything is read back."""
    journal = open_journal(database_url)
    fill(journal)
    before = journal.head()
    swallow(database_url, "commits", "NEW.commit_id > 0")
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft())
    assert caught.value.message.key == "database.refused"
    assert journal.head() == before
    journal.close()


def test_a_row_that_was_changed_on_its_way_is_not_recorded(postgres_url: str) -> None:
    journal = open_journal(postgres_url)
    fill(journal)
    swallow(postgres_url, "events", "NEW.seq = 11", "NEW.payload := NEW.stream; RETURN NEW;")
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft())
    assert caught.value.message.key == "database.not_stored"
    assert journal.head().seq == 10
    journal.close()


@pytest.mark.parametrize(
    ("table", "when"), [("events", "NEW.seq = 10"), ("personal", "NEW.player = '2'")]
)
def test_a_history_that_vanishes_is_not_restored(database_url: str, table: str, when: str) -> None:
    source, journal = MemoryJournal(), open_journal(database_url)
    people = with_people("1", "2")
    append(source, people)
    append(source, draft(*(game(number) for number in range(8))))
    journal._guarded = True  # looked already
    swallow(database_url, table, when)
    with pytest.raises(DatabaseError) as caught:
        journal.restore(Walk(source.commits(), source.pages()), people.personal)
    assert caught.value.message.key == "database.not_stored"
    assert (journal.head().seq, journal.personal_documents()) == (0, {})
    journal.close()
