"""What is accepted a page at a time is exactly what is found right event by event."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import DatabaseError, VerificationFailed
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import DECODERS, FastEvent
from ledger.events.model import Event
from ledger.identifiers import Seq
from ledger.journal.envelope import envelope, event_id, header_digest, peaks_text
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange, leaf_hash
from ledger.journal.records import Commit, EventColumns, StoredEvent, no_progress
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.stores.triggers import BEGINNINGS
from ledger.journal.verify import check as checking
from ledger.journal.verify import parallel
from ledger.journal.verify.check import Integrity, check
from ledger.journal.verify.parallel import verify_prefix
from ledger.journal.verify.ranges import (
    EventRange,
    PageReading,
    RangeResult,
    event_ranges,
    verify_range,
)
from ledger.journal.verify.walk import VerifiedPrefix, Walk
from tests.canaries import Canaries
from tests.journal.databases import drop_triggers, tamper
from tests.journal.drafts import append, draft, fill, game
from tests.journal.test_tamper import CASES, HEX, filled, tampered

__all__ = ["filled"]  # a fixture

SAMPLES = json.loads(
    (Path(__file__).parents[1] / "events" / "pinned.json").read_text(encoding="utf-8")
)


def everything(journal: Journal) -> EventRange:
    head = journal.head()
    return EventRange(None, 0, head.commit_id, head.seq)


def of_every_type() -> list[Event]:
    return [
        CATALOGUE.as_written(model.TYPE, model.VERSION, sample["payload"])
        for model in CATALOGUE.models()
        if (sample := SAMPLES[f"{model.TYPE}/{model.VERSION}"])
    ]


def test_events_of_every_type_are_accepted() -> None:
    journal = MemoryJournal()
    for event in of_every_type():
        append(journal, draft(event))
    again = [event for event in of_every_type() if event.TYPE not in BEGINNINGS]
    append(journal, draft(*again * 50))
    found = verify_range(journal, everything(journal)).prefix
    head = journal.head()
    assert (found.commits, found.seq, found.tree.root().hex()) == (
        head.commit_id,
        head.seq,
        head.root,
    )
    assert check(journal).findings == ()


def test_it_does_not_matter_who_finds_it(
    filled: SqlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in CASES:
        with tampered(filled, *case.statements) as seen:
            fast = check(seen)
            with monkeypatch.context() as patch:
                patch.setattr(checking, "verify_prefix", lambda *_, **__: (VerifiedPrefix(), {}))
                slow = check(seen)
        assert fast == slow, case.what


def test_what_comes_before_a_bad_commit_is_accepted(sqlite_url: str) -> None:
    journal = open_journal(sqlite_url)
    fill(journal)
    tamper(sqlite_url, "UPDATE events SET payload = '{}' WHERE seq = 7")
    found = verify_range(journal, everything(journal)).prefix
    assert (found.commits, found.seq, len(found.seen.identities)) == (1, 3, 3)
    journal.close()


# Whatever an attacker writes as a payload, hashed as it should be

texts = st.sampled_from(
    ["", " ", "a", " a", "a\u0085b", "\u200b", "x" * 130, "x" * 131, 'a"b', "é", "\\", "\n", "1-0"]
)
values = (
    st.none()
    | st.booleans()
    | st.integers(-1, 10_000)
    | st.floats(0, 3).map(lambda number: round(number, 1))
    | st.integers(2**62, 2**70)
    | texts
    | st.sampled_from(["1-0", "1-0a", "1-1", "+/-", "temporary", "half", "0-1s", "½-½"])
)


def mangled(draw: st.DrawFn) -> tuple[str, int, str]:
    type_, version = draw(st.sampled_from(sorted(DECODERS)))
    payload = json.loads(SAMPLES[f"{type_}/{version}"]["payload"])
    for name in draw(st.sets(st.sampled_from([*payload, "supersedes", "extra"]), max_size=3)):
        value = draw(values | st.just(...))
        if value is ...:
            payload.pop(name, None)
        else:
            payload[name] = value
    in_order = draw(st.sampled_from([True, True, True, False]))
    escaped = draw(st.sampled_from([False, False, True]))
    blanks = draw(st.sampled_from([(",", ":"), (",", ":"), (", ", ":"), (",", ":\n")]))
    text = json.dumps(payload, sort_keys=in_order, ensure_ascii=escaped, separators=blanks)
    return type_, version, text + draw(st.sampled_from(["", "", "", "\n", " ", "{}", ","]))


@given(payloads=st.lists(st.composite(mangled)(), min_size=1, max_size=3))
def test_no_payload_is_accepted_that_its_model_would_not_write(
    payloads: list[tuple[str, int, str]],
) -> None:
    journal = forged(payloads)
    fast = verify_range(journal, everything(journal)).is_whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "verify_prefix", lambda *_, **__: (VerifiedPrefix(), {}))
        findings = check(journal).findings
    assert not (fast and findings)
    assert fault_of_history(journal) == (findings[0].message.key if findings else None)
    # Nor is anything left over that is right, but for numbers that no computer counts up to.
    assert fast or findings or any(str(2**62)[:6] in text for *_, text in payloads)


def fault_of_history(journal: Journal) -> str | None:
    """Why a store refuses to take a history over; None, if it does not."""
    try:
        MemoryJournal().restore(Walk(journal.commits(), journal.pages()), ())
    except VerificationFailed as failure:
        return failure.message.key
    return None


def test_a_history_of_payloads_that_no_model_writes_is_refused() -> None:
    type_, version = min(DECODERS)
    payload = SAMPLES[f"{type_}/{version}"]["payload"]
    assert fault_of_history(forged([(type_, version, payload)])) is None
    assert fault_of_history(forged([(type_, version, payload + " ")])) == "verify.column"
    assert fault_of_history(forged([(type_, version, "{}")])) == "verify.unreadable"


def forged(payloads: list[tuple[str, int, str]]) -> MemoryJournal:
    """A journal of these events, every hash of it as it should be."""
    journal = MemoryJournal()
    instant, seqs = "2026-01-01T12:00:00.000000Z", (Seq(1), Seq(len(payloads)))
    bare = Commit(1, instant, "Eva", "", None, None, "key", HEX, *seqs, "", "")
    tree, header = CompactRange(), header_digest(bare)
    for seq, (type_, version, payload) in enumerate(payloads, start=1):
        stream = f"tournament:{tournament_of(payload)}"
        id_ = event_id("key", seq)
        event = StoredEvent(Seq(seq), id_, 1, type_, version, "2025-01-01", stream, payload, "")
        leaf = leaf_hash(envelope(event, header))
        tree.append(leaf)
        journal._events.append(replace(event, leaf_hash=leaf.hex()))
    journal._commits.append(replace(bare, peaks=peaks_text(tree), root=tree.root().hex()))
    return journal


def tournament_of(payload: str) -> object:
    try:
        return json.loads(payload).get("tournament")
    except ValueError:
        return None


# Two processes


@pytest.fixture
def long(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqlJournal]:
    """A journal that counts as a long one."""
    monkeypatch.setattr(parallel, "LEAST_EVENTS", 10)
    monkeypatch.setattr(parallel, "RANGE_EVENTS", 4)
    journal = open_journal(sqlite_url)
    fill(journal)
    for number in range(20, 60):
        append(journal, draft(game(number), game(number + 100)))
    yield journal
    journal.close()


def alone(journal: Journal) -> Integrity:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel, "LEAST_EVENTS", sys.maxsize)
        return check(journal)


class Counted:
    """A reader that counts, and says where."""

    def __init__(self) -> None:
        self._seqs: list[int] = []

    def page(self, columns: EventColumns, fast: Sequence[FastEvent]) -> None:
        assert len(fast) <= len(columns[0])
        self._seqs += columns[0]

    def made(self) -> tuple[int, list[int]]:
        return os.getpid(), self._seqs

    def packed(self) -> bytes:
        return json.dumps(self.made()).encode()

    @staticmethod
    def unpacked(data: bytes) -> tuple[int, list[int]]:
        process, seqs = json.loads(data)
        return process, seqs


def test_a_long_journal_is_verified_by_two(
    long: SqlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(*args: Any, **more: Any) -> RangeResult:
        time.sleep(1)  # so that the other one does nearly all
        return verify_range(*args, **more)

    monkeypatch.setattr(parallel, "verify_range", slowly)
    made: list[tuple[int, list[int]]] = []
    told: list[tuple[str, int, int]] = []
    found = check(long, lambda *values: told.append(values), PageReading(Counted, made.append))
    assert found == alone(long)
    assert not found.findings
    assert [seq for _, seqs in made for seq in seqs] == [*range(1, 91)]
    assert len({process for process, _ in made}) == 2
    assert told[-1] == ("verify", 90, 90)


def test_the_other_process_imports_nothing_of_the_folder_one_stands_in(
    long: SqlJournal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    canaries = Canaries(tmp_path / "here")
    monkeypatch.chdir(canaries.folder)
    monkeypatch.setenv("PYTHONPATH", str(canaries.folder))
    made: list[tuple[int, list[int]]] = []
    assert not check(long, reading=PageReading(Counted, made.append)).findings
    assert sum(len(seqs) for _, seqs in made) == 90
    assert canaries.heard == []


@pytest.mark.parametrize("seq", [1, 5, 12, 40, 90])
def test_two_find_what_one_finds(long: SqlJournal, sqlite_url: str, seq: int) -> None:
    tamper(sqlite_url, f"UPDATE events SET payload = payload || ' ' WHERE seq = {seq}")
    found = check(long)
    assert found == alone(long)
    assert found.findings[0].seq == seq


@pytest.mark.parametrize("column", ["peaks", "root", "first_seq", "last_seq"])
def test_two_find_what_one_finds_in_a_commit(
    long: SqlJournal, sqlite_url: str, column: str
) -> None:
    tamper(
        sqlite_url,
        "PRAGMA foreign_keys = OFF",
        "ALTER TABLE commits RENAME TO was",
        "CREATE TABLE commits AS SELECT * FROM was",
        f"UPDATE commits SET {column} = 'x' WHERE commit_id = 9",
    )
    assert check(long) == alone(long)
    assert check(long).findings[0].seq > 0


def test_a_head_that_is_no_number_is_named(long: SqlJournal, sqlite_url: str) -> None:
    tamper(
        sqlite_url,
        "PRAGMA foreign_keys = OFF",
        "ALTER TABLE commits RENAME TO was",
        "CREATE TABLE commits AS SELECT * FROM was",
        "UPDATE commits SET commit_id = 'x' WHERE commit_id = 9",
    )
    with pytest.raises(DatabaseError) as caught:
        check(long)
    assert caught.value.message.key == "database.malformed"
    assert "commit_id: 'x'" in str(caught.value)


@pytest.mark.parametrize(
    "said",
    [b"warning: something\n", b"\xff" * 8, b"\0" * 7 + b"\x01\xc1", b"\0" * 7 + b"\x03\x81\xa1a"],
)
def test_what_the_other_process_says_besides_is_no_answer(
    long: SqlJournal, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """A line that some module prints, a length beyond all limits, no MessagePack, no answer."""
    wanted = alone(long)
    program = (
        f"import sys, time; sys.stdout.buffer.write({said!r}); sys.stdout.flush(); time.sleep(9)"
    )
    monkeypatch.setattr(parallel, "_PROGRAM", program)
    assert check(long) == wanted


def test_who_never_answers_is_waited_for_a_while(
    long: SqlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = alone(long)
    monkeypatch.setattr(parallel, "_PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(parallel, "_PATIENCE", 0.2)
    assert check(long) == wanted


def test_a_range_begins_at_the_tree_that_was_walked_to(long: SqlJournal, sqlite_url: str) -> None:
    """Somebody who was here before does not believe a commit that was exchanged since."""
    start, _ = verify_prefix(long, long.head(), None, no_progress)
    other = "0" * 64
    tamper(
        sqlite_url,
        f"UPDATE commits SET peaks = '{other} {other} {other} {other}', root = '{other}'",
    )
    append(long, draft(game(99)))
    found, _ = verify_prefix(long, long.head(), None, no_progress, start=start)
    assert found.seq < long.head().seq


def test_one_does_it_all_where_no_other_can_be(
    long: SqlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = alone(long)
    for program in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", program)
        assert check(long) == wanted


def test_ranges_follow_each_other(long: SqlJournal) -> None:
    head = long.head()
    for cuts in ((), (2, 11, 50)):
        parts = event_ranges(long, VerifiedPrefix(), head.seq, 4, cuts)
        assert parts[0].before is None
        assert parts[0].after == 0
        assert [later.after for later in parts[1:]] == [part.last_seq for part in parts[:-1]]
        assert set(cuts) <= {part.last_seq for part in parts}
        assert (parts[-1].last_commit, parts[-1].last_seq) == (head.commit_id, head.seq)
        commits = {commit.commit_id: commit for commit in long.commits()}
        for part in parts:
            if part.is_within:
                assert part.last_seq <= commits[part.last_commit].last_seq
                assert part.after >= commits[part.last_commit].first_seq


def test_a_long_commit_is_cut_and_begun_anywhere(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a walk begins, in a commit or between two, it ends with the same tree."""
    journal = open_journal(sqlite_url)
    fill(journal)
    append(journal, draft(*(game(number) for number in range(20, 60))))
    drop_triggers(sqlite_url)
    head = journal.head()
    monkeypatch.setattr(parallel, "RANGE_EVENTS", 1)
    monkeypatch.setattr(parallel, "_ALONE", 3)
    everywhere = range(1, head.seq)
    whole, trees = verify_prefix(journal, head, None, no_progress, cuts=everywhere)
    assert whole.seq == head.seq
    assert sorted(trees) == [*everywhere]
    for seq in everywhere:
        before = journal.commit_by(seq)
        start = VerifiedPrefix.behind(before)
        if start.seq < seq:
            start.within = trees[seq].copy()
        found, _ = verify_prefix(journal, head, None, no_progress, start=start)
        assert (found.seq, found.tree.root().hex()) == (head.seq, head.root)
        for event in (seq, head.seq):
            with tampered(journal, f"UPDATE events SET payload = 'x' WHERE seq = {event}") as seen:
                start = VerifiedPrefix.behind(before)
                found, _ = verify_prefix(seen, head, None, no_progress, start=start)
                assert (found.seq == head.seq) == (event <= start.seq)
    journal.close()
