"""Whatever moves a rating of a published period reaches it: none is missed that a replay finds."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Dated, Event, ListEvent, PlayerEvent, TournamentEvent
from ledger.facts.as_of import AsOf
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists import reach
from ledger.lists.publications import period_of
from ledger.lists.reach import reached
from ledger.operations import commands as c
from ledger.replay.timeline import Timeline
from ledger.reports.impact import impact
from ledger.service.ledger import Ledger, Request
from ledger.service.operations import carry_out
from tests.differential.support import LIST
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import law
from tests.ledgers import define, empty_ledger, publish_period


def recorded(ledger: Ledger, after: int) -> list[Dated]:
    """Returns what was recorded after a seq."""
    return [
        Dated(
            dt.date.fromisoformat(event.effective_on),
            CATALOGUE.decode(event.type, event.version, event.payload),
        )
        for event in ledger.journal.events(after=after)
    ]


def taken_back(history: History) -> str:
    """Takes back what one of the last commits recorded, or what it took back."""
    last = history.ledger.journal.head().commit_id
    commit = history.chance.randint(max(3, last - 9), last)
    request = Request("tester", "by chance", f"reach:{last}", "")
    try:
        carry_out(history.ledger, c.UndoCommit(commit=commit), request)
    except LedgerError:
        return "taken back, refused"
    return "taken back"


@pytest.mark.parametrize("regulation", REGULATIONS)
@law(8)
@given(seed=st.integers(0, 2**32))
def test_what_moves_a_published_period_reaches_it(regulation: str, seed: int) -> None:
    history = History.begun(MemoryJournal(), regulation, seed)
    ledger = history.ledger
    periods = Timeline.at_head(ledger.facts(), LIST).periods(history.first + dt.timedelta(days=300))
    publish_period(ledger, history.chance.choice(periods[:-1]).name, LIST)
    for _ in range(8):
        before = ledger.facts()
        what = history.learn() if history.chance.random() < 0.6 else taken_back(history)
        after = ledger.facts()
        moved = [
            period.index
            for shift in impact(before, after, ledger.people(after))
            if shift.published and (period := period_of(after, LIST, shift.period))
        ]
        found = reached(before, recorded(ledger, before.seq))
        first = [period_of(after, each.list, each.period) for each in found]
        said(f"{what}: {'moves' if moved else 'reaches' if found else 'open'}")
        if moved:
            assert first[0] is not None, "it moves what it does not reach"
            assert first[0].index <= min(moved)


@pytest.mark.parametrize("kind", [TournamentEvent, PlayerEvent, ListEvent])
def test_an_event_of_a_new_type_reaches_every_published_list(
    kind: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unheard(kind):  # type: ignore[misc, valid-type]
        TYPE = f"{kind.STREAM}.unheard"

    ledger = empty_ledger()
    define(ledger)
    known = AsOf(ledger.facts(), ledger.facts().seq)
    movers = reach._Movers(known)
    unheard = SimpleNamespace(decode=lambda *_: Unheard.model_construct())
    monkeypatch.setattr(reach, "CATALOGUE", unheard)
    movers.take((Unheard.TYPE, 1, "2010-07-01", f"{kind.STREAM}:x", "{}"))
    if kind is TournamentEvent:
        assert movers._moved == {"x"}
    else:
        assert movers.first_day("ENF", known.list("ENF")) == reach._ALWAYS
