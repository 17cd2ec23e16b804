"""Events that are read out of their order, and which of their commits are remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest

from ledger.errors import VerificationFailed
from ledger.journal.envelope import envelope, header_digest
from ledger.journal.interface import Journal
from ledger.journal.merkle import leaf_hash
from ledger.journal.records import StoredEvent
from ledger.journal.stores.database import open_journal
from ledger.journal.verify import event_check
from ledger.journal.verify.event_check import CheckedCommits, EventCheck
from tests.journal.databases import tamper
from tests.journal.drafts import append, draft, fill, game
from tests.statements import statements

COMMITS = 60


@pytest.fixture
def tapped(database_url: str) -> Iterator[Journal]:
    """A journal with many commits of a tournament, of one event each."""
    with closing(open_journal(database_url)) as journal:
        for number in range(COMMITS):
            append(journal, draft(game(number)))
        yield journal


def selects(found: list[str]) -> Counter[str]:
    """Returns how often each table was asked."""
    return Counter(
        table for each in found for table in ("FROM events", "FROM commits") if table in each
    )


def test_the_commits_of_a_stream_are_read_together_and_hashed_once(tapped: Journal) -> None:
    remembered = CheckedCommits()
    with statements() as found:
        check = EventCheck(tapped, remembered)
        events = list(check.checked(tapped.streams(["tournament:club"])))
    assert len(events) == COMMITS
    assert check.streams_of(COMMITS) == {"tournament:club": 1}
    assert selects(found) == {"FROM events": 2, "FROM commits": 1}
    with statements() as found:
        again = EventCheck(tapped, remembered)
        assert list(again.checked(tapped.streams(["tournament:club"]))) == events
        assert again.read(7)[1] == check.commit(7, 7)
        assert again.streams_of(7) == {"tournament:club": 1}
    assert selects(found) == {"FROM events": 2}


def test_what_is_forgotten_is_looked_up_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_check, "_MOST_COMMITS", 2)
    fill(journal)
    remembered = CheckedCommits()
    check = EventCheck(journal, remembered)
    assert len(list(check.checked(journal.events()))) == 10
    assert [check.streams_of(commit) is not None for commit in (1, 2, 3)] == [True] * 3
    assert remembered.find([1, 2, 3]).keys() == {2, 3}
    assert len(list(EventCheck(journal, remembered).checked(journal.events()))) == 10
    monkeypatch.setattr(event_check, "_MOST_LEAVES", 2)
    small = CheckedCommits()
    assert EventCheck(journal, small).read(1)[1].commit_id == 1
    assert small.find([1]) == {}, "a commit of three events is too long to be remembered"


def test_an_event_that_is_rewritten_with_its_hash_is_found_though_its_commit_was_hashed(
    database_url: str,
) -> None:
    with closing(open_journal(database_url)) as journal:
        fill(journal)
        remembered = CheckedCommits()
        event, commit = EventCheck(journal, remembered).read(7)
        forged = StoredEvent(
            event.seq, event.event_id, event.commit_id, event.type, event.version,
            event.effective_on, event.stream, event.payload.replace("1-0", "0-1"), "",
        )  # fmt: skip
        leaf = leaf_hash(envelope(forged, header_digest(commit))).hex()
        forging = f"UPDATE events SET payload = '{forged.payload}', leaf_hash = '{leaf}'"
        tamper(database_url, f"{forging} WHERE seq = 7")
        for check in (EventCheck(journal, remembered), EventCheck(journal)):
            with pytest.raises(VerificationFailed) as failed:
                check.read(7)
            assert failed.value.message.key == "verify.root"
