"""What stands in a database and is not the ledger's is named; writing stops where it could act."""

from __future__ import annotations

import pytest

from ledger.errors import DatabaseError
from ledger.journal.stores.database import diagnose, open_journal
from ledger.journal.stores.objects import foreign_objects, missing_objects
from ledger.journal.verify.check import check
from tests.journal.databases import connected, is_sqlite
from tests.journal.drafts import append, draft, fill


def look(url: str) -> tuple[list[str], list[str]]:
    """Returns what is foreign and what is missing."""
    journal = open_journal(url)
    with journal._engine.connect() as connection:
        found = foreign_objects(connection), missing_objects(connection)
    journal.close()
    foreign, missing = ([str(one) for one in objects] for objects in found)
    return foreign, missing


def test_a_migrated_database_has_the_ledgers_objects_only(database_url: str) -> None:
    assert look(database_url) == ([], [])


# What is added, and how it is named.
ON_SQLITE = {
    "CREATE TRIGGER extra AFTER INSERT ON events BEGIN SELECT 1; END": "trigger extra on events",
    "CREATE TRIGGER e AFTER INSERT ON segments BEGIN SELECT 1; END": "trigger e on segments",
    "CREATE VIEW people AS SELECT * FROM personal": "view people",
    "CREATE INDEX quick ON events (effective_on)": "index quick on events",
    "CREATE TABLE notes (text)": "table notes",
    "ALTER TABLE events ADD COLUMN note TEXT DEFAULT 'x'": "table events",
    "ALTER TABLE personal ADD COLUMN twin TEXT AS (document)": "table personal",
}  # fmt: skip
ON_POSTGRESQL = {
    (
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
        "CREATE TRIGGER extra BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION f()"
    ): ["function f()", "trigger extra on events"],
    (
        "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; "
        "CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION f()"
    ): ["event trigger watch", "function f()"],
    "CREATE RULE nothing AS ON INSERT TO events DO INSTEAD NOTHING": ["rule nothing on events"],
    "CREATE POLICY mine ON events USING (true)": ["policy mine on events"],
    "ALTER TABLE events ENABLE ROW LEVEL SECURITY": ["row level security on events"],
    "CREATE VIEW people AS SELECT * FROM personal": ["view people"],
    "CREATE MATERIALIZED VIEW people AS SELECT 1": ["materialized view people"],
    "CREATE SEQUENCE numbers": ["sequence numbers"],
    "CREATE TABLE notes (text text)": ["table notes"],
    "CREATE TABLE child () INHERITS (events)": ["inheriting table child on events", "table child"],
    "CREATE INDEX quick ON events (effective_on)": ["index quick on events"],
    "DROP INDEX events_stream; CREATE INDEX events_stream ON events (stream, seq) WHERE seq > 5": [
        "index events_stream on events"
    ],
    "ALTER TABLE events ALTER type SET DEFAULT 'x'": ["default of column type on events"],
    "ALTER TABLE events ALTER type DROP NOT NULL": ["column type on events"],
    "ALTER TABLE personal ADD twin text GENERATED ALWAYS AS (document) STORED": [
        "column twin on personal", "generated column twin on personal"
    ],
    "ALTER TABLE events ADD CHECK (seq < 5)": ["constraint events_seq_check on events"],
    "ALTER TABLE segments SET UNLOGGED": ["table segments"],
    "CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)": [
        "operator ===(text,text)"
    ],
}  # fmt: skip


@pytest.mark.parametrize(("statement", "named"), ON_SQLITE.items(), ids=ON_SQLITE.values())
def test_what_was_added_is_named_on_sqlite(sqlite_url: str, statement: str, named: str) -> None:
    with connected(sqlite_url) as driver:
        driver.execute(statement)
    assert look(sqlite_url) == ([named], [])


@pytest.mark.parametrize(
    ("statement", "named"),
    ON_POSTGRESQL.items(),
    ids=map(str, ON_POSTGRESQL.values()),
)
def test_what_was_added_is_named_on_postgresql(
    postgres_url: str, statement: str, named: list[str]
) -> None:
    with connected(postgres_url) as driver:
        driver.execute(statement)
    assert look(postgres_url) == (named, [])


def test_statistics_are_nobodys_objects(database_url: str) -> None:
    with connected(database_url) as driver:
        driver.execute("ANALYZE")
    assert look(database_url) == ([], [])


TRIGGER = "CREATE TRIGGER extra AFTER INSERT ON events BEGIN SELECT 1; END"
RULE = "CREATE RULE extra AS ON INSERT TO events DO ALSO NOTHING"


def test_a_foreign_trigger_stops_writing_and_no_reading(database_url: str) -> None:
    journal = open_journal(database_url)
    fill(journal)
    journal.close()
    with connected(database_url) as driver:
        driver.execute(TRIGGER if is_sqlite(database_url) else RULE)
    journal = open_journal(database_url)
    assert sum(1 for _ in journal.events()) == 10
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft())
    assert caught.value.message.key == "database.foreign_triggers"
    assert "extra on events" in str(caught.value)
    (found,) = check(journal).findings
    assert (found.seq, found.message.key) == (0, "verify.foreign")
    assert "extra on events" in str(found.message)
    journal.close()
    trouble = diagnose(database_url).trouble
    assert trouble is not None
    assert trouble.message.key == "database.foreign_objects"
    assert "extra on events" in str(trouble)


def test_a_view_stops_nothing(database_url: str) -> None:
    with connected(database_url) as driver:
        driver.execute("CREATE VIEW people AS SELECT * FROM personal")
    journal = open_journal(database_url)
    append(journal, draft())
    assert [str(found.message).partition(" is ")[0] for found in check(journal).findings] == [
        "view people"
    ]
    journal.close()
