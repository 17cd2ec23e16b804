"""Where an erased name was, no byte of it is left: in the files of both databases."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest
from sqlalchemy import Engine, event

from ledger.derived import segments
from ledger.errors import DatabaseError
from ledger.events.personal import Identity
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sqlite import SqliteDialect
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.wording import Message
from tests.hidden_names import NAME, files_with, found_in
from tests.journal.databases import as_superuser, is_sqlite
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)
from tests.postgres import READER, WRITER, PostgresServer
from tests.service.erasing import kill

DAY = dt.date(2026, 1, 1)
ERASE = c.ErasePlayer(player="A", on=DAY)


@pytest.fixture
def url(database_url: str) -> str:
    """A ledger that was long at work, as its owner sees it: many pages hold documents."""
    own = as_superuser(database_url)
    ledger = empty_ledger(open_journal(own))
    fill(ledger)
    ledger.journal.close()
    if is_sqlite(own):
        leave_free_pages(own)
    return own


def leave_free_pages(url: str) -> None:
    """Leaves copies of the name in pages that hold nothing any more, as some SQLites do."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as driver:
        driver.execute("PRAGMA secure_delete = OFF")
        driver.execute("CREATE TABLE once (document TEXT)")
        driver.executemany("INSERT INTO once VALUES (?)", [(NAME * 100,)] * 20)
        driver.execute("DROP TABLE once")
        driver.commit()


def fill(ledger: Ledger) -> None:
    """Puts the name into a ledger by every way that leads into its documents."""
    define(ledger)
    import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,w,1985-03-04,1800,40,50\n', list_="ENF")
    others = "".join(f'P{at},"Otro {at}, Juan",CHI,,1985,1700,40,50\n' for at in range(900))
    import_text(ledger, f"{PLAYERS_HEADER}{others}", list_="ENF")
    for at in range(20):
        said = Identity(name=f"{NAME} {at}", birth_date="1985-03-04")
        do(
            ledger,
            c.CorrectIdentity(
                player="A", identity=said, salt=f"{at:032x}", federation="CHI", on=DAY
            ),
        )
    import_text(ledger, GAMES_HEADER + about("T1", "2010-07-10", "A,P1,1-0", "P2,A,1/2-1/2"))
    publish_period(ledger, "2010-07")
    with patch.multiple(segments, LEAST_EVENTS=10, MOST_EVENTS=400):
        empty_ledger(ledger.journal).facts()
    assert list(ledger.journal.segment_headings())


def erased(url: str) -> Ledger:
    ledger = empty_ledger(open_journal(url))
    made = erase_player(ledger, ERASE, request("a letter"))
    assert (made.trouble, made.remarks) == (None, ())
    return ledger


