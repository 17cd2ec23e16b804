"""An attacker with every right to the database changes history: where is it found?

The triggers are dropped first. What an attacker can do without being found from inside is said
too: only a checkpoint that was kept elsewhere tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import Connection

from ledger.errors import VerificationFailed
from ledger.journal.checkpoint import check_against, make_checkpoint
from ledger.journal.envelope import envelope, header_digest, peaks_text
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.row_reader import translated
from ledger.journal.stores.schema import COMMITS, EVENTS
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.verify.check import check
from ledger.wording import Message
from tests.journal.databases import as_superuser, drop_triggers, tamper
from tests.journal.drafts import append, draft, fill, game

HEX = "0" * 64


@dataclass(frozen=True)
class Case:
    """What is done, and the first place at which it must be found: a seq, and its commit."""

    what: str
    statements: tuple[str, ...]
    seq: int
    commit_id: int
    key: str = ""


def edit(table: str, column: str, value: str, where: str, found: tuple[int, int]) -> Case:
    statement = f"UPDATE {table} SET {column} = {value} WHERE {where}"
    return Case(f"edit {table}.{column}", (statement,), *found)


# Events 1 to 3 are commit 1, 4 to 8 commit 2, 9 and 10 commit 3.
EVENT_EDITS = [
    edit("events", "seq", "70", "seq = 7", (7, 2)),
    edit("events", "event_id", "'f'", "seq = 7", (7, 2)),
    edit("events", "commit_id", "1", "seq = 7", (7, 2)),
    edit("events", "type", "'forfeit.recorded'", "seq = 7", (7, 2)),
    edit("events", "version", "2", "seq = 7", (7, 2)),
    edit("events", "effective_on", "'2025-12-30'", "seq = 7", (7, 2)),
    edit("events", "stream", "'tournament:open'", "seq = 7", (7, 2)),
    edit("events", "payload", "replace(payload, '1-0', '0-1')", "seq = 7", (7, 2)),
    edit("events", "leaf_hash", f"'{HEX}'", "seq = 7", (7, 2)),
]
COMMIT_EDITS = [
    edit("commits", "commit_id", "20", "commit_id = 2", (4, 2)),
    edit("commits", "recorded_at", "'2026-01-02T12:00:00.000000Z'", "commit_id = 2", (4, 2)),
    edit("commits", "actor", "'Eva'", "commit_id = 2", (4, 2)),
    edit("commits", "reason", "''", "commit_id = 2", (4, 2)),
    edit("commits", "source_name", "'r2.csv'", "commit_id = 2", (4, 2)),
    edit("commits", "source_name", "NULL", "commit_id = 2", (4, 2)),
    edit("commits", "source_sha256", f"'{HEX}'", "commit_id = 2", (4, 2)),
    edit("commits", "idempotency_key", "'other'", "commit_id = 2", (4, 2)),
    edit("commits", "body_sha256", f"'{HEX}'", "commit_id = 2", (4, 2)),
    edit("commits", "first_seq", "5", "commit_id = 2", (4, 2)),
    edit("commits", "last_seq", "7", "commit_id = 2", (4, 2)),
    edit("commits", "last_seq", "9", "commit_id = 2", (4, 2)),
    edit("commits", "peaks", f"'{HEX}'", "commit_id = 2", (4, 2)),
    edit("commits", "peaks", "'none'", "commit_id = 2", (4, 2)),
    edit("commits", "root", f"'{HEX}'", "commit_id = 2", (4, 2)),
]
SWAPS = [
    *(
        Case(
            f"swap events.{column}",
            (
                "CREATE TEMPORARY TABLE was AS SELECT * FROM events",
                (f"UPDATE events SET {column} = (SELECT w.{column} FROM was w "
                "WHERE w.seq = 13 - events.seq) WHERE seq IN (6, 7)"),
            ),
            6,
            2,
        )
        for column in ("event_id", "payload", "leaf_hash")
    ),
    Case(
        "swap events.stream",
        ("UPDATE events SET stream = 'player:' || (4 - seq) WHERE seq IN (1, 3)",),
        1,
        1,
    ),
    Case(
        "swap events.seq",
        (
            "UPDATE events SET seq = 60 WHERE seq = 6",
            "UPDATE events SET seq = 6 WHERE seq = 7",
            "UPDATE events SET seq = 7 WHERE seq = 60",
        ),
        6,
        2,
    ),
    Case(
        "swap events.commit_id",
        ("UPDATE events SET commit_id = 5 - commit_id WHERE seq IN (8, 9)",),
        8,
        2,
    ),
    *(
        Case(
            f"swap commits.{column}",
            (
                "CREATE TEMPORARY TABLE was AS SELECT * FROM commits",
                ("UPDATE commits SET idempotency_key = idempotency_key || '.' "
                "WHERE commit_id IN (2, 3)"),
                (f"UPDATE commits SET {column} = (SELECT w.{column} FROM was w "
                "WHERE w.commit_id = 5 - commits.commit_id) WHERE commit_id IN (2, 3)"),
                ("UPDATE commits SET idempotency_key = rtrim(idempotency_key, '.') "
                "WHERE commit_id IN (2, 3)"),
            ),
            4,
            2,
        )
        for column in (
            "source_name", "source_sha256", "idempotency_key", "first_seq", "last_seq", "peaks",
            "root",
        )
    ),
    Case(
        "swap commits.commit_id",
        (
            "UPDATE commits SET commit_id = 20 WHERE commit_id = 2",
            "UPDATE commits SET commit_id = 2 WHERE commit_id = 3",
            "UPDATE commits SET commit_id = 3 WHERE commit_id = 20",
        ),
        4,
        2,
    ),
]  # fmt: skip
COPY_EVENT = (
    "INSERT INTO events SELECT {seq}, event_id, {commit}, type, version, effective_on, stream, "
    "payload, leaf_hash FROM events WHERE seq = {of}"
)
COPY_COMMIT = (
    "INSERT INTO commits SELECT {id}, recorded_at, actor, reason, source_name, source_sha256, 'x', "
    "body_sha256, {first}, {last}, peaks, root FROM commits WHERE commit_id = {of}"
)
ROWS = [
    Case("delete an event", ("DELETE FROM events WHERE seq = 7",), 7, 2, "verify.seq_missing"),
    Case("delete the first event", ("DELETE FROM events WHERE seq = 1",), 1, 1),
    Case("delete the last event", ("DELETE FROM events WHERE seq = 10",), 10, 3),
    Case("delete events", ("DELETE FROM events WHERE seq BETWEEN 3 AND 9",), 3, 1),
    Case("delete every event", ("DELETE FROM events",), 1, 1),
    Case(
        "delete a commit",
        ("DELETE FROM commits WHERE commit_id = 2",),
        4,
        2,
        "verify.commit_missing",
    ),
    Case("delete the first commit", ("DELETE FROM commits WHERE commit_id = 1",), 1, 1),
    Case("delete the last commit", ("DELETE FROM commits WHERE commit_id = 3",), 9, 0),
    Case("delete every commit", ("DELETE FROM commits",), 1, 0, "verify.orphan"),
    Case(
        "delete a commit and its events",
        ("DELETE FROM commits WHERE commit_id = 2", "DELETE FROM events WHERE commit_id = 2"),
        4,
        2,
    ),
    Case("insert an event", (COPY_EVENT.format(seq=11, commit=3, of=10),), 11, 0, "verify.orphan"),
    Case("insert an event before", (COPY_EVENT.format(seq=-5, commit=1, of=1),), 1, 1),
    Case("insert an event far on", (COPY_EVENT.format(seq=99, commit=3, of=10),), 99, 0),
    Case("insert a commit", (COPY_COMMIT.format(id=4, first=11, last=11, of=3),), 11, 4),
    Case("insert a commit far on", (COPY_COMMIT.format(id=9, first=11, last=11, of=3),), 11, 4),
    Case("insert a commit before", (COPY_COMMIT.format(id=-5, first=1, last=3, of=1),), 1, 1),
    Case(
        "duplicate a commit with its events",
        (
            COPY_COMMIT.format(id=4, first=11, last=12, of=3),
            COPY_EVENT.format(seq=11, commit=4, of=9),
            COPY_EVENT.format(seq=12, commit=4, of=10),
        ),
        11,
        4,
    ),
    Case(
        "remove an event and close the gap",
        (
            "DELETE FROM events WHERE seq = 7",
            "UPDATE events SET seq = 7 WHERE seq = 8",
            "UPDATE events SET seq = 8 WHERE seq = 9",
            "UPDATE events SET seq = 9 WHERE seq = 10",
        ),
        7,
        2,
    ),
]
CASES = [*EVENT_EDITS, *COMMIT_EDITS, *SWAPS, *ROWS]


class Seen(SqlJournal):
    """A journal as one connection sees it."""

    def __init__(self, journal: SqlJournal, connection: Connection) -> None:
        super().__init__(journal._engine, journal._dialect)
        self._connection = connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self._dialect):
            yield self._connection

    def damage(self) -> list[Message]:
        """Returns none: it would be that of a transaction of its own."""
        return []


@contextmanager
def tampered(journal: SqlJournal, *statements: str) -> Iterator[SqlJournal]:
    """Shows the journal as it would be after the statements, and takes them back."""
    with journal._engine.connect() as connection:
        if journal._dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN")
        else:
            connection.exec_driver_sql("ALTER TABLE events DROP CONSTRAINT events_commit_id_fkey")
        for statement in ("DROP INDEX events_beginning", *statements):
            connection.exec_driver_sql(statement)
        try:
            yield Seen(journal, connection)
        finally:
            driver: Any = connection.connection.driver_connection
            driver.rollback()


@pytest.fixture
def filled(database_url: str) -> Iterator[SqlJournal]:
    """A journal of three commits and ten events, whose triggers are gone."""
    journal = open_journal(as_superuser(database_url))
    fill(journal)
    drop_triggers(database_url)
    yield journal
    journal.close()


def test_every_column_is_edited() -> None:
    edited = {case.what for case in CASES}
    assert {f"edit events.{column.name}" for column in EVENTS.columns} <= edited
    assert {f"edit commits.{column.name}" for column in COMMITS.columns} <= edited


def test_the_first_bad_position_is_named(filled: SqlJournal) -> None:
    for case in CASES:
        with tampered(filled, *case.statements) as seen:
            findings = check(seen).findings
        first = findings[0]
        assert (first.seq, first.commit_id) == (case.seq, case.commit_id), (case.what, findings)
        assert case.key in {"", first.message.key}, (case.what, findings)
        places = [finding.seq for finding in findings if finding.message.key != "verify.trigger"]
        assert places == sorted(places), (case.what, findings)
        for finding in findings:
            assert finding.message.within("en") != finding.message.within("es")


def test_one_bad_event_is_one_finding(filled: SqlJournal) -> None:
    with tampered(filled, *EVENT_EDITS[7].statements) as seen:
        findings = check(seen).findings
    assert [f.message.key for f in findings if f.seq] == ["verify.leaf"]
    assert "event 7 (commit 2) is not what was recorded" in str(findings[0].message)


def test_a_dropped_trigger_is_named_although_nothing_was_changed(filled: SqlJournal) -> None:
    findings = check(filled).findings
    assert {finding.message.key for finding in findings} == {"verify.trigger"}
    assert [dict(f.message.values)["trigger"] for f in findings] == filled.missing_triggers()


def rehashed(journal: SqlJournal, *, whole: bool) -> list[str]:
    """Returns what changes the result of game 7, its leaf, and (whole) every tree after it."""
    header = header_digest(list(journal.commits())[1])
    events = list(journal.events())
    changed = replace(events[6], payload=events[6].payload.replace("1-0", "0-1"))
    leaf = leaf_hash(envelope(changed, header))
    events[6] = replace(changed, leaf_hash=leaf.hex())
    statements = [
        f"UPDATE events SET payload = '{changed.payload}', leaf_hash = '{leaf.hex()}' WHERE seq = 7"
    ]
    tree = CompactRange()
    for commit in journal.commits():
        for event in events[commit.first_seq - 1 : commit.last_seq]:
            tree.append(bytes.fromhex(event.leaf_hash))
        statements.append(
            f"UPDATE commits SET peaks = '{peaks_text(tree)}', root = '{tree.root().hex()}' "
            f"WHERE commit_id = {commit.commit_id}"
        )
    return statements if whole else statements[:1]


def test_an_event_hashed_anew_is_found_by_the_root_of_its_commit(filled: SqlJournal) -> None:
    with tampered(filled, *rehashed(filled, whole=False)) as seen:
        findings = check(seen).findings
    assert (findings[0].seq, findings[0].commit_id) == (4, 2)
    assert findings[0].message.key == "verify.root"
    assert "events 4 to 8" in str(findings[0].message)
    assert findings[1].seq == 0


def test_a_history_hashed_anew_is_found_by_a_checkpoint_only(filled: SqlJournal) -> None:
    page = make_checkpoint(filled, "club")
    with tampered(filled, *rehashed(filled, whole=True)) as seen:
        assert [finding for finding in check(seen).findings if finding.seq] == []
        with pytest.raises(VerificationFailed) as caught:
            check_against(seen, page)
    assert caught.value.message.key == "verify.rewritten"


def test_a_commit_cut_off_cleanly_is_found_by_a_checkpoint_only(filled: SqlJournal) -> None:
    page = make_checkpoint(filled, "club")
    cut = ("DELETE FROM events WHERE commit_id = 3", "DELETE FROM commits WHERE commit_id = 3")
    with tampered(filled, *cut) as seen:
        assert [finding for finding in check(seen).findings if finding.seq] == []
        with pytest.raises(VerificationFailed) as caught:
            check_against(seen, page)
    assert caught.value.message.key == "verify.cut"
    assert "the checkpoint knows 10 events, here are 8" in str(caught.value)


def test_a_replaced_document_is_found(filled: SqlJournal) -> None:
    change = "UPDATE personal SET document = replace(document, '1990', '1991') WHERE player = '2'"
    with tampered(filled, change) as seen:
        first = check(seen).findings[0]
    assert (first.seq, first.message.key) == (2, "verify.personal")


def test_a_document_under_another_digest_is_found(filled: SqlJournal) -> None:
    with tampered(filled, f"UPDATE personal SET digest = '{HEX}' WHERE player = '2'") as seen:
        found = check(seen)
    assert found.findings[0].message.key == "verify.personal_unknown"
    assert found.lost == 1


def test_swapped_documents_are_found(filled: SqlJournal) -> None:
    swap = (
        "CREATE TEMPORARY TABLE was AS SELECT * FROM personal",
        (
            "UPDATE personal SET document = (SELECT w.document FROM was w "
            "WHERE w.player <> '1' AND w.player <> personal.player) WHERE player <> '1'"
        ),
    )
    with tampered(filled, *swap) as seen:
        findings = check(seen).findings
    assert [(f.seq, f.message.key) for f in findings[:2]] == [
        (2, "verify.personal"),
        (3, "verify.personal"),
    ]


def test_what_cannot_be_read_is_found(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    fill(journal)
    tamper(
        sqlite_url,
        "UPDATE events SET payload = '{}' WHERE seq = 5",
        "UPDATE events SET payload = CAST(x'ff' AS TEXT) WHERE seq = 7",
    )
    findings = check(journal).findings
    assert [(f.seq, f.message.key) for f in findings if f.seq] == [
        (5, "verify.leaf"),
        (7, "verify.unreadable"),
    ]
    assert "damaged" in str(findings[1].message)
    journal.close()


def test_a_table_made_anew_with_other_types_is_found(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    fill(journal)
    tamper(
        sqlite_url,
        "ALTER TABLE events RENAME TO was",
        "CREATE TABLE events AS SELECT * FROM was",
        "CREATE INDEX again ON events (stream)",
        "UPDATE events SET payload = NULL WHERE seq = 7",
    )
    first = check(journal).findings[0]
    assert (first.seq, first.message.key) == (7, "verify.unreadable")
    journal.close()


def test_no_more_findings_are_told_than_anybody_reads(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    for number in range(150):
        append(journal, draft(game(number), game(number)))
    tamper(sqlite_url, "UPDATE events SET payload = '{}' WHERE seq % 2 = 0")
    findings = check(journal).findings
    assert len(findings) == 100
    assert findings[0].seq == 2
    journal.close()
