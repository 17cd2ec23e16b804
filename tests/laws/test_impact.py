"""What a change moves is the difference of two full replays, each difference told once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.facts.columns import Facts, Snapshots
from ledger.identifiers import PlayerIndex
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.people import People
from ledger.operations.commands import RuleOnTournament
from ledger.rating import game_sums
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline
from ledger.reports.impact import RatingShift, impact
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import correct_one, filled, law
from tests.ledgers import NOW, do

SEEDS = st.integers(0, 2**32)
UNDER_EACH = pytest.mark.parametrize("regulation", REGULATIONS)


def compared(before: Facts, after: Facts, people: People) -> str:
    """Compares the impact with two full replays; says whether anything moved."""
    if after.seq == before.seq:
        return "nothing recorded"
    shifts = Counter(map(_told, impact(before, after, people)))
    assert shifts == _differences(before, after, people)
    return "something moved" if shifts else "nothing moved"


@law(30)
@given(
    federation=federations(corrections=(1, 4)),
    policy=st.sampled_from(("restate", "next-list")),
    data=st.data(),
)
def test_results_corrected_and_tournaments_annulled(
    federation: Federation, policy: Literal["restate", "next-list"], data: st.DataObject
) -> None:
    """One correction after the other."""
    ledger = filled(federation, policy=policy)
    annulled = set()
    for place, (number, *_) in enumerate(federation.corrections):
        before, event = ledger.facts(), federation.events[number]
        if event.id in annulled:
            continue
        if data.draw(st.booleans(), label="annul"):
            annulled.add(event.id)
            do(ledger, RuleOnTournament(tournament=event.id, ruling="annul", on=NOW.date()))
        else:
            correct_one(ledger, federation, place)
        said(compared(before, ledger.facts(), ledger.people(ledger.facts())))


def learnt(regulation: str, seed: int) -> None:
    """Compares what becomes known of a long history, one thing after the other."""
    history = History.begun(MemoryJournal(), regulation, seed)
    for _ in range(5):
        before = history.ledger.facts()
        what = history.learn()
        after = history.ledger.facts()
        said(f"{what}: {compared(before, after, history.ledger.people(after))}")


@UNDER_EACH
@law(5)
@given(seed=SEEDS)
def test_what_becomes_known_of_a_long_history(regulation: str, seed: int) -> None:
    """Months under the rules of their dates, with seeds, orders and steps of the list."""
    learnt(regulation, seed)


@law(5)
@given(regulation=st.sampled_from(REGULATIONS), seed=SEEDS)
def test_sums_of_the_other_thread(regulation: str, seed: int) -> None:
    """The same where no period is too small to be summed beside the other games.

    Without a compiled kernel there is no other thread, and this law says what the others do.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(game_sums, "_WORTH_A_THREAD", 0)
        learnt(regulation, seed)


@UNDER_EACH
@law(5)
@given(seed=SEEDS)
def test_dry_runs(regulation: str, seed: int) -> None:
    """A dry run says what carrying the command out moves."""
    history = History.begun(MemoryJournal(), regulation, seed)
    ledger = history.ledger
    for _ in range(5):
        before = ledger.facts()
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
    timelines = (Timeline.at_head(facts, LIST) for facts in (before, after))
    until = max((t.last_touched_period for t in timelines), key=lambda period: period.index)
    was, now = (
        list(replay(Timeline.at_head(replace(facts, snapshots=Snapshots()), LIST), until))
        for facts in (before, after)
    )
    found: Counter[tuple[str, str, int, int]] = Counter()
    for one, other in zip(was, now, strict=True):
        old, new = one.closing.rating.tolist(), other.closing.rating.tolist()
        old += [0] * (len(new) - len(old))
        for player, (a, b) in enumerate(zip(old, new, strict=True)):
            if a != b:
                found[other.period.name, people.id(PlayerIndex(player)) or "", a, b] += 1
    return found
