"""The postings that are made of columns are those that the regulation calculates side by side."""

from __future__ import annotations

import gc

from hypothesis import given

from ledger.rating.postings import PostingColumns, Postings
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST
from tests.laws.support import correct_all, filled, law


def _rows(postings: Postings) -> list[tuple[int, ...]]:
    columns = [getattr(postings, name).tolist() for name in Postings.__slots__]
    return sorted(zip(*columns, strict=True))


@given(federations())
@law(60)
def test_postings_made_of_columns_are_those_of_the_calculation(federation: Federation) -> None:
    ledger = filled(federation)
    correct_all(ledger, federation)
    facts = ledger.facts()
    for outcome in replay(Timeline.at_head(facts, LIST), last_period(facts, LIST)):
        calculation = outcome.calculation
        assert _rows(outcome.rated.postings) == _rows(calculation.postings)
        assert outcome.rated.apart.steps == calculation.steps
        assert outcome.rated.apart.scale == calculation.scale


@given(federations())
@law(5)
def test_nothing_of_a_period_waits_for_the_collector(federation: Federation) -> None:
    facts = filled(federation).facts()
    timeline = Timeline.at_head(facts, LIST)
    gc.freeze()  # what was there before is nothing of the period
    gc.disable()
    try:
        for outcome in replay(timeline, timeline.last_period):
            assert len(outcome.rated.postings.contribution) == len(outcome.calculation.postings)
        del outcome
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not [held for held in gc.garbage if isinstance(held, PostingColumns)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
