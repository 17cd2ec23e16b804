"""The checker finds whatever was lost or changed; whoever writes meanwhile, a reader skips none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.answers.lists import regenerate
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt
from tests.faults.checker import Checker, Tail
from tests.forked import forked
from tests.journal.writer import write_at
from tests.ledgers import NOW, copied, do, with_july_published

WRITERS, COMMITS = 3, 12


def corrected(ledger: Ledger, result: str) -> Receipt:
    """Corrects a game of August."""
    return do(
        ledger,
        c.CorrectResult(
            tournament="T2", round=1, white="A", black="B", result=Result.parse(result)
        ),
    )


def taught(ledger: Ledger) -> Checker:
    """Returns a checker that knows a correction and the list of July, and has read the ledger."""
    made = Checker()
    receipt = corrected(ledger, "0-1")
    (*_, last) = ledger.journal.commits()
    made.take(receipt, last.idempotency_key)
    made.take_list(regenerate(ledger, "ENF", "2010-07", None)[0])
    made.check(ledger)
    return made


def stored(ledger: Ledger) -> MemoryJournal:
    """Returns a journal in memory with the same records, to change."""
    assert isinstance(ledger.journal, MemoryJournal)
    return copied(ledger.journal)


def on(journal: MemoryJournal) -> Ledger:
    return Ledger(journal, clock=lambda: NOW)


def test_what_goes_on_is_no_loss() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    corrected(ledger, "1/2-1/2")
    checker.check(ledger)
    checker.check(on(stored(ledger)))


def test_a_lost_commit_is_found() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    journal = stored(ledger)
    lost = journal._commits.pop()
    del journal._events[lost.first_seq - 1 :]
    with pytest.raises(AssertionError, match="acknowledged and lost"):
        checker.check(on(journal))


def test_another_commit_in_its_place_is_found() -> None:
    ledger = with_july_published()
    before = stored(ledger)
    checker = taught(ledger)
    corrected(on(before), "1/2-1/2")
    with pytest.raises(AssertionError, match="acknowledged and lost"):
        checker.check(on(before))


def test_a_changed_event_is_found() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    journal = stored(ledger)
    journal._events[4] = replace(journal._events[4], payload="{}")
    with pytest.raises(AssertionError, match="has changed"):
        checker.check(on(journal))


def test_a_missing_event_is_found() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    journal = stored(ledger)
    del journal._events[4]
    with pytest.raises(AssertionError):
        checker.check(on(journal))


def test_instants_that_go_back_are_found() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    journal = stored(ledger)
    journal._commits[-1] = replace(journal._commits[-1], recorded_at="2020-01-01T00:00:00.000000Z")
    with pytest.raises(AssertionError, match="go back"):
        checker.check(on(journal))


def test_a_list_that_is_not_the_one_that_went_out_is_found() -> None:
    ledger = with_july_published()
    checker = taught(ledger)
    (key,) = checker.published
    checker.published[key] += b" "
    with pytest.raises(AssertionError, match="2010-07"):
        checker.check(ledger)


def test_a_request_that_came_to_two_commits_is_found() -> None:
    ledger = with_july_published()
    checker = Checker()
    checker.take(corrected(ledger, "0-1"), "the same")
    with pytest.raises(AssertionError, match="two commits"):
        checker.take(corrected(ledger, "1/2-1/2"), "the same")


def test_one_that_was_recorded_before_an_earlier_one_is_found() -> None:
    ledger = with_july_published()
    first, second = corrected(ledger, "0-1"), corrected(ledger, "1/2-1/2")
    checker = Checker()
    checker.take(second, "second")
    with pytest.raises(AssertionError, match="recorded earlier"):
        checker.take(first, "first")


def test_a_reader_beside_writers_skips_nothing(database_url: str) -> None:
    writers = [forked(write_at, database_url, f"w{each}", COMMITS) for each in range(WRITERS)]
    journal, tail = open_journal(database_url), Tail()
    looks = 0
    while any(writer.is_alive() for writer in writers):
        tail.read(journal)
        looks += 1
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    tail.read(journal)
    assert looks
    assert len(tail.leaves) == journal.head().seq == WRITERS * COMMITS * 2
    anew = Tail()
    anew.read(journal)
    assert anew.leaves == tail.leaves
    journal.close()
