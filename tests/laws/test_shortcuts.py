"""Every shortcut ends where the long way ends, over long histories by chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.application.checking import check_lists
from ledger.errors import LedgerError
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.snapshot_store import NothingKept
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.people import People
from ledger.lists.publications import calculated
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.replay import PeriodOutcome, replay
from ledger.replay.snapshot import State, pack
from ledger.replay.timeline import Timeline
from ledger.reports.impact import RatingShift, impact, last_period, last_touched_period
from tests.differential.support import LIST
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import law
from tests.ledgers import do

SEEDS = st.integers(0, 2**32)
UNDER_EACH = pytest.mark.parametrize("regulation", REGULATIONS)


def closing(outcome: PeriodOutcome) -> bytes:
    """Everything about where everybody stands after a period."""
    return pack(State(outcome.period, outcome.closing, RatingsInForce()))


def full(facts: Facts, basis: int) -> list[PeriodOutcome]:
    """Every period, from the first one on, without anything kept."""
    bare = replace(facts, snapshots=NothingKept())
    return list(replay(bare, LIST, basis, last_period(bare, LIST)))


@UNDER_EACH
@law(3)
@given(seed=SEEDS)
def test_snapshots(regulation: str, seed: int) -> None:
    """At the head and at a basis in the past, after each thing that became known."""
    history = History.begun(MemoryJournal(), regulation, seed)
    ledger = history.ledger
    bases = [ledger.facts().seq]
    for _ in range(5):
        facts = ledger.facts()
        calculated(facts, LIST, facts.seq, last_period(facts, LIST))
        said(history.learn())
        facts = ledger.facts()
        bases.append(facts.seq)
        for basis in {facts.seq, history.chance.choice(bases)}:
            for outcome in full(facts, basis):
                short = calculated(facts, LIST, basis, outcome.period)
                assert closing(short) == closing(outcome), (basis, outcome.period.name)
                assert (short.units == outcome.units).all()
                assert outcome.calculation is not None, "the postings come to the sums"
        assert check_lists(ledger, [LIST])[0].wrong == ()


@UNDER_EACH
@law(5)
@given(seed=SEEDS)
def test_what_a_change_moves(regulation: str, seed: int) -> None:
    """The shifts of a dry run are the differences of two full replays, each told once."""
    history = History.begun(MemoryJournal(), regulation, seed)
    ledger = history.ledger
    for _ in range(5):
        before = ledger.facts()
        what = history.learn()
        after = ledger.facts()
        if after.seq == before.seq:
            continue
        people = ledger.people(after)
        shifts = Counter(map(_told, impact(before, after, people)))
        assert shifts == _differences(before, after, people), what
        said(f"{what}: {'something' if shifts else 'nothing'} moved")


@UNDER_EACH
@law(5)
@given(seed=SEEDS)
def test_what_a_remembered_list_says(regulation: str, seed: int) -> None:
    """A dry run in a process that remembers the list says what two full replays say."""
    history = History.begun(MemoryJournal(), regulation, seed)
    ledger = history.ledger
    for _ in range(5):
        before = ledger.facts()
        ledger.remember(LIST)
        what = history.chance.choice(("corrected", "corrected", "ruled", "moved"))
        command = history.command(what, history.chance.choice(list(history.events)))
        try:
            shifts = do(ledger, command, dry_run=True).shifts or ()
            do(ledger, command)
        except LedgerError:
            continue  # as a result of an annulled tournament is
        after = ledger.facts()
        people = ledger.people(after)
        assert Counter(map(_told, shifts)) == _differences(before, after, people), what
        said(f"{what}: {'something' if shifts else 'nothing'} moved")


def _told(shift: RatingShift) -> tuple[str, str, int, int]:
    return shift.period, shift.id, shift.before, shift.after


def _differences(before: Facts, after: Facts, people: People) -> Counter[tuple[str, str, int, int]]:
    timelines = (Timeline(AsOf(facts, facts.seq), LIST) for facts in (before, after))
    until = max(map(last_touched_period, timelines), key=lambda period: period.index)
    was, now = (
        list(replay(replace(facts, snapshots=NothingKept()), LIST, facts.seq, until))
        for facts in (before, after)
    )
    found: Counter[tuple[str, str, int, int]] = Counter()
    for one, other in zip(was, now, strict=True):
        old, new = one.closing.rating.tolist(), other.closing.rating.tolist()
        old += [0] * (len(new) - len(old))
        for player, (a, b) in enumerate(zip(old, new, strict=True)):
            if a != b:
                found[other.period.name, people.id(player) or "", a, b] += 1
    return found
