"""Every shortcut ends where the long way ends, over long histories by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts, Snapshots
from ledger.identifiers import Seq
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.publications import calculated
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, pack
from ledger.replay.timeline import Timeline, last_period
from ledger.trust.snapshot_check import check_lists
from tests.differential.support import LIST
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import law

SEEDS = st.integers(0, 2**32)
UNDER_EACH = pytest.mark.parametrize("regulation", REGULATIONS)


@pytest.fixture(autouse=True, scope="module")
def _read_ahead() -> Iterator[None]:
    """The next period is read in a thread, as in a long history."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.replay.replay.AHEAD_FROM", 0)
        yield


def closing(outcome: PeriodOutcome) -> bytes:
    """Everything about where everybody stands after a period."""
    return pack(State(outcome.period, outcome.closing, RatingsInForce()))


def full(facts: Facts, basis: int) -> list[PeriodOutcome]:
    """Every period, from the first one on, without anything kept."""
    bare = replace(facts, snapshots=Snapshots())
    return list(replay(Timeline(AsOf(bare, Seq(basis)), LIST), last_period(bare, LIST)))


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
