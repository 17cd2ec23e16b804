"""Following what a change reaches ends where replaying everything with the change ends."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.application.ledger import Ledger, Request
from ledger.application.lists import define_list
from ledger.calendar import Calendar
from ledger.facts.beside import NothingKept
from ledger.facts.columns import Facts
from ledger.facts.known import Known
from ledger.journal.memory import MemoryJournal
from ledger.rating.standing import Standing
from ledger.registrar.commands import RuleOnTournament
from ledger.replay.in_force import RatingsInForce
from ledger.replay.reached import OutOfReach, Reach, changed_tournaments
from ledger.replay.remembered import Remembered
from ledger.replay.replay import PeriodOutcome, replay
from ledger.replay.snapshot import State, pack
from ledger.replay.timeline import Timeline
from ledger.reports.impact import last_period
from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import LIST, do, take
from tests.laws.support import correct_one, filled, law
from tests.ledgers import NOW


def full(facts: Facts) -> list[PeriodOutcome]:
    """Every period as known now, from the first one on."""
    bare = replace(facts, snapshots=NothingKept())
    return list(replay(bare, LIST, facts.seq, last_period(facts, LIST)))


def bytes_of(outcome: PeriodOutcome, closing: Standing) -> bytes:
    """Everything about where everybody stands."""
    return pack(State(outcome.period, closing, RatingsInForce()))


def follow(before: Facts, after: Facts, *, many: bool) -> int:
    """Compares both ways from before to after, period by period; returns how many were followed."""
    past, wanted = full(before), full(after)
    was, now = (Timeline(Known(facts, facts.seq), LIST) for facts in (before, after))
    reach = Reach(was, now, changed_tournaments(before, after))
    remembered = [Remembered.of(outcome, for_many_questions=many) for outcome in past]
    followed = 0
    for (then, differing), outcome in zip(reach.follow(remembered), wanted, strict=False):
        assert bytes_of(outcome, differing.over(then.closing)) == bytes_of(outcome, outcome.closing)
        followed += 1
    for old, new in list(zip(past, wanted, strict=False))[followed:]:
        assert bytes_of(old, old.closing) == bytes_of(new, new.closing)
    return followed


def recorded(federation: Federation, regulation: str) -> Ledger:
    """A ledger that knows the federation, with a list under the regulation."""
    if regulation == "enf-2010":
        return filled(federation)
    ledger = Ledger(MemoryJournal(), clock=lambda: NOW)
    define_list(
        ledger,
        LIST,
        regulation=regulation,
        parameters={},
        calendar=Calendar.MONTHLY,
        first_on=dt.date(2010, 7, 1),
        policy="restate",
        rate_of_play=None,
        closes_days_before=0,
        request=Request("tester", "test", "", ""),
    )
    take(ledger, federation.players_csv(), seeds=True)
    take(ledger, games_csv(*federation.events))
    return ledger


@pytest.mark.parametrize("regulation", ["enf-2010", "fide-standard"])
@law(40)
@given(federation=federations(corrections=(1, 4)), data=st.data())
def test_what_is_reached_is_all_there_is(
    regulation: str, federation: Federation, data: st.DataObject
) -> None:
    """One correction after the other, and tournaments annulled."""
    ledger = recorded(federation, regulation)
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
        after = ledger.facts()
        if after.seq > before.seq and last_period(before, LIST) == last_period(after, LIST):
            try:
                many = data.draw(st.booleans(), label="many questions")
                said(f"periods followed: {follow(before, after, many=many)}")
            except OutOfReach:
                said("out of reach")
