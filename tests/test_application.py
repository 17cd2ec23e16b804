"""Requests: sent twice, recorded once; overtaken, decided again."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ledger.application.ledger import Ledger, Request, body_of
from ledger.application.lists import publish
from ledger.errors import Conflict
from ledger.events.personal import Identity
from ledger.journal.entries import Commit, Draft, HeadMoved
from ledger.journal.memory import MemoryJournal
from ledger.registrar.commands import RegisterPlayer
from tests.ledgers import NOW, define, do, empty_ledger

ANA = RegisterPlayer(
    player="A",
    identity=Identity(name="Ana"),
    salt="0" * 32,
    federation=None,
    on=dt.date(2010, 1, 1),
)


def asked(*commands: RegisterPlayer) -> Request:
    return Request("tester", "", "key-1", body_of(commands))


def test_the_same_request_again_is_answered_with_its_first_commit() -> None:
    ledger = empty_ledger()
    first = ledger.execute([ANA], asked(ANA))
    again = ledger.execute([ANA], asked(ANA))
    assert again.repeated
    assert (again.first_seq, again.commit_id) == (first.first_seq, first.commit_id)
    assert ledger.journal.head().seq == 1


def test_the_same_key_for_something_else_is_a_conflict_that_shows_what_was_recorded() -> None:
    ledger = empty_ledger()
    ledger.execute([ANA], asked(ANA))
    beto = replace(ANA, player="B")
    with pytest.raises(Conflict) as conflict:
        ledger.execute([beto], asked(beto))
    assert conflict.value.message.key == "database.key_conflict"
    assert [d.message.key for d in conflict.value.details] == ["database.key_recorded"]


class OvertakenJournal(MemoryJournal):
    """Somebody else is faster, a number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def append(self, draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        if self.times:
            self.times -= 1
            other = Ledger(self._other(), clock=lambda: NOW)
            do(other, replace(ANA, player=f"other-{self.times}"))
            raise HeadMoved
        return super().append(draft, expected_seq=expected_seq, recorded_at=recorded_at)

    def _other(self) -> MemoryJournal:
        other = MemoryJournal()
        other._commits, other._events = self._commits, self._events
        return other


def test_a_command_that_was_overtaken_is_decided_again() -> None:
    journal = OvertakenJournal(3)
    ledger = Ledger(journal, clock=lambda: NOW)
    receipt = do(ledger, ANA)
    assert (receipt.first_seq, receipt.last_seq) == (4, 4)
    assert [event.seq for event in journal.events()] == [1, 2, 3, 4]


def test_an_edition_that_somebody_else_published_meanwhile_is_a_conflict() -> None:
    ledger = empty_ledger()
    define(ledger)
    stale = empty_ledger(ledger.journal)
    request = Request("t", "", "", "")
    old = stale.facts()
    publish(ledger, "ENF", "2010-07", request)
    stale.facts = lambda: old  # type: ignore[method-assign]
    with pytest.raises(Conflict) as conflict:
        publish(stale, "ENF", "2010-07", replace(request, idempotency_key="other"))
    assert conflict.value.message.key == "list.edition_taken"


def test_a_dry_run_leaves_no_trace() -> None:
    ledger = empty_ledger()
    define(ledger)
    before = ledger.facts()
    receipt = do(ledger, ANA, dry_run=True)
    assert receipt.commit_id is None
    assert len(receipt.events) == 1
    assert ledger.facts().player_ids == before.player_ids == []
