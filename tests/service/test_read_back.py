"""What a long import recorded is read back, compared with what was written, and hashed once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, cast

import pytest

from ledger.derived import segments
from ledger.derived.facts_reader import FactsReader
from ledger.errors import VerificationFailed
from ledger.intake.imports import Document, import_document
from ledger.journal import envelope
from ledger.journal.interface import Journal
from ledger.journal.records import StoredRow, columns_of
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.schema import EVENTS
from ledger.journal.verify import rules
from ledger.service.ledger import Ledger, Receipt
from tests.facts.support import same
from tests.journal.databases import connected
from tests.journal.drafts import fill
from tests.ledgers import GAMES_HEADER, NOW, PLAYERS_HEADER, define, request

PLAYERS, ROUNDS = 40, 60
COLUMNS = {
    "event_id": "'0' || substr(event_id, 2) || 'x'",
    "commit_id": "commit_id - 1",
    "type": "'result.adjudicated'",
    "version": "version + 1",
    "effective_on": "'2010-07-03'",
    "stream": "stream || 'x'",
    "payload": "replace(payload, '1-0', '0-1')",
    "leaf_hash": "replace(leaf_hash, substr(leaf_hash, 1, 1), 'x')",
}


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 1_000)
    monkeypatch.setattr(segments, "MOST_EVENTS", 700)


@pytest.fixture
def ledger(sqlite_url: str) -> Iterator[Ledger]:
    with closing(open_journal(sqlite_url)) as journal:
        made = Ledger(journal, clock=lambda: NOW)
        define(made)
        rows = [f"{number},Player {number},CHI,,,,,\n" for number in range(1, PLAYERS + 1)]
        players = PLAYERS_HEADER + "".join(rows)
        import_document(made, Document(name="players.csv", data=players.encode()), request())
        made.facts()
        yield made


def imported(ledger: Ledger) -> Receipt:
    rows = [
        f"T{round_ % 3},Open,2010-07-01,2010-09-30,round-robin,classical,,{round_},,"
        f"{white},{white + 1},1-0\n"
        for round_ in range(1, ROUNDS + 1)
        for white in range(1, PLAYERS, 2)
    ]
    games = (GAMES_HEADER + "".join(rows)).encode()
    return import_document(ledger, Document(name="games.csv", data=games), request())


def count_hashed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns what will hold how many events were hashed in each call."""
    counts: list[int] = []
    hashes = envelope.event_leaf_hashes

    def counted(*columns: Any) -> list[bytes]:
        made = hashes(*columns)
        counts.append(len(made))
        return made

    monkeypatch.setattr(envelope, "event_leaf_hashes", counted)
    monkeypatch.setattr(rules, "event_leaf_hashes", counted)
    return counts


def test_every_event_is_hashed_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = count_hashed(monkeypatch)
    receipt = imported(ledger)
    ledger.seal(receipt)
    assert sum(counts) == len(receipt.events) == receipt.last_seq - receipt.first_seq + 1
    ends = [segment.last_seq for segment in ledger.journal.segment_headings()]
    assert ends[-1] == receipt.last_seq
    assert len(ends) > 1
    monkeypatch.undo()
    anew = Ledger(ledger.journal, clock=lambda: NOW).facts()
    same(ledger.facts(), anew)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("back", [1_000, 200, 0])
def test_a_row_that_is_not_the_one_written_is_not_sealed(
    ledger: Ledger, sqlite_url: str, column: str, back: int
) -> None:
    receipt = imported(ledger)
    seq = receipt.last_seq - back
    with connected(sqlite_url) as driver:
        driver.execute("DROP TRIGGER events_no_update")
        driver.execute(f"UPDATE events SET {column} = {COLUMNS[column]} WHERE seq = {seq}")
    ledger.seal(receipt)
    assert all(each.last_seq < seq for each in ledger.journal.segment_headings())
    with pytest.raises(VerificationFailed) as caught:
        ledger.facts()
    assert str(seq) in str(caught.value)


