"""Requests: sent twice, recorded once; overtaken, decided again."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ledger.answers.lists import show
from ledger.errors import Conflict, InputRefused, VerificationFailed
from ledger.events.personal import Identity
from ledger.journal.interface import HeadMoved
from ledger.journal.records import Commit, Draft
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations.commands import (
    AnnulResult,
    AssignK,
    Command,
    CorrectResult,
    MergePlayers,
    RegisterPlayer,
    RuleOnTournament,
)
from ledger.service.ledger import Ledger, Request, body_of
from ledger.service.publications import publish
from ledger.trust.verification import verify
from tests.ledgers import NOW, PLAYERS_HEADER, define, do, empty_ledger, import_text

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


def recorded_by_a_clock(ledger: Ledger, hours: int) -> list[str]:
    """Registers somebody by a clock that is some hours ahead; returns the keys of the notes."""
    at = Ledger(ledger.journal, clock=lambda: NOW + dt.timedelta(hours=hours))
    somebody = replace(ANA, player=f"P{hours}", salt=f"{hours + 100:032x}")
    receipt = at.execute([somebody], Request("tester", "", f"key {hours}", body_of([somebody])))
    return [note.message.key for note in receipt.notes]


def test_a_clock_that_was_set_back_is_noted_and_holds_the_instants() -> None:
    ledger = empty_ledger()
    assert recorded_by_a_clock(ledger, 0) == []
    assert recorded_by_a_clock(ledger, -1) == ["database.clock_back"]
    assert recorded_by_a_clock(ledger, 1) == []
    instants = [commit.recorded_at[11:16] for commit in ledger.journal.commits()]
    assert instants == ["12:00", "12:00", "13:00"]


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


def test_a_list_that_was_overtaken_is_calculated_again() -> None:
    ledger = empty_ledger()
    define(ledger)
    stale = empty_ledger(ledger.journal)
    old = [stale.facts()]
    do(ledger, ANA)
    now = stale.facts
    stale.facts = lambda: old.pop() if old else now()  # type: ignore[method-assign]
    made = publish(stale, "ENF", "2010-07", Request("t", "", "", "")).list
    assert made.basis.seq == 3


def test_a_dry_run_leaves_no_trace() -> None:
    ledger = empty_ledger()
    define(ledger)
    before = ledger.facts()
    receipt = do(ledger, ANA, dry_run=True)
    assert receipt.commit_id is None
    assert len(receipt.events) == 1
    assert ledger.facts().player_ids == before.player_ids == []


CHANGES = [
    CorrectResult(tournament="T", round=1, white="A", black="B", result=None),
    AnnulResult(tournament="T", round=1, white="A", black="B"),
    RuleOnTournament(tournament="T", ruling="reject", on=dt.date(2010, 1, 1)),
    MergePlayers(player="A", into="B", on=dt.date(2010, 1, 1)),
    AssignK(player="A", k=1, list=None, on=dt.date(2010, 1, 1), as_correction=True),
]


@pytest.mark.parametrize("command", CHANGES, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("reason", ["", "   "])
def test_what_changes_the_record_needs_a_reason(command: Command, reason: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        empty_ledger().execute([command], Request("tester", reason, "key", ""))
    assert refusal.value.message.key == "registrar.needs_reason"


def test_identity_documents_that_are_gone_are_found() -> None:
    ledger = empty_ledger()
    do(ledger, ANA)
    assert not verify(ledger).findings
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    journal._personal.clear()
    assert [f.message.key for f in verify(ledger).findings] == ["verify.personal_gone"]


def test_a_list_that_is_not_as_published_is_not_shown_as_published() -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS_HEADER + "A,Ana,,,,1500,,\n", list_="ENF")
    publish(ledger, "ENF", "2010-07", Request("t", "", "", ""))
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    journal._events[:] = [
        replace(e, payload=e.payload.replace("1500", "1600")) for e in journal._events
    ]
    tampered = empty_ledger(journal)
    with pytest.raises(VerificationFailed):
        show(tampered, "ENF", "2010-07", edition=1)
    with pytest.raises(VerificationFailed):
        publish(tampered, "ENF", "2010-07", Request("t", "", "", ""))


@pytest.mark.parametrize(
    ("actor", "reason"), [("a\x1b[2J", "x"), ("a", "x\x1b]0;t\x07"), ("a", "x\r"), ("a\x9b", "")]
)
def test_what_steers_a_terminal_is_not_recorded(actor: str, reason: str) -> None:
    ledger = empty_ledger()
    with pytest.raises(InputRefused) as refused:
        ledger.execute([ANA], replace(asked(ANA), actor=actor, reason=reason))
    assert refused.value.message.key == "registrar.control"
    assert "\x1b" not in refused.value.message.within("en")
    ledger.execute([ANA], replace(asked(ANA), reason="a letter:\n\tof two lines"))