def folder_of(url: str, server: PostgresServer | None = None) -> Path:
    """Returns the folder with the files of one database."""
    if is_sqlite(url):
        return Path(url.removeprefix("sqlite:///")).parent
    assert server is not None
    with psycopg.connect(url, autocommit=True) as driver:
        driver.execute("CHECKPOINT")
        row = driver.execute(
            "SELECT oid FROM pg_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return server.folder / "base" / str(row[0])


def test_no_file_of_the_database_holds_it(url: str, request: pytest.FixtureRequest) -> None:
    server = None if is_sqlite(url) else request.getfixturevalue("postgres_server")
    assert files_with(folder_of(url, server)), "it was there before"
    ledger = erased(url)
    assert files_with(folder_of(url, server)) == {}
    assert verify(ledger).findings == ()
    ledger.journal.close()
    assert files_with(folder_of(url, server)) == {}


def test_statistics_of_the_database_do_not_hold_it(
    url: str, request: pytest.FixtureRequest
) -> None:
    """``ANALYZE`` samples rows; documents of databases from before were sampled as well."""
    if is_sqlite(url):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as driver:
            driver.execute("ANALYZE")
            driver.commit()
        server = None
    else:
        server = request.getfixturevalue("postgres_server")
        with psycopg.connect(url, autocommit=True) as driver:
            driver.execute("ALTER TABLE personal ALTER COLUMN document SET STATISTICS 10000")
            driver.execute("ANALYZE personal")
            sampled = "SELECT histogram_bounds::text FROM pg_stats WHERE attname = 'document'"
            row = driver.execute(sampled).fetchone()
        assert row is not None
        assert found_in(row[0].encode())
    erased(url).journal.close()
    assert files_with(folder_of(url, server)) == {}


class TestOnSqlite:
    @pytest.fixture
    def file(self, sqlite_url: str) -> str:
        ledger = empty_ledger(open_journal(sqlite_url))
        fill(ledger)
        ledger.journal.close()
        return sqlite_url

    def test_it_is_found_where_the_file_is_not_written_anew(
        self, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else these tests would prove nothing: rows are deleted, copies in free pages are not."""

        def emptied_log(_self: SqliteDialect, engine: Engine) -> Sequence[Message]:
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            return ()

        leave_free_pages(file)
        monkeypatch.setattr(SqliteDialect, "scrub", emptied_log)
        ledger = erased(file)
        assert NAME not in "".join(ledger.journal.personal_documents().values())
        ledger.journal.close()
        assert [Path(path).name for path in files_with(folder_of(file))] == ["ledger.db"]
        monkeypatch.undo()
        ledger = erased(file)
        ledger.journal.close()
        assert files_with(folder_of(file)) == {}

    def test_somebody_who_reads_for_long_delays_it(self, file: str) -> None:
        """The event is recorded, no answer shows the name, and the next one goes on."""
        ledger = empty_ledger(open_journal(file, lock_timeout=0.2))
        with closing(sqlite3.connect(file.removeprefix("sqlite:///"))) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM personal").fetchone()
            made = erase_player(ledger, ERASE, request("a letter"))
            assert made.trouble is not None
            assert "somebody went on reading" in made.trouble.within("en")
            assert made.data("en")["destroyed"] is False
            found = [finding.message.key for finding in verify(ledger).findings]
            assert found == ["verify.unfinished_erasure"]
        assert NAME not in "".join(ledger.journal.personal_documents().values())
        assert verify(ledger).findings == ()
        assert ledger.journal.is_scrubbed()
        ledger.journal.close()
        assert files_with(folder_of(file)) == {}

    @pytest.mark.parametrize("point", ["event", "deletion", "commit", "vacuum", "checkpoint"])
    def test_killed_at_any_step_it_is_whole_or_nothing(self, file: str, point: str) -> None:
        """Before the commit all is as it was; after it the next who records finishes the work."""
        kill(file, point)
        ledger = empty_ledger(open_journal(file))
        there = NAME in "".join(ledger.journal.personal_documents().values())
        recorded = bool(list(ledger.journal.streams(["player:A"]))[-1].type == "player.erased")
        assert there is not recorded
        assert there is (point in {"event", "deletion", "commit"})
        assert verify(ledger).findings == ()
        ledger.journal.close()
        assert bool(files_with(folder_of(file))) is there


class TestOnPostgresql:
    def test_who_may_only_append_erases_by_the_owners_function(
        self, postgres_url: str, postgres_server: PostgresServer
    ) -> None:
        ledger = empty_ledger(open_journal(postgres_url))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\nB,Bo,CHI,,,,,\n')
        made = erase_player(ledger, ERASE, request("a letter"))
        assert made.trouble is None
        assert "Bo" in "".join(ledger.journal.personal_documents().values())
        assert verify(ledger).findings == ()
        ledger.journal.close()
        assert files_with(folder_of(as_superuser(postgres_url), postgres_server)) == {}

    def test_a_preview_promises_nothing_that_cannot_be_recorded(self, postgres_url: str) -> None:
        ledger = empty_ledger(open_journal(postgres_url))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
        head = ledger.journal.head()
        with psycopg.connect(as_superuser(postgres_url)) as driver:
            driver.execute("REVOKE EXECUTE ON FUNCTION journal_forget() FROM rating_ledger_writer")
        for dry_run in (True, False):
            with pytest.raises(DatabaseError) as refused:
                erase_player(ledger, ERASE, replace(request("a letter"), dry_run=dry_run))
            assert refused.value.message.key == "database.no_privilege"
            assert "journal_forget" in str(dict(refused.value.message.values)["why"])
        assert ledger.journal.head() == head
        assert NAME in "".join(ledger.journal.personal_documents().values())
        ledger.journal.close()
        reader = empty_ledger(open_journal(postgres_url.replace(WRITER, READER)))
        with pytest.raises(DatabaseError, match="INSERT commits, INSERT events, INSERT personal"):
            erase_player(reader, ERASE, replace(request("a letter"), dry_run=True))
        reader.journal.close()

    def test_a_reader_delays_it_and_is_named(self, postgres_url: str) -> None:
        ledger = empty_ledger(open_journal(postgres_url, lock_timeout=0.2))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
        head = ledger.journal.head()
        url = f"{postgres_url.replace(WRITER, READER)}&application_name=report"
        with psycopg.connect(url) as reader:
            reader.execute("SELECT count(*) FROM personal")
            with pytest.raises(DatabaseError, match=r"visitor \(report, ") as refused:
                erase_player(ledger, ERASE, request("a letter"))
        assert refused.value.message.key == "database.read_by"
        assert ledger.journal.head() == head
        ledger.journal.close()

    def test_it_is_tried_again_until_the_reader_is_gone(self, postgres_url: str) -> None:
        """Whoever comes to read meanwhile waits a moment and no longer."""
        ledger = empty_ledger(open_journal(postgres_url))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
        reader = psycopg.connect(postgres_url.replace(WRITER, READER))
        reader.execute("SELECT count(*) FROM personal")
        tries: list[int] = []

        def tell(_c: object, _u: object, statement: str, *_: object) -> None:
            if not statement.startswith("SELECT journal_forget"):
                return
            tries.append(1)
            if len(tries) > 1:
                with psycopg.connect(postgres_url.replace(WRITER, READER)) as other:
                    other.execute("SET lock_timeout = '10s'")
                    other.execute("SELECT count(*) FROM personal")
                reader.close()

        event.listen(Engine, "before_cursor_execute", tell)
        try:
            assert erase_player(ledger, ERASE, request("a letter")).trouble is None
        finally:
            event.remove(Engine, "before_cursor_execute", tell)
            reader.close()
        assert len(tries) > 1
        assert verify(ledger).findings == ()
        ledger.journal.close()

    def test_whoever_reads_an_older_state_keeps_no_row(
        self, postgres_url: str, postgres_server: PostgresServer
    ) -> None:
        """A snapshot that is held elsewhere would keep dead rows from being vacuumed."""
        own = as_superuser(postgres_url)
        ledger = empty_ledger(open_journal(own))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
        ledger.journal.close()
        with psycopg.connect(own) as reader:
            reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            reader.execute("SELECT count(*) FROM events")
            erased(own).journal.close()
            assert files_with(folder_of(own, postgres_server)) == {}

    @pytest.mark.parametrize("point", ["event", "deletion", "commit", "vacuum"])
    def test_killed_at_any_step_it_is_whole_or_nothing(
        self, postgres_url: str, postgres_server: PostgresServer, point: str
    ) -> None:
        own = as_superuser(postgres_url)
        ledger = empty_ledger(open_journal(own))
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
        ledger.journal.close()
        kill(own, point)
        ledger = empty_ledger(open_journal(own))
        there = NAME in "".join(ledger.journal.personal_documents().values())
        assert there is (point != "vacuum")
        assert verify(ledger).findings == ()
        ledger.journal.close()
        if not there:
            assert files_with(folder_of(own, postgres_server)) == {}