@pytest.mark.parametrize(
    "edit",
    [
        "payload = CAST(payload AS BLOB)",
        "leaf_hash = CAST(leaf_hash AS BLOB)",
        "version = CAST(version AS TEXT)",
        "commit_id = CAST(commit_id AS TEXT)",
        "seq = CAST(seq AS TEXT)",
        "version = version + 0.5",
        "stream = stream || char(0)",
        "stream = stream || char(10) || stream",
        "payload = payload || char(10) || (SELECT payload FROM events WHERE seq = 5)",
        "payload = NULL",
        "type = ''",
    ],
)
@pytest.mark.parametrize("seq", [4, 10])
def test_what_sqlite_joins_is_what_rows_compare(sqlite_url: str, edit: str, seq: int) -> None:
    """Also in a table that was made anew, whose columns take values of any type."""
    with closing(open_journal(sqlite_url)) as journal:
        fill(journal)
        written = columns_of([row for page in journal.pages() for row in page])
        with connected(sqlite_url) as driver:
            driver.execute("ALTER TABLE events RENAME TO strict_ones")
            driver.execute(f"CREATE TABLE events ({', '.join(EVENTS.columns.keys())})")
            driver.execute("INSERT INTO events SELECT * FROM strict_ones")
        assert journal.holds(written)
        with connected(sqlite_url) as driver:
            driver.execute(f"UPDATE events SET {edit} WHERE seq = {seq}")
            if "seq = 5" in edit:  # the same text, with one end of it elsewhere
                driver.execute("UPDATE events SET payload = NULL WHERE seq = 5")
        assert not journal.holds(written)
        assert not Journal.holds(journal, written)


def test_an_end_of_line_in_a_value_is_no_end_of_a_value(sqlite_url: str) -> None:
    with closing(open_journal(sqlite_url)) as journal:
        fill(journal)
        rows = [row for page in journal.pages() for row in page]
        one, other = (list(row) for row in rows[:2])
        one[6], other[6] = f"a\n{rows[0][6]}", "b"
        with connected(sqlite_url) as driver:
            driver.execute("DROP TRIGGER events_no_update")
            driver.execute(f"UPDATE events SET stream = 'a' WHERE seq = {rows[0][0]}")
            driver.execute(
                f"UPDATE events SET stream = '{rows[0][6]}' || char(10) || 'b' "
                f"WHERE seq = {rows[1][0]}"
            )
        stored = cast(list[StoredRow], [tuple(one), tuple(other)])
        assert not journal.holds(columns_of(stored))


def test_a_commit_that_is_not_the_one_written_is_not_sealed(
    ledger: Ledger, sqlite_url: str
) -> None:
    """Every hash covers it, though each row is what was written."""
    receipt = imported(ledger)
    with connected(sqlite_url) as driver:
        driver.execute("DROP TRIGGER commits_no_update")
        driver.execute(f"UPDATE commits SET actor = 'x' WHERE commit_id = {receipt.commit_id}")
    ledger.seal(receipt)
    assert list(ledger.journal.segment_headings()) == []
    with pytest.raises(VerificationFailed):
        ledger.facts()


def test_others_may_record_before_it_is_read_back(ledger: Ledger, sqlite_url: str) -> None:
    receipt = imported(ledger)
    with closing(open_journal(sqlite_url)) as journal:
        other = Ledger(journal, clock=lambda: NOW)
        define(other, "RAPID")
        ledger.seal(receipt)
        assert list(ledger.journal.segment_headings())
        same(ledger.facts(), other.facts())


def test_nobody_reads_while_a_reader_begins_anew(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = ledger._reader
    begin = FactsReader._begin
    locked: list[bool] = []

    def begun(self: FactsReader) -> None:
        begin(self)
        with ThreadPoolExecutor(1) as another:
            taken = another.submit(self.builder.lock.acquire, blocking=False).result()
        locked.append(not taken)

    def torn(*_said: object) -> None:
        raise VerificationFailed("verify.orphan", seq=1, commit=1)

    monkeypatch.setattr(FactsReader, "_begin", begun)
    with monkeypatch.context() as patched:
        patched.setattr(FactsReader, "_check_end", torn)
        with pytest.raises(VerificationFailed):
            reader.read(ledger.journal.head())
    assert locked == [True, True]


def test_nothing_is_asked_of_a_ledger_while_it_reads_back_what_it_recorded(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = imported(ledger)
    locked: list[bool] = []

    def read_back(*_said: object) -> None:
        with ThreadPoolExecutor(1) as another:
            locked.append(not another.submit(ledger._lock.acquire, blocking=False).result())

    monkeypatch.setattr(FactsReader, "read_back", read_back)
    ledger.seal(receipt)
    assert locked == [True]
