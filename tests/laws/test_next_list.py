"""The policy *next-list*: published lists stand, and what they owe is paid in the next one."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from ledger.application.ledger import Ledger
from ledger.application.lists import regenerate, show
from ledger.application.questions import explain
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, publish_month
from tests.laws.support import PERIODS, correct_all, correct_one, filled, law


def _publish(ledger: Ledger, period: str) -> bytes:
    made = publish_month(ledger, period)
    assert made.receipt is not None
    return made.list.document()


@law(12)
@given(federations(most_players=9, corrections=(1, 4)))
def test_published_lists_stand(federation: Federation) -> None:
    ledger = filled(federation, policy="next-list")
    published = {PERIODS[0]: _publish(ledger, PERIODS[0])}
    correct_all(ledger, federation)
    published[PERIODS[1]] = _publish(ledger, PERIODS[1])
    for period, document in published.items():
        made, failure = regenerate(ledger, LIST, period, 1)
        assert failure is None
        assert made.document() == document
        assert show(ledger, LIST, period).rows == made.rows


@law(12)
@given(federations(most_players=9, corrections=(1, 4)))
def test_statements_with_credits_balance(federation: Federation) -> None:
    ledger = filled(federation, policy="next-list")
    for place, period in enumerate(PERIODS):
        _publish(ledger, period)
        if place < len(federation.corrections):
            correct_one(ledger, federation, place)
    for person in federation.people:
        last = person.rating
        for period in PERIODS:
            said = explain(ledger, person.id, LIST, period)
            assert said.opening == last
            last = said.closing
            if said.opening is not None:
                paid = sum(line.entitled - line.credited for line in said.credits)
                exact = sum(line.contribution for line in said.postings)
                assert said.opening + exact + said.rounding + paid == said.closing


@law(12)
@given(federations(most_players=9, corrections=(1, 4), all_rated=True))
def test_all_that_is_credited_is_all_that_was_due(federation: Federation) -> None:
    """Whenever the corrections come: July is paid what July would have been worth."""
    ledger = filled(federation, policy="next-list")
    half = len(federation.corrections) // 2
    for place, period in enumerate(PERIODS):
        _publish(ledger, period)
        wanted = (range(half), range(half, len(federation.corrections)), range(0))[place]
        for correction in wanted:
            correct_one(ledger, federation, correction)
    right = filled(federation, federation.corrected())
    for person in federation.people:
        credited: Counter[str | None] = Counter()
        for period in PERIODS:
            for line in explain(ledger, person.id, LIST, period).credits:
                credited[line.period] += line.entitled - line.credited
        given_ = explain(ledger, person.id, LIST, PERIODS[0])
        due = explain(right, person.id, LIST, PERIODS[0])
        assert (given_.change or 0) + credited[PERIODS[0]] == (due.change or 0)
        assert not credited[None]
