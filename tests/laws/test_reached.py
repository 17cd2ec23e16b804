"""Following what a change reaches ends where replaying everything with the change ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.snapshot_store import NothingKept
from ledger.journal.stores.memory import MemoryJournal
from ledger.rating import game_sums
from ledger.rating.player_state import PlayerStates
from ledger.registrar.commands import RuleOnTournament
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.reached import OutOfReach, Reach, changed_tournaments
from ledger.replay.remembered import Remembered
from ledger.replay.replay import PeriodOutcome, replay
from ledger.replay.snapshot import State, pack
from ledger.replay.timeline import Timeline
from ledger.reports.impact import last_period
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, do
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import correct_one, filled, law
from tests.ledgers import NOW

SEEDS = st.integers(0, 2**32)


def full(facts: Facts) -> list[PeriodOutcome]:
    """Every period as known now, from the first one on."""
    bare = replace(facts, snapshots=NothingKept())
    return list(replay(bare, LIST, facts.seq, last_period(facts, LIST)))


def bytes_of(outcome: PeriodOutcome, closing: PlayerStates) -> bytes:
    """Everything about where everybody stands."""
    return pack(State(outcome.period, closing, RatingsInForce()))


def follow(before: Facts, after: Facts, *, many: bool) -> int:
    """Compares both ways from before to after, period by period; returns how many were followed."""
    past, wanted = full(before), full(after)
    was, now = (Timeline(AsOf(facts, facts.seq), LIST) for facts in (before, after))
    reach = Reach(was, now, changed_tournaments(before, after))
    remembered = [Remembered.of(outcome, for_many_questions=many) for outcome in past]
    followed = 0
    for (then, differing), outcome in zip(reach.follow(remembered), wanted, strict=False):
        assert bytes_of(outcome, differing.over(then.closing)) == bytes_of(outcome, outcome.closing)
        followed += 1
    for old, new in list(zip(past, wanted, strict=False))[followed:]:
        assert bytes_of(old, old.closing) == bytes_of(new, new.closing)
    return followed


def followed(before: Facts, after: Facts, *, many: bool) -> str:
    """Compares both ways where periods are the same; says how far what changed was followed."""
    if after.seq == before.seq or last_period(before, LIST) != last_period(after, LIST):
        return "not compared"
    try:
        return f"periods followed: {follow(before, after, many=many)}"
    except OutOfReach:
        return "out of reach"


@law(40)
@given(federation=federations(corrections=(1, 4)), data=st.data())
def test_what_is_reached_is_all_there_is(federation: Federation, data: st.DataObject) -> None:
    """One correction after the other, and tournaments annulled."""
    ledger = filled(federation)
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
        many = data.draw(st.booleans(), label="many questions")
        said(followed(before, ledger.facts(), many=many))


def learnt(regulation: str, seed: int) -> None:
    """Follows what becomes known of a long history, one thing after the other."""
    history = History.begun(MemoryJournal(), regulation, seed)
    for _ in range(6):
        before = history.ledger.facts()
        what = history.learn()
        many = history.chance.choice((True, False))
        said(f"{what}, {followed(before, history.ledger.facts(), many=many)}")


@pytest.mark.parametrize("regulation", REGULATIONS)
@law(5)
@given(seed=SEEDS)
def test_what_is_reached_in_a_long_history(regulation: str, seed: int) -> None:
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
